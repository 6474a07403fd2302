/** The questions around a draft of the catalog: whether to save it, whose value to keep, whether to leave without it. */
import { counted } from "../../../src/lib/text.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, Confirm, Leave } from "../kit/dialogs.tsx";
import { useNav } from "../kit/navigation.ts";
import { catalogWord, useShop } from "../kit/shop.ts";
import { changesToSave, type Draft, isUnsaved, keepMine, takeTheirs } from "./draft.ts";
import type { Editor } from "./use-editor.ts";

export type EditorQuestion =
  | { about: "saving" }
  | { about: "clash" }
  | { about: "leaving"; leave: () => void }
  /** @param difference the lines that would change */
  | { about: "undoing"; difference: string; undoSave: () => void };

/** @returns null when nothing would be written */
export function questionBeforeSaving(draft: Draft): EditorQuestion | null {
  if (draft.clashes.length > 0) return { about: "clash" };
  return changesToSave(draft).length > 0 ? { about: "saving" } : null;
}

export function changesInWords({ steps, clashes }: Draft): string {
  return counted(steps.length + clashes.length, "unsaved change");
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
    case "clash":
      return <ClashDialog editor={editor} ask={ask} />;
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

function ClashDialog({ editor: { draft, setDraft }, ask }: Pick<EditorDialogProps, "editor" | "ask">) {
  const { say } = useNav();
  const mine = () => {
    const kept = keepMine(draft);
    if (typeof kept === "string") {
      say({ kind: "error", text: kept });
      return ask(null);
    }
    setDraft(kept);
    ask({ about: "saving" });
  };
  const theirs = () => {
    const taken = takeTheirs(draft);
    setDraft(taken);
    ask(questionBeforeSaving(taken));
  };
  return (
    <Choice
      question="Another editor changed the same place meanwhile. Nothing was written."
      consequence="Keep your value, or take what is in the file now?"
      choices={[key("m", "keep mine", mine), key("t", "take theirs", theirs)]}
      onCancel={() => ask(null)}
    />
  );
}
