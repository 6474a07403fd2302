/** Reads the text of catalog.yaml. Every issue is reported at once, each with its line and column, the line itself and a caret. */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  type LineCounter,
  type Node,
  visit,
  type YAMLError,
} from "yaml";
import { deepFreeze } from "../../lib/fields.ts";
import { counted } from "../../lib/text.ts";
import { checkValues } from "../checks/check-values.ts";
import type { Issue, Path } from "../path.ts";
import type { Catalog } from "../schema.ts";
import { derive, type Shop } from "../shop.ts";
import { CatalogError, MAX_ALIASES, MAX_BYTES, MAX_LEVELS, type ReadDocument, readDocument } from "./document.ts";

/** A good catalog, with what is needed to point at its values. */
export interface ParsedText extends ReadDocument {
  /** Frozen. */
  catalog: Catalog;
  /** As the owner wrote them. */
  values: unknown;
  text: string;
  file: string;
}

/** @returns the catalog, frozen @throws CatalogError with every issue of the text */
export function parseCatalog(bytes: Uint8Array, file: string): Shop {
  return derive(parseText(bytes, file).catalog);
}

/** Throws CatalogError with every issue of the text. */
export function parseText(bytes: Uint8Array, file: string): ParsedText {
  const text = decode(bytes, file);
  const { document, lines } = readDocument(text);
  const refuse = (issues: TextIssue[], count?: number) => catalogRefusal(file, text, lines, issues, count);
  const unreadable = yamlIssues(document, text);
  if (unreadable.length > 0) throw refuse(unreadable);

  const values = documentValues(document, file);
  const checked = checkValues(values);
  if ("catalog" in checked) return { catalog: deepFreeze(checked.catalog), values, text, file, document, lines };
  // Each place is looked for among all keys beside it.
  const told = withWholeExample(checked.issues.slice(0, MOST_ISSUES), document, text);
  throw refuse(
    told.map((issue) => {
      const offset = offsetOf(document, issue);
      const example = issue.kind === "amount" ? ` ${amountWithComma(text, offset)}` : "";
      return { offset, message: `${issue.path.join(".") || "the file"} ${issue.message}${example}` };
    }),
    told.length + Math.max(0, checked.issues.length - MOST_ISSUES),
  );
}

/** More issues than anybody reads in one go. */
export const MOST_ISSUES = 200;

function catalogRefusal(
  file: string,
  text: string,
  lines: LineCounter,
  issues: readonly TextIssue[],
  count = issues.length,
): CatalogError {
  const inOrder = issues.toSorted((a, b) => a.offset - b.offset);
  const shown = inOrder.slice(0, MOST_ISSUES).map((issue) => withItsLine(file, text, lines, issue));
  const more = count - shown.length;
  return new CatalogError(file, more > 0 ? [...shown, `${file}: and ${counted(more, "more mistake")}`] : shown);
}

function decode(bytes: Uint8Array, file: string): string {
  if (bytes.byteLength > MAX_BYTES) {
    throw new CatalogError(file, [`${file}: is larger than ${MAX_BYTES / 1024} KiB`]);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CatalogError(file, [`${file}: is not UTF-8 text; save it again as UTF-8`]);
  }
}

function documentValues(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new CatalogError(file, [`${file}: has too many aliases (*name)`]);
  }
}

export interface TextIssue {
  offset: number;
  message: string;
}

const BAD_ALIAS = "this alias (*name) points to nothing; put text that begins with * in quotes";
const BAD_START = "text that begins with this character must be in quotes";
const MESSAGES: Partial<Record<YAMLError["code"], string>> = {
  DUPLICATE_KEY: "this key is there twice in the same group; keep one of them",
  TAB_AS_INDENT: "this line is indented with a tab; use spaces",
  BAD_INDENT: "this line is indented differently from its neighbors; line them up with spaces",
  MISSING_CHAR: "a character is missing here: a closing quote, bracket, brace, colon or comma",
  BAD_ALIAS,
  BAD_SCALAR_START: BAD_START,
  BAD_DQ_ESCAPE: "a backslash inside double quotes must be written twice; inside single quotes it stands for itself",
  TAG_RESOLVE_FAILED: "text that begins with ! must be in quotes",
  MULTIPLE_DOCS: "a line of --- begins a second file here; remove that line",
  BLOCK_IN_FLOW: "between { } or [ ] a comma may be missing here",
  MULTILINE_IMPLICIT_KEY: "this line is not `key: value`; a colon may be missing, or a bracket was not closed above",
};

