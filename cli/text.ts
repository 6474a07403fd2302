/** Text for a terminal. */

/** What a stranger typed, without anything a terminal would obey: escape sequences, newlines, direction marks. */
export function clean(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join("  ")
      .trimEnd();
  return `${all.map(line).join("\n")}\n`;
}
