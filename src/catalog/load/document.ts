/** The YAML document of a text, with the positions that issues and edits need. */
import { type Document, LineCounter, parseDocument } from "yaml";

/** Loading and editing must read the YAML alike. */
const YAML_OPTIONS = {
  prettyErrors: false,
  strict: true,
  stringKeys: true,
  uniqueKeys: true,
  merge: false,
} as const;
/** More aliases than a real catalog has. Nested aliases could fill the memory. */
export const MAX_ALIASES = 20;

export interface ReadDocument {
  document: Document;
  lines: LineCounter;
}

/**
 * The documents read last for edits. Reading the stock catalog takes 70 to 110 ms, its check 15 ms; one edit needs the
 * text before and after it six times: to change it, to compare it, to check it, and to save it after a dry run.
 */
const cached = new Map<string, ReadDocument>();
const MOST_CACHED = 4;

/** The document of a text, kept for the next steps of an edit. Nobody may change it. */
export function cachedDocument(text: string): ReadDocument {
  const read = readDocument(text);
  cached.delete(text);
  cached.set(text, read);
  for (const oldest of [...cached.keys()].slice(0, -MOST_CACHED)) cached.delete(oldest);
  return read;
}

/** Does not keep the document: a server that only loads catalogs would hold megabytes for nothing. */
export function readDocument(text: string): ReadDocument {
  const known = cached.get(text);
  if (known) return known;
  const lines = new LineCounter();
  return { document: parseDocument(text, { ...YAML_OPTIONS, keepSourceTokens: true, lineCounter: lines }), lines };
}