const NEXT_LINE = "the line below is indented further than this one, which has a value already; line them up";
const COLON = 'put quotes around a text with a colon, like name: "Tint: fast and clean"';
const QUOTE =
  "the text in quotes ends before the line does: put the whole text in double quotes, or write a ' inside single quotes twice";
const TEXT_AFTER = "this comes after a value that has ended: a comma is missing, or quotes around the whole text";
const DIRECTIVE =
  "a line that begins with % changes how the whole file is read: remove it, and the line of --- below it";
const TOO_DEEP = `the file is nested more than ${MAX_LEVELS} levels deep here, which no catalog is; a bracket may not be closed above`;
const GLUED = "a space is missing after the colon";
const OLD_LINE_END =
  "this line ends with a lone carriage return, which no program shows alike: save the file with line ends of Unix (LF) or Windows (CRLF)";
const LOOKALIKE = "this space, hyphen or colon only looks like one, as word processors write it: type it anew";
const HASH = "what follows this # is a note, the bracket that closes the group too: put quotes around the whole text";
const MINUS_ZERO = "-0 is no amount: write 0";
const CUT_OFF = "the file is cut off: the last section is missing; tint catalog undo goes back to the version before";

export function yamlIssues(document: Document, text: string): TextIssue[] {
  const oldEnd = /\r(?!\n)/.exec(text);
  if (oldEnd) return [{ offset: oldEnd.index, message: OLD_LINE_END }];
  if (document.contents === null && document.errors.length === 0)
    return [
      {
        offset: 0,
        message: "the file is empty; tint init makes the catalog of a new shop, tint catalog undo goes back",
      },
    ];
  const tooDeep = document.errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (tooDeep) return [{ offset: tooDeep.pos[0], message: TOO_DEEP }];
  const directive = /^\uFEFF?(?:[ \t]*(?:#.*)?\r?\n)*(?=%)/.exec(text);
  if (directive) return [{ offset: directive[0].length, message: DIRECTIVE }];
  const issues = [...syntaxIssues(document.errors, text), ...danglingAliases(document), ...negativeZeros(document)];
  if (!isCutOff(text, issues)) return issues;
  const end = text.trimEnd().length;
  return [...issues.filter(({ offset }) => offset < end), { offset: text.length, message: CUT_OFF }];
}

/** The last section has two keys at its very end. Where they alone are missing, they are named. */
function isCutOff(text: string, issues: readonly TextIssue[]): boolean {
  const hasEnd = /\b(?:vehicle|confirm)_class\b/.test(text);
  return /^business:/m.test(text) && !hasEnd && (issues.length > 0 || !/^tint_law:/m.test(text));
}

function negativeZeros(document: Document): TextIssue[] {
  const found: TextIssue[] = [];
  visit(document, {
    Scalar(_key, { value, range }) {
      if (Object.is(value, -0)) found.push({ offset: range?.[0] ?? 0, message: MINUS_ZERO });
    },
  });
  return found;
}

/** Each is compared with the others. */
const MOST_ERRORS = 1_000;

/**
 * Only the first of several errors at one place is reported, because one mistake causes them all. A tab also causes errors
 * below it, so in a file with tabs only tabs and duplicate keys are reported; and after a line that is indented differently
 * its neighbors only say so again.
 */
function syntaxIssues(errors: readonly YAMLError[], text: string): TextIssue[] {
  const hasTabs = errors.some(({ code }) => code === "TAB_AS_INDENT");
  return errors
    .slice(0, MOST_ERRORS)
    .filter(({ code }) => !hasTabs || code === "TAB_AS_INDENT" || code === "DUPLICATE_KEY")
    .filter((error, i, all) => all.findIndex(({ pos }) => pos[0] === error.pos[0]) === i)
    .filter(({ code }, i, all) => code !== "BAD_INDENT" || all.findIndex((one) => one.code === code) === i)
    .map(
      (error) =>
        gluedAt(error, text) ??
        lookalikeAt(error, text) ??
        cutAtHash(error, text) ?? { offset: error.pos[0], message: messageOf(error, text) },
    );
}

/** The `key:value` without a space that causes an error in its line or the next: YAML reads it as one word. */
function gluedAt({ code, pos: [at] }: YAMLError, text: string): TextIssue | undefined {
  if (!["BAD_INDENT", "MULTILINE_IMPLICIT_KEY", "MISSING_CHAR"].includes(code)) return undefined;
  const line = text.lastIndexOf("\n", at - 1) + 1;
  return [line, text.lastIndexOf("\n", line - 2) + 1]
    .map((start) => ({
      start,
      length: /^ *[a-z]\w*:(?=[^\s/])/.exec(text.slice(start, text.indexOf("\n", start)))?.[0].length,
    }))
    .map(({ start, length }) => (length === undefined ? undefined : { offset: start + length, message: GLUED }))
    .find((issue) => issue !== undefined);
}

/** A space, hyphen or colon that only looks like the one of YAML, in the line of an error or one of the two above. */
function lookalikeAt({ pos: [at] }: YAMLError, text: string): TextIssue | undefined {
  let end = text.indexOf("\n", at);
  for (let i = 0; i < 3 && end !== 0; i++) {
    const line = text.lastIndexOf("\n", (end < 0 ? text.length : end) - 1) + 1;
    const before = /^ *(?=[^\S \t\r\n]|[–—•])|^ *(?:- )?[a-z_]\w*(?=：)|^ *(?:- )?[a-z_]\w*:(?=[^\S \t\r\n])/.exec(
      text.slice(line, end < 0 ? undefined : end),
    );
    if (before) return { offset: line + before[0].length, message: LOOKALIKE };
    end = Math.max(0, line - 1);
  }
  return undefined;
}

/** Finds a # that comments out the end of a one-line group, on the line of the error or the one above. */
function cutAtHash({ pos: [at] }: YAMLError, text: string): TextIssue | undefined {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  for (const start of [line, text.lastIndexOf("\n", line - 2) + 1]) {
    const before = /^[^#\n]*[{[][^}\]#\n]*[ \t](?=#[^\n]*[}\]])/.exec(text.slice(start))?.[0];
    if (before !== undefined) return { offset: start + before.length, message: HASH };
  }
  return undefined;
}

function messageOf(error: YAMLError, text: string): string {
  if (error.code === "BAD_INDENT" && error.message.includes("Flow")) {
    return "a bracket [ or brace { that was opened above is not closed";
  }
  const rest = text.slice(error.pos[0]).split("\n", 1)[0] ?? "";
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") return /:(\s|$)/.test(rest) ? COLON : NEXT_LINE;
  if (error.code === "UNEXPECTED_TOKEN" && /["'][^"']*$/.test(rest)) return QUOTE;
  if (error.code === "UNEXPECTED_TOKEN" && error.message.includes("at node end")) return TEXT_AFTER;
  if (error.code === "BAD_ALIAS" && text[error.pos[0]] === "&") return BAD_START;
  return MESSAGES[error.code] ?? `the file cannot be read here: ${error.message.replace(/\.$/, "")}`;
}

/** Finds aliases without an anchor, which the parser accepts. */
function danglingAliases(document: Document): TextIssue[] {
  const dangling: TextIssue[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (!alias.resolve(document)) dangling.push({ offset: alias.range?.[0] ?? 0, message: BAD_ALIAS });
    },
  });
  return dangling;
}

/** A longer entry is no example at a glance. */
const LONGEST_EXAMPLE = 400;

/** One sentence for an entry that lacks several keys, like `brow: {name: Brow, price: 60}`, with a neighbor as the example. */
function withWholeExample(issues: readonly Issue[], document: Document, text: string): Issue[] {
  const rest = [...issues];
  const lacking = Map.groupBy(issues.filter(isMissing), ({ path }) => JSON.stringify(path.slice(0, -1)));
  for (const missing of lacking.values()) {
    const entry = missing[0]?.path.slice(0, -1) ?? [];
    const isInside = ({ path }: Issue) => entry.every((part, i) => path[i] === part);
    const inside = rest.filter(isInside);
    const example = exampleFor(
      entry,
      missing.map(({ path }) => path.at(-1)),
      document,
      text,
    );
    if (inside.length < 2 || example === undefined) continue;
    const fields = missing.map(({ path }) => path.at(-1)).join(", ");
    const message = `lacks ${fields}; a whole one is like ${example}`;
    rest.splice(rest.indexOf(inside[0] as Issue), 0, { path: entry, message, at: "key" });
    for (const one of inside) rest.splice(rest.indexOf(one), 1);
  }
  return rest;
}

const isMissing = ({ kind }: Issue) => kind === "missing";

/** Another entry of the same group that has all these keys, as it is written. */
function exampleFor(entry: Path, keys: readonly unknown[], document: Document, text: string): string | undefined {
  const group = entry.length < 2 ? undefined : document.getIn(entry.slice(0, -1), true);
  if (!isMap(group)) return undefined;
  for (const { key, value } of group.items) {
    if (!isMap(value) || !isNode(key) || !keys.every((one) => value.has(one))) continue;
    const written = text.slice(key.range?.[0], value.range?.[1]).replace(/\s+/g, " ");
    if (value.flow && written.length <= LONGEST_EXAMPLE) return written;
  }
  return undefined;
}

/** The amount that a comma cuts in two: `{suv: 629,50}` is read as 629 and a key 50. @param offset of that key */
function amountWithComma(text: string, offset: number): string {
  const rest = /^\d*/.exec(text.slice(offset)) ?? "";
  const [, whole, cents = ""] = /(\d+),\s?(\d+)$/.exec(text.slice(Math.max(0, offset - 20), offset) + rest) ?? [];
  return whole ? `${whole}${cents.length < 3 ? "." : ""}${cents}` : "1200";
}

/** The offset of an issue's value or key in the text. For a path that does not exist: of the nearest group around it. */
export function offsetOf(document: Document, { path, at }: Issue): number {
  const own = at === "key" ? ownKey(document, path) : undefined;
  if (own !== undefined) return own;
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range)
      return length === path.length && at !== "key" ? node.range[0] : keyOffset(document, path.slice(0, length), node);
  }
  return 0;
}

/** The offset of the key in front of a node; of the node where there is no key. */
function keyOffset(document: Document, path: Path, node: Node): number {
  return ownKey(document, path) ?? node.range?.[0] ?? 0;
}

/** The offset of the key at a path, which may have no value; undefined where there is none. */
function ownKey(document: Document, path: Path): number | undefined {
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const wanted = String(path.at(-1));
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && String(isScalar(item.key) ? item.key.value : item.key) === wanted)
    : undefined;
  const key = pair?.key;
  return (isNode(key) && key.range?.[0]) || undefined;
}

/** Characters shown of a long line: some before the caret, and in all. */
const BEFORE = 60;
const WIDTH = 110;

/** An issue as the owner reads it: three lines. */
export function withItsLine(file: string, text: string, lines: LineCounter, { offset, message }: TextIssue): string {
  const { line, col } = lines.linePos(Math.min(offset, text.length));
  const source = text
    .slice(lines.lineStarts[line - 1] ?? 0, lines.lineStarts[line] ?? text.length)
    .split(/\r?\n/, 1)
    .join("")
    .replaceAll("\t", " ");
  const from = Math.max(0, col - 1 - BEFORE);
  const before = from > 0 ? "…" : "";
  const after = from + WIDTH < source.length ? "…" : "";
  const gutter = String(line);
  return [
    `${file}:${line}:${col}: ${message}${/[.?!]$/.test(message) ? "" : "."}`,
    `  ${gutter} | ${before}${source.slice(from, from + WIDTH)}${after}`,
    `  ${" ".repeat(gutter.length)} | ${" ".repeat(before.length + col - 1 - from)}^`,
  ].join("\n");
}
