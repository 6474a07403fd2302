/** The price list: vehicle × film × coverage, edited in place; a key raises a whole column. */
import { useState } from "react";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { words } from "../../../src/catalog/terms.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { counted } from "../../../src/lib/text.ts";
import { type Raise, raisedPrice, readRaise } from "../../catalog/raise.ts";
import { columnName, coverageLabel } from "../../catalog/terms.ts";
import { latest, makeChange } from "../editor/draft.ts";
import { editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, TypedPrompt } from "../kit/dialogs.tsx";
import { useNav } from "../kit/navigation.ts";
import { type Grid, ONE_PRICE, priceGrid } from "./grid.ts";
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

/** The coverages, and the services with one price. */
function legendOf(catalog: Catalog): string[] {
  const { coverages } = catalog.automotive;
  const single = words(catalog).columns.filter((column) => column.coverages.length === 0);
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

/** The key that raises every price of a column by a share. Nothing is written before it is saved. */
export function useRaise(editor: Editor, grid: Grid): (column: number) => Actions {
  const [column, ask] = useState<number | null>(null);
  const { say } = useNav();
  const raise = (at: number, by: Raise) => {
    const { draft, changed, refusal } = raised(editor, grid, at, by);
    if (refusal !== null) return say({ kind: "error", text: refusal });
    editor.setDraft(draft);
    say({ kind: "done", text: `${counted(changed, "price")} changed, not saved yet: s shows the difference.` });
  };
  const nameOf = (at: number) => [grid.columns[at]?.group, grid.columns[at]?.label].filter(Boolean).join(" ");
  return (at) => ({
    keys:
      column === null
        ? [key("+", "raise column", () => ask(at), "Raise or lower every price of the column by a percentage.")]
        : [],
    dialog: column !== null && (
      <TypedPrompt
        label={`Raise ${nameOf(column)} by, like 5%, -2.5%, or 5% to 10`}
        submit="raise"
        read={readTyped}
        onRead={(by) => raise(column, by)}
        close={() => ask(null)}
      />
    ),
  });
}

/** `5%`, or `5% to 10` for prices in tens. @throws UsageError */
function readTyped(typed: string): Raise {
  const [percent = "", step = STEP] = typed.split("to").map((part) => part.trim());
  return readRaise(percent, step);
}

function raised(editor: Editor, grid: Grid, column: number, by: Raise) {
  let { draft } = editor;
  let changed = 0;
  for (const cells of grid.cells) {
    const cell = cells[column];
    const was = cell && valueAt(latest(draft).source, cell.path);
    if (!cell || typeof was !== "number") continue;
    const now = raisedPrice(was, by);
    if (now === was) continue;
    const made = makeChange(draft, { kind: "value", what: cell.what, path: cell.path, was, now });
    if (typeof made === "string") return { draft, changed, refusal: made };
    draft = made;
    changed++;
  }
  return { draft, changed, refusal: null };
}
