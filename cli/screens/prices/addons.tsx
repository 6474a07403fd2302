/** The add-ons: price by film, and the minutes they add to a job. */

import { latest } from "../editor/draft.ts";
import { type Editor, editorScreen } from "../editor/editor.tsx";
import { GridScreen } from "./grid-screen.tsx";
import { addonGrid } from "./price-grids.ts";

const TITLE = "Add-ons";

function Addons({ editor }: { editor: Editor }) {
  const { catalog } = latest(editor.draft);
  return (
    <GridScreen
      editor={editor}
      grid={addonGrid(catalog)}
      title={`${TITLE}, ${catalog.currency}`}
      about="What extras cost on top of a tint job, and how much longer they make it."
      legend={["Price by film, on top of the job. Minutes make the appointment longer."]}
    />
  );
}

export const Screen = editorScreen(Addons, TITLE);
