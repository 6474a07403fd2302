/** Lists with a selection, and text that scrolls: the state with its keys, and the drawing. */
import { Box, Text } from "ink";
import { useReducer, useRef, useState } from "react";
import { type Column, layOut, pick } from "../../terminal/columns.ts";
import { clean } from "../../terminal/output.ts";
import { type Keys, key, travelKeys } from "./bindings.tsx";
import { useAsk } from "./dialogs.tsx";
import { useNav } from "./screen.ts";
import { cut, isWide, type Line, Lines, padded, type Size } from "./text.tsx";

/** The index is from 0; -1 in an empty list. The keys move the selection, for the frame. */
export type Selection = ReturnType<typeof useSelection>;

/** @param ids keep the selected entry selected when others come before it @param first selected until the owner chooses */
export function useSelection(count: number, ids: readonly string[] = [], first = 0, about = "") {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const held = useRef<{ about: string; index?: number; id?: string | undefined }>({ about });
  if (held.current.about !== about) held.current = { about, index: 0 };
  const at = held.current.id === undefined ? -1 : ids.indexOf(held.current.id);
  const index = Math.min(at < 0 ? (held.current.index ?? first) : at, count - 1);
  if (index >= 0 && (held.current.index !== undefined || ids.length > 0))
    held.current = { about, index, id: ids[index] };
  const go = (to: number) => {
    held.current = { about, index: to };
    drawAgain();
  };
  const select = (to: number) => go(Math.max(0, Math.min(to, count - 1)));
  return { index, select, keys: travelKeys(Math.max(0, index), count - 1, count > 1 ? "move" : null, go) };
}

export type List<Row> = ReturnType<typeof useList<Row>>;

interface ListOptions<Row> {
  id: (row: Row) => string;
  /** What `/` looks through. */
  columns: readonly Column<Row>[];
  /** The names of those that are drawn, all by default; and those where there is more room. */
  narrow?: readonly string[];
  wide?: readonly string[];
  /** Whether `/` filters; by default it does. */
  isFilterable?: boolean;
  /** Names the list, where the screen has several. */
  about?: string;
  /** Whether the selection may begin in a row: it begins in the first of these. By default all may. */
  begins?: (row: Row) => boolean;
  /** Which rows Space marks for what is done with several, and what is said of the others. */
  marks?: { may: (row: Row) => boolean; others: string };
}

/** A list with a selection, a filter that `/` asks for, and perhaps marks. */
export function useList<Row>(all: readonly Row[] | undefined, options: ListOptions<Row>) {
  const { id, columns, isFilterable = true, about = "", marks, begins = () => true } = options;
  const { narrow = columns.map(({ name }) => name), wide = narrow } = options;
  const ask = useAsk();
  const { say } = useNav();
  const [held, hold] = useState({ about, filter: "", chosen: [] as readonly string[] });
  const { filter, chosen } = held.about === about ? held : { filter: "", chosen: [] };
  const fits = (row: Row) =>
    clean(columns.map(({ value }) => value(row)).join(" "))
      .toLowerCase()
      .includes(filter.toLowerCase());
  const rows = filter === "" ? (all ?? []) : (all ?? []).filter(fits);
  const selection = useSelection(rows.length, rows.map(id), Math.max(0, rows.findIndex(begins)), about);
  const row = rows[selection.index] ?? null;
  const markable = marks ? rows.filter(marks.may).map(id) : [];
  const marked = new Set(chosen.filter((one) => markable.includes(one)));
  const mark = (next: readonly string[]) => hold({ about, filter, chosen: next });
  const toggle = () => {
    if (!row || !markable.includes(id(row))) return say({ kind: "error", text: marks?.others ?? "" });
    mark(marked.has(id(row)) ? [...marked].filter((one) => one !== id(row)) : [...marked, id(row)]);
    selection.select(selection.index + 1);
  };
  const look = async () => {
    const typed = await ask.text({ label: "Only what has", initial: filter, submit: "show; nothing shows all" });
    if (typed !== undefined) hold({ about, filter: typed, chosen: [] });
  };
  const inMind = rows.filter((one) => marked.has(id(one)));
  return {
    ...selection,
    ...{ id, isRead: all !== undefined, filter, dialog: ask.dialog },
    /** Those that the filter leaves. */
    rows,
    row,
    columns: (width: number) => pick(columns, isWide(width) ? wide : narrow),
    /** Undefined where rows cannot be marked. */
    marked: marks && marked,
    /** The marked rows, or else the selected one. */
    chosen: inMind.length > 0 ? inMind : row ? [row] : [],
    keys: [
      ...selection.keys,
      marks &&
        rows.length > 0 && {
          ...key("space", "mark", toggle, "Mark the row, or take the mark away."),
          ...(markable.length < 2 && { does: null }),
        },
      markable.length > 1 &&
        key(
          "a",
          marked.size < markable.length ? "mark all" : "mark none",
          () => mark(marked.size < markable.length ? markable : []),
          "Mark all rows, or none: what is done is then done with all marked ones.",
        ),
      filter !== "" && key("esc", "show all", () => hold({ about, filter: "", chosen: [] })),
      isFilterable && { ...key("/", "filter", () => look(), "Only the rows that have a text."), does: null },
    ] satisfies Keys,
  };
}

