/** The named properties that are neither undefined nor null. */
export function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): { [P in K]?: NonNullable<T[P]> } {
  const picked: { [P in K]?: NonNullable<T[P]> } = {};
  for (const key of keys) {
    const value = from[key];
    if (value != null) picked[key] = value;
  }
  return picked;
}

/** The properties that are not undefined. */
export function defined<T extends object>(from: T): T {
  // Safe: only properties that were left out are dropped.
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as T;
}
