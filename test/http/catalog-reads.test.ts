/** What is read from the catalog: services, location, questions; and the paths that lead there. */
import { describe, expect, test } from "bun:test";
import type { Catalog } from "../../src/catalog/schema.ts";
import { derive } from "../../src/catalog/shop.ts";
import { isObject } from "../../src/lib/fields.ts";
import { type Answer, API, BOOKING, CATALOG, manyCallers, testApp } from "../helpers.ts";

const APP = manyCallers();
const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);
const OPERATIONS_OF = { "/services": "get_services", "/location": "get_location", "/faq": "get_faq" };

/** A message of A2A with one part. */
const message = (part: object) => ({
  method: "SendMessage",
  params: { message: { messageId: "m", role: "ROLE_USER", parts: [part] } },
});

describe("catalog reads", () => {
  test("the first request and the later ones are told and logged the same, whatever body each of them has", async () => {
    for (const [path, withBody] of [
      ["/services", 200],
      ["/location", 200],
      ["/faq", 400],
    ] as const) {
      const app = testApp();
      const get = async (length?: number) =>
        (await app.get(API + path, length === undefined ? {} : { headers: { "Content-Length": String(length) } }))
          .status;
      expect(await Promise.all([get(20), get(), get(70_000)])).toEqual([withBody, 200, withBody === 200 ? 200 : 413]);
      expect([await get(20), await get(2), await get()]).toEqual([withBody, 200, 200]);
      const done = app.logs.filter(({ status }) => status === 200);
      expect(new Set(done.map(({ did }) => did))).toEqual(new Set([OPERATIONS_OF[path]]));
    }
  });

  test("GET /services: every service, film, price and add-on", async () => {
    const { status, json } = await APP.get(`${API}/services`);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["success", "data", "next_actions"]);
    expect(json.data.services.map(({ key }: { key: string }) => key)).toEqual(
      "automotive residential commercial security film_removal clearplex ceramic_coating".split(" "),
    );
    expect(json.data.automotive.films).toMatchObject([
      { key: "standard", ir_rejection_pct: 55 },
      { key: "ceramic", ir_rejection_pct: 93 },
    ]);
    expect(json.data.automotive.pricing).toContainEqual({
      vehicle_type: "suv",
      standard: { full: 349, front2: 139 },
      ceramic: { full: 599, front2: 239 },
      film_removal: { full: 225, front2: 80 },
      clearplex: 475,
    });
    expect(json.data.automotive.addons).toContainEqual(
      expect.objectContaining({ code: "windshield_strip", price: { standard: 59, ceramic: 99 } }),
    );
    expect(json.data.flat_glass).toMatchObject({ ballpark_per_sqft: { low: 16, high: 18 }, blocked_window_each: 35 });
  });

  test("GET /location: address, hours of each day, coordinates, area, credentials, links", async () => {
    const { status, json } = await APP.get(`${API}/location`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      timezone: "America/New_York",
      coordinates: { latitude: 33.9526, longitude: -84.5499 },
      hours: {
        monday: [{ opens: "09:00", closes: "18:00" }],
        saturday: [{ opens: "09:00", closes: "15:00" }],
        sunday: [],
      },
      service_area: { label: "Metro Atlanta" },
    });
    expect(Object.keys(json.data.hours)).toHaveLength(7);
    const expected = { date: "2026-11-26", closed: true, hours: [], reason: "Thanksgiving" };
    expect(json.data.special_hours).toContainEqual(expected);
    expect(json.data.credentials.length).toBeGreaterThan(0);
    expect(json.data.links.api).toEndWith(API);
  });

  test("what the owner adds to an entry of the catalog is not public by itself", async () => {
    /** Every entry with one more field. Whatever has words of the shop as its keys stays as it is. */
    const marked = (value: unknown, key = ""): unknown => {
      if (Array.isArray(value)) return value.map((item) => marked(item));
      if (!isObject(value)) return value;
      const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, marked(item, name)]));
      return BY_WORD.has(key) ? inner : { ...inner, cost_to_the_shop: "SECRET" };
    };
    const BY_WORD = new Set(["links", "hours"]);
    const films = (from: Record<string, object>) =>
      Object.fromEntries(Object.entries(from).map(([word, film]) => [word, { ...film, cost_to_the_shop: "SECRET" }]));
    const { business, services, faq, automotive, flat_glass } = CATALOG;
    const catalog = derive({
      ...CATALOG,
      business: marked(business),
      services: marked(services),
      faq: marked(faq),
      automotive: { ...automotive, films: films(automotive.films), addons: films(automotive.addons) },
      flat_glass: flat_glass && { ...flat_glass, films: films(flat_glass.films) },
    } as unknown as Catalog);
    expect(JSON.stringify(catalog).split("SECRET").length).toBeGreaterThan(50);
    const app = testApp({ catalog });
    const glass = { site_type: "residential", total_sqft: 200 };
    const answers = [
      ...(await Promise.all(["/services", "/location", "/faq", "/estimates"].map((path) => app.get(API + path)))),
      await app.post(`${API}/estimates`, { vehicle_type: "suv" }),
      await app.post(`${API}/flat-glass/estimate`, glass),
      await app.post(`${API}/bookings`, BOOKING),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 201]);
    for (const { text } of answers) expect(text.match(/.{60}SECRET/)?.[0]).toBeUndefined();
  });

  test("a special day leaves every answer and document when it has passed, also those that callers keep", async () => {
    const app = testApp();
    const paths = [`${API}/location`, `${API}/faq`, `${API}/faq?q=holidays`, "/llms-full.txt", `${API}/docs`, "/book"];
    const faq = { capability: "list_faq", input: { q: "holidays" } };
    const toldBy = async (params: object) => (await app.post("/a2a", { jsonrpc: "2.0", id: 1, ...params })).text;
    const read = async () => [
      ...(await Promise.all(paths.map(async (path) => (await app.get(path)).text))),
      await toldBy(message({ data: faq })),
      await toldBy(message({ text: "Are you open on holidays?" })),
    ];
    const tell = (texts: string[]) =>
      texts.map((text) => [/Thanksgiving|"2026-11-26"/.test(text), /2026-12-24|Thu Dec 24/.test(text)]);
    const location = await app.get(`${API}/location`);
    expect(tell(await read())).toEqual(Array(8).fill([true, true]));

    // The evening of Thanksgiving, and the morning after.
    app.advance({ hours: 5 * 24 + 13, minutes: 59 });
    expect(tell(await read())).toEqual(Array(8).fill([true, true]));
    app.advance({ minutes: 1 });
    expect(tell(await read())).toEqual(Array(8).fill([false, true]));
    const etag = location.headers.get("etag") ?? "";
    expect((await app.get(`${API}/location`, { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  test("GET /faq: an array, of one category when asked", async () => {
    const app = testApp();
    const all = await app.get(`${API}/faq`);
    const automotive = await app.get(`${API}/faq?category=automotive`);
    expect(all.json.data.length).toBeGreaterThan(automotive.json.data.length);
    for (const entry of all.json.data) expect(Object.keys(entry).sort()).toEqual(["answer", "category", "question"]);
    expect(new Set(automotive.json.data.map(({ category }: { category: string }) => category))).toEqual(
      new Set(["automotive"]),
    );
    expect(automotive.text).toContain("32%");
    const unknown = await app.get(`${API}/faq?category=boats`);
    expect([unknown.status, unknown.json.error_code, fields(unknown)]).toEqual([400, "BAD_REQUEST", ["category"]]);
  });

  test("GET /faq?q= searches one category when asked, and finds nothing where no word fits", async () => {
    const app = testApp();
    const glare = await app.get(`${API}/faq?q=glare%20on%20screens&category=commercial`);
    expect(glare.json.data[0].question).toBe("Which film helps against glare on screens?");
    expect(new Set(glare.json.data.map(({ category }: { category: string }) => category))).toEqual(
      new Set(["commercial"]),
    );
    expect((await app.get(`${API}/faq?q=xyzzy`)).json.data).toEqual([]);
  });

  test("a slash at the end of a path changes nothing", async () => {
    const app = testApp();
    for (const path of [`${API}/services`, `${API}/docs-md`, API]) {
      const [bare, slashed] = [await app.get(path), await app.get(`${path}/`)];
      expect([slashed.status, slashed.text]).toEqual([200, bare.text]);
    }
  });

  const HOME: [accept: string | undefined, type: string | null, path: string][] = [
    [undefined, null, "/book"],
    ["*/*", null, "/book"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", null, "/book"],
    ["image/png", null, "/book"],
    ["application/json", "application/json", API],
    ["application/json, text/plain, */*", "application/json", API],
    ["text/html;q=0.5, application/*", "application/json", API],
    ["text/markdown", "text/markdown; charset=utf-8", "/llms.txt"],
    ["text/markdown, text/html;q=0.9, */*;q=0.8", "text/markdown; charset=utf-8", "/llms.txt"],
    ["text/markdown, */*", "text/markdown; charset=utf-8", "/llms.txt"],
    ["TEXT/HTML;q=0, text/markdown;q=0.1", "text/markdown; charset=utf-8", "/llms.txt"],
  ];
  test.each(HOME)("GET / with Accept %p answers %p like %s", async (accept, type, path) => {
    const app = testApp();
    const { status, headers, text } = await app.get("/", accept === undefined ? {} : { headers: { accept } });
    expect(headers.get("vary")).toStartWith("Accept");
    for (const relation of ["service-desc", "api-catalog"]) expect(headers.get("link")).toContain(`rel="${relation}"`);
    if (type === null) return expect([status, headers.get("location")]).toEqual([302, path]);
    expect([status, headers.get("content-type"), text]).toEqual([200, type, (await app.get(path)).text]);
  });

  test("the links of GET / lead to documents, and its ETag answers 304", async () => {
    const app = testApp();
    const headers = { accept: "application/json" };
    const home = await app.get("/", { headers });
    const links = [...(home.headers.get("link") ?? "").matchAll(/<([^>]+)>/g)].map(([, path = ""]) => path);
    expect(links).toHaveLength(3);
    for (const path of links) expect((await app.get(path)).status).toBe(200);
    expect(home.headers.get("vary")).toBe("Accept, Accept-Encoding");
    const etag = home.headers.get("etag") ?? "";
    expect((await app.get("/", { headers: { ...headers, "if-none-match": etag } })).status).toBe(304);
  });

  test("slashes alone lead to the root or to the NOT_FOUND of the API", async () => {
    const { status, headers, json } = await APP.get("//");
    if (status !== 302) expect([status, json?.error_code]).toEqual([404, "NOT_FOUND"]);
    expect(headers.get("x-request-id")).toBeTruthy();
  });
});
