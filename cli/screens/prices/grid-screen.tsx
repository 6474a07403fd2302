/** A screen that edits a grid of the catalog's values in place: its keys, and the notes under the grid. */
import { Box, Text } from "ink";
import { useState } from "react";
import { changesToSave, type Draft, describeChange } from "../editor/draft.ts";
import { type Editor, EditorFrame } from "../editor/editor.tsx";
import { Footer, footerLines, type KeyBinding, key, pair } from "../kit/bindings.tsx";
import type { Actions } from "../kit/dialogs.tsx";
import { type KeyPress, useKeyPress } from "../kit/keyboard.tsx";
import { visible } from "../kit/list.tsx";
import { fit, type Line, Lines, Paragraph, useTerminalSize, wrapLines } from "../kit/text.tsx";
import { shownLine } from "../kit/typed-line.ts";
import {
  AT_FIRST_CELL,
  accept,
  type Cell,
  cellAt,
  cellText,
  correct,
  drop,
  type Grid,
  type GridCursor,
  moveCursor,
  savedText,
  type,
} from "./grid.ts";

const STEPS: Record<string, [down: number, right: number]> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
  tab: [0, 1],
  backtab: [0, -1],
};

const TYPING_KEYS = [
  { label: "Enter", does: "accept" },
  { label: "Esc", does: "keep the old value" },
  { label: "↑↓←→", does: "accept and move" },
];

/** Lines kept for the notes under the grid, with the empty one in front. */
const LEAST_NOTES = 4;
/** Lines of the title and the footer. */
const FRAME_ROWS = 4;

interface GridScreenProps {
  editor: Editor;
  grid: Grid;
  title: string;
  about: string;
  /** Explains the numbers, under the grid. */
  legend: readonly string[];
  /** The key that raises a whole column or row, and its questions. */
  raise?: (cursor: Pick<GridCursor, "row" | "column">) => Actions;
}

export function GridScreen({ editor, grid, title, about, legend, raise }: GridScreenProps) {
  const { draft } = editor;
  const { cursor, keys, onTyping } = useGridCursor(editor, grid);
  const raising = raise?.(cursor);
  const typing = cursor.typed !== null && (
    <Typing what={cellAt(grid, cursor)?.what ?? ""} refusal={cursor.refusal} onKey={onTyping} />
  );
  return (
    <EditorFrame
      title={title}
      about={about}
      editor={editor}
      keys={[...keys, ...(raising?.keys ?? [])]}
      dialog={raising?.dialog || typing}
    >
      {({ columns, rows }) => {
        const window = windowOf(grid, cursor, columns, rows - LEAST_NOTES);
        const lines = wrapLines(notes(grid, cursor, draft, legend), columns);
        return (
          <>
            {drawGrid(grid, cursor, draft, window)}
            <Text> </Text>
            <Lines lines={lines.slice(0, Math.max(1, rows - window.height - 1))} width={columns} />
          </>
        );
      }}
    </EditorFrame>
  );
}

/** The question of the frame while a value is typed into its cell: it takes all keys. */
function Typing({ what, refusal, onKey }: { what: string; refusal: string | null; onKey: (press: KeyPress) => void }) {
  const { columns } = useTerminalSize();
  useKeyPress(onKey);
  return (
    <>
      <Paragraph text={`New value: ${what}`} width={columns} most={2} look="question" />
      <Paragraph text={refusal === null ? "" : `✗ ${refusal}`} width={columns} most={2} look="error" />
      <Footer lines={footerLines(TYPING_KEYS, columns).slice(0, 1)} width={columns} />
    </>
  );
}

