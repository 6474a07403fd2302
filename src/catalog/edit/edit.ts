/**
 * Edits of a catalog's text that leave every other byte as it was: comments, order, alignment. Each edit splices the
 * text at the place of a YAML node, reads the result again and compares: if anything but the intended value changed,
 * it throws instead. All are text in, text out.
 */
import { isCollection, isMap, isNode, isPair, isScalar, type Node, type Scalar } from "yaml";
import { EditError } from "../edit-error.ts";
import type { Path, ScalarValue } from "../path.ts";
import { placeAt } from "../places.ts";
import {
  collectionAt,
  entriesOf,
  hasNotes,
  indentAt,
  introducedAt,
  isInFlow,
  type Layout,
  lineEnd,
  lineStart,
  newlineOf,
  nodeAt,
  paddingOf,
  readLayout,
  spanOf,
  standsFirst,
} from "./layout.ts";
import { renderFlow, renderScalar } from "./yaml-text.ts";

interface Splice {
  from: number;
  to: number;
  insert: string;
}

/**
 * Sets a single value, in the quoting of the old one; an optional key that is not there yet is added to its group.
 * @throws EditError when the place cannot be edited without touching anything else
 */
export function setScalar(text: string, path: Path, value: ScalarValue): string {
  const layout = readLayout(text);
  const old = nodeAt(layout, path);
  if (isCollection(old)) throw new EditError(`${path.join(".")} is a list or group, not a single value.`);
  const rendered = renderScalar(value, {
    like: isScalar(old) ? styleOf(old) : null,
    inFlow: isInFlow(layout, path),
    ...moneyStyle(path, old),
  });
  return put(layout, path, old, rendered, value);
}

/** Sets a list or group, written in one line. */
export function setFlow(text: string, path: Path, value: object): string {
  const layout = readLayout(text);
  return put(layout, path, nodeAt(layout, path), renderFlow(value, paddingOf(text)), value);
}

function put(layout: Layout, path: Path, old: Node | undefined, rendered: string, value: unknown): string {
  const splices = old ? [replacement(layout, path, old, rendered)] : addKey(layout, path, rendered);
  return apply(layout, splices, path, () => value);
}

/** @param index where the new entry will stand; at the end unless given */
export function insertItem(text: string, path: Path, value: ScalarValue | object, index?: number): string {
  const layout = readLayout(text);
  if (!nodeAt(layout, path)) return setFlow(text, path, [value]);
  const list = collectionAt(layout, path);
  const at = index ?? list.items.length;
  const neighbour = list.items[at - 1] ?? list.items[at];
  const splices = list.flow
    ? insertFlow(layout, path, at, renderFlow(value, paddingOf(text)))
    : insertBlock(layout, path, at, renderLike(neighbour, value, layout, path));
  return apply(layout, splices, path, (items) => (Array.isArray(items) ? items.toSpliced(at, 0, value) : items));
}

/** Removes an entry with the note on its last line; notes on lines of their own stay. */
export function removeItem(text: string, path: Path, index: number): string {
  const layout = readLayout(text);
  const list = collectionAt(layout, path);
  if (!list.items[index]) throw new EditError(`${path.join(".")} has no entry ${index}.`);
  const splices = list.flow ? removeFlow(layout, path, index) : removeBlock(layout, path, index);
  return apply(layout, splices, path, (items) => (Array.isArray(items) ? items.toSpliced(index, 1) : items));
}

/** Block scalars (`|`, `>`) are rewritten between quotes: their text could not be kept apart from their indentation. */
function styleOf({ type }: Scalar): Scalar.Type | null {
  return type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED" ? "QUOTE_DOUBLE" : (type ?? null);
}

function moneyStyle(path: Path, old: Node | undefined): { money?: "plain" | "cents" } {
  if (!placeAt(path)?.money) return {};
  return { money: isScalar(old) && /\.\d\d$/.test(old.source ?? "") ? "cents" : "plain" };
}

function replacement(layout: Layout, path: Path, old: Node, rendered: string): Splice {
  const { start, end } = spanOf(layout, old);
  const isBlock = isCollection(old) && !old.flow;
  const from = isBlock || start === end ? (introducedAt(layout, path) ?? start) : start;
  const touchesNote = (isCollection(old) || end > lineEnd(layout.text, from)) && hasNotes(layout.text.slice(from, end));
  if (touchesNote)
    throw new EditError(`${path.join(".")} has notes inside that would be lost: change it in a text editor.`);
  // An empty value may stand behind the spaces that follow its colon.
  const gap = isBlock || layout.text[from - 1] === ":" ? " " : "";
  return { from, to: start === end ? from : end, insert: gap + rendered };
}

