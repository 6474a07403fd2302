/** The building blocks of the documentation. `content.ts` writes it once; it is rendered as Markdown and as HTML. */

export type Block =
  /** A paragraph; `code`, links and emphasis as in Markdown. */
  | { kind: "text"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "table"; label: string; head: string[]; rows: string[][] }
  /** Named things, each with a note and an explanation: fields, error codes. */
  | { kind: "entries"; head: [term: string, note: string, text: string]; entries: Entry[] }
  | { kind: "code"; label: string; text: string }
  | { kind: "request"; request: SampleRequest };

export interface Entry {
  term: string;
  note: string;
  text: string;
}

/** A request that can be sent as it stands. */
export interface SampleRequest {
  title: string;
  method: "GET" | "POST";
  /** From the root of the site, without the query. */
  path: string;
  sample: object;
  /** A warning for the reader when sending has an effect outside this page. */
  effect?: string;
}

export interface Section {
  id: string;
  title: string;
  /** Set for endpoints. */
  method?: "GET" | "POST";
  blocks: Block[];
  sections?: Section[];
}

export function text(text: string): Block {
  return { kind: "text", text };
}

/** The query of a GET, without the question mark. */
export function queryOf(sample: object): string {
  return new URLSearchParams(
    Object.entries(sample).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();
}

/** A request as a shell command. */
export function curl({ method, path, sample }: SampleRequest, origin: string): string {
  if (method === "POST") {
    const body = JSON.stringify(sample, null, 2).replaceAll("'", "'\\''");
    return `curl ${origin}${path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
  }
  const query = queryOf(sample);
  return query ? `curl '${origin}${path}?${query}'` : `curl ${origin}${path}`;
}
