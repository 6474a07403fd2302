/**
 * Requests that mean harm, each made from its own seed: well-formed ones after the OpenAPI document, with values that programs
 * stumble over, and valid ones with bytes changed.
 */
import type { OpenApiDocument } from "../agents/openapi-document.ts";
import { API } from "../helpers.ts";
import { type Random, randomFrom, seedOf } from "./random.ts";

export interface HostileRequest {
  bytes: Buffer;
  /** Whether it is HTTP, so that an answer in the API's own shape is due. */
  isWellFormed: boolean;
  method: string;
  path: string;
}

/** Stands for text that JSON.stringify would not write. */
const RAW = (text: string) => `@@${text}@@`;

const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 53 + 2, 1e308, -1e-308, "", " ", [], {}, [null], [[]], { a: { b: {} } }],
  ...[RAW("1e999"), RAW("-0"), RAW("01"), RAW("NaN"), RAW('"\\ud800"'), RAW('{"__proto__":{"a":1}}'), RAW("{")],
  ...["\u0000", "a\u202eb", "\u200b", "e\u0301".repeat(40), "😀".repeat(200), "\u{e0041}", "ﷺ".repeat(90), "\ufeff"],
  ...["'; DROP TABLE bookings;--", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "%s%n%x", "{{7*7}}", "a\r\nX: b"],
  ...["../../etc/passwd", "__proto__", "constructor", "toString", "hasOwnProperty", "NaN", "Infinity", "0x10", "1e9"],
  ...["2027-02-30", "0000-00-00", "9999-12-31", "-271821-04-19", "2027-03-14", "24:00", "23:59:60", "02:30", "9am"],
  ...["+14045550111", "+999999999999999", "911", "a@b", `${"a".repeat(64)}@${"b".repeat(190)}.example`, "a@b.c d@e.f"],
  ...["a".repeat(101), "a".repeat(2_001), "a".repeat(60_000), "-".repeat(60_000), "a@0.".repeat(15_000), deep(2_000)],
  ...[Array(1_000).fill("tint"), Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]))],
];

const KEYS = [..."__proto__ constructor toString dryRun vehicle éé $where".split(" "), "", "\u0000", "a".repeat(3_000)];

const HEADERS: readonly string[] = [
  ...["Authorization: Bearer tint_live_nothing", "Authorization: Basic Og==", "Authorization: Bearer"],
  ...["X-API-Key: a b", "Content-Type: text/xml", "Content-Type: multipart/form-data; boundary=", "Content-Type: ;;;"],
  ...["Content-Encoding: gzip", "Accept: */*;q=2,,;", "Accept: text/event-stream", "Accept-Encoding: gzip;q=a, br;q="],
  ...["Accept-Language: -", "If-None-Match: W/", 'If-None-Match: "a", *', "If-Modified-Since: never"],
  ...["Range: bytes=9-1", "Origin: null", "X-Forwarded-For: 127.0.0.1, ::1, %, 999.1.1.1", "Forwarded: for=_;;"],
  ...["X-Forwarded-Host: evil.example", "CF-IPCountry: ??", "Idempotency-Key:  "],
  ...[`Idempotency-Key: ${"k".repeat(300)}`, "Cookie: a=b; __proto__=1", "Upgrade: websocket", "TE: trailers"],
  ...["User-Agent: GPTBot/1.0 ChatGPT-User ClaudeBot", `User-Agent: ${"a".repeat(4_000)}`],
  ...["X-HTTP-Method-Override: DELETE", "Mcp-Session-Id: \u00e9", "MCP-Protocol-Version: 1", "A2A-Version: 9"],
  ...["Access-Control-Request-Method: X", "Host: a"],
];

const RPC = [
  { path: "/mcp", method: "tools/call", params: { name: "estimate_price", arguments: { vehicle_type: "suv" } } },
  { path: "/mcp", method: "tools/list", params: {} },
  { path: "/mcp", method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} } },
  { path: "/a2a", method: "message/send", params: { message: { role: "user", parts: [{ kind: "data", data: {} }] } } },
];

const PAGES = ["/", "/llms.txt", "/livez", "/readyz", "/.well-known/agent-card.json", "/.well-known/api-catalog", API];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"];

interface Target {
  method: string;
  path: string;
  body?: object | undefined;
  parameters: readonly string[];
}

export function createHostileRequests(document: OpenApiDocument, seed: number) {
  const targets: Target[] = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path: API + path,
        body: requestBody?.content["application/json"]?.example,
        parameters: parameters.filter((one) => one.in === "query").map(({ name }) => name),
      })),
    ),
    ...RPC.map(({ path, method, params }) => ({
      method: "POST",
      path,
      body: { jsonrpc: "2.0", id: 1, method, params },
      parameters: [],
    })),
    ...PAGES.map((path) => ({ method: "GET", path, parameters: [] })),
  ];
  /** The nth request of this seed. */
  return (nth: number): HostileRequest => {
    const random = randomFrom(seedOf(seed, nth));
    const target = random.pick(targets);
    return random.chance(0.6) ? wellFormed(target, random) : mutated(target, random);
  };
}

