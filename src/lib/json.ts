/** The JSON of values that many answers share and that never change: made once, kept as long as the value. */
import { newId } from "./ids.ts";

/** Bytes, because a response takes them faster than a text that was just put together. */
interface Kept {
  bytes: Buffer<ArrayBuffer>;
  /** Where the ids stand, which are new each time. */
  ids: number[];
}

/** Held weakly: the bytes go with the value. Null until first needed. */
const kept = new WeakMap<object, Kept | null>();

/** Marks plain data that will never be changed: `toJson` keeps the bytes. */
export function lasting<T extends object>(value: T): T {
  kept.set(value, null);
  return value;
}

export function isLasting(value: object): boolean {
  return kept.has(value);
}

/**
 * The JSON of a value.
 * @returns for a lasting value bytes that the next call changes, so copy them at once, as `new Response` does
 */
export function toJson(value: object): string | Buffer<ArrayBuffer> {
  const known = kept.get(value);
  if (known === undefined) return JSON.stringify(value);
  if (known !== null) return withNewIds(known);
  made = [];
  const bytes = Buffer.from(JSON.stringify(value));
  kept.set(value, { bytes, ids: made.map((id) => bytes.indexOf(id)) });
  made = undefined;
  return bytes;
}

/** Becomes a new id in each JSON text, also in that of a lasting value. */
export const FRESH_ID = {
  toJSON(): string {
    const id = newId("try");
    made?.push(id);
    return id;
  },
};
/** The ids in a text that will be kept. */
let made: string[] | undefined;

/** All ids have the same length. */
function withNewIds({ bytes, ids }: Kept): Buffer<ArrayBuffer> {
  for (const at of ids) bytes.write(newId("try"), at, "latin1");
  return bytes;
}
