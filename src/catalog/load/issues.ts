/** Mistakes in the YAML, in the owner's words, and where a mistake stands: file:line:column, the line, and a caret. */
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
import type { Issue, Path } from "../path.ts";
import { MAX_LEVELS } from "./document.ts";

/** An issue with its offset in the text. */
export interface TextIssue {
  offset: number;
  message: string;
}

const BAD_ALIAS = "this alias (*name) points to nothing; put text that begins with * in quotes";
const BAD_START = "text that begins with this character must be in quotes";
const MESSAGES: Partial<Record<YAMLError["code"], string>> = {
  DUPLICATE_KEY: "this key stands twice in the same group; keep one of them",
  TAB_AS_INDENT: "this line is indented with a tab; use spaces",
  BAD_INDENT: "this line is indented differently from its neighbours; line them up with spaces",
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
const TEXT_AFTER = "this stands after a value that has ended: a comma is missing, or quotes around the whole text";
const DIRECTIVE =
  "a line that begins with % changes how the whole file is read: remove it, and the line of --- below it";
const TOO_DEEP = `the file is nested more than ${MAX_LEVELS} levels deep here, which no catalog is; a bracket may not be closed above`;
const GLUED = "a space is missing after the colon";

/** @param text of the whole file */
export function yamlIssues(document: Document, text: string): TextIssue[] {
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
  return [...syntaxIssues(document.errors, text), ...danglingAliases(document)];
}

/** Each is compared with the others. */
const MOST_ERRORS = 1_000;

/**
 * Only the first of several errors at one place is reported, because one mistake causes them all. A tab also causes errors
 * below it, so in a file with tabs only tabs and duplicate keys are reported; and after a line that is indented differently
 * its neighbours only say so again.
 */
function syntaxIssues(errors: readonly YAMLError[], text: string): TextIssue[] {
  const hasTabs = errors.some(({ code }) => code === "TAB_AS_INDENT");
  return errors
    .slice(0, MOST_ERRORS)
    .filter(({ code }) => !hasTabs || code === "TAB_AS_INDENT" || code === "DUPLICATE_KEY")
    .filter((error, i, all) => all.findIndex(({ pos }) => pos[0] === error.pos[0]) === i)
    .filter(({ code }, i, all) => code !== "BAD_INDENT" || all.findIndex((one) => one.code === code) === i)
    .map((error) => gluedAt(error, text) ?? { offset: error.pos[0], message: yamlMessage(error, text) });
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

function yamlMessage(error: YAMLError, text: string): string {
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
