/** A grid of catalog values that is edited in place: its state (the cursor, the text being typed, its refusal), and the two grids. */
import { addonPath, pricePath } from "../../../src/catalog/edit/everyday.ts";
import type { Path } from "../../../src/catalog/path.ts";
import { readTyped } from "../../../src/catalog/settings.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { coverageLabel, entryOf } from "../../../src/catalog/terms.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { spaced } from "../../../src/lib/text.ts";
import { columnName } from "../../catalog/terms.ts";
import { clean } from "../../terminal/output.ts";
import { plainNumber } from "../../typed/values.ts";
import { type Draft, latest, makeChange, shown, valueChange } from "../editor/draft.ts";
import type { KeyPress } from "../kit/keyboard.tsx";
import { lineOf, type TypedLine, trimmedText, typeInto } from "../kit/typed-line.ts";

export interface Cell {
  /** For the owner: `suv, ceramic, full`. */
  what: string;
  path: Path;
}

export interface Grid {
  rows: readonly string[];
  /** Two lines of heading: the group, and the column itself. */
  columns: readonly { group: string; label: string }[];
  /** By row, then column; every row has every column. */
  cells: readonly (readonly Cell[])[];
}

export interface GridCursor {
  row: number;
  column: number;
  /** The text being typed into the cell; null while none is. */
  typed: TypedLine | null;
  /** Why the last value was refused; null when it was not. */
  refusal: string | null;
}

export const AT_FIRST_CELL: GridCursor = { row: 0, column: 0, typed: null, refusal: null };

export function cellAt({ cells }: Grid, { row, column }: GridCursor): Cell | undefined {
  return cells[row]?.[column];
}

export function moveCursor(cursor: GridCursor, { rows, columns }: Grid, down: number, right: number): GridCursor {
  const clamp = (at: number, length: number) => Math.min(Math.max(at, 0), length - 1);
  return drop({
    ...cursor,
    row: clamp(cursor.row + down, rows.length),
    column: clamp(cursor.column + right, columns.length),
  });
}

/** Any character may be typed, to be refused with a reason. */
export function type(cursor: GridCursor, press: KeyPress): GridCursor {
  return { ...cursor, typed: typeInto(cursor.typed ?? lineOf(""), press), refusal: null };
}

/** Starts typing with the old value. */
export function correct(cursor: GridCursor, grid: Grid, draft: Draft): GridCursor {
  const cell = cellAt(grid, cursor);
  return cell ? { ...cursor, typed: lineOf(cellText(cell, draft)), refusal: null } : cursor;
}

export function drop(cursor: GridCursor): GridCursor {
  return { ...cursor, typed: null, refusal: null };
}

/** Makes the typed value a change of the draft. A refused value stays in the cell to be corrected. */
export function accept(cursor: GridCursor, grid: Grid, draft: Draft): { cursor: GridCursor; draft: Draft } {
  const cell = cellAt(grid, cursor);
  if (!cell || cursor.typed === null) return { cursor, draft };
  const typed = plainNumber(trimmedText(cursor.typed));
  if (typed === "") return { cursor: drop(cursor), draft };
  const made = makeChange(draft, valueChange(draft, cell.path, readTyped(cell.path, typed), cell.what));
  return typeof made === "string"
    ? { cursor: { ...cursor, refusal: made }, draft }
    : { cursor: drop(cursor), draft: made };
}

export function cellText({ path }: Cell, draft: Draft): string {
  return shown(path, valueAt(latest(draft).source, path));
}

/** The value in the file; null when the draft has the same. */
export function savedText(cell: Cell, draft: Draft): string | null {
  const saved = shown(cell.path, valueAt(draft.base.source, cell.path));
  return saved === cellText(cell, draft) ? null : saved;
}

/** Heads the column of a service whose name may be too long for it. */
export const ONE_PRICE = "one price";

export function priceGrid(catalog: Shop): Grid {
  const { vehicleTypes, columns } = catalog.terms;
  const cells = columns.flatMap((column) => {
    const { key, coverages } = column;
    const group = columnName(column, catalog);
    return (coverages.length > 0 ? coverages : [undefined]).map((coverage) => {
      return { key, group, coverage, label: coverage && clean(coverageLabel(coverage, catalog)) };
    });
  });
  return {
    rows: vehicleTypes,
    columns: cells.map(({ group, label = ONE_PRICE }) => ({ group, label })),
    cells: vehicleTypes.map((vehicle) =>
      cells.map(({ key, group, coverage, label }) => ({
        what: [vehicle, group, label].filter((part) => part !== undefined).join(", "),
        path: pricePath(vehicle, key, coverage),
      })),
    ),
  };
}

export function addonGrid(catalog: Shop): Grid {
  const { addons, films } = catalog.terms;
  const nameOf = (addon: string) => clean(entryOf(catalog.automotive.addons, addon).name);
  return {
    rows: addons.map(nameOf),
    columns: [...films.map((film) => ({ group: "price", label: spaced(film) })), { group: "work", label: "minutes" }],
    cells: addons.map((addon) => [
      ...films.map((film) => ({ what: `${nameOf(addon)}, ${spaced(film)}`, path: addonPath(addon, film) })),
      { what: `${nameOf(addon)}, minutes`, path: ["automotive", "addons", addon, "minutes"] },
    ]),
  };
}
