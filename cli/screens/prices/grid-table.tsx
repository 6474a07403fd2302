/**
 * Draws the part of a grid that the terminal has room for: headings, a cell for each value, marks on values that are
 * not saved.
 */
import { Box, Text } from "ink";
import type { Draft } from "../editor/draft.ts";
import { visible } from "../kit/list.tsx";
import { fit } from "../kit/text.tsx";
import { CARET } from "../kit/typed-line.ts";
import { type Cell, cellText, type Grid, type GridCursor, savedText } from "./grid.ts";

/** Marks a changed value. */
export const CHANGED = "*";

interface GridTableProps {
  grid: Grid;
  cursor: GridCursor;
  draft: Draft;
  window: GridWindow;
}

/** Draws the visible part of a grid: headings in two lines, a cell for each value, marks on values that are not saved. */
export function GridTable({ grid, cursor, draft, window: { label, each, columns, rows } }: GridTableProps) {
  const shown = grid.columns.slice(columns.first, columns.first + columns.count);
  const groups = columnGroups(shown).map(({ name, span }) => groupHeading(name, span * each));
  const heads = shown.map(({ label }) => ` ${heading(label, each)}`);
  const left = columns.left > 0 ? `← ${columns.left} more` : "";
  const right = columns.right > 0 ? `${columns.right} more →` : "";
  return (
    <Box flexDirection="column">
      <Text bold>
        <Text dimColor>{fit(left, label)}</Text>
        {groups.join("")}
      </Text>
      <Text dimColor>{fit(right, label) + heads.join("")}</Text>
      {rows.above > 0 && <Text dimColor>{`↑ ${rows.above} more`}</Text>}
      {grid.cells.slice(rows.first, rows.first + rows.count).map((cells, i) => {
        const row = rows.first + i;
        return (
          <Text key={grid.rows[row]}>
            <Text bold={row === cursor.row}>{fit(grid.rows[row] ?? "", label)}</Text>
            {cells.slice(columns.first, columns.first + columns.count).map((cell, k) => {
              const isHere = row === cursor.row && columns.first + k === cursor.column;
              return (
                <GridCell
                  key={cell.what}
                  shown={shownCell(cell, draft)}
                  isHere={isHere}
                  typed={isHere ? cursor.typed : null}
                  width={each}
                />
              );
            })}
          </Text>
        );
      })}
      {rows.below > 0 && <Text dimColor>{`↓ ${rows.below} more`}</Text>}
    </Box>
  );
}

interface GridCellProps {
  shown: { text: string; mark: string };
  isHere: boolean;
  /** The text being typed; null while none is. */
  typed: string | null;
  width: number;
}

function GridCell({ shown, isHere, typed, width }: GridCellProps) {
  return (
    <Text>
      {" "}
      <Text inverse={isHere} {...(shown.mark !== "" && { color: "yellow" })}>
        {typed === null
          ? marked(shown.text, shown.mark, width)
          : fit((typed + CARET).slice(1 - width), width - 1, "right")}
      </Text>
    </Text>
  );
}

/** Above the numbers; a long label takes the column of the mark too. */
function heading(label: string, width: number): string {
  return Bun.stringWidth(label) > width - 2 ? fit(label, width - 1, "right") : marked(label, "", width);
}

/** The mark has a column of its own, so that numbers line up. */
function marked(text: string, mark: string, width: number): string {
  return fit(text, width - 2, "right") + fit(mark, 1);
}

export function shownCell(cell: Cell, draft: Draft): { text: string; mark: string } {
  return { text: cellText(cell, draft), mark: savedText(cell, draft) === null ? "" : CHANGED };
}

function columnGroups(columns: Grid["columns"]): { name: string; span: number }[] {
  const names = [...new Set(columns.map(({ group }) => group))];
  return names.map((name) => ({ name, span: columns.filter(({ group }) => group === name).length }));
}

/** ` ── standard ──── ` over the columns of a group. */
function groupHeading(name: string, width: number): string {
  const line = width - Bun.stringWidth(name) - 4;
  if (line < 0) return fit(name, width, "right");
  const left = Math.min(2, Math.floor(line / 2));
  return ` ${"─".repeat(left)} ${name} ${"─".repeat(line - left)} `;
}

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
