/** An empty field is an absent one, and no free text is refused for a character. Source: contract 1. */
import { expect, test } from "bun:test";
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { type Answer, API, BOOKING, CATALOG, NOW, QUOTE, type TestApp, testApp } from "../helpers.ts";
import { fieldsOf, takesText, withField } from "./text-fields.ts";

/** What else a request needs before a field inside it can be sent. */
const AROUND = {
  consent: { confirmed_by_user: true },
  windows: [{ width_in: 36, height_in: 60, quantity: 8 }],
};
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
  fieldsOf(jsonSchema(capability.input(CATALOG), "input"))
    .filter(({ path }) => capability.method !== "GET" || path.length === 1)
    .filter(({ path }) => !capability.path.includes(`{${path[0]}}`))
    .map(({ path }) => [`${capability.id}: ${path.join(".")}`, capability, path] as const),
);

test.each(absences)("%s is absent when it is empty", async (_, capability, path) => {
  const app = testApp();
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
  fieldsOf(jsonSchema(capability.input(CATALOG), "input"))
    .filter(takesText)
    .filter(({ schema }) => !schema.enum && !schema.format && !schema.pattern)
    .filter(({ path }) => !LOOKED_UP.test(path[0] ?? ""))
    .map(({ path }) => [`${capability.id}: ${path.join(".")}`, capability, path] as const),
);

test.each(texts)("%s takes every character", async (_, capability, path) => {
  const app = testApp();
  const plain = await send(app, capability, withField(around(capability, path), path, "a b"));
  for (const [name, mark] of Object.entries(MARKS)) {
    const answer = await send(app, capability, withField(around(capability, path), path, `a${mark}b`));
    expect([name, answer.status, answer.json.invalid_fields]).toEqual([name, plain.status, undefined]);
  }
});

test("what a stranger types is kept without what would forge lines or hide text", async () => {
  const clean = async (name: string, request: string) => {
    const body = { ...BOOKING, customer_name: name, special_requests: request, dry_run: true };
    const { json } = await testApp().post(`${API}/bookings`, body);
    return [json.data.customer.name, json.data.special_requests];
  };
  const shown = "\t\r\n\u0085\u2028";
  const hidden = Object.values(MARKS)
    .filter((mark) => !shown.includes(mark))
    .join("");
  expect(await clean(`a${hidden}b`, `a${hidden}b`)).toEqual(["ab", "ab"]);
  expect(await clean("Pat\r\nExample", "One\r\nTwo\u2028Three\tFour")).toEqual(["Pat Example", "One\nTwo\nThree Four"]);
  expect(await clean("مریم\u200cالسادات", "👨\u200d👩\u200d👧 wait\u200d \u202einside")).toEqual([
    "مریم\u200cالسادات",
    "👨\u200d👩\u200d👧 wait inside",
  ]);
});

test("a phone is read with the spaces, dashes and marks of a contact list", async () => {
  const customer_phone = "\u202a(404)\u00a0555\u20110111\u202c";
  const { status } = await testApp().post(`${API}/bookings`, { ...BOOKING, customer_phone, dry_run: true });
  expect(status).toBe(200);
});

test("facts about a property are cleaned too, with their names", async () => {
  const app = testApp();
  const property_info = { "no\u200bte": ["a\u001bb", ""], floors: null };
  const { json } = await app.post(`${API}/quote-request`, { ...QUOTE, property_info });
  const lead = await app.store.findLead(json.data.reference);
  expect(lead?.details).toMatchObject({ property_info: { note: ["ab"] } });
});
