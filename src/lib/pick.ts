/** The named properties that are neither undefined nor null. */
export function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): { [P in K]?: NonNullable<T[P]> } {
  return Object.fromEntries(keys.filter((key) => from[key] != null).map((key) => [key, from[key]])) as {
    [P in K]?: NonNullable<T[P]>;
  };
}

/** The properties that are not undefined. */
export function defined<T extends object>(from: T): T {
  // Safe: only properties that were left out are dropped.
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as T;
}
