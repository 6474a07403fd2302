/** The text of the catalog: its bytes, the YAML document with the positions that issues and edits need, and the error of what is wrong. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Composer, type CST, type Document, isScalar, Lexer, LineCounter, Parser, visit, YAMLParseError } from "yaml";
import { codeOf, explainCode } from "../../lib/files.ts";
import { counted } from "../../lib/text.ts";
import { type CatalogSource, EditError } from "../source.ts";

/** Loading and editing must read the YAML alike. */
const YAML_OPTIONS = {
  prettyErrors: false,
  strict: true,
  stringKeys: true,
  // Looked for in one go: see repeatedKeys.
  uniqueKeys: false,
  merge: false,
} as const;
/** More aliases than a real catalog has. Nested aliases could fill the memory. */
export const MAX_ALIASES = 20;
/** A catalog has at most 8. */
export const MAX_LEVELS = 50;

export interface ReadDocument {
  document: Document;
  lines: LineCounter;
}

/** Read last for edits. Reading the stock catalog takes 70 to 110 ms, and one edit needs the texts before and after six times. */
const cached = new Map<string, ReadDocument>();
const MOST_CACHED = 4;

/** The document of a text, cached for the next steps of an edit. Nobody may change it. */
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
  const errors: YAMLParseError[] = [];
  const options = { ...YAML_OPTIONS, keepSourceTokens: true, lineCounter: lines };
  const [document, second] = new Composer(options).compose(tokensOf(text, lines, errors), true, text.length);
  if (!document) throw new Error("the composer gave no document");
  if (second) errors.push(new YAMLParseError([second.range[0], second.range[1]], "MULTIPLE_DOCS", ""));
  document.errors.push(...errors, ...repeatedKeys(document));
  return { document, lines };
}

/** The tokens that `parseDocument` of the library reads; none of a text that is nested too deep, which takes it minutes. */
function* tokensOf(text: string, lines: LineCounter, errors: YAMLParseError[]): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    const { offset, stack } = parser;
    yield* parser.next(lexeme);
    if (stack.length > MAX_LEVELS && stack.filter(isCollection).length > MAX_LEVELS)
      return void errors.push(new YAMLParseError([offset, offset], "RESOURCE_EXHAUSTION", ""));
  }
  yield* parser.end();
}

const isCollection = ({ type }: CST.Token) =>
  type === "block-map" || type === "block-seq" || type === "flow-collection";

/** The keys that occur twice in a group. The library compares each with each, which takes minutes in a large group. */
function repeatedKeys(document: Document): YAMLParseError[] {
  const found: YAMLParseError[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start = 0, end = 0] = key.range ?? [];
        if (seen.has(key.value)) found.push(new YAMLParseError([start, end], "DUPLICATE_KEY", ""));
        seen.add(key.value);
      }
    },
  });
  return found;
}

/** The catalog cannot be used. The owner reads the message: one paragraph for each issue. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(
    readonly file: string,
    readonly issues: readonly string[],
    /** Replaces the list of issues when the file itself cannot be read. */
    message?: string,
  ) {
    super(message ?? `${file} has ${counted(issues.length, "mistake")}:\n\n${issues.join("\n\n")}\n`);
  }
}

/** There is no catalog yet; the message says how to make one. */
export class NoCatalog extends CatalogError {}

/** The catalog is there, but in a file that belongs to somebody else, or in a database that cannot be used. */
export class UnreadableCatalog extends CatalogError {}

/** About four times the size of the stock catalog; a larger file is a mistake. */
export const MAX_BYTES = 256 * 1024;

/** The bytes and their SHA-256. @throws CatalogError when the file cannot be read */
export function readCatalogFile(file: string): { bytes: Buffer; hash: string } {
  try {
    const bytes = readSmallFile(file);
    return { bytes, hash: Bun.CryptoHasher.hash("sha256", bytes, "hex") };
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    const code = codeOf(error);
    if (code === "ENOENT") throw new NoCatalog(file, [`there is no file ${file}`], noCatalogMessage(file));
    const reason = `cannot be read: ${explainCode(code)}`;
    const Refusal = code === "EACCES" ? UnreadableCatalog : CatalogError;
    throw new Refusal(file, [`${file}: ${reason}`], `${file} ${reason}.`);
  }
}

/** To wait for the writer of a pipe, or for the end of a device, could take for ever. */
function readSmallFile(file: string): Buffer {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(handle);
    const reason =
      found.isFile() || found.isDirectory()
        ? found.size > MAX_BYTES && `is larger than ${MAX_BYTES / 1024} KiB`
        : "is a pipe or a device, and no file";
    if (reason) throw new CatalogError(file, [`${file}: ${reason}`], `${file} ${reason}.`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Says how to make a catalog and how to name one in another place. */
export function noCatalogMessage(file: string): string {
  return `There is no file ${file}. To make the catalog of a new shop: tint init. To use a file in another place: --catalog FILE. Looked in ${dirname(resolve(file))}.`;
}

/** A source, as far as its text is concerned. */
interface Readable {
  name: string;
  read: () => { bytes: Uint8Array };
}

/** The text, byte-order mark included, so that an edit keeps every byte. @throws EditError */
export function readText({ name, read }: Readable): string {
  const { bytes } = readOrRefuse(read);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError(`${name} is not UTF-8 text; save it again as UTF-8.`);
  }
}

/** As `readText`; empty where a database has no catalog yet. @throws EditError */
export function textOrEmpty(source: CatalogSource): string {
  try {
    source.read();
  } catch (error) {
    if (error instanceof NoCatalog && source.file === null) return "";
  }
  return readText(source);
}

function readOrRefuse(read: Readable["read"]): { bytes: Uint8Array } {
  try {
    return read();
  } catch (error) {
    throw error instanceof CatalogError ? new EditError(error.message) : error;
  }
}
