/** The YAML document of a text, with the positions that faults and edits need. Reading it takes most of the time of a load. */
import { type Document, LineCounter, parseDocument } from "yaml";
import { recent } from "../../lib/recent.ts";
import { YAML_OPTIONS } from "./catalog-file.ts";

export interface ReadDocument {
  document: Document;
  lines: LineCounter;
}

const kept = recent<ReadDocument>();

/** Kept, for edits: the check of the edited text needs the same document. Nobody may change it. */
export const keptDocument = (text: string): ReadDocument => kept(text, read);

/** Not kept, unless an edit has: a server would hold megabytes that it needs no more. */
export const documentOf = (text: string): ReadDocument => kept.peek(text) ?? read(text);

function read(text: string): ReadDocument {
  const lines = new LineCounter();
  return { document: parseDocument(text, { ...YAML_OPTIONS, keepSourceTokens: true, lineCounter: lines }), lines };
}
