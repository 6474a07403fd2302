/** The add-ons: the price with each film, and the minutes they add to a job. */
import { latest } from "../editor/draft.ts";
import { editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { addonGrid } from "./grid.ts";
import { GridScreen } from "./grid-screen.tsx";

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
