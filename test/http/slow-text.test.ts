/**
 * No request keeps the server busy: texts on which slow regular expressions backtrack, as long as a body may be, in every
 * kind of field and every part of A2A and MCP; and bodies of thousands of fields.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { LIMITS } from "../../src/schema/fields.ts";
import { type Answer, API, BOOKING, CATALOG, NOW, testApp } from "../helpers.ts";
import { fieldsOf, takesText, withField } from "./text-fields.ts";

// Each test sends some hundred bodies of 60 kB.
setDefaultTimeout(60_000);

/** Room for the rest of the body. */
const LONG = LIMITS.body - 4_000;
/** @param piece repeated until it fills a body; in JSON some characters are written as two or six */
const of = (piece: string, end = "!") =>
  piece.repeat(Math.floor(LONG / Buffer.byteLength(JSON.stringify(piece).slice(1, -1)))) + end;
/** Repetitions that end in something else: an expression that can read them in many ways tries all of them. */
const HOSTILE = [
  ...["a", " ", "1", "0", "-", "a ", "1 ", "a1", ".", "a.", "@", "a@a.", "9:", "+1", "(", "\u200d", "é", "İ", "\n "],
  ...["1/", "%", "{", '"', "```{"],
].map((one) => of(one));
/** An address takes at most 16 kB; a character becomes up to nine. */
const LONGEST_QUERY = 1_500;
/** Several times what any request may take, for slow machines; an expression of quadratic time takes longer. */
const SLOW_MS = 250;

/** The time that this process worked, of the best of three tries: that others keep the machine busy does not count. */
async function workOf(send: () => Promise<Answer>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && least > SLOW_MS; tries++) {
    const before = process.cpuUsage();
    const { status } = await send();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    expect(status).toBeLessThan(500);
    expect(status).not.toBeOneOf([413, 429]);
  }
  return least;
}

/** For requests that leave nothing behind. */
const app = testApp();
let sent = 0;
/** Fields that were tried: one of the same name and kind in another request has the same reader. */
const tried = new Set<string>();
const isNew = ({ path, schema: { description: _, ...kind } }: ReturnType<typeof fieldsOf>[number]) => {
  const field = JSON.stringify([path.at(-1), kind]);
  return tried.size < tried.add(field).size;
};

/** Sends each request from another network, and names those that take long. */
async function slowOnes(requests: Iterable<readonly [name: string, (from: string) => Promise<Answer>]>) {
  const slow: [string, number][] = [];
  let asked = 0;
  for (const [name, send] of requests) {
    asked++;
    const took = await workOf(() => send(`203.${sent >> 12}.${(sent >> 6) & 63}.${sent++ & 63}`));
    if (took > SLOW_MS) slow.push([name, Math.round(took)]);
  }
  return { slow, asked };
}

const FIELDS = CAPABILITIES.map((one) => [one, fieldsOf(one).filter(takesText).filter(isNew)] as const).filter(
  ([, fields]) => fields.length > 0,
);

for (const [{ id, path, method, sample }, fields] of FIELDS) {
  test(`${id} answers hostile texts at once`, async () => {
    // Codes that are tried too often are refused.
    const own = testApp();
    const requests = fields.flatMap(({ path: field }) =>
      HOSTILE.map((text) => {
        const body = withField({ ...sample(CATALOG, NOW), dry_run: true }, field, text);
        const url = `${API}${path.replace(/\{\w+\}/, encodeURIComponent(text.slice(0, 300)))}`;
        const query = `${field.join(".")}=${encodeURIComponent(text.slice(0, LONGEST_QUERY))}`;
        const send = (from: string) =>
          method === "GET" ? own.get(`${url}?${query}`, { from }) : own.post(url, body, { from });
        return [`${field.join(".")} ${text.slice(0, 4)}`, send] as const;
      }),
    );
    const { slow, asked } = await slowOnes(requests);
    expect(slow).toEqual([]);
    expect(asked).toBe(fields.length * HOSTILE.length);
  });
}

const RPC = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const rpc = (method: unknown, params: object, id = "q") => ({ jsonrpc: "2.0", id, method, params });
const message = (part: object, more = {}) =>
  rpc("SendMessage", { message: { messageId: "m", role: "ROLE_USER", parts: [part], ...more } });
