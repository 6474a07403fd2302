/** The named properties that are neither undefined nor null. */
export function pick<T extends object, K extends keyof T>(from: T, ...keys: K[]): { [P in K]?: NonNullable<T[P]> } {
  return Object.fromEntries(keys.filter((key) => from[key] != null).map((key) => [key, from[key]])) as {
    [P in K]?: NonNullable<T[P]>;
  };
}
