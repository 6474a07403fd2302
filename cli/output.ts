/** Standard output of a command. */

/**
 * Prints what a command answers, on standard output. Bun's own writer: process.stdout alone takes longer to set up than
 * a quote takes to make.
 * @throws what the system says of an output that takes no more, see `report`
 */
export async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, text);
}

/** One line of JSON. What a terminal would obey is escaped; it reads back the same. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join("");
  return `${JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`;
}
