/** Compressed forms of documents and catalog reads, their ETags, and how long answers are kept. */
import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { type Answer, API, CATALOG, catalogWith, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const KEPT = [
  `${API}/services`,
  `${API}/location`,
  `${API}/faq`,
  `${API}/faq?category=automotive`,
  `${API}/estimates`,
  `${API}/capabilities`,
  `${API}/docs`,
  `${API}/docs-md`,
  `${API}/openapi.json`,
  "/llms.txt",
  "/.well-known/agents.json",
  "/.well-known/agent-card.json",
];
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };
const header = ({ headers }: Answer, name: string) => headers.get(name);
const accept = (coding: string) => ({ headers: { "Accept-Encoding": coding } });

describe.each(KEPT)("GET %s", (path) => {
  // The docs come in Markdown, too.
  const vary = path === `${API}/docs` ? "Accept, Accept-Encoding" : "Accept-Encoding";
  test("has a compressed form for each coding, each with an ETag of its own", async () => {
    const plain = await APP.get(path);
    expect([header(plain, "content-encoding"), header(plain, "vary")]).toEqual([null, vary]);
    const tags = new Set([header(plain, "etag")]);
    for (const coding of ["br", "gzip"] as const) {
      for (const answer of [await APP.get(path, accept(coding)), await APP.get(path, accept(coding))]) {
        expect(answer.status).toBe(200);
        expect(header(answer, "content-encoding")).toBe(coding);
        expect(header(answer, "vary")).toBe(vary);
        expect(header(answer, "content-type")).toBe(header(plain, "content-type"));
        expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
        expect(new TextDecoder().decode(DECODE[coding](answer.bytes))).toBe(plain.text);
        tags.add(header(answer, "etag"));
      }
    }
    expect(tags.size).toBe(3);
  });

  test("304 for the ETag of the same coding", async () => {
    for (const [coding, other] of [
      ["br", "gzip"],
      ["gzip", "identity"],
      ["identity", "br"],
    ] as const) {
      const etag = header(await APP.get(path, accept(coding)), "etag") ?? "";
      const again = await APP.get(path, { headers: { "Accept-Encoding": coding, "If-None-Match": etag } });
      expect([again.status, again.text, header(again, "etag")]).toEqual([304, "", etag]);
      expect(header(again, "vary")).toBe(vary);
      const elsewhere = await APP.get(path, { headers: { "Accept-Encoding": other, "If-None-Match": etag } });
      expect(elsewhere.status).toBe(200);
    }
  });
});

test.each([
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br ; q=0.5 , gzip ; q=0.5", "br"],
  ["gzip;q=0.001", "gzip"],
  ["gzip;q=0.5, identity", null],
  ["gzip;q=0", null],
  ["gzip;q=high", null],
  ["identity;q=0, *;q=0", null],
  ["identity", null],
  ["zstd, deflate", null],
  ["", null],
])("Accept-Encoding %j is answered in %p", async (accepted, coding) => {
  const answer = await APP.get(`${API}/services`, accept(accepted));
  expect([answer.status, header(answer, "content-encoding")]).toEqual([200, coding]);
});

test("HEAD states the length of the compressed form", async () => {
  const app = testApp();
  const get = await app.get(`${API}/docs`, accept("br"));
  const head = await app.send("HEAD", `${API}/docs`, accept("br"));
  expect(header(head, "content-length")).toBe(String(get.bytes.length));
  for (const name of ["content-encoding", "etag", "vary"]) expect(header(head, name)).toBe(header(get, name));
});

test("small files, estimates and errors are not compressed", async () => {
  const app = testApp();
  const answers = [
    await app.get("/robots.txt", accept("br")),
    await app.post(`${API}/estimates`, { vehicle_type: "suv" }, accept("br")),
    await app.get("/nowhere", accept("br")),
  ];
  for (const answer of answers) {
    expect([header(answer, "content-encoding"), header(answer, "vary")]).toEqual([null, null]);
  }
});

describe("kept answers", () => {
  const changed = catalogWith({
    "business.phone": "+1-404-555-0177",
    "business.name": "Other Film",
    "services.0.name": "Window film for cars",
    "faq.0.question": "Is this another question?",
    "automotive.vehicle_types.suv.ceramic.full": 1234,
  });

  test.each(KEPT)("%s follows the catalog, and comes back with it", async (path) => {
    const ask = async () => {
      const [plain, packed] = [await APP.get(path), await APP.get(path, accept("br"))];
      expect(new TextDecoder().decode(brotliDecompressSync(packed.bytes))).toBe(plain.text);
      return header(packed, "etag");
    };
    const before = await ask();
    APP.setCatalog(changed);
    const between = await ask();
    APP.setCatalog(CATALOG);
    expect([between === before, (await ask()) === before]).toEqual([false, true]);
  });

  test("samples follow the clock", async () => {
    const app = testApp();
    const sample = async () =>
      (await app.get(`${API}/capabilities`)).json.data.capabilities.find(
        ({ id }: { id: string }) => id === "book_appointment",
      ).sample_request;
    const first = await sample();
    app.advance({ hours: 24 * 7 });
    const later = await sample();
    expect(later.date > first.date).toBe(true);
    expect((await app.post(`${API}/bookings`, later)).status).toBe(200);
  });

  test("each query has an answer of its own, however many there are", async () => {
    const app = testApp();
    const plain = await app.get(`${API}/faq`);
    const automotive = (await app.get(`${API}/faq?category=automotive`)).json;
    for (let i = 0; i < 150; i++) {
      const { json } = await app.get(`${API}/faq?other_${i}=1`, { from: `192.0.2.${i}` });
      expect(json.warnings[0].field).toBe(`other_${i}`);
      expect(json.data).toEqual(plain.json.data);
    }
    expect((await app.get(`${API}/faq?category=automotive`)).json).toEqual(automotive);
    expect(automotive.data.length).toBeLessThan(plain.json.data.length);
    const refused = () => app.get(`${API}/faq?category=boats`);
    expect([(await refused()).status, (await refused()).status]).toEqual([400, 400]);
  });

  test("answers do not share headers", async () => {
    const app = testApp();
    const [one, other] = [await app.get(`${API}/faq`), await app.get(`${API}/faq`)];
    expect(header(one, "x-request-id")).not.toBe(header(other, "x-request-id"));
    expect([header(one, "x-ratelimit-remaining"), header(other, "x-ratelimit-remaining")]).toEqual(["59", "58"]);
    const created = await app.get(`${API}/bookings`);
    expect(header(created, "allow")).toContain("POST");
    expect(header(await app.get("/nowhere"), "allow")).toBeNull();
  });
});
