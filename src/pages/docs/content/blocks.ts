/** The building blocks of the documentation. `content.ts` writes it once; it is rendered as Markdown and as HTML. */
import { CAPABILITIES, offers } from "../../../capabilities/index.ts";
import type { Shop } from "../../../catalog/shop.ts";

export type Block =
  /** A paragraph; `code`, links and emphasis as in Markdown. */
  | { kind: "text"; text: string }
  | { kind: "list"; items: string[] }
  /** Short facts, each of which may lead to where it is explained. */
  | { kind: "chips"; chips: Chip[] }
  | { kind: "table"; label: string; head: string[]; rows: string[][] }
  /** Named things, each with a note and an explanation: fields, error codes. */
  | { kind: "entries"; head: [term: string, note: string, text: string]; entries: Entry[] }
  | { kind: "code"; label: string; language: Language; text: string }
  | { kind: "request"; request: SampleRequest }
  | { kind: "answers"; title: string; answers: SampleAnswer[] };

export type Language = "sh" | "js" | "json" | "http" | "html";

export interface Chip {
  /** `code` as in Markdown. */
  text: string;
  href?: string;
}

export interface Entry {
  /** Unique on the page. */
  id: string;
  term: string;
  note: string;
  text: string;
  words?: [word: string, meaning: string][];
  /** Its own fields, when it is an object or a list of objects. */
  inner?: Entry[];
}

export interface SampleRequest {
  title: string;
  method: "GET" | "POST";
  /** From the root of the site, without the query. */
  path: string;
  sample: object;
}

interface SampleAnswer {
  status: number;
  title: string;
  /** JSON; of long lists the first entries. */
  text: string;
  /** The whole of it, where lists were cut. */
  whole?: string;
}

export interface Section {
  id: string;
  title: string;
  /** Set for endpoints; the path is relative to the base URL. */
  endpoint?: { method: "GET" | "POST"; path: string };
  blocks: Block[];
  sections?: Section[];
}

export function section(id: string, title: string, ...blocks: Block[]): Section {
  return { id, title, blocks };
}

export function prose(text: string): Block {
  return { kind: "text", text };
}

export function list(...items: string[]): Block {
  return { kind: "list", items };
}

export function codeBlock(label: string, language: Language, text: string): Block {
  return { kind: "code", label, language, text };
}

/** A wire name that is not marked up yet, like `dry_run`, `usage.sample_request` or `invalid_fields[].allowed`. */
const WIRE_NAME = /(?<![`\w[/#.])(?:[a-z]+\.)?[a-z]+(?:_[a-z0-9]+)+(?:\[\])?(?:\.[a-z_]+)?(?![`\w\]])/g;

/** Plain sentences as Markdown: names of capabilities become links to their sections, other wire names code. */
export function marked(text: string, catalog: Shop): string {
  const isSection = (name: string) => CAPABILITIES.some(({ id }) => id === name && offers(catalog, id));
  return text.replace(WIRE_NAME, (name) => (isSection(name) ? `[${name}](#${name})` : `\`${name}\``));
}

// Samples as code: a request in the languages that readers use, and answers as JSON for people.

export interface Tab {
  name: string;
  text: string;
  /** JSON that is copied instead of the text, which is a part of it. */
  whole?: string;
}

/** @param origin of the address, without a slash at the end */
export function snippets(request: SampleRequest, origin: string): Tab[] {
  return [
    { name: "curl", text: curl(request, origin) },
    { name: "JavaScript", text: javascript(request, origin) },
    { name: "Python", text: python(request, origin) },
  ];
}

export function curl({ method, path, sample }: SampleRequest, origin: string): string {
  if (method === "POST") {
    const body = JSON.stringify(sample, null, 2).replaceAll("'", "'\\''");
    return `curl ${origin}${path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  }
  const query = queryOf(sample);
  return query ? `curl '${origin}${path}?${query}'` : `curl ${origin}${path}`;
}

function javascript({ method, path, sample }: SampleRequest, origin: string): string {
  const query = method === "GET" ? queryOf(sample) : "";
  const url = JSON.stringify(`${origin}${path}${query && `?${query}`}`);
  const body = indented(JSON.stringify(sample, null, 2), "  ");
  const options = `, {\n  method: "POST",\n  headers: { "Content-Type": "application/json" },\n  body: JSON.stringify(${body}),\n}`;
  return `const response = await fetch(${url}${method === "POST" ? options : ""});\nconst answer = await response.json();\nif (!response.ok) throw new Error(answer.message);\nconst { data, next_actions } = answer;`;
}

function python({ method, path, sample }: SampleRequest, origin: string): string {
  const name = method === "POST" ? "json" : "params";
  const given = Object.keys(sample).length > 0 ? `\n    ${name}=${indented(pythonValue(sample), "    ")},` : "";
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n    ${JSON.stringify(origin + path)},${given}\n)\nanswer = response.json()\nif not response.ok:\n    raise SystemExit(answer["message"])\ndata = answer["data"]`;
}

/**
 * The three calls that lead to an appointment at the price of the estimate, as a script that runs. The booking is a dry run.
 * @param base address of the API
 */
export function lockedPrice(base: string, work: { estimate: object; query: object; person: object }): string {
  const query = queryOf(work.query);
  const person = Object.entries(work.person).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return `const base = ${JSON.stringify(base)};

async function send(path, body) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(base + path, body && options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer.data;
}

const estimate = await send("/estimates", ${JSON.stringify(work.estimate, null, 2)});
const { days } = await send("/availability?${query}");
const { date, time } = days.flatMap(({ slots }) => slots).find(({ available }) => available);
const booking = await send("/bookings", {
  estimate_id: estimate.estimate_id,
  date,
  time,
${person.join("\n")}
  dry_run: true,
});`;
}

/** A value of JSON as Python writes it. Strings of both languages are written alike. */
function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const rows = Object.entries(value).map(
    ([key, inner]) => `    ${JSON.stringify(key)}: ${indented(pythonValue(inner), "    ")},`,
  );
  return rows.length > 0 ? `{\n${rows.join("\n")}\n}` : "{}";
}

/** The query of a GET, without the question mark. */
function queryOf(sample: object): string {
  return new URLSearchParams(
    Object.entries(sample).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
}

/** Every line but the first, further to the right. */
function indented(text: string, by: string): string {
  return text.replaceAll("\n", `\n${by}`);
}

const WIDTH = 64;
/** A list that takes more lines is cut to the entries that fit, but at least one. */
const MOST_LINES = 8;

/** It can be read as JSON. */
export function excerpt(value: unknown): string {
  return printed(value, "", 0);
}

/** @param taken characters of the line before the value */
function printed(value: unknown, indent: string, taken: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const parts = isList ? entriesOf(value, inner) : fieldsOf(value, inner);
  if (parts.length === 0) return open + close;
  const gap = isList ? "" : " ";
  const line = `${open}${gap}${parts.join(", ")}${gap}${close}`;
  if (taken + line.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function entriesOf(list: readonly unknown[], indent: string): string[] {
  const all = list.map((one) => printed(one, indent, indent.length));
  let lines = 0;
  const fits = all.filter((one) => {
    lines += one.split("\n").length;
    return lines <= MOST_LINES;
  });
  return all.slice(0, Math.max(1, fits.length));
}

function fieldsOf(value: object, indent: string): string[] {
  return Object.entries(value).map(([name, inner]) => {
    const start = `${JSON.stringify(name)}: `;
    return start + printed(inner, indent, indent.length + start.length);
  });
}
