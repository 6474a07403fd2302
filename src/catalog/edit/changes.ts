/** Edits of a catalog's text that leave every other byte as it was. Each throws EditError where it would change anything else. */

import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  type Node,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { valueAt } from "../../lib/fields.ts";
import { type Layout, readLayout } from "../load/values.ts";
import type { Path, ScalarValue } from "../path.ts";
import { settingAt } from "../settings.ts";
import { EditError } from "../source.ts";
import {
  applyChanges,
  collectionAt,
  collectionEntries,
  introducedAt,
  isInFlow,
  lineEnd,
  lineStart,
  nodeAt,
  nodeSpan,
  renderFlow,
  renderScalar,
  type Splice,
  type TextChange,
} from "./layout.ts";

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

export function listOrGroupSet(layout: Layout, path: Path, value: object): TextChange {
  return valueSet(layout, path, renderFlow(value, paddingOf(layout.text)), value);
}

function valueSet(layout: Layout, path: Path, rendered: string, value: unknown): TextChange {
  const old = nodeAt(layout, path);
  const splices = old ? [replacement(layout, path, old, rendered)] : insertKey(layout, path, rendered);
  return { path, splices, update: () => value };
}

export function itemInserted(layout: Layout, path: Path, value: ScalarValue | object, index: number): TextChange {
  const list = collectionAt(layout, path);
  const neighbor = list.items[index - 1] ?? list.items[index];
  const rendered = list.flow ? renderFlow(value, paddingOf(layout.text)) : renderLike(neighbor, value, layout, path);
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

export function insertEntry(layout: Layout, path: Path, index: number, rendered: string): Splice[] {
  const insert = collectionAt(layout, path).flow ? insertFlow : insertBlock;
  return insert(layout, path, index, rendered);
}

/** Removes entries of a list or group, each with the note on its last line. */
function removeEntries(layout: Layout, path: Path, indices: readonly number[]): Splice[] {
  const remove = collectionAt(layout, path).flow ? removeFlow : removeBlock;
  return remove(layout, path, indices);
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

/** Removes entries between brackets, each with one of the commas around it: the one in front where none behind it stays. */
function removeFlow(layout: Layout, path: Path, indices: readonly number[]): Splice[] {
  const { text } = layout;
  const collection = collectionAt(layout, path);
  const entries = collectionEntries(layout, collection);
  const kept = [...entries.keys()].filter((index) => !indices.includes(index));
  const [open = 0, close = 0] = collection.range ?? [];
  // The brackets are emptied, unless there is a note between them.
  if (kept.length === 0 && !hasNotes(text.slice(open + 1, close - 1)))
    return [{ from: open + 1, to: close - 1, insert: "" }];
  const lastKept = kept.at(-1) ?? entries.length;
  let removedTo = 0;
  return entries.flatMap((entry, index) => {
    if (!indices.includes(index)) return [];
    const [before, after] = [entries[index - 1], entries[index + 1]];
    const behind = text.slice(entry.end, lineEnd(text, entry.end));
    const isAloneInLine = standsFirst(text, entry.start) && /^\s*(,\s*)?(#.*)?$/.test(behind);
    let [from, to] = [before?.end ?? entry.start, entry.end];
    if (isAloneInLine) [from, to] = [lineStart(text, entry.start), text.indexOf("\n", entry.end) + 1];
    else if (after && index < lastKept) [from, to] = [entry.start, after.start];
    // The comma in front can be gone with the line before.
    const splice = { from: Math.max(from, removedTo), to, insert: "" };
    removedTo = to;
    return splice;
  });
}

/** Writes a new entry like its neighbor: one key a line with the same quotes, or everything in one line. */
function renderLike(neighbor: unknown, value: ScalarValue | object, layout: Layout, path: Path): string {
  const { text } = layout;
  if (typeof value !== "object" || value === null) {
    return `- ${renderScalar(value, { like: isScalar(neighbor) ? (neighbor.type ?? null) : null, inFlow: false })}`;
  }
  if (!isMap(neighbor) || neighbor.flow) return `- ${renderFlow(value, paddingOf(text))}`;
  const indent = indentAt(text, neighbor.range?.[0] ?? 0);
  return `- ${linesLike(neighbor, value, layout, [...path, 0]).join(newlineOf(text) + indent)}`;
}

/** The keys of a group, a line each, with the quotes of a neighbor. @param path of the group */
function linesLike(neighbor: YAMLMap, value: object, { text }: Layout, path: Path): string[] {
  return Object.entries(value).map(([key, item]) => {
    const pair = neighbor.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key);
    const like = isNode(pair?.value) && isScalar(pair.value) ? styleOf(pair.value) : null;
    if (typeof item === "object" && item !== null) return `${key}: ${renderFlow(item, paddingOf(text))}`;
    return `${key}: ${renderScalar(item, { like, inFlow: false, ...moneyStyle([...path, key], undefined) })}`;
  });
}

/** Adds an entry at the end of a group, in the layout of the last one. */
export function entryAdded(layout: Layout, group: Path, word: string, value: object | string): TextChange {
  return added(layout, group, word, value, (last) =>
    isMap(last) && !last.flow && typeof value === "object"
      ? ["", ...linesLike(last, value, layout, [...group, word])].join(
          newlineOf(layout.text) + indentAt(layout.text, nodeSpan(layout, last).start),
        )
      : renderFlow(value, paddingOf(layout.text)),
  );
}

/** Written as the other one is written. @param peers the words behind which it stands, in a group of several kinds */
export function entryCopied(
  layout: Layout,
  group: Path,
  word: string,
  like: string,
  peers?: readonly string[],
): TextChange {
  const value = valueAt(layout.source, [...group, like]);
  const render = () => {
    const node = nodeAt(layout, [...group, like]);
    const { start, end } = node ? nodeSpan(layout, node) : { start: 0, end: 0 };
    const written = layout.text.slice(start, end);
    const isOneLine = !written.includes("\n") && !hasNotes(written) && !(isCollection(node) && !node.flow);
    return isOneLine ? written : renderFlow(value, paddingOf(layout.text));
  };
  return added(layout, group, word, value, render, peers);
}

/** Removes an entry, with the note on its last line. */
export function entryRemoved(layout: Layout, group: Path, word: string): TextChange {
  return entriesRemoved(layout, group, [word]);
}

/** Removes values at several paths: entries of groups and lists, none inside of another. */
export function pathsRemoved(layout: Layout, paths: readonly Path[]): TextChange[] {
  const byGroup = Map.groupBy(paths, (path) => path.slice(0, -1).join("."));
  return [...byGroup.values()].map((ofGroup) => {
    const group = ofGroup[0]?.slice(0, -1) ?? [];
    const lasts = ofGroup.map((path) => path.at(-1));
    return typeof lasts[0] === "number"
      ? itemsRemoved(layout, group, (index) => lasts.includes(index))
      : entriesRemoved(layout, group, lasts.map(String));
  });
}

/** Removes entries of a group, each with the note on its last line. */
function entriesRemoved(layout: Layout, group: Path, words: readonly string[]): TextChange {
  return {
    path: group,
    splices: isElsewhere(layout, group) ? [] : splicesOfRemoval(layout, group, words),
    update: (old) => Object.fromEntries(Object.entries(Object(old)).filter(([key]) => !words.includes(key))),
  };
}

export function keyRenamed(layout: Layout, path: Path, to: string): TextChange {
  const [group, word] = [path.slice(0, -1), String(path.at(-1))];
  const update = (old: unknown) =>
    Object.fromEntries(Object.entries(Object(old)).map(([key, value]) => [key === word ? to : key, value]));
  if (isElsewhere(layout, group)) return { path: group, splices: [], update };
  const collection = collectionAt(layout, group);
  const node = isMap(collection) ? collection.items[collectionWords(collection).indexOf(word)]?.key : undefined;
  const [from, end] = isScalar(node) ? (node.range ?? []) : [];
  if (from === undefined || end === undefined) throw new EditError(`${group.join(".")} has no ${word}.`);
  return { path: group, splices: [{ from, to: end, insert: renderScalar(to, { inFlow: true }) }], update };
}

function splicesOfRemoval(layout: Layout, group: Path, words: readonly string[]) {
  const written = collectionWords(collectionAt(layout, group));
  const missing = words.find((word) => !written.includes(word));
  if (missing !== undefined) throw new EditError(`${group.join(".")} has no ${missing}.`);
  return removeEntries(
    layout,
    group,
    words.map((word) => written.indexOf(word)),
  );
}

/** @param render the value as text, given the node of the last entry */
function added(
  layout: Layout,
  group: Path,
  word: string,
  value: unknown,
  render: (last: unknown) => string,
  peers?: readonly string[],
): TextChange {
  const change = { path: [...group, word], update: () => value };
  if (isElsewhere(layout, group)) return { ...change, splices: [] };
  const collection = collectionAt(layout, group);
  if (!isMap(collection)) throw new EditError(`${group.join(".")} is not a group.`);
  const at = peers
    ? collectionWords(collection).findLastIndex((one) => peers.includes(one)) + 1
    : collection.items.length;
  const key = `${renderScalar(word, { inFlow: true })}:`;
  const rendered = render(collection.items.at(-1)?.value);
  const gap = rendered.startsWith("\n") || rendered.startsWith("\r") ? "" : gapLike(layout, collection, key);
  const pair = key + gap + rendered;
  return { ...change, splices: insertEntry(layout, group, at, pair) };
}

/** Whether the file writes a group as `*name`, a repetition of another one that is changed in its own place. */
function isElsewhere(layout: Layout, group: Path): boolean {
  return group.some((_, i) => isAlias(nodeAt(layout, group.slice(0, i + 1))));
}

function collectionWords(collection: ReturnType<typeof collectionAt>): string[] {
  return isMap(collection) ? collection.items.map(({ key }) => String(isScalar(key) ? key.value : key)) : [];
}

/** The space behind a new key: up to the column of the other values where they share one column. */
function gapLike(layout: Layout, collection: YAMLMap, key: string): string {
  const entries = collectionEntries(layout, collection);
  const columns = collection.items.map(({ value }, i) =>
    isNode(value) ? nodeSpan(layout, value).start - (entries[i]?.start ?? 0) : 0,
  );
  const [column = 0] = columns;
  const isTable = !collection.flow && columns.every((one) => one === column);
  return " ".repeat(isTable ? Math.max(1, column - key.length) : 1);
}

/** Sets a single value, in the quoting of the old one; an optional key that is missing is added to its group. */
export function setScalar(text: string, path: Path, value: ScalarValue): string {
  const layout = readLayout(text);
  if (isCollection(nodeAt(layout, path)))
    throw new EditError(`${path.join(".")} is a list or group, not a single value.`);
  return applyChanges(layout, [scalarSet(layout, path, value)]);
}

export function setFlow(text: string, path: Path, value: object): string {
  const layout = readLayout(text);
  return applyChanges(layout, [listOrGroupSet(layout, path, value)]);
}

/** @param index where the new entry will be; at the end unless given */
export function insertItem(text: string, path: Path, value: ScalarValue | object, index?: number): string {
  const layout = readLayout(text);
  if (!nodeAt(layout, path)) return setFlow(text, path, [value]);
  const at = index ?? collectionAt(layout, path).items.length;
  return applyChanges(layout, [itemInserted(layout, path, value, at)]);
}

/** Removes an entry with the note on its last line; notes on lines of their own stay. */
export function removeItem(text: string, path: Path, index: number): string {
  const layout = readLayout(text);
  if (!collectionAt(layout, path).items[index]) throw new EditError(`${path.join(".")} has no entry ${index}.`);
  return applyChanges(layout, [itemsRemoved(layout, path, (i) => i === index)]);
}

function insertion(at: number, insert: string): Splice {
  return { from: at, to: at, insert };
}

function hasNotes(text: string): boolean {
  return [...new Lexer().lex(text)].some((token) => token.startsWith("#"));
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Spaces that bring a new line to the column of an offset. */
function indentAt(text: string, offset: number): string {
  return " ".repeat(offset - lineStart(text, offset));
}

/** Whether nothing but space stands before an offset on its line. */
function standsFirst(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

/** The space that the file puts inside braces: `{ a: 1 }` or `{a: 1}`. */
function paddingOf(text: string): string {
  const inNotes = /^[ \t]*#.*$/gm;
  return /\{( ?)[^\s{}]/.exec(text.replace(inNotes, ""))?.[1] ?? " ";
}
