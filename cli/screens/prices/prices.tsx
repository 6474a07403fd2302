/** The price list: vehicle × film × coverage, edited in place; a key raises a whole column, a whole row, or all. */
import type { Shop } from "../../../src/catalog/shop.ts";
import { coverageLabel } from "../../../src/catalog/terms.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { counted } from "../../../src/lib/text.ts";
import { type Raise, raisedPrice, readRaise } from "../../catalog/reprice.ts";
import { columnName } from "../../catalog/terms.ts";
import { changeAmounts, type Draft, latest } from "../editor/draft.ts";
import { type Editor, editorScreen } from "../editor/editor.tsx";
import { key } from "../kit/bindings.tsx";
import type { Actions } from "../kit/dialogs.tsx";
import { useScreen } from "../kit/screen.ts";
import { addonGrid, type Cell, cellText, type Grid, type GridCursor, ONE_PRICE, priceGrid, savedText } from "./grid.ts";
import { GridScreen } from "./grid-screen.tsx";

const TITLE = "Prices";

function Prices({ editor }: { editor: Editor }) {
  const { catalog } = latest(editor.draft);
  const grid = priceGrid(catalog);
  const raise = useRaise(editor, grid);
  return (
    <GridScreen
      editor={editor}
      grid={grid}
      title={`${TITLE}, ${catalog.currency}`}
      about="What each vehicle costs. Type a new price on a cell; nothing is written before you save."
      legend={legendOf(catalog)}
      raise={raise}
    />
  );
}

function legendOf(catalog: Shop): string[] {
  const { coverages } = catalog.automotive;
  const single = catalog.terms.columns.filter((column) => column.coverages.length === 0);
  return [
    Object.entries(coverages)
      .map(([word, { name, glass }]) => `${coverageLabel(word, catalog)} = ${glass ?? name}`)
      .join(", "),
    ...single.map((column) => `${ONE_PRICE} = ${columnName(column, catalog)}`),
  ];
}

export const Screen = editorScreen(Prices, TITLE);

/** Whole amounts, unless the owner types another step. */
const STEP = "1";

/** The key that raises every price of a column, of a row, or of the list by a share. Nothing is written before it is saved. */
function useRaise(editor: Editor, grid: Grid): (cursor: Pick<GridCursor, "row" | "column">) => Actions {
  const { say, ask } = useScreen();
  const raise = async ({ row, column }: Pick<GridCursor, "row" | "column">) => {
    const head = grid.columns[column];
    const nameOfColumn = [head?.group, head?.label].filter(Boolean).join(" ");
    const rowName = grid.rows[row] ?? "";
    const chosen = await ask.choose<readonly [name: string, cells: readonly Cell[]]>("Whose prices are raised?", [
      ["c", `the column, ${nameOfColumn}`, [nameOfColumn, grid.cells.flatMap((cells) => cells[column] ?? [])]],
      ["r", `the row, ${rowName}`, [rowName, grid.cells[row] ?? []]],
      ["a", ALL, [ALL, grid.cells.flat()]],
    ]);
    if (!chosen) return;
    const [name, cells] = chosen;
    const label = `Raise ${name} by, like 5%, -2.5%, or 7% rounded to 5`;
    const by = await ask.read(readTyped, { label, submit: "raise" });
    if (!by) return;
    const { made, changed, again } = raised(editor, cells, by);
    if (typeof made === "string") return say({ kind: "error", text: made });
    editor.setDraft(made);
    const [first] = again;
    const twice = first
      ? `, ${again.length === 1 ? "one" : again.length} of them on top of an unsaved change (${cellInWords(first, editor.draft, made)})`
      : "";
    say({ kind: "done", text: `${counted(changed, "price")} changed${twice}, not saved yet: s shows the difference.` });
  };
  const help = "Raise or lower every price of the column, the row or the list by a percentage.";
  return (cursor) => ({ keys: [key("+", "raise", () => raise(cursor), help)], dialog: ask.dialog });
}

const ALL = "all of this list";

/** `7%`, or `7% rounded to 5` for prices in fives. @throws UsageError */
function readTyped(typed: string): Raise {
  const [percent = "", step = STEP] = typed.split(/,?\s*\b(?:round(?:ed)?(?: to)?|to)\b/i).map((part) => part.trim());
  return readRaise(percent, step);
}

function raised({ draft }: Editor, cells: readonly Cell[], by: Raise) {
  const { source } = latest(draft);
  const changes = cells.flatMap((cell) => {
    const { what, path } = cell;
    const was = valueAt(source, path);
    if (typeof was !== "number") return [];
    const change = { kind: "value" as const, what, path, was, now: raisedPrice(was, by) };
    // Changed before, and not saved: a row and a column share a cell.
    return change.now === was ? [] : [{ change, again: savedText(cell, draft) === null ? [] : [cell] }];
  });
  const amounts = changes.map(({ change }) => change);
  return { made: changeAmounts(draft, amounts), changed: changes.length, again: changes.flatMap((one) => one.again) };
}

/** `suv, ceramic, full: 629 → 675 → 720`. */
function cellInWords(cell: Cell, before: Draft, after: Draft): string {
  return `${cell.what}: ${[savedText(cell, before), cellText(cell, before), cellText(cell, after)].join(" → ")}`;
}

function Addons({ editor }: { editor: Editor }) {
  const { catalog } = latest(editor.draft);
  return (
    <GridScreen
      editor={editor}
      grid={addonGrid(catalog)}
      title={`Add-ons, ${catalog.currency}`}
      about="What extras cost on top of a tint job, and how much longer they make it."
      legend={["Price by film, on top of the job. Minutes make the appointment longer."]}
    />
  );
}

export const AddonsScreen = editorScreen(Addons, "Add-ons");
