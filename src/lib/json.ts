/** JSON text of answers, in which the text of parts that many answers share is made once. */

/** Parts that never change, with their text once it was needed. Held weakly: the text goes with the part. */
const lastingParts = new WeakMap<object, { text: string | undefined }>();

/** Marks plain data that will never be changed: `toJson` keeps the text. */
export function lasting<T extends object>(part: T): T {
  lastingParts.set(part, { text: undefined });
  return part;
}

export function isLasting(part: object): boolean {
  return lastingParts.has(part);
}

/** `toJson` looks for lasting parts this deep: in an answer and in its `data`, alone or as all items of a list. */
const DEPTH = 2;

/** The text of plain data, equal to that of `JSON.stringify`. */
export function toJson(value: object, depth = 0): string {
  const part = lastingParts.get(value);
  if (part) {
    part.text ??= JSON.stringify(value);
    return part.text;
  }
  if (Array.isArray(value)) {
    const isListOfParts = lastingParts.has(value[0]);
    return isListOfParts ? `[${value.map((item) => toJson(item, DEPTH)).join(",")}]` : JSON.stringify(value);
  }
  if (depth === DEPTH) return JSON.stringify(value);
  let pairs = "";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const isNested = typeof item === "object" && item !== null;
    pairs += `${pairs && ","}${JSON.stringify(key)}:${isNested ? toJson(item, depth + 1) : JSON.stringify(item)}`;
  }
  return `{${pairs}}`;
}
