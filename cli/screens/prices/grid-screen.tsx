/** A screen that edits a grid of the catalog's values in place: its keys, and the notes under the grid. */
import { Text } from "ink";
import { useState } from "react";
import { describeChange } from "../editor/change.ts";
import { changesToSave, type Draft } from "../editor/draft.ts";
import { EditorFrame } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { type KeyBinding, key, pair } from "../kit/bindings.tsx";
import { type Actions, Typing } from "../kit/dialogs.tsx";
import type { KeyPress } from "../kit/keyboard.tsx";
import { type Line, Lines, useTerminalSize, wrapLines } from "../kit/text.tsx";
import {
  AT_FIRST_CELL,
  accept,
  cellAt,
  correct,
  drop,
  eraseInCell,
  type Grid,
  type GridCursor,
  moveCursor,
  savedText,
  type,
} from "./grid.ts";
import { CHANGED, GridTable, shownCell, windowOf } from "./grid-table.tsx";

const STEPS: Record<string, [down: number, right: number]> = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
  tab: [0, 1],
  backtab: [0, -1],
};

const TYPING_KEYS = [
  ["Enter", "accept"],
  ["Esc", "keep the old value"],
  ["↑↓←→", "accept and move"],
] as const;

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
    <Typing
      head={`New value: ${cellAt(grid, cursor)?.what ?? ""}`}
      refusal={cursor.refusal}
      keys={TYPING_KEYS}
      onKey={onTyping}
    />
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
            <GridTable grid={grid} cursor={cursor} draft={draft} window={window} />
            <Text> </Text>
            <Lines lines={lines.slice(0, Math.max(1, rows - window.height - 1))} width={columns} />
          </>
        );
      }}
    </EditorFrame>
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
    pair(["home"], ["end"], { label: "Home End", does: columnKeys, help: "Go to the first or last column." }, (by) =>
      moveBy(cursor, [0, by * grid.columns.length]),
    ),
    pair(["pageup"], ["pagedown"], { label: "PgUp PgDn", does: rowKeys, help: "Go to the first or last row." }, (by) =>
      moveBy(cursor, [by * grid.rows.length, 0]),
    ),
    {
      on: [..."0123456789.-$"],
      label: "0-9",
      does: "new value",
      help: "Type a new value over the one in the cell.",
      run: ({ text }) => setCursor(type(cursor, text)),
    },
    key("enter", "correct", () => setCursor(correct(cursor, grid, draft)), "Correct the value in the cell."),
  ];
  const take = () => {
    const taken = accept(cursor, grid, draft);
    setDraft(taken.draft);
    setCursor(taken.cursor);
    return taken.cursor;
  };
  const onTyping = ({ name, text }: KeyPress) => {
    if (name === "enter") take();
    else if (name === "esc") setCursor(drop(cursor));
    else if (name === "backspace" || name === "delete") setCursor(eraseInCell(cursor));
    else if (text !== "") setCursor(type(cursor, text));
    else if (STEPS[name]) {
      const taken = take();
      // A refused value keeps the cursor in its cell.
      if (taken.typed === null) moveBy(taken, STEPS[name]);
    }
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
