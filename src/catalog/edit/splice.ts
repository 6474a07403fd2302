/** Splices of a catalog's text, checked by reading the result: nothing but the intended values may differ. */
import { EditError } from "../edit-error.ts";
import type { Path } from "../path.ts";
import { type Layout, readLayout } from "./layout.ts";

/** Replaces the text from one offset to another. */
export interface Splice {
  from: number;
  to: number;
  insert: string;
}

/** A change of one value, in two forms that must agree. */
export interface TextChange {
  path: Path;
  splices: Splice[];
  /** The value at the path after the change; undefined when the key is gone. */
  update: (old: unknown) => unknown;
}

/** A splice that inserts text at an offset and replaces nothing. */
export function insertion(at: number, insert: string): Splice {
  return { from: at, to: at, insert };
}

/** @throws EditError when the new text differs in any other value, or cannot be read */
export function applyChanges({ text, source }: Layout, changes: readonly TextChange[]): string {
  // Applied from the end of the text to its start. Of two insertions at one offset, the later one is applied first, so its
  // text comes second.
  const edited = changes
    .flatMap(({ splices }) => splices)
    .toReversed()
    .toSorted((a, b) => b.from - a.from)
    .reduce((whole, { from, to, insert }) => whole.slice(0, from) + insert + whole.slice(to), text);
  const expected = changes.reduce((value, { path, update }) => updated(value, path, update), source);
  if (!Bun.deepEquals(readBack(edited), expected)) {
    const [first] = changes;
    throw new EditError(`${first?.path.join(".")} cannot be changed without changing other lines: use a text editor.`);
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

function updated(value: unknown, [first, ...rest]: Path, update: TextChange["update"]): unknown {
  if (first === undefined) return update(value);
  if (Array.isArray(value)) return value.with(Number(first), updated(value[Number(first)], rest, update));
  const { [first]: old, ...others } = Object(value);
  const now = updated(old, rest, update);
  return now === undefined ? others : { ...others, [first]: now };
}
