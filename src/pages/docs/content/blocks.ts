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
  | { kind: "answers"; title: string; answers: SampleAnswer[] }
  /** A form that sends a request; of no use in Markdown. */
  | { kind: "try"; form: TryForm };

export type Language = "sh" | "js" | "python" | "json" | "http" | "html";

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
  /** Its words, each with what it means. */
  words?: [word: string, meaning: string][];
  /** Its own fields, when it is an object or a list of objects. */
  inner?: Entry[];
}

/** A request that can be sent as it stands. */
export interface SampleRequest {
  title: string;
  method: "GET" | "POST";
  /** From the root of the site, without the query. */
  path: string;
  sample: object;
}

/** An answer of the program to the sample request. */
interface SampleAnswer {
  status: number;
  title: string;
  /** JSON; of long lists the first entries. */
  text: string;
  /** The whole of it, where lists were cut. */
  whole?: string;
}

export interface TryForm {
  title: string;
  method: "GET" | "POST";
  /** From the root of the site; a field in braces stands for one segment. */
  path: string;
  fields: TryField[];
  /** A warning for the reader when sending has an effect outside this page. */
  effect?: string;
}

export interface TryField {
  name: string;
  note: string;
  /** Shown at once; the others are folded away. */
  isUsual: boolean;
  control: "choice" | "flag" | "number" | "date" | "text" | "long" | "list" | "json";
  choices?: string[];
  /** The value of the sample, as a person types it. */
  value: string;
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
