/** Columns of lists: each is described once, and gets the same width printed and drawn. */
import { rawSettings } from "../../src/env/env.ts";
import { clean, isTerminal, shorten, terminalColumns } from "./output.ts";

export interface Column<Row> {
  name: string;
  value: (row: Row) => string;
  align?: "right";
  /** May be cut to this width where a line has no room; one without it is never cut. */
  min?: number;
  /** The most that it takes up, however much there is room for. */
  max?: number;
  /** A narrow line does without it; the lowest number goes first. */
  drop?: number;
}

const GAP = "  ";
/** A shorter piece of a text says nothing. */
export const LEAST = 8;
/** Most names of people fit. */
export const NAME = 14;

export function pick<Row>(columns: readonly Column<Row>[], names: readonly string[]): Column<Row>[] {
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/**
 * The columns that have room, as wide as their widest cell in all rows: the widest of those that may be cut is cut first,
 * then the least needed ones go.
 * @param room columns of the terminal; 0 where nothing bounds a line
 */
export function layOut<Row>(all: readonly Column<Row>[], rows: readonly Row[], room: number) {
  const cells = rows.map((row) => all.map(({ value }) => clean(value(row))));
  const full = all.map(({ name, max = Number.POSITIVE_INFINITY }, i) => {
    const widest = cells.reduce((most, row) => Math.max(most, Bun.stringWidth(row[i] ?? "")), Bun.stringWidth(name));
    return Math.min(max, widest);
  });
  const droppable = all.flatMap(({ drop }, i) => (drop === undefined ? [] : [{ i, drop }]));
  let at = all.map((_, i) => i);
  let widths = narrowed(all, full, at, room);
  for (const { i } of droppable.sort((a, b) => a.drop - b.drop)) {
    if (!isTooWide(widths, room)) break;
    at = at.filter((one) => one !== i);
    widths = narrowed(all, full, at, room);
  }
  const paint = withColours();
  /** The cells of a line, each as wide as its column. @param isPlain whether states have no colour */
  const line = (row: readonly string[], isPlain = false) =>
    at
      .map((from, i) => {
        const cell = shorten(row[from] ?? "", widths[i] ?? 0);
        const space = " ".repeat(Math.max(0, (widths[i] ?? 0) - Bun.stringWidth(cell)));
        const shown = isPlain ? cell : paint(cell, all[from]?.name ?? "");
        return all[from]?.align === "right" ? space + shown : shown + space;
      })
      .join(GAP);
  const heads = all.map(({ name }) => clean(name));
  return { head: line(heads, true), cells, line };
}

function isTooWide(widths: readonly number[], room: number): boolean {
  return room > 0 && widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) > room;
}

function narrowed<Row>(
  columns: readonly Column<Row>[],
  full: readonly number[],
  at: readonly number[],
  room: number,
): number[] {
  const widths = at.map((i) => full[i] ?? 0);
  while (isTooWide(widths, room)) {
    const cuttable = at.map((from, i) => {
      const width = widths[i] ?? 0;
      return width > (columns[from]?.min ?? Number.POSITIVE_INFINITY) ? width : 0;
    });
    const widest = Math.max(...cuttable);
    if (widest <= 0) break;
    widths[cuttable.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** @param room columns of the terminal; 0 where the output is no terminal */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], room = terminalColumns()): string {
  const { head, cells, line } = layOut(columns, rows, room);
  return `${[head, ...cells.map((row) => line(row))].map((text) => text.trimEnd()).join("\n")}\n`;
}

/** A table of texts. @param free the heads of columns that may be cut to fit a terminal */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  free: readonly string[] = [],
  room = free.length === 0 ? 0 : terminalColumns(),
): string {
  const value = (i: number) => (row: readonly string[]) => row[i] ?? "";
  const columns = head.map((name, i) => ({ name, value: value(i), ...(free.includes(name) && { min: LEAST }) }));
  return table(columns, rows, room);
}

/** A table in several parts, each with the first column, where the terminal is too narrow. @param columns its width; 0 for none */
export function foldedTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns = terminalColumns(),
) {
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
    .map((places) => {
      const part = (row: readonly string[]) => [0, ...places].map((at) => row[at] ?? "");
      return textTable(part(head), rows.map(part));
    })
    .join("\n");
}

// Colours for states in lists, only on a terminal that shows them (https://no-color.org).
const [GREEN, YELLOW, RED, CYAN, GREY] = [32, 33, 31, 36, 90];

/** By the first word of a state. */
const COLOURS: Record<string, number> = {
  ...{ confirmed: GREEN, completed: GREY, cancelled: RED, no: YELLOW },
  ...{ new: CYAN, contacted: YELLOW, quoted: YELLOW, won: GREEN, lost: GREY },
  ...{ waiting: YELLOW, failed: RED, lapsed: GREY, valid: GREEN, revoked: RED },
};

const COLOURED = ["status", "state"];

/** @returns a cell as it is in the line, states in their colour */
function withColours(): (cell: string, name: string) => string {
  const { NO_COLOR, TERM } = rawSettings();
  if (NO_COLOR || TERM === "dumb" || !isTerminal(1)) return (cell) => cell;
  return (cell, name) => {
    const colour = COLOURED.includes(name) ? COLOURS[/^\w+/.exec(cell)?.[0] ?? ""] : undefined;
    return colour === undefined ? cell : `\x1b[${colour}m${cell}\x1b[39m`;
  };
}
