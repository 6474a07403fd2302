/** Changes of single values of a catalog, worked out as splices; `splice.ts` applies them. Comments and layout stay. */
import { isCollection, isMap, isNode, isPair, isScalar, type Node, type Scalar, type YAMLMap } from "yaml";
import { EditError } from "../edit-error.ts";
import type { Path, ScalarValue } from "../path.ts";
import { settingAt } from "../settings.ts";
import {
  collectionAt,
  collectionEntries,
  hasNotes,
  indentAt,
  insertion,
  introducedAt,
  isInFlow,
  type Layout,
  lineEnd,
  lineStart,
  newlineOf,
  nodeAt,
  nodeSpan,
  paddingOf,
  type Splice,
  standsFirst,
  type TextChange,
} from "./layout.ts";
import { renderFlow, renderScalar } from "./yaml-text.ts";

/** Sets a single value, quoted like the old one. An optional key that is missing is added to its group. */
export function scalarSet(layout: Layout, path: Path, value: ScalarValue): TextChange {
  const old = nodeAt(layout, path);
  const rendered = renderScalar(value, {
    like: isScalar(old) ? styleOf(old) : null,
    inFlow: isInFlow(layout, path),
    ...moneyStyle(path, old),
  });
  return valueSet(layout, path, rendered, value);
}

/** Sets a list or group, written in one line. */
export function listOrGroupSet(layout: Layout, path: Path, value: object): TextChange {
  return valueSet(layout, path, renderFlow(value, paddingOf(layout.text)), value);
}

function valueSet(layout: Layout, path: Path, rendered: string, value: unknown): TextChange {
  const old = nodeAt(layout, path);
  const splices = old ? [replacement(layout, path, old, rendered)] : insertKey(layout, path, rendered);
  return { path, splices, update: () => value };
}

/** Inserts an entry into a list, at an index from 0. */
export function itemInserted(layout: Layout, path: Path, value: ScalarValue | object, index: number): TextChange {
  const list = collectionAt(layout, path);
  const neighbour = list.items[index - 1] ?? list.items[index];
  const rendered = list.flow ? renderFlow(value, paddingOf(layout.text)) : renderLike(neighbour, value, layout, path);
  return {
    path,
    splices: insertEntry(layout, path, index, rendered),
    update: (items) => (Array.isArray(items) ? items.toSpliced(index, 0, value) : items),
  };
}

/** Removes entries of a list, each with the note on its last line. An empty list is written `[]`. */
export function itemsRemoved(layout: Layout, path: Path, isRemoved: (index: number) => boolean): TextChange {
  const indices = [...collectionAt(layout, path).items.keys()].filter(isRemoved);
  return {
    path,
    splices: removeEntries(layout, path, indices),
    update: (items) => (Array.isArray(items) ? items.filter((_, i) => !isRemoved(i)) : items),
  };
}

/** Block scalars (`|`, `>`) are rewritten in quotes, because the new text would have to be indented line by line. */
function styleOf({ type }: Scalar): Scalar.Type | null {
  return type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED" ? "QUOTE_DOUBLE" : (type ?? null);
}

function moneyStyle(path: Path, old: Node | undefined): { money?: "plain" | "cents" } {
  if (!settingAt(path)?.money) return {};
  return { money: isScalar(old) && /\.\d\d$/.test(old.source ?? "") ? "cents" : "plain" };
}

function replacement(layout: Layout, path: Path, old: Node, rendered: string): Splice {
  const { start, end } = nodeSpan(layout, old);
  const isBlock = isCollection(old) && !old.flow;
  const from = isBlock || start === end ? (introducedAt(layout, path) ?? start) : start;
  const touchesNote = (isCollection(old) || end > lineEnd(layout.text, from)) && hasNotes(layout.text.slice(from, end));
  if (touchesNote)
    throw new EditError(`${path.join(".")} has notes inside that would be lost. Change it in a text editor.`);
  // An empty value may begin right behind the colon, where YAML needs a space.
  const gap = isBlock || layout.text[from - 1] === ":" ? " " : "";
  return { from, to: start === end ? from : end, insert: gap + rendered };
}

function insertKey(layout: Layout, path: Path, rendered: string): Splice[] {
  const group = path.slice(0, -1);
  const collection = collectionAt(layout, group);
  const pair = `${renderScalar(String(path.at(-1)), { inFlow: true })}: ${rendered}`;
  if (!isMap(collection)) throw new EditError(`${path.join(".")} does not exist.`);
  return insertEntry(layout, group, collection.items.length, pair);
}

/** Inserts the text of an entry into a list or group, at an index from 0. */
export function insertEntry(layout: Layout, path: Path, index: number, rendered: string): Splice[] {
  const insert = collectionAt(layout, path).flow ? insertFlow : insertBlock;
  return insert(layout, path, index, rendered);
}

/** Removes entries of a list or group, each with the note on its last line. */
export function removeEntries(layout: Layout, path: Path, indices: readonly number[]): Splice[] {
  return collectionAt(layout, path).flow
    ? indices.flatMap((index) => removeFlow(layout, path, index))
    : removeBlock(layout, path, indices);
}

