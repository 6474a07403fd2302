/** Changes of groups whose keys are words: an entry is added after another one, copied from it, or removed. */
import { isAlias, isCollection, isMap, isNode, isScalar, type YAMLMap } from "yaml";
import { valueAt } from "../../lib/fields.ts";
import { EditError } from "../edit-error.ts";
import type { Path } from "../path.ts";
import { insertEntry, linesLike, removeEntries } from "./changes.ts";
import {
  collectionAt,
  collectionEntries,
  hasNotes,
  indentAt,
  type Layout,
  newlineOf,
  nodeAt,
  nodeSpan,
  paddingOf,
  type TextChange,
} from "./layout.ts";
import { renderFlow, renderScalar } from "./yaml-text.ts";

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

/**
 * Adds a copy of another entry, written as the other one is written.
 * @param peers the words behind which it stands, in a group that has words of other kinds too
 */
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
  return {
    path: [...group, word],
    splices: isElsewhere(layout, group) ? [] : splicesOfRemoval(layout, group, word),
    update: () => undefined,
  };
}

/** Gives an entry another word; its value and its place stay. */
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

function splicesOfRemoval(layout: Layout, group: Path, word: string) {
  const collection = collectionAt(layout, group);
  const index = collectionWords(collection).indexOf(word);
  if (index < 0) throw new EditError(`${group.join(".")} has no ${word}.`);
  return removeEntries(layout, group, [index]);
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
