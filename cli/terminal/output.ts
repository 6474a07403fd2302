/** Standard output of a command. */
import { codeOf, reasonOf } from "../../src/lib/reasons.ts";

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

/** For those who write to process.stdout themselves: a reader that goes away ends the program. */
export function watchOutput(): void {
  process.stdout.once("error", exitOnBrokenOutput);
}

const OUTPUT_CODES = ["EPIPE", "ENOSPC", "EBADF", "EIO"];

export function isOutputFault(error: unknown): error is NodeJS.ErrnoException {
  return OUTPUT_CODES.includes(codeOf(error) ?? "") && Object(error).syscall === "write";
}

/** Standard output takes no more, so there is nothing left to do. A reader that has seen enough, like head, is no fault. */
export function exitOnBrokenOutput(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE")
    process.stderr.write(`Standard output cannot be written: ${reasonOf(error.code ?? error.message)}.\n`);
  process.exit(1);
}