function insertBlock(layout: Layout, path: Path, index: number, rendered: string): Splice[] {
  const { text } = layout;
  const entries = collectionEntries(layout, collectionAt(layout, path));
  const newline = newlineOf(text);
  const before = entries[index - 1];
  const first = entries[0];
  if (before) return [insertion(lineEnd(text, before.end), newline + indentAt(text, before.start) + rendered)];
  if (first) return [insertion(first.start, rendered + newline + indentAt(text, first.start))];
  throw new EditError(`${path.join(".")} is empty.`);
}

function insertFlow(layout: Layout, path: Path, index: number, rendered: string): Splice[] {
  const { text } = layout;
  const collection = collectionAt(layout, path);
  const entries = collectionEntries(layout, collection);
  const before = entries[index - 1];
  const after = entries[index];
  if (after) {
    const gap = standsFirst(text, after.start) ? newlineOf(text) + indentAt(text, after.start) : " ";
    return [insertion(after.start, `${rendered},${gap}`)];
  }
  if (!before) return [insertion((collection.range?.[0] ?? 0) + 1, rendered)];
  const comma = /^\s*,/.exec(text.slice(before.end))?.[0].length ?? 0;
  if (!standsFirst(text, before.start)) {
    return [insertion(before.end + comma, comma > 0 ? ` ${rendered},` : `, ${rendered}`)];
  }
  const line = newlineOf(text) + indentAt(text, before.start) + rendered;
  const end = lineEnd(text, before.end + comma);
  return comma > 0 ? [insertion(end, `${line},`)] : [insertion(before.end, ","), insertion(end, line)];
}

function removeBlock(layout: Layout, path: Path, indices: readonly number[]): Splice[] {
  const { text } = layout;
  const collection = collectionAt(layout, path);
  const entries = collectionEntries(layout, collection);
  const colon = introducedAt(layout, path);
  const lines = indices.flatMap((index) => {
    const entry = entries[index];
    if (!entry) return [];
    if (!standsFirst(text, entry.start)) throw new EditError(`${path.join(".")}: remove the entry in a text editor.`);
    return [linesRemoved(text, entry)];
  });
  return lines.length === entries.length && colon !== undefined
    ? [insertion(colon, isMap(collection) ? " {}" : " []"), ...lines]
    : lines;
}

/** An entry at the very end of the file has no line break behind it; the line break in front of it is removed instead. */
function linesRemoved(text: string, { start, end }: { start: number; end: number }): Splice {
  const last = lineEnd(text, end);
  return last === text.length
    ? { from: Math.max(0, lineStart(text, start) - newlineOf(text).length), to: last, insert: "" }
    : { from: lineStart(text, start), to: text.indexOf("\n", last) + 1, insert: "" };
}

/** Removes an entry between brackets, with one of the commas around it. */
function removeFlow(layout: Layout, path: Path, index: number): Splice[] {
  const { text } = layout;
  const collection = collectionAt(layout, path);
  const entries = collectionEntries(layout, collection);
  const entry = entries[index];
  if (!entry) return [];
  const remove = (from: number, to: number): Splice[] => [{ from, to, insert: "" }];
  const before = entries[index - 1];
  const after = entries[index + 1];
  if (!before && !after) {
    const [open = 0, close = 0] = collection.range ?? [];
    // The brackets are emptied, unless there is a note between them.
    return hasNotes(text.slice(open + 1, close - 1)) ? remove(entry.start, entry.end) : remove(open + 1, close - 1);
  }
  const behind = text.slice(entry.end, lineEnd(text, entry.end));
  const isAloneInLine = standsFirst(text, entry.start) && /^\s*(,\s*)?(#.*)?$/.test(behind);
  if (isAloneInLine) return remove(lineStart(text, entry.start), text.indexOf("\n", entry.end) + 1);
  return after ? remove(entry.start, after.start) : remove(before?.end ?? entry.start, entry.end);
}

/** Writes a new entry like its neighbour: one key a line with the same quotes, or everything in one line. */
function renderLike(neighbour: unknown, value: ScalarValue | object, layout: Layout, path: Path): string {
  const { text } = layout;
  if (typeof value !== "object" || value === null) {
    return `- ${renderScalar(value, { like: isScalar(neighbour) ? (neighbour.type ?? null) : null, inFlow: false })}`;
  }
  if (!isMap(neighbour) || neighbour.flow) return `- ${renderFlow(value, paddingOf(text))}`;
  const indent = indentAt(text, neighbour.range?.[0] ?? 0);
  return `- ${linesLike(neighbour, value, layout, [...path, 0]).join(newlineOf(text) + indent)}`;
}

/** The keys of a group, a line each, with the quotes of a neighbour. @param path of the group */
export function linesLike(neighbour: YAMLMap, value: object, { text }: Layout, path: Path): string[] {
  return Object.entries(value).map(([key, item]) => {
    const pair = neighbour.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key);
    const like = isNode(pair?.value) && isScalar(pair.value) ? styleOf(pair.value) : null;
    if (typeof item === "object" && item !== null) return `${key}: ${renderFlow(item, paddingOf(text))}`;
    return `${key}: ${renderScalar(item, { like, inFlow: false, ...moneyStyle([...path, key], undefined) })}`;
  });
}
