/** Reading and copying fields of objects, also of values of unknown shape. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function field(value: unknown, name: string): unknown {
  const fields = fieldsOf(value);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The value at the end of a path of own fields and indices of lists; undefined where there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let inside = value;
  for (const step of path) inside = Object.hasOwn(Object(inside), step) ? Object(inside)[step] : undefined;
  return inside;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}

/** The named properties that are neither undefined nor null. */
export function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): { [P in K]?: NonNullable<T[P]> } {
  const picked: { [P in K]?: NonNullable<T[P]> } = {};
  for (const key of keys) {
    const value = from[key];
    if (value != null) picked[key] = value;
  }
  return picked;
}

export function defined<T extends object>(from: T): T {
  const entries: [string, unknown][] = [];
  for (const entry of Object.entries(from)) if (entry[1] !== undefined) entries.push(entry);
  // Safe: only properties that were left out are dropped.
  return Object.fromEntries(entries) as T;
}
