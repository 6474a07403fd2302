/** The questions around a draft of the catalog: whether to save it, whether to leave without it. */
import { counted } from "../../../src/lib/text.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, Confirm, Leave } from "../kit/dialogs.tsx";
import { catalogWord, useShop } from "../kit/shop.ts";
import { type Draft, isUnsaved } from "./draft.ts";
import type { Editor } from "./use-editor.ts";

export type EditorQuestion =
  | { about: "saving" }
  | { about: "leaving"; leave: () => void }
  /** @param difference the lines that would change */
  | { about: "undoing"; difference: string; undoSave: () => void };

export function changesInWords({ steps }: Draft): string {
  return counted(steps.length, "unsaved change");
}

interface EditorDialogProps {
  question: EditorQuestion;
  editor: Editor;
  /** Opens another question; null closes this one. */
  ask: (question: EditorQuestion | null) => void;
  askToSave: () => void;
  save: () => void;
}

export function EditorDialog({ question, editor, ask, askToSave, save }: EditorDialogProps) {
  const { catalogSource } = useShop();
  const close = () => ask(null);
  switch (question.about) {
    case "saving":
      return (
        <Confirm
          question={`Write this to ${catalogWord(catalogSource)}?`}
          consequence="A running server picks it up. Bookings already made keep their prices."
          yes="save"
          onYes={save}
          close={close}
        />
      );
    case "undoing":
      return (
        <Confirm
          question="Go back to the catalog before the last save?"
          consequence={question.difference}
          yes="undo the save"
          onYes={question.undoSave}
          close={close}
        />
      );
    case "leaving":
      return isUnsaved(editor.draft) ? (
        <Choice
          question={`Leave with ${changesInWords(editor.draft)}?`}
          choices={[key("s", "save first", askToSave), key("y", "yes, drop the changes", question.leave)]}
          onCancel={close}
        />
      ) : (
        <Leave question="Leave? What is being typed is lost." leave={question.leave} close={close} />
      );
  }
}
