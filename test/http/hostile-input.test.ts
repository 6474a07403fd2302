/** Input made to do harm: prototypes, nesting, size, characters that do not show. */
import { describe, expect, test } from "bun:test";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import { LIMITS, normalise } from "../../src/schema/fields.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { API, BOOKING, CATALOG, fileApp, QUOTE, testApp } from "../helpers.ts";

const SUV = { vehicle_type: "suv" };
const estimate = (body: object) => testApp().post(`${API}/estimates`, body);

describe("hostile input", () => {
  test("__proto__ and constructor in a body change nothing", async () => {
    const poisoned = await testApp().post(`${API}/estimates`, '{"__proto__":{"vehicle_type":"suv"}}');
    expect([poisoned.status, poisoned.json.success]).toEqual([400, false]);
    const kept = await testApp().post(
      `${API}/estimates`,
      '{"vehicle_type":"suv","__proto__":{"film_type":"ceramic"},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect([kept.status, kept.json.data.film_type]).toEqual([200, "standard"]);
    const info = await testApp().post(
      `${API}/quote-request`,
      `${JSON.stringify(QUOTE).slice(0, -1)},"property_info":{"__proto__":{"admin":true}}}`,
    );
    expect(info.status).toBeLessThan(500);
    expect("polluted" in {} || "admin" in {} || "film_type" in {}).toBe(false);
  });

  test.each(["toString", "constructor", "valueOf", "hasOwnProperty", "__proto__"])(
    "a field named %s is a field like any other",
    async (name) => {
      const inside = `{"vehicle_type":"suv","shade":{"${name}":"35"}}`;
      const phone = `{"confirmation_code":"7K2MQ9XA","phone":{"${name}":"0x10"}}`;
      const app = testApp();
      const answers = [
        await app.post(`${API}/estimates`, inside),
        await app.post(`${API}/bookings/cancel`, phone),
        await app.post(`${API}/estimates`, `{"vehicle_type":"suv","${name}":"35"}`),
      ];
      expect(answers.map(({ status }) => status < 500)).toEqual([true, true, true]);
      expect(answers[1]?.json.error_code).toBe("BAD_REQUEST");
    },
  );

  const DEEP: [string, string, string][] = [
    ["a body of brackets", "/estimates", "[".repeat(30_000) + "]".repeat(30_000)],
    ["brackets left open", "/estimates", `{"vehicle_type":${"[".repeat(30_000)}`],
    [
      "a field the schema knows",
      "/estimates",
      `{"vehicle_type":"suv","addons":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
    ],
    [
      "objects in a field",
      "/estimates",
      `{"vehicle_type":"suv","shade":${'{"front_side":'.repeat(4_000)}1${"}".repeat(4_000)}}`,
    ],
    ["a free-form field", "/quote-request", free(`${"[".repeat(30_000)}${"]".repeat(30_000)}`)],
    ["a short free-form field", "/quote-request", free(`${"[".repeat(2_500)}${"]".repeat(2_500)}`)],
  ];
  for (const [name, path, body] of DEEP) {
    test(`deep nesting: ${name}`, async () => {
      const { status, json } = await testApp().post(API + path, body);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(json.success).toBe(false);
    });
  }

  test("deep nesting in an ignored field causes no server error", async () => {
    const { status } = await testApp().post(
      `${API}/estimates`,
      `{"vehicle_type":"suv","unknown":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
    );
    expect(status).toBeLessThan(500);
  });

  function free(nested: string): string {
    return `${JSON.stringify(QUOTE).slice(0, -1)},"property_info":{"a":${nested}}}`;
  }

  test("property_info is nested at most 32 deep, and deeper nesting is refused in little time", async () => {
    const app = testApp();
    // The object around the list is a level of its own.
    const send = async (depth: number) =>
      (await app.post(`${API}/quote-request`, free("[".repeat(depth - 1) + "]".repeat(depth - 1)))).status;
    expect([await send(32), await send(33), await send(1_001), await send(2_000)]).toEqual([200, 400, 400, 400]);
    const before = process.cpuUsage();
    for (let i = 0; i < 4; i++) expect(await send(30_000)).toBe(400);
    const { user, system } = process.cpuUsage(before);
    // Microseconds. To write this as JSON alone would take longer each time.
    expect(user + system).toBeLessThan(1_500_000);
  });

  test("a query of many fields takes no more than linear time", async () => {
    const app = testApp();
    const query = Array.from({ length: 20_000 }, (_, i) => `f${i}=1`).join("&");
    const before = process.cpuUsage();
    expect((await app.get(`${API}/availability?${query}`)).status).toBe(200);
    const { user, system } = process.cpuUsage(before);
    // Microseconds; quadratic time would be seconds.
    expect(user + system).toBeLessThan(1_500_000);
  });

  test("a body of 64 KiB passes, a byte more does not", async () => {
    const body = (bytes: number) => {
      const text = JSON.stringify({ ...SUV, filler: "" });
      return `${text.slice(0, -2)}${"x".repeat(bytes - text.length)}"}`;
    };
    expect(body(65_536)).toHaveLength(65_536);
    expect((await testApp().post(`${API}/estimates`, body(65_536))).status).toBe(200);
    expect((await testApp().post(`${API}/estimates`, body(65_537))).status).toBe(413);
  });

  test("the limit is of bytes, not characters", async () => {
    const { status } = await testApp().post(`${API}/estimates`, { ...SUV, filler: "é".repeat(32_768) });
    expect(status).toBe(413);
  });

  test.each(["\u3164", "\u2800 \u2800", "\u115f\u1160", "\uffa0", "\u3000", "\ufe0f", "\u200b\u3164", "\u200d", "\0"])(
    "%j is a blank name",
    async (name) => {
      const { status, json } = await fileApp().post(`${API}/bookings`, { ...BOOKING, customer_name: name });
      expect([status, json.error_code, json.missing_fields]).toEqual([400, "MISSING_FIELD", ["customer_name"]]);
    },
  );

  test("texts are trimmed and composed", async () => {
    const { json } = await testApp().post(`${API}/bookings`, { ...BOOKING, customer_name: "  Zoe\u0308  " });
    expect(json.data.customer.name).toBe("Zo\u00eb");
    const trimmed = await estimate({ vehicle_type: " suv ", film_type: "ceramic\n" });
    expect([trimmed.status, trimmed.json.data?.film_type]).toEqual([200, "ceramic"]);
  });

  const NO_TEXT = Buffer.from([...Buffer.from('{"vehicle_type":"suv","vehicle_make":"'), 0xff, ...Buffer.from('"}')]);
  test.each([
    ["that is not UTF-8", NO_TEXT, {}, "The body is not UTF-8 text."],
    [
      "that is compressed",
      Bun.gzipSync(JSON.stringify(SUV)),
      { "Content-Encoding": "gzip" },
      "The body is compressed; send it as plain JSON.",
    ],
  ])("a body %s is refused", async (_, body, headers, message) => {
    const app = createApp({
      catalog: { current: { catalog: CATALOG, hash: "" } },
      store: openSqliteStore(":memory:"),
      log: pino({ level: "silent" }),
    });
    const request = new Request(`http://localhost${API}/estimates`, { method: "POST", headers, body });
    const response = await app.handle(request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "INVALID_JSON", message });
  });
});

test("an impossibly long run of combining marks is not normalised, which would take minutes", () => {
  const text = `a${"\u0315\u0300".repeat(LIMITS.body)}`;
  expect(normalise({ x: text })).toEqual({ x: text });
  expect(normalise("e\u0301")).toBe("é");
});
