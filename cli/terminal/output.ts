/** Standard output of a command. */
import { codeOf, reasonOf } from "../../src/lib/reasons.ts";
import { escaped } from "../../src/lib/text.ts";

/**
 * Prints the answer of a command on standard output. Bun writes it, because setting up process.stdout takes longer than
 * making a quote.
 * @throws the system's error when standard output is closed or full
 */
export async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, text);
}

/** One line of JSON. Control characters are escaped, because a terminal would obey them. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`;
}

/** Ends the program when the reader of process.stdout goes away. For code that does not use `print`. */
export function watchOutput(): void {
  process.stdout.once("error", exitOnBrokenOutput);
}

const OUTPUT_CODES = ["EPIPE", "ENOSPC", "EBADF", "EIO"];

export function isOutputFault(error: unknown): error is NodeJS.ErrnoException {
  return OUTPUT_CODES.includes(codeOf(error) ?? "") && Object(error).syscall === "write";
}

/** Ends the program; without a message when the reader, such as `head`, has read enough. */
export function exitOnBrokenOutput(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE")
    process.stderr.write(`Standard output cannot be written: ${reasonOf(error.code ?? error.message)}.\n`);
  process.exit(1);
}
