/** The part of a grid that a terminal has room for, around the cursor. */
import { visible } from "../kit/widgets/list.tsx";
import type { Grid, GridCursor } from "./grid.ts";

/** A price with cents, a mark, and the space in front. */
const LEAST_COLUMN = 9;
const WIDEST_COLUMN = 14;
/** The most of the width that the names of the rows may take. */
const LABEL_SHARE = 0.45;
/** Lines of the headings. */
const HEADING_ROWS = 2;

export interface GridWindow {
  /** Columns of the terminal for the names of the rows, and for each value. */
  label: number;
  each: number;
  columns: { first: number; count: number; left: number; right: number };
  rows: ReturnType<typeof visible>;
  /** Lines of the terminal that the table takes. */
  height: number;
}

/** @param height the most lines that the table may take */
export function windowOf(grid: Grid, cursor: GridCursor, width: number, height: number): GridWindow {
  const longest = Math.max(0, ...grid.rows.map((row) => Bun.stringWidth(row)));
  const label = Math.min(longest + 1, Math.floor(width * LABEL_SHARE));
  const heads = grid.columns.map((column) => Bun.stringWidth(column.label) + 1);
  const least = Math.min(WIDEST_COLUMN, Math.max(LEAST_COLUMN, ...heads));
  const total = grid.columns.length;
  const count = Math.min(total, Math.max(1, Math.floor((width - label) / least)));
  const first = Math.max(0, Math.min(cursor.column - Math.floor(count / 2), total - count));
  const rows = visible(grid.rows.length, cursor.row, Math.max(3, height - HEADING_ROWS));
  return {
    label,
    each: Math.min(WIDEST_COLUMN, Math.floor((width - label) / Math.max(1, count))),
    columns: { first, count, left: first, right: total - first - count },
    rows,
    height: HEADING_ROWS + rows.count + (rows.above > 0 ? 1 : 0) + (rows.below > 0 ? 1 : 0),
  };
}
