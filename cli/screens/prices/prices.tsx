/** The price list: vehicle × film × coverage, edited in place. */
import { latest } from "../editor/draft.ts";
import { editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { GridScreen } from "./grid-screen.tsx";
import { PRICE_GRID } from "./price-grids.ts";

const TITLE = "Prices";

function Prices({ editor }: { editor: Editor }) {
  return (
    <GridScreen
      editor={editor}
      grid={PRICE_GRID}
      title={`${TITLE}, ${latest(editor.draft).catalog.currency}`}
      about="What each vehicle costs. Type a new price on a cell; nothing is written before you save."
      legend={[
        "full = all side and rear glass, front2 = the front two windows",
        "clearplex = clear protection of the windshield",
      ]}
    />
  );
}

export const Screen = editorScreen(Prices, TITLE);
