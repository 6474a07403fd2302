/** Where a fault stands in the file, shown as the owner sees it: file:line:column, the line, and a caret. */
import { type Document, isMap, isNode, isPair, type LineCounter, type Node, type YAMLError } from "yaml";
import type { Fault, Path } from "../path.ts";

/** Where a fault's value begins in the text, or its key, or the nearest parent that exists. */
export function offsetOf(document: Document, { path, at }: Fault): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range)
      return length === path.length && at !== "key" ? node.range[0] : keyOffset(document, path.slice(0, length), node);
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

/** A fault in words, with its line. */
export function describe(file: string, text: string, lines: LineCounter, offset: number, message: string): string {
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

export const BAD_ALIAS = "this alias (*name) points to nothing; put text that begins with * in quotes";
const YAML_FAULTS: Partial<Record<YAMLError["code"], string>> = {
  DUPLICATE_KEY: "this key stands twice in the same group; keep one of them",
  TAB_AS_INDENT: "this line is indented with a tab; use spaces",
  BAD_INDENT: "this line is indented differently from its neighbours; line them up with spaces",
  MISSING_CHAR: "a character is missing here: a closing quote, bracket, brace, colon or comma",
  BAD_ALIAS,
  BAD_SCALAR_START: "text that begins with this character must be in quotes",
  MULTIPLE_DOCS: "a line of --- begins a second file here; take it out",
  MULTILINE_IMPLICIT_KEY: "this line is not `key: value`; a colon may be missing, or a bracket was not closed above",
};

/** The faults that make a file no YAML; those that only follow from an earlier one are left out. */
export function yamlFaults(errors: readonly YAMLError[]): { offset: number; message: string }[] {
  const tabs = errors.some(({ code }) => code === "TAB_AS_INDENT");
  return errors
    .filter(({ code }) => !tabs || code === "TAB_AS_INDENT" || code === "DUPLICATE_KEY")
    .map((error) => ({ offset: error.pos[0], message: yamlFault(error) }));
}

function yamlFault(error: YAMLError): string {
  if (error.code === "BAD_INDENT" && error.message.includes("Flow")) {
    return "a bracket [ or brace { that was opened above is not closed";
  }
  return YAML_FAULTS[error.code] ?? `the file cannot be read here: ${error.message.replace(/\.$/, "")}`;
}
