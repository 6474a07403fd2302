/** Text for a terminal. */
import { withColours } from "./colours.ts";
import { isTerminal } from "./is-terminal.ts";

/** Text on one line without control characters, newlines and direction marks, so that no terminal obeys it. */
export function clean(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/** Several lines without control characters. Indents stay. */
export function cleanLines(text: string): string {
  return text.replace(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, " ");
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
 * A table in several parts where the terminal is too narrow for all columns. The first column stands in each part.
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