/** Lines that scroll where they do not fit. @param room the lines that fit @returns the keys, and how they are drawn */
export function useScroll(lines: readonly (Line | string)[], room: number) {
  const [wanted, setTop] = useState(0);
  const last = Math.max(0, lines.length - room);
  const top = Math.min(wanted, last);
  const draw = ({ columns, rows }: Size) => (
    <Box flexDirection="column" height={rows} overflow="hidden">
      <Lines lines={lines.slice(top, top + rows)} width={columns} />
    </Box>
  );
  return { draw, keys: travelKeys(top, last, last > 0 ? "scroll" : null, setTop) };
}

export interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id: (row: Row) => string;
  isDim?: ((row: Row) => boolean) | undefined;
  /** From 0; -1 for none. */
  selected: number;
  /** The ids of marked rows, whose marks have a column of their own; undefined where rows cannot be marked. */
  marked?: ReadonlySet<string> | undefined;
  width: number;
  /** Rows of the terminal, including the heading. */
  height: number;
  empty: string;
}

const MARK = "›";
const CHOSEN = "*";

/** Draws rows in columns, scrolled so that the selected row is visible. All rows have a say in the widths: they stay. */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, id, isDim, selected, marked, width, height, empty } = props;
  if (rows.length === 0) return <Text dimColor>{`  ${cut(empty, width - 2)}`}</Text>;
  const before = " ".repeat(marked ? 3 : 2);
  const { head, cells, line } = layOut(columns, rows, width - before.length);
  const marks = (row: Row, isSelected: boolean) =>
    ((isSelected ? MARK : " ") + (marked?.has(id(row)) ? CHOSEN : "")).padEnd(before.length);
  const { first, count, above, below } = visible(rows.length, selected, height - 1);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Text dimColor wrap="truncate">
        {before + head}
      </Text>
      {above > 0 && <Text dimColor>{`  ↑ ${above} more`}</Text>}
      {rows.slice(first, first + count).map((row, i) => {
        const isSelected = first + i === selected;
        const text = marks(row, isSelected) + line(cells[first + i] ?? [], isSelected);
        return (
          <Text key={id(row)} wrap="truncate" inverse={isSelected} dimColor={isDim?.(row) === true && !isSelected}>
            {padded(text, width)}
          </Text>
        );
      })}
      {below > 0 && <Text dimColor>{`  ↓ ${below} more`}</Text>}
    </Box>
  );
}

/** Which rows are drawn. One line above and one below count the hidden rows, and take up room themselves. */
export function visible(total: number, selected: number, room: number) {
  if (total <= room) return { first: 0, count: total, above: 0, below: 0 };
  const at = Math.max(0, selected);
  // Without room for both of these lines the selected row comes first.
  if (room === 2 && at < total - 1) return { first: at, count: 1, above: 0, below: total - at - 1 };
  if (room < 2) return { first: at, count: room, above: 0, below: 0 };
  // At either end only one of these lines is needed.
  if (at < room - 1) return { first: 0, count: room - 1, above: 0, below: total - room + 1 };
  if (at >= total - room + 1) return { first: total - room + 1, count: room - 1, above: total - room + 1, below: 0 };
  const count = room - 2;
  const first = Math.min(at - Math.floor(count / 2), total - count - 1);
  return { first, count, above: first, below: total - first - count };
}
