/**
 * Reads catalog.yaml. Every fault is reported at once, each with its place in the file, the offending line and a caret.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Document, isMap, isNode, isPair, LineCounter, type Node, parseDocument, type YAMLError } from "yaml";
import type { z } from "zod";
import { didYouMean, explain } from "../explain.ts";
import { crossCheck, type Fault, type Path } from "./cross-checks.ts";
import { type Catalog, type CatalogSource, catalogSchema } from "./schema.ts";

/** Larger files are refused: a shop's catalog is a quarter of this. */
const MAX_BYTES = 256 * 1024;
const MAX_ALIASES = 20;

/** The catalog cannot be used; the message is what the owner reads, one paragraph per fault. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(
    readonly file: string,
    readonly faults: readonly string[],
  ) {
    const count = `${faults.length} ${faults.length === 1 ? "fault" : "faults"}`;
    super(`${file} has ${count}:\n\n${faults.join("\n\n")}\n`);
  }
}

export interface LoadedCatalog {
  catalog: Catalog;
  /** SHA-256 of the file's bytes. */
  hash: string;
}

/** @throws CatalogError when the file cannot be read or has any fault. */
export function loadCatalog(file: string): LoadedCatalog {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new CatalogError(file, [
      `${file}: cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"})`,
    ]);
  }
  return { catalog: parseCatalog(bytes, file), hash: createHash("sha256").update(bytes).digest("hex") };
}

/** @throws CatalogError naming every fault of the text. */
export function parseCatalog(bytes: Uint8Array, file: string): Catalog {
  if (bytes.byteLength > MAX_BYTES) {
    throw new CatalogError(file, [`${file}: is larger than ${MAX_BYTES / 1024} KiB`]);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CatalogError(file, [`${file}: is not UTF-8 text; save it again as UTF-8`]);
  }

  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    strict: true,
    stringKeys: true,
    uniqueKeys: true,
    merge: false,
  });
  const place = (offset: number, message: string) => describe(file, text, lineCounter, offset, message);
  if (document.errors.length > 0) {
    throw new CatalogError(
      file,
      document.errors.map((error) => place(error.pos[0], yamlFault(error))),
    );
  }

  const source = toSource(document, file);
  const parsed = catalogSchema.safeParse(source, { error: explain, reportInput: true });
  const shapeFaults = parsed.success ? [] : parsed.error.issues.flatMap((issue) => toFaults(issue));
  const faults = [
    ...shapeFaults,
    ...crossCheck(
      source as CatalogSource,
      shapeFaults.map(({ path }) => path),
    ),
  ];
  if (parsed.success && faults.length === 0) return deepFreeze(parsed.data);

  const placed = faults.map((fault) => ({ fault, offset: offsetOf(document, fault.path) }));
  placed.sort((a, b) => a.offset - b.offset);
  throw new CatalogError(
    file,
    placed.map(({ fault, offset }) => place(offset, `${fault.path.join(".") || "the file"} ${fault.message}`)),
  );
}

function toSource(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new CatalogError(file, [`${file}: repeats itself through too many aliases (*name)`]);
  }
}

/** One fault per unknown key, so that each gets its own line and caret. */
function toFaults(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  const known = knownKeys(path);
  return issue.keys.map((key) => {
    const guess = didYouMean(key, known);
    return { path: [...path, key], message: `is not a key of the catalog${guess ? `; did you mean ${guess}?` : ""}` };
  });
}

/** The keys the schema has at a path, for "did you mean". */
function knownKeys(path: Path): string[] {
  let schema: unknown = catalogSchema;
  for (const part of path) {
    const def = defOf(schema);
    schema = def?.shape?.[part] ?? def?.element ?? def?.valueType;
  }
  return Object.keys(defOf(schema)?.shape ?? {});
}

interface SchemaDef {
  shape?: Record<string | number, unknown>;
  element?: unknown;
  valueType?: unknown;
  innerType?: unknown;
}
/** Zod's own description of a schema, defaults and optionals taken off. */
function defOf(schema: unknown): SchemaDef | undefined {
  const def = (schema as { _zod?: { def: SchemaDef } } | undefined)?._zod?.def;
  return def?.innerType ? defOf(def.innerType) : def;
}

/** Where a path begins in the text: its value, or its key when it has none, or the nearest parent that exists. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range)
      return length === path.length ? node.range[0] : keyOffset(document, path.slice(0, length), node);
  }
  return 0;
}

/** A missing key is reported at the name of the group it is missing from. */
function keyOffset(document: Document, path: Path, node: Node): number {
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && String(item.key) === String(path.at(-1)))
    : undefined;
  const key = pair?.key;
  return (isNode(key) && key.range?.[0]) || (node.range?.[0] ?? 0);
}

function describe(file: string, text: string, lines: LineCounter, offset: number, message: string): string {
  const { line, col } = lines.linePos(Math.min(offset, text.length));
  const start = lines.lineStarts[line - 1] ?? 0;
  const source = text
    .slice(start, lines.lineStarts[line] ?? text.length)
    .replace(/\r?\n$/, "")
    .replaceAll("\t", " ");
  const from = Math.max(0, col - 1 - 60);
  const shown = source.slice(from, from + 110);
  const gutter = String(line);
  return [
    `${file}:${line}:${col}: ${message}${/[.?!]$/.test(message) ? "" : "."}`,
    `  ${gutter} | ${from > 0 ? "…" : ""}${shown}${from + 110 < source.length ? "…" : ""}`,
    `  ${" ".repeat(gutter.length)} | ${" ".repeat(col - 1 - from + (from > 0 ? 1 : 0))}^`,
  ].join("\n");
}

const YAML_FAULTS: Partial<Record<YAMLError["code"], string>> = {
  DUPLICATE_KEY: "this key stands twice in the same group; keep one of them",
  TAB_AS_INDENT: "this line is indented with a tab; use spaces",
  BAD_INDENT: "this line is indented differently from its neighbours; line them up with spaces",
  MISSING_CHAR: "a character is missing here: a closing quote, bracket, brace, colon or comma",
  BAD_ALIAS: "this alias (*name) points to nothing; put text that begins with * in quotes",
  BAD_SCALAR_START: "text that begins with this character must be in quotes",
  MULTILINE_IMPLICIT_KEY: "this line is not `key: value`; a colon may be missing, or a bracket was not closed above",
};

function yamlFault(error: YAMLError): string {
  return YAML_FAULTS[error.code] ?? `the file cannot be read here: ${error.message.replace(/\.$/, "")}`;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