function wellFormed(target: Target, random: Random): HostileRequest {
  const method = random.chance(0.93) ? target.method : random.pick(METHODS);
  const path = target.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(wordOf(random).slice(0, 200)));
  const query = random.chance(target.parameters.length > 0 ? 0.8 : 0.1) ? `?${queryOf(target, random)}` : "";
  const body = target.body ? bodyOf(target.body, random) : random.chance(0.05) ? "{" : undefined;
  const extra = random.chance(0.4) ? [random.pick(HEADERS)] : [];
  return { bytes: write(method, path + query, body, extra), isWellFormed: true, method, path: target.path };
}

/** A hostile value as a word. */
function wordOf(random: Random): string {
  const value = random.pick(VALUES);
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
}

function queryOf({ parameters }: Target, random: Random): string {
  const count = random.chance(0.02) ? 300 : 1 + random.int(3);
  return Array.from({ length: count }, () => {
    const name = parameters.length > 0 && random.chance(0.9) ? random.pick(parameters) : random.pick(KEYS);
    const word = wordOf(random).slice(0, 3_000);
    // Percent signs and brackets are also sent as they are.
    const value = random.chance(0.8) ? encodeURIComponent(word) : word.replace(/[^!-~]|#/g, "%");
    return `${encodeURIComponent(name).slice(0, 100)}=${value}`;
  })
    .join("&")
    .slice(0, 8_000);
}

function bodyOf(sample: object, random: Random): string {
  if (random.chance(0.05)) return textOf(random.pick([[sample], random.pick(VALUES), [], Array(50).fill(sample)]));
  const body = structuredClone(sample) as Record<string, unknown>;
  for (let changes = 1 + random.int(3); changes > 0; changes--) change(body, random);
  const text = textOf(body);
  return random.chance(0.03) ? text.slice(0, random.int(text.length)) : text;
}

function change(object: Record<string, unknown>, random: Random): void {
  const keys = Object.keys(object);
  const key = keys.length > 0 ? random.pick(keys) : "a";
  const inner = object[key];
  const what = random.next();
  // A copy, because a later change may go into it.
  const value = structuredClone(random.pick(VALUES));
  const own = { value, enumerable: true, writable: true, configurable: true };
  // Often one level further in, where there is one.
  if (typeof inner === "object" && inner !== null && random.chance(0.6))
    change(inner as Record<string, unknown>, random);
  else if (what < 0.65) Object.defineProperty(object, key, own);
  else if (what < 0.75) delete object[key];
  else if (what < 0.9) Object.defineProperty(object, random.pick(KEYS), own);
  else object[key] = Array.from({ length: 1 + random.int(40) }, () => structuredClone(inner));
}

function textOf(value: unknown): string {
  return JSON.stringify(value).replace(/"@@((?:[^"\\]|\\.)*)@@"/g, (_, text) => JSON.parse(`"${text}"`));
}

function write(method: string, target: string, body: string | undefined, extra: readonly string[] = []): Buffer {
  const content =
    body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  const names = new Set(extra.map((line) => line.slice(0, line.indexOf(":"))));
  const lines = ["Host: localhost", ...content].filter((line) => !names.has(line.slice(0, line.indexOf(":"))));
  const head = [`${method} ${target} HTTP/1.1`, ...lines, ...extra, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body ?? "")]);
}

/** A valid request in which up to eight times bytes were changed, put in, left out, repeated or moved. */
function mutated({ method, path, body }: Target, random: Random): HostileRequest {
  let bytes = write(method, path, body && JSON.stringify(body));
  for (let changes = 1 + random.int(8); changes > 0 && bytes.length > 0; changes--) {
    const at = random.int(bytes.length);
    const length = random.chance(0.8) ? 1 + random.int(4) : random.int(bytes.length);
    const [before, piece, after] = [
      bytes.subarray(0, at),
      bytes.subarray(at, at + length),
      bytes.subarray(at + length),
    ];
    const noise = Buffer.from(Array.from({ length: Math.min(length, 64) }, () => random.int(256)));
    const mark = Buffer.from(random.pick(["\r\n", "\r\n\r\n", "\0", ":", " ", "0\r\n\r\n", "%00", "Host: a\r\n"]));
    const changed = [
      [before],
      [before, after],
      [piece, before, after],
      [before, piece, piece, after],
      [before, mark, piece, after],
      [before, noise, after],
      [before, noise, piece, after],
    ];
    bytes = Buffer.concat(random.pick(changed));
  }
  return { bytes, isWellFormed: false, method, path };
}
