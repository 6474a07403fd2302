/** The JSON text of values that many answers share and that never change: made once, kept as long as the value. */

/** Held weakly: the text goes with the value. Empty until it is first needed. */
const texts = new WeakMap<object, string>();

/** Marks plain data that will never be changed: `toJson` keeps the text. */
export function lasting<T extends object>(value: T): T {
  texts.set(value, "");
  return value;
}

export function isLasting(value: object): boolean {
  return texts.has(value);
}

/** `JSON.stringify`, once for a lasting value. */
export function toJson(value: object): string {
  const known = texts.get(value);
  if (known) return known;
  const text = JSON.stringify(value);
  if (known === "") texts.set(value, text);
  return text;
}
