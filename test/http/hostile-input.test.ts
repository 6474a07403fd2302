/** Input made to do harm, and texts of strangers: prototypes, nesting, size, characters that do not show. */
import { describe, expect, test } from "bun:test";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { LIMITS, normalize } from "../../src/schema/fields.ts";
import { MEANT_BY_NAME } from "../../src/schema/names.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { type Answer, fileApp, manyCallers, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, NOW, QUOTE } from "../fixed-day.ts";
import { CATALOG } from "../helpers.ts";
import { fieldsOf, takesText, withField } from "./text-fields.ts";

const APP = manyCallers();
const SUV = { vehicle_type: "suv" };
const estimate = (body: object) => APP.post(`${API}/estimates`, body);

describe("hostile input", () => {
  test("__proto__ and constructor in a body change nothing", async () => {
    const poisoned = await APP.post(`${API}/estimates`, '{"__proto__":{"vehicle_type":"suv"}}');
    expect([poisoned.status, poisoned.json.success]).toEqual([400, false]);
    const kept = await APP.post(
      `${API}/estimates`,
      '{"vehicle_type":"suv","__proto__":{"film_type":"ceramic"},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect([kept.status, kept.json.data.film_type]).toEqual([200, "standard"]);
    const info = await APP.post(
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

  test("a value without a text, under every name, is a fault of the request", async () => {
    const names = ["sqm", "unit", "width", "width_ft", "windows", "cancel", "time", "colour"];
    const windows = [{ width_in: 30, width_ft: 1, unit: { toString: 1 } }];
    const failed: string[] = [];
    for (const { id, method, path, sample, input } of CAPABILITIES) {
      if (method !== "POST") continue;
      const shape = input(CATALOG).shape;
      // A name that means no field of the request is unknown, like a color.
      const meant = [...MEANT_BY_NAME].flatMap(([name, fields]) => (fields.some((one) => one in shape) ? name : []));
      for (const value of [{ toString: 1 }, [{ toString: 1 }]])
        for (const name of [...names, ...meant, ...Object.keys(shape)]) {
          const body = { ...sample(CATALOG, NOW), windows, width_in: value, [name]: value };
          if ((await APP.post(API + path, body)).status >= 500) failed.push(`${id} ${name}`);
        }
    }
    expect(failed).toEqual([]);
  });

  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const DEEP: [string, string, string][] = [
    ["a body of brackets", "/estimates", nested(30_000)],
    ["brackets left open", "/estimates", `{"vehicle_type":${"[".repeat(30_000)}`],
    ["a field the schema knows", "/estimates", `{"vehicle_type":"suv","addons":${nested(30_000)}}`],
    [
      "objects in a field",
      "/estimates",
      `{"vehicle_type":"suv","shade":${'{"front_side":'.repeat(4_000)}1${"}".repeat(4_000)}}`,
    ],
    ["a free-form field", "/quote-request", free(nested(30_000))],
    ["a short free-form field", "/quote-request", free(nested(2_500))],
  ];
  for (const [name, path, body] of DEEP) {
    test(`deep nesting: ${name}`, async () => {
      const { status, json } = await APP.post(API + path, body);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(json.success).toBe(false);
    });
  }

  test("deep nesting in an ignored field causes no server error", async () => {
    const { status } = await APP.post(`${API}/estimates`, `{"vehicle_type":"suv","unknown":${nested(30_000)}}`);
    expect(status).toBeLessThan(500);
  });

  function free(nested: string): string {
    return `${JSON.stringify(QUOTE).slice(0, -1)},"property_info":{"a":${nested}}}`;
  }

  test("property_info is nested at most 32 deep, and deeper nesting is refused in little time", async () => {
    const app = testApp();
    // The object around the list is a level of its own.
    const send = async (depth: number) => (await app.post(`${API}/quote-request`, free(nested(depth - 1)))).status;
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
    expect((await APP.post(`${API}/estimates`, body(65_536))).status).toBe(200);
    expect((await APP.post(`${API}/estimates`, body(65_537))).status).toBe(413);
  });

  test("the limit is of bytes, not characters", async () => {
    const { status } = await APP.post(`${API}/estimates`, { ...SUV, filler: "é".repeat(32_768) });
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
    const { json } = await APP.post(`${API}/bookings`, { ...BOOKING, customer_name: "  Zoe\u0308  " });
    expect(json.data.customer.name).toBe("Zo\u00eb");
    const trimmed = await estimate({ vehicle_type: " suv ", film_type: "ceramic\n" });
    expect([trimmed.status, trimmed.json.data?.film_type]).toEqual([200, "ceramic"]);
  });

  const NO_TEXT = Buffer.from([...Buffer.from('{"vehicle_type":"suv","vehicle_make":"'), 0xff, ...Buffer.from('"}')]);
  test.each([
    ["that is not UTF-8", NO_TEXT, {}, "The body is not UTF-8 text."],
    [
      "that is compressed",
      Bun.gzipSync("{}"),
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

test("an impossibly long run of combining marks is not normalized, which would take minutes", () => {
  const text = `a${"\u0315\u0300".repeat(LIMITS.body)}`;
  expect(normalize({ x: text })).toEqual({ x: text });
  expect(normalize("e\u0301")).toBe("é");
});

/** What else a request needs before a field inside it can be sent. */
const AROUND = { consent: { confirmed_by_user: true }, windows: [{ width_in: 36, height_in: 60, quantity: 8 }] };

/** The area is then that of the windows. */
const WITHOUT_AREA = { total_sqft: undefined, square_footage: undefined };

/** A request of the capability that holds the group of a field, without the field itself. */
function around({ sample }: Capability, path: readonly string[]): object {
  const body = { ...sample(CATALOG, NOW), ...("dry_run" in sample(CATALOG, NOW) && { dry_run: true }) };
  const [group = ""] = path;
  return path.length > 1 && group in AROUND ? { ...body, ...WITHOUT_AREA, [group]: Object(AROUND)[group] } : body;
}

let asked = 0;

function send(app: TestApp, { method, path }: Capability, body: object): Promise<Answer> {
  const from = `203.0.${asked >> 6}.${asked++ & 63}`;
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  const url = path.replace(/\{\w+\}/, "K7M2QPRT");
  if (method !== "GET") return app.post(API + url, body, { from });
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return app.get(`${API}${url}?${query}`, { from });
}

/** An answer without what differs each time. */
function essence({ status, json }: Answer): object {
  const { error_code, missing_fields, invalid_fields, warnings } = json;
  const text = JSON.stringify(json.data ?? null, (name, value) =>
    /^(estimate_id|generated_at|book_url|quoted)$/.test(name) ? null : value,
  );
  return { status, error_code, missing_fields, invalid_fields, warnings, data: JSON.parse(text) };
}

const absences = CAPABILITIES.flatMap((capability) =>
  fieldsOf(capability)
    .filter(({ path }) => capability.method !== "GET" || path.length === 1)
    .filter(({ path }) => !capability.path.includes(`{${path[0]}}`))
    .map(({ path }) => [`${capability.id}: ${path.join(".")}`, capability, path] as const),
);

/** Guesses at one code are counted, so what is about a booking has an app of its own. */
const appFor = ({ path }: Capability) => (path.startsWith("/bookings/") ? testApp() : APP);

test.each(absences)("%s is absent when it is empty", async (_, capability, path) => {
  const app = appFor(capability);
  const isEntry = path.at(-1) === "0";
  const body = withField(around(capability, path), isEntry ? path.slice(0, -1) : path, undefined);
  const expected = essence(await send(app, capability, body));
  for (const empty of ["", " \t", "\u200b", null]) {
    if (capability.method === "GET" && empty === null) continue;
    const answer = await send(app, capability, withField(body, path, empty));
    if (isEntry)
      expect(answer.json.invalid_fields ?? []).not.toContainEqual(expect.objectContaining({ field: `${path[0]}[0]` }));
    else expect([empty, essence(answer)]).toEqual([empty, expected]);
  }
});

const MARKS: Record<string, string> = {
  NUL: "\0",
  escape: "\u001b",
  tab: "\t",
  "carriage return": "\r",
  newline: "\n",
  delete: "\u007f",
  "next line": "\u0085",
  "zero-width space": "\u200b",
  "zero-width joiner": "\u200d",
  "byte order mark": "\ufeff",
  "soft hyphen": "\u00ad",
  "right-to-left override": "\u202e",
  "line separator": "\u2028",
  "lone surrogate": "\ud800",
  "tag character": "\u{e0041}",
};

/** Texts that must name something: what they hold is looked up. */
const LOOKED_UP =
  /^(service|service_type|jurisdiction|confirmation_code|estimate_id|postal_code|shade|windshield_shade)$/;

const texts = CAPABILITIES.flatMap((capability) =>
  fieldsOf(capability)
    .filter(takesText)
    .filter(({ schema }) => !schema.enum && !schema.format && !schema.pattern)
    .filter(({ path }) => !LOOKED_UP.test(path[0] ?? ""))
    .map(({ path }) => [`${capability.id}: ${path.join(".")}`, capability, path] as const),
);

test.each(texts)("%s takes every character", async (_, capability, path) => {
  const app = appFor(capability);
  const plain = await send(app, capability, withField(around(capability, path), path, "a b"));
  for (const [name, mark] of Object.entries(MARKS)) {
    const answer = await send(app, capability, withField(around(capability, path), path, `a${mark}b`));
    expect([name, answer.status, answer.json.invalid_fields]).toEqual([name, plain.status, undefined]);
  }
});

test("what a stranger types is kept without what would forge lines or hide text", async () => {
  const clean = async (name: string, request: string) => {
    const body = { ...BOOKING, customer_name: name, special_requests: request, dry_run: true };
    const { json } = await APP.post(`${API}/bookings`, body);
    return [json.data.customer.name, json.data.special_requests];
  };
  const shown = "\t\r\n\u0085\u2028";
  const hidden = Object.values(MARKS)
    .filter((mark) => !shown.includes(mark))
    .join("");
  expect(await clean(`a${hidden}b`, `a${hidden}b`)).toEqual(["ab", "ab"]);
  expect(await clean("Pat\r\nExample", "One\r\nTwo\u2028Three\tFour")).toEqual(["Pat Example", "One\nTwo\nThree Four"]);
  const expected = ["مریم\u200cالسادات", "👨\u200d👩\u200d👧 wait inside"];
  expect(await clean("مریم\u200cالسادات", "👨\u200d👩\u200d👧 wait\u200d \u202einside")).toEqual(expected);
});

test("a phone is read with the spaces, dashes and marks of a contact list", async () => {
  const customer_phone = "\u202a(404)\u00a0555\u20110111\u202c";
  const { status } = await APP.post(`${API}/bookings`, { ...BOOKING, customer_phone, dry_run: true });
  expect(status).toBe(200);
});

test("facts about a property are cleaned too, with their names", async () => {
  const app = testApp();
  const property_info = { "no\u200bte": ["a\u001bb", ""], floors: null };
  const { json } = await app.post(`${API}/quote-request`, { ...QUOTE, property_info });
  const lead = await app.store.findLead(json.data.reference);
  expect(lead?.details).toMatchObject({ property_info: { note: ["ab"] } });
});
