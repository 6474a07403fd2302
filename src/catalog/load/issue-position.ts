/** The position of an issue in the file, shown to the owner: file:line:column, the line, and a caret under the position. */
import { type Document, isMap, isNode, isPair, type LineCounter, type Node } from "yaml";
import type { Issue, Path } from "../path.ts";
import type { TextIssue } from "./yaml-issues.ts";

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
  const pair = isMap(parent)
    ? parent.items.find((item) => isPair(item) && String(item.key) === String(path.at(-1)))
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
