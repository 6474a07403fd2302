/** The JSON text of values that many answers share and that never change: made once, kept as long as the value. */
import { newId } from "./ids.ts";

/** Held weakly: the text goes with the value. In pieces, because a new id stands between them. Empty until first needed. */
const texts = new WeakMap<object, readonly string[]>();

/** Marks plain data that will never be changed: `toJson` keeps the text. */
export function lasting<T extends object>(value: T): T {
  texts.set(value, []);
  return value;
}

export function isLasting(value: object): boolean {
  return texts.has(value);
}

/** `JSON.stringify`, once for a lasting value. */
export function toJson(value: object): string {
  const known = texts.get(value);
  if (!known) return JSON.stringify(value);
  if (known.length > 0) return known.length === 1 ? (known[0] ?? "") : joined(known);
  made = [];
  const text = JSON.stringify(value);
  texts.set(value, pieces(text, made));
  made = undefined;
  return text;
}

/** Becomes a new id in each JSON text, also in the text of a lasting value. */
export const FRESH_ID = {
  toJSON(): string {
    const id = newId("try");
    made?.push(id);
    return id;
  },
};
/** The ids in a text that will be kept. */
let made: string[] | undefined;

/** The text between the ids, which occur in it once each. */
function pieces(text: string, ids: readonly string[]): string[] {
  let rest = text;
  const before = ids.map((id) => {
    const at = rest.indexOf(id);
    const piece = rest.slice(0, at);
    rest = rest.slice(at + id.length);
    return piece;
  });
  return [...before, rest];
}

function joined([first = "", ...others]: readonly string[]): string {
  return others.reduce((text, piece) => text + FRESH_ID.toJSON() + piece, first);
}
