/** The price list: vehicle × film × coverage, edited in place. */
import type { Catalog } from "../../../src/catalog/schema.ts";
import { words } from "../../../src/catalog/words.ts";
import { serviceOf } from "../../../src/domain/work.ts";
import { coverageLabel } from "../../catalog/words.ts";
import { latest } from "../editor/draft.ts";
import { editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { GridScreen } from "./grid-screen.tsx";
import { priceGrid } from "./price-grids.ts";
import { useRaise } from "./raise.tsx";

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
    ...single.map(({ key }) => `${key} = ${serviceOf(catalog, key).name}`),
  ];
}

export const Screen = editorScreen(Prices, TITLE);