/** The cursor with its keys: those of the grid, and those while a value is typed into a cell. */
function useGridCursor({ draft, setDraft }: Editor, grid: Grid) {
  const [cursor, setCursor] = useState(AT_FIRST_CELL);
  const size = useTerminalSize();
  const whole = windowOf(grid, AT_FIRST_CELL, size.columns, size.rows - FRAME_ROWS - LEAST_NOTES);
  const columnKeys = whole.columns.right > 0 ? "first, last column" : null;
  const rowKeys = whole.rows.below > 0 ? "first, last row" : null;
  const moveBy = (from: GridCursor, [down, right]: readonly [number, number] = [0, 0]) =>
    setCursor(moveCursor(from, grid, down, right));
  const keys: KeyBinding[] = [
    {
      on: Object.keys(STEPS),
      label: "↑↓←→",
      does: "move",
      help: "Go to another cell.",
      run: ({ name }) => moveBy(cursor, STEPS[name]),
    },
    pair(["home"], ["end"], "Home End", columnKeys, "Go to the first or last column.", (by) =>
      moveBy(cursor, [0, by * grid.columns.length]),
    ),
    pair(["pageup"], ["pagedown"], "PgUp PgDn", rowKeys, "Go to the first or last row.", (by) =>
      moveBy(cursor, [by * grid.rows.length, 0]),
    ),
    {
      on: [..."0123456789.-$"],
      label: "0-9",
      does: "new value",
      help: "Type a new value over the one in the cell.",
      run: (press) => setCursor(type(cursor, press)),
    },
    key("enter", "correct", () => setCursor(correct(cursor, grid, draft)), "Correct the value in the cell."),
  ];
  const take = () => {
    const taken = accept(cursor, grid, draft);
    setDraft(taken.draft);
    setCursor(taken.cursor);
    return taken.cursor;
  };
  const onTyping = (press: KeyPress) => {
    const step = STEPS[press.name];
    if (press.name === "enter") take();
    else if (press.name === "esc") setCursor(drop(cursor));
    else if (step) {
      const taken = take();
      // A refused value keeps the cursor in its cell.
      if (taken.typed === null) moveBy(taken, step);
    } else setCursor(type(cursor, press));
  };
  return { cursor, keys, onTyping };
}

function notes(grid: Grid, cursor: GridCursor, draft: Draft, legend: readonly string[]): Line[] {
  const cell = cellAt(grid, cursor);
  const saved = cell && savedText(cell, draft);
  const changes = changesToSave(draft).map(describeChange).toReversed();
  return [
    ...(cell ? [{ text: `${cell.what}: ${saved === null ? "" : `${saved} → `}${shownCell(cell, draft).text}` }] : []),
    ...legend.map((text) => ({ text, look: "dim" as const })),
    ...(changes.length > 0
      ? [{ text: "" }, { text: `${CHANGED} Not saved yet, the newest first:`, look: "warning" as const }]
      : []),
    ...changes.map(({ what, old, now }) => ({ text: `  ${what}: ${old} → ${now}` })),
  ];
}

const CHANGED = "*";

/** Draws the visible part of a grid: headings in two lines, a cell for each value, marks on values that are not saved. */
function drawGrid(grid: Grid, cursor: GridCursor, draft: Draft, { label, each, columns, rows }: Window) {
  const shown = grid.columns.slice(columns.first, columns.first + columns.count);
  const names = [...new Set(shown.map(({ group }) => group))];
  const groups = names.map((name) => groupHeading(name, shown.filter(({ group }) => group === name).length * each));
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
              const { text, mark } = shownCell(cell, draft);
              const typed = isHere && cursor.typed && fit(shownLine(cursor.typed, each - 1, true), each - 1, "right");
              return (
                <Text key={cell.what}>
                  {" "}
                  <Text inverse={isHere} {...(mark !== "" && { color: "yellow" })}>
                    {typed || marked(text, mark, each)}
                  </Text>
                </Text>
              );
            })}
          </Text>
        );
      })}
      {rows.below > 0 && <Text dimColor>{`↓ ${rows.below} more`}</Text>}
    </Box>
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

function shownCell(cell: Cell, draft: Draft): { text: string; mark: string } {
  return { text: cellText(cell, draft), mark: savedText(cell, draft) === null ? "" : CHANGED };
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
const HEADING_ROWS = 2;

type Window = ReturnType<typeof windowOf>;

/** What is shown of a grid, with the columns of the terminal for it and the lines that it takes. @param height the most of these */
function windowOf(grid: Grid, cursor: GridCursor, width: number, height: number) {
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
