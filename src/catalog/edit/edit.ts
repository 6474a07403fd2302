/**
 * Edits of a catalog's text that leave every other byte as it was: comments, order, alignment. Text in, text out. Each
 * throws EditError when the place cannot be edited without changing anything else.
 */
import { isCollection } from "yaml";
import { EditError } from "../edit-error.ts";
import type { Path, ScalarValue } from "../path.ts";
import { itemInserted, itemsRemoved, listOrGroupSet, scalarSet } from "./changes.ts";
import { applyChanges, collectionAt, nodeAt, readLayout } from "./layout.ts";

/** Sets a single value, in the quoting of the old one; an optional key that is missing is added to its group. */
export function setScalar(text: string, path: Path, value: ScalarValue): string {
  const layout = readLayout(text);
  if (isCollection(nodeAt(layout, path)))
    throw new EditError(`${path.join(".")} is a list or group, not a single value.`);
  return applyChanges(layout, [scalarSet(layout, path, value)]);
}

/** Sets a list or group, written in one line. */
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
