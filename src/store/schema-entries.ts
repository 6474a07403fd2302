/** Differences between the tables, indices, triggers and views that a database has and those that this program makes. */

/** The SQL that made an entry, by its type and name. */
export type Entries = ReadonlyMap<string, string>;

/** Differences that are named. */
const MOST_NAMED = 3;

export function entryKey(type: string, name: string): string {
  return `${type} ${JSON.stringify(name)}`;
}

/** `mayHaveMore`: what others added, like the tables of a program that copies, is no difference. */
export function entriesDifference(have: Entries, want: Entries, mayHaveMore = false): string | undefined {
  const differences = [
    ...[...have].flatMap(([key, sql]) => {
      const wanted = want.get(key);
      if (wanted === undefined) return mayHaveMore ? [] : `it has the ${key}, which Tintdesk does not make`;
      return wanted === sql ? [] : `its ${key} is not as Tintdesk makes it`;
    }),
    ...[...want.keys()].filter((key) => !have.has(key)).map((key) => `it lacks the ${key}`),
  ];
  const more = differences.length - MOST_NAMED;
  const named = [...differences.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])];
  return named.length === 0 ? undefined : named.join("; ");
}