const skill = (capability: string, input: object) => message({ data: { capability, input } });
const tool = (name: string, args: object) => rpc("tools/call", { name, arguments: args });

/** Every place of a message where a text can stand. */
const MESSAGES: [string, string, (text: string) => object][] = [
  ["/a2a", "text", (text) => message({ text })],
  ["/a2a", "text that begins like JSON", (text) => message({ text: `{${text}` })],
  ["/a2a", "text that begins like a fence", (text) => message({ text: `\`\`\`json\n{${text}` })],
  ["/a2a", "text in a fence", (text) => message({ text: `\`\`\`${text}\`\`\`` })],
  ["/a2a", "context", (contextId) => message({ text: "Hello" }, { contextId })],
  ["/a2a", "capability", (text) => skill(text, {})],
  ["/a2a", "value", (q) => skill("list_faq", { q })],
  ["/a2a", "name of a field", (text) => skill("automotive_estimate", { vehicle_type: "suv", [text]: 1 })],
  ["/a2a", "method", (text) => rpc(text, {})],
  ["/a2a", "id", (text) => rpc("SendMessage", {}, text)],
  ["/mcp", "tool", (text) => tool(text, {})],
  ["/mcp", "value", (q) => tool("get_faq", { q })],
  ["/mcp", "name of a field", (text) => tool("estimate_price", { vehicle_type: "suv", [text]: 1 })],
  ["/mcp", "method", (text) => rpc(text, {})],
  ["/mcp", "id", (text) => rpc("ping", {}, text)],
];
test.each(MESSAGES)("%s answers hostile texts at once: %s", async (path, _, make) => {
  const requests = HOSTILE.map(
    (text) => [text.slice(0, 4), (from: string) => app.post(path, make(text), { from, headers: RPC })] as const,
  );
  expect(await slowOnes(requests)).toEqual({ slow: [], asked: HOSTILE.length });
});

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const names = (count: number, from = 0) => Object.fromEntries(times(count, (i) => [`k${from + i}`, 1]));
const pane = { width_in: 36, height_in: 48 };

const RENAMED = { widthIn: 36, heightIn: 48 };

/** As many words, names, parts or entries as a body holds. */
const CROWDS: [string, string, object][] = [
  ["words of a sentence", "/a2a", message({ text: times(8_000, (i) => `w${i}`).join(" ") })],
  [
    "parts of a message",
    "/a2a",
    rpc("SendMessage", { message: { messageId: "m", parts: times(2_000, (i) => ({ text: `{w${i}` })) } }),
  ],
  ["unknown fields", `${API}/estimates`, { vehicle_type: "suv", ...names(5_000) }],
  ["unknown positions", `${API}/bookings`, { ...BOOKING, dry_run: true, shade: names(5_000) }],
  ["unknown fields in a row", `${API}/flat-glass/estimate`, { windows: [{ ...pane, label: names(5_000) }] }],
  [
    "unknown fields in rows",
    `${API}/flat-glass/estimate`,
    {
      site_type: "residential",
      primary_concern: "heat",
      windows: times(20, (i) => ({ ...pane, ...names(250, 250 * i) })),
    },
  ],
  ["rows with other names", `${API}/flat-glass/estimate`, { windows: times(1_200, () => RENAMED) }],
];
test.each(CROWDS)("thousands of %s are answered at once", async (_, path, body) => {
  const send = (from: string) => app.post(path, body, { from, headers: RPC });
  expect(await slowOnes([["all", send]])).toEqual({ slow: [], asked: 1 });
});

const FORM = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
test.each(["width", "quantity", "total_sqft", "floors"])(
  "the glass page answers hostile texts at once: %s",
  async (name) => {
    const requests = HOSTILE.map((text) => {
      const form = (length: number) =>
        `${new URLSearchParams({ width: "36", height: "48", first_name: "Pat", [name]: `${text.slice(0, length)}!` })}`;
      const body = form(Math.floor(LONG * (1_000 / form(1_000).length)));
      return [text.slice(0, 4), (from: string) => app.post("/book/glass", body, { from, headers: FORM })] as const;
    });
    expect(await slowOnes(requests)).toEqual({ slow: [], asked: HOSTILE.length });
  },
);
