/** What a command says: answers on standard output, two ways to fail, and text that no stranger can make a terminal obey. */
import { fstatSync } from "node:fs";
import { rawSettings } from "../../src/env/env.ts";
import { codeOf, explainCode } from "../../src/lib/files.ts";
import { escaped } from "../../src/lib/text.ts";

/** Prints the answer of a command, by Bun because process.stdout takes longer to set up than a quote. @throws what the system says */
export async function print(text: string): Promise<void> {
  // Bun empties the file behind standard output when it writes nothing to it.
  if (text !== "") await Bun.write(Bun.stdout, shown(text));
}

/** Lines, arrows and marks, and what each is, one for one, on a terminal that shows none of them. */
const MARKS = "─–—−→←↑↓›‹▏█…·×÷✓✗≈⌫“”‘’′″";
const PLAIN = "----><^v><|#.-x/+x~<\"\"'''\"";

/** Writes plain forms to a terminal whose locale is another than UTF-8; where none is set, it is taken for UTF-8. */
export function fitOutputToLocale(): void {
  const { LC_ALL, LC_CTYPE, LANG } = rawSettings();
  const locale = LC_ALL || LC_CTYPE || LANG || "UTF-8";
  if (/utf-?8/i.test(locale)) return;
  for (const [file, name] of [
    [1, "stdout"],
    [2, "stderr"],
  ] as const) {
    if (!isTerminal(file)) continue;
    const stream = process[name];
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (text: unknown, ...rest: unknown[]) =>
      write(typeof text === "string" ? inPlainForms(text) : text, ...rest);
    if (file === 1) shown = inPlainForms;
  }
}

let shown = (text: string) => text;

export function inPlainForms(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (mark) => PLAIN[MARKS.indexOf(mark)] ?? mark);
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

export function isOutputError(error: unknown): error is NodeJS.ErrnoException {
  return OUTPUT_CODES.includes(codeOf(error) ?? "") && Object(error).syscall === "write";
}

/** Ends the program; without a message when the reader, such as `head`, has read enough. */
export function exitOnBrokenOutput(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE")
    process.stderr.write(`Standard output cannot be written: ${explainCode(error.code ?? error.message)}.\n`);
  process.exit(1);
}

/** The command could not be done. The message is for the owner; exit status 1. */
export class CliError extends Error {
  override readonly name = "CliError";
}

/** The command was called wrongly; exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Text on one line without control characters, newlines and direction marks, so that no terminal obeys it. */
export function clean(text: string): string {
  return withoutControls(text).replace(/ {2,}/g, " ").trim();
}

/** The joiners of emoji and of words in Persian or Hindi stay: written so, since a difference of sets takes 30 ms to compile. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, " ");
}

/** Several lines without control characters. Indents stay. */
export function cleanLines(text: string): string {
  return text.split("\n").map(withoutControls).join("\n");
}

/** The width of the terminal; 0 where the output is no terminal. */
export function terminalColumns(): number {
  return isTerminal(1) ? process.stdout.columns : 0;
}

/** Cuts text to a width in terminal columns and ends it with `…`. */
export function shorten(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  if (width < 1) return "";
  let kept = "";
  let used = 1;
  for (const grapheme of graphemes(text)) {
    used += Bun.stringWidth(grapheme);
    if (used > width) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** The characters that people see: an accent or a family emoji is one with its letters. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
/** Made on first use, because most commands cut no text. */
let segmenter: Intl.Segmenter | undefined;

/** Lines of a name and a value each. Empty values are left out. */
export function factLines(lines: readonly (readonly [string, string | null | undefined])[]): string {
  const given = lines.flatMap(([name, value]) => (value ? [{ name: clean(name), value: clean(value) }] : []));
  const width = Math.max(0, ...given.map(({ name }) => Bun.stringWidth(name)));
  return given.map(({ name, value }) => `${name}${" ".repeat(width - Bun.stringWidth(name))}  ${value}\n`).join("");
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** Whether a standard stream is a terminal. @param file 1 for output, 2 for errors */
export function isTerminal(file: 1 | 2): boolean {
  // Pipes and files need no further question. Loading node:tty takes a thirtieth of a server's start, and setting up
  // process.stdout longer than most commands.
  return fstatSync(file).isCharacterDevice() && require("node:tty").isatty(file);
}
