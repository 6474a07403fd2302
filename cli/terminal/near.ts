/** Mistakes between two words: a letter wrong, missing or too many, or two neighbors swapped. Source: the optimal string alignment distance. */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = at(i - 1, j - 1) - (a[i - 1] === b[j - 1] ? 1 : 0);
      const swapped = isSwapped ? at(i - 2, j - 2) : Number.POSITIVE_INFINITY;
      row.push(1 + Math.min(at(i - 1, j), at(i, j - 1), replaced, swapped));
    }
  }
  return at(a.length, b.length);
}
