/** The YAML document of a text, with the positions that issues and edits need. */
import { Composer, CST, type Document, Lexer, LineCounter, Parser, YAMLParseError } from "yaml";
import type { TextIssue } from "./issues.ts";

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
/** A catalog has at most 8 levels, and the stock one about 5,000 keys and values. Far deeper ones overflow the stack. */
const MAX_LEVELS = 50;
const MAX_NODES = 20_000;

export interface ReadDocument {
  document: Document;
  lines: LineCounter;
}

/** The text has more levels or values than any catalog. Its document was not built. */
export class TooComplex extends Error {
  override readonly name = "TooComplex";
  constructor(
    readonly issue: TextIssue,
    readonly lines: LineCounter,
  ) {
    super(issue.message);
  }
}

/**
 * The documents read last for edits. Reading the stock catalog takes 70 to 110 ms, its check 15 ms; one edit needs the
 * text before and after it six times: to change it, to compare it, to check it, and to save it after a dry run.
 */
const cached = new Map<string, ReadDocument>();
const MOST_CACHED = 4;

/** The document of a text, cached for the next steps of an edit. Nobody may change it. @throws TooComplex */
export function cachedDocument(text: string): ReadDocument {
  const read = readDocument(text);
  cached.delete(text);
  cached.set(text, read);
  for (const oldest of [...cached.keys()].slice(0, -MOST_CACHED)) cached.delete(oldest);
  return read;
}

/** Does not keep the document: a server that only loads catalogs would hold megabytes for nothing. @throws TooComplex */
export function readDocument(text: string): ReadDocument {
  const known = cached.get(text);
  if (known) return known;
  const lines = new LineCounter();
  const options = { ...YAML_OPTIONS, keepSourceTokens: true, lineCounter: lines };
  const [document, second] = new Composer(options).compose(boundedTokens(text, lines), true, text.length);
  if (!document) throw new Error("the composer gave no document");
  if (second) document.errors.push(new YAMLParseError([second.range[0], second.range[1]], "MULTIPLE_DOCS", ""));
  return { document, lines };
}

/** The tokens that `parseDocument` of the library reads, as long as they are within the bounds. */
function* boundedTokens(text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let [values, marks] = [0, 0];
  for (const lexeme of new Lexer().lex(text)) {
    const offset = parser.offset;
    yield* parser.next(lexeme);
    const type = CST.tokenType(lexeme) ?? "";
    if (VALUES.has(type)) values++;
    else if (MARKS.has(type)) marks++;
    const message = excess(parser.stack, Math.max(values, marks));
    if (message !== undefined) throw new TooComplex({ offset, message }, lines);
  }
  yield* parser.end();
}

/** Tokens with which a key, a value, a list or a group begins. */
const VALUES: ReadonlySet<string> = new Set([
  "scalar",
  "single-quoted-scalar",
  "double-quoted-scalar",
  "block-scalar-header",
  "alias",
  "flow-map-start",
  "flow-seq-start",
] satisfies CST.TokenType[]);

/** Tokens beside which a value may be left out. */
const MARKS: ReadonlySet<string> = new Set([
  "map-value-ind",
  "seq-item-ind",
  "explicit-key-ind",
  "comma",
  "doc-start",
  "directive-line",
] satisfies CST.TokenType[]);

function excess(open: readonly CST.Token[], nodes: number): string | undefined {
  if (open.length > MAX_LEVELS && open.filter(isCollection).length > MAX_LEVELS)
    return `the file is nested more than ${MAX_LEVELS} levels deep here, which no catalog is; a bracket may not be closed above`;
  if (nodes > MAX_NODES) return `the file has more than ${MAX_NODES} keys and values up to here, which no catalog has`;
  return undefined;
}

const isCollection = ({ type }: CST.Token) =>
  type === "block-map" || type === "block-seq" || type === "flow-collection";
