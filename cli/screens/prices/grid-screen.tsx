/** A grid of the catalog's values on the screen: its keys, and its drawing. */
import { Box, Text } from "ink";
import { useState } from "react";
import { inWords, shown } from "../editor/change.ts";
import { clashAt, type Draft, summary } from "../editor/draft.ts";
import { type Editor, EditorFrame } from "../editor/editor.tsx";
import { type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { CARET } from "../kit/input/typed-line.ts";
import { fit } from "../kit/text/fit.ts";
import { type Line, Lines, wrapLines } from "../kit/text/lines.tsx";
import { Typing } from "../kit/widgets/typing.tsx";
import {
  AT_FIRST_CELL,
  accept,
  type Cell,
  cellAt,
  correct,
  drop,
  erase,
  type Grid,
  type GridCursor,
  move,
  savedText,
  textOf,
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
  ["Enter", "accept"],
  ["Esc", "keep the old value"],
  ["↑↓←→", "accept and move"],
] as const;

interface GridScreenProps {
  editor: Editor;
  grid: Grid;
  title: string;
  about: string;
  /** What the numbers are, under the grid. */
  legend: readonly string[];
}

export function GridScreen({ editor, grid, title, about, legend }: GridScreenProps) {
  const { draft, setDraft } = editor;
  const [cursor, setCursor] = useState(AT_FIRST_CELL);
  const step = ({ name }: { name: string }) => setCursor(move(cursor, grid, ...(STEPS[name] ?? [0, 0])));
  const keys: KeyBinding[] = [
    { on: Object.keys(STEPS), label: "↑↓←→", does: "move", help: "Go to another cell.", run: step },
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
  const typing = cursor.typed !== null && (
    <Typing
      head={`New value: ${cellAt(grid, cursor)?.what ?? ""}`}
      refusal={cursor.refusal}
      keys={TYPING_KEYS}
      onKey={({ name, text }) => {
        if (name === "enter") take();
        else if (name === "esc") setCursor(drop(cursor));
        else if (name === "backspace" || name === "delete") setCursor(erase(cursor));
        else if (text !== "") setCursor(type(cursor, text));
        else if (STEPS[name]) {
          const next = take();
          if (next.typed === null) setCursor(move(next, grid, ...STEPS[name]));
        }
      }}
    />
  );
  return (
    <EditorFrame title={title} about={about} editor={editor} keys={keys} dialog={typing}>
      {({ columns, rows }) => (
        <>
          <GridTable grid={grid} cursor={cursor} draft={draft} width={columns} />
          <Text> </Text>
          <Lines
            lines={wrapLines(notes(grid, cursor, draft, legend), columns).slice(0, rows - grid.rows.length - 3)}
            width={columns}
          />
        </>
      )}
    </EditorFrame>
  );
}

const WIDEST_COLUMN = 14;
const CHANGED = "*";
const CLASHES = "!";

function GridTable({ grid, cursor, draft, width }: { grid: Grid; cursor: GridCursor; draft: Draft; width: number }) {
  const label = Math.max(...grid.rows.map((row) => Bun.stringWidth(row))) + 2;
  const each = Math.min(WIDEST_COLUMN, Math.floor((width - label) / grid.columns.length));
  // A mark behind a changed value has a place of its own, so that figures stay under each other.
  const cellText = (text: string, mark: string) => fit(text, each - 2, "right") + fit(mark, 1);
  return (
    <Box flexDirection="column">
      <Text bold>
        {" ".repeat(label) +
          groupsOf(grid)
            .map(({ name, span }) => heading(name, span * each))
            .join("")}
      </Text>
      <Text dimColor>
        {" ".repeat(label) + grid.columns.map((column) => ` ${cellText(column.label, "")}`).join("")}
      </Text>
      {grid.cells.map((cells, row) => (
        <Text key={grid.rows[row]}>
          <Text bold={row === cursor.row}>{fit(grid.rows[row] ?? "", label)}</Text>
          {cells.map((cell, column) => {
            const isHere = row === cursor.row && column === cursor.column;
            const shown = shownCell(cell, draft);
            const typed = isHere && cursor.typed !== null ? cursor.typed + CARET : null;
            return (
              <Text key={cell.what}>
                {" "}
                <Text inverse={isHere} {...(shown.mark !== "" && { color: "yellow" })}>
                  {typed === null ? cellText(shown.text, shown.mark) : fit(typed.slice(1 - each), each - 1, "right")}
                </Text>
              </Text>
            );
          })}
        </Text>
      ))}
    </Box>
  );
}

/** A value that another editor has changed meanwhile is shown as the owner typed it, until they decide. */
function shownCell(cell: Cell, draft: Draft): { text: string; mark: string } {
  const clash = clashAt(draft, cell.path);
  if (clash) return { text: inWords(clash.change).now, mark: CLASHES };
  return { text: textOf(cell, draft), mark: savedText(cell, draft) === null ? "" : CHANGED };
}

function groupsOf({ columns }: Grid): { name: string; span: number }[] {
  const names = [...new Set(columns.map(({ group }) => group))];
  return names.map((name) => ({ name, span: columns.filter(({ group }) => group === name).length }));
}

/** ` ── standard ──── ` over the columns that belong to it. */
function heading(name: string, width: number): string {
  const line = width - Bun.stringWidth(name) - 4;
  if (line < 0) return fit(name, width, "right");
  const left = Math.min(2, Math.floor(line / 2));
  return ` ${"─".repeat(left)} ${name} ${"─".repeat(line - left)} `;
}

function notes(grid: Grid, cursor: GridCursor, draft: Draft, legend: readonly string[]): Line[] {
  const cell = cellAt(grid, cursor);
  const saved = cell && (clashAt(draft, cell.path) ? textOf(cell, draft) : savedText(cell, draft));
  const changes = summary(draft).map(inWords);
  return [
    ...(cell ? [{ text: `${cell.what}: ${saved === null ? "" : `${saved} → `}${shownCell(cell, draft).text}` }] : []),
    ...draft.clashes.map(({ change, theirs }) => ({
      text: `${CLASHES} ${change.what}: another editor wrote ${shown(pathOf(change), theirs)} meanwhile, you ${inWords(change).now}. Press s to decide.`,
      look: "warning" as const,
    })),
    ...legend.map((text) => ({ text, look: "dim" as const })),
    ...(changes.length > 0 ? [{ text: "" }, { text: `${CHANGED} Not saved yet:`, look: "warning" as const }] : []),
    ...changes.map(({ what, old, now }) => ({ text: `  ${what}: ${old} → ${now}` })),
  ];
}

function pathOf(change: Draft["clashes"][number]["change"]) {
  return change.kind === "value" ? change.path : [];
}