function addKey(layout: Layout, path: Path, rendered: string): Splice[] {
  const group = path.slice(0, -1);
  const collection = collectionAt(layout, group);
  const pair = `${renderScalar(String(path.at(-1)), { inFlow: true })}: ${rendered}`;
  if (!isMap(collection)) throw new EditError(`${path.join(".")} does not exist.`);
  return collection.flow
    ? insertFlow(layout, group, collection.items.length, pair)
    : insertBlock(layout, group, collection.items.length, pair);
}

function insertBlock(layout: Layout, path: Path, index: number, rendered: string): Splice[] {
  const { text } = layout;
  const entries = entriesOf(layout, collectionAt(layout, path));
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
  const entries = entriesOf(layout, collection);
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

function removeBlock(layout: Layout, path: Path, index: number): Splice[] {
  const { text } = layout;
  const entries = entriesOf(layout, collectionAt(layout, path));
  const entry = entries[index];
  const colon = introducedAt(layout, path);
  if (!entry || !standsFirst(text, entry.start)) throw new EditError(`${path.join(".")}: remove it in a text editor.`);
  const end = lineEnd(text, entry.end);
  const lines =
    end === text.length
      ? { from: Math.max(0, lineStart(text, entry.start) - newlineOf(text).length), to: end, insert: "" }
      : { from: lineStart(text, entry.start), to: text.indexOf("\n", end) + 1, insert: "" };
  return entries.length === 1 && colon !== undefined ? [insertion(colon, " []"), lines] : [lines];
}

function removeFlow(layout: Layout, path: Path, index: number): Splice[] {
  const { text } = layout;
  const collection = collectionAt(layout, path);
  const entries = entriesOf(layout, collection);
  const entry = entries[index];
  if (!entry) return [];
  const before = entries[index - 1];
  const after = entries[index + 1];
  if (!before && !after) {
    const inside = { from: (collection.range?.[0] ?? 0) + 1, to: (collection.range?.[1] ?? 0) - 1 };
    return [
      { ...(hasNotes(text.slice(inside.from, inside.to)) ? { from: entry.start, to: entry.end } : inside), insert: "" },
    ];
  }
  const ownLine =
    standsFirst(text, entry.start) && /^\s*,?\s*(#.*)?$/.test(text.slice(entry.end, lineEnd(text, entry.end)));
  if (ownLine) return [{ from: lineStart(text, entry.start), to: text.indexOf("\n", entry.end) + 1, insert: "" }];
  if (after) return [{ from: entry.start, to: after.start, insert: "" }];
  return [{ from: before?.end ?? entry.start, to: entry.end, insert: "" }];
}

/** A new entry of a list, in the manner of its neighbour: a key a line and the same quotes, or everything in one line. */
function renderLike(neighbour: unknown, value: ScalarValue | object, { text }: Layout, path: Path): string {
  if (typeof value !== "object" || value === null) {
    return `- ${renderScalar(value, { like: isScalar(neighbour) ? (neighbour.type ?? null) : null, inFlow: false })}`;
  }
  if (!isMap(neighbour) || neighbour.flow) return `- ${renderFlow(value, paddingOf(text))}`;
  const indent = indentAt(text, neighbour.range?.[0] ?? 0);
  const lines = Object.entries(value).map(([key, item]) => {
    const pair = neighbour.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key);
    const like = isNode(pair?.value) && isScalar(pair.value) ? styleOf(pair.value) : null;
    if (typeof item === "object" && item !== null) return `${key}: ${renderFlow(item, paddingOf(text))}`;
    return `${key}: ${renderScalar(item, { like, inFlow: false, ...moneyStyle([...path, 0, key], undefined) })}`;
  });
  return `- ${lines.join(newlineOf(text) + indent)}`;
}

function insertion(at: number, insert: string): Splice {
  return { from: at, to: at, insert };
}

/** @throws EditError when the new text says anything but the intended */
function apply({ text, source }: Layout, splices: Splice[], path: Path, update: (old: unknown) => unknown): string {
  const edited = splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text);
  if (!Bun.deepEquals(readBack(edited), changed(source, path, update))) {
    throw new EditError(`${path.join(".")} cannot be changed without touching something else: use a text editor.`);
  }
  return edited;
}

function readBack(edited: string): unknown {
  try {
    return readLayout(edited).source;
  } catch {
    return undefined;
  }
}

function changed(value: unknown, [first, ...rest]: Path, update: (old: unknown) => unknown): unknown {
  if (first === undefined) return update(value);
  if (Array.isArray(value)) return value.with(Number(first), changed(value[Number(first)], rest, update));
  return { ...Object(value), [first]: changed(Object(value)[first], rest, update) };
}
