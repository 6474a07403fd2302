/** The key that raises every price of a column by a share. Nothing is written before it is saved. */
import { useState } from "react";
import { valueAt } from "../../../src/lib/fields.ts";
import { counted } from "../../../src/lib/text.ts";
import { type Raise, raisedPrice, readRaise } from "../../catalog/raise.ts";
import { latest, makeChange } from "../editor/draft.ts";
import type { Editor } from "../editor/use-editor.ts";
import { key } from "../kit/input/bindings.ts";
import { useNav } from "../kit/shell/navigation.ts";
import type { Actions } from "../kit/widgets/actions.ts";
import { TypedPrompt } from "../kit/widgets/typed-prompt.tsx";
import type { Grid } from "./grid.ts";

/** Whole amounts, unless the owner types another step. */
const STEP = "1";

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
        onRead={(by) => {
          ask(null);
          raise(column, by);
        }}
        onCancel={() => ask(null)}
      />
    ),
  });
}

/** `5%`, or `5% to 10` for prices in tens. @throws Misuse */
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
