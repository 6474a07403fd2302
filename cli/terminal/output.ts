/**
 * What a command says: answers on standard output, the two ways to fail, and text that no stranger can make a
 * terminal obey.
 */
import { fstatSync } from "node:fs";
import { rawSettings } from "../../src/env/env.ts";
import { codeOf, explainCode } from "../../src/lib/files.ts";
import { escaped } from "../../src/lib/text.ts";

/**
 * Prints the answer of a command on standard output. Bun writes it, because setting up process.stdout takes longer than
 * making a quote.
 * @throws the system's error when standard output is closed or full
 */
export async function print(text: string): Promise<void> {
  await Bun.write(Bun.stdout, shown(text));
}

/** What lines, arrows and marks are on a terminal that shows none of them, each as wide as before. */
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ...{
    "─": "-",
    "–": "-",
    "—": "-",
    "−": "-",
    "→": ">",
    "←": "<",
    "↑": "^",
    "↓": "v",
    "›": ">",
    "‹": "<",
    "▏": "|",
    "█": "#",
  },
  ...{
    "…": ".",
    "·": "-",
    "×": "x",
    "÷": "/",
    "✓": "+",
    "✗": "x",
    "≈": "~",
    "⌫": "<",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
  },
  ...{ "′": "'", "″": '"' },
};

/**
 * Writes plain forms to a terminal whose locale is another than UTF-8. Where none is set, nothing is known, and nearly all
 * terminals are UTF-8.
 */
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

function inPlainForms(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (mark) => PLAIN_FORMS[mark] ?? mark);
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

/**
 * A table whose columns are as wide as their widest cell.
 * @param free the heads of columns that may be shortened to fit a terminal, widest first
 * @param columns the width of the terminal; 0 where the output is no terminal
 * @param droppable the heads of columns that a narrow terminal does without, the least needed first
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  free: readonly string[] = [],
  columns = free.length === 0 ? 0 : terminalColumns(),
  droppable: readonly string[] = [],
): string {
  const all = [head, ...rows].map((row) => row.map(clean));
  const full = head.map((_, column) => Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))));
  const widths = columns === 0 ? full : narrowed(full, head, free, columns);
  const [dropped, ...others] = droppable;
  if (dropped !== undefined && columns > 0 && lineWidth(widths) > columns) {
    const at = head.indexOf(dropped);
    const without = (row: readonly string[]) => row.filter((_, i) => i !== at);
    return table(without(head), rows.map(without), free, columns, others);
  }
  const coloured = withColours(head);
  const line = (row: readonly string[], at: number) =>
    row
      .map((cell, column) => shorten(cell, widths[column] ?? 0))
      .map((cell, column) => {
        const gap = " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell)));
        return (at === 0 ? cell : coloured(cell, column)) + gap;
      })
      .join(GAP)
      .trimEnd();
  return `${all.map(line).join("\n")}\n`;
}

/**
 * A table in several parts where the terminal is too narrow for all columns. The first column is in each part.
 * @param columns the width of the terminal; 0 where the output is no terminal
 */
export function foldedTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = terminalColumns(),
): string {
  const widthOf = (at: number) => Math.max(...[head, ...rows].map((row) => Bun.stringWidth(clean(row[at] ?? ""))));
  const parts: number[][] = [[]];
  let room = columns - widthOf(0);
  for (let at = 1; at < head.length; at++) {
    const width = widthOf(at) + GAP.length;
    if (columns > 0 && width > room && parts.at(-1)?.length !== 0) {
      parts.push([]);
      room = columns - widthOf(0);
    }
    parts.at(-1)?.push(at);
    room -= width;
  }
  return parts
    .map((part) => {
      const pick = (row: readonly string[]) => [0, ...part].map((at) => row[at] ?? "");
      return table(pick(head), rows.map(pick));
    })
    .join("\n");
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

const GAP = "  ";
/** No column is shortened below this width. */
const LEAST = 8;

/** The width of the terminal; 0 where the output is no terminal. */
export function terminalColumns(): number {
  return isTerminal(1) ? process.stdout.columns : 0;
}

function narrowed(
  full: readonly number[],
  head: readonly string[],
  free: readonly string[],
  columns: number,
): number[] {
  const widths = [...full];
  while (lineWidth(widths) > columns) {
    const widest = Math.max(...widths.filter((_, i) => free.includes(head[i] ?? "")));
    if (widest <= LEAST) break;
    const at = widths.findIndex((width, i) => width === widest && free.includes(head[i] ?? ""));
    widths[at] = widest - 1;
  }
  return widths;
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

// Colours for states in lists, only on a terminal that shows them (https://no-color.org).
const [GREEN, YELLOW, RED, CYAN, GREY] = [32, 33, 31, 36, 90];

/** By the first word of a state. */
const COLOURS: Record<string, number> = {
  ...{ confirmed: GREEN, completed: GREY, cancelled: RED, no: YELLOW },
  ...{ new: CYAN, contacted: YELLOW, quoted: YELLOW, won: GREEN, lost: GREY },
  ...{ waiting: YELLOW, failed: RED, lapsed: GREY, valid: GREEN, revoked: RED },
};

/** The heads of columns that hold states. */
const COLOURED = ["status", "state"];

/** @returns the cells as they are in the line, states in their colour */
export function withColours(head: readonly string[]): (cell: string, column: number) => string {
  const { NO_COLOR, TERM } = rawSettings();
  if (NO_COLOR !== undefined || TERM === "dumb" || !isTerminal(1)) return (cell) => cell;
  return (cell, column) => {
    const colour = COLOURED.includes(head[column] ?? "") ? COLOURS[/^\w+/.exec(cell)?.[0] ?? ""] : undefined;
    return colour === undefined ? cell : `\x1b[${colour}m${cell}\x1b[39m`;
  };
}
