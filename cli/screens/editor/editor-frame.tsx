/** The frame of every screen that changes the catalog: undo, save, and a question before changes are lost. */
import { Box } from "ink";
import { type ComponentType, type ReactNode, useContext, useState } from "react";
import { counted } from "../../../src/lib/text.ts";
import { type KeyBinding, key } from "../kit/bindings.tsx";
import { CatalogIssueScreen } from "../kit/catalog-issues.tsx";
import { useAsk } from "../kit/dialogs.tsx";
import { Frame } from "../kit/frame.tsx";
import { InFront } from "../kit/keyboard.tsx";
import { useNav } from "../kit/navigation.ts";
import { catalogWord, useShop } from "../kit/shop.ts";
import type { Size } from "../kit/text.tsx";
import { Difference } from "./difference.tsx";
import { changesToSave, type Draft, isUnsaved, undo } from "./draft.ts";
import { type Editor, useEditor, useSaveDraft } from "./use-editor.ts";

/** A screen over a draft of the catalog. While the file has a mistake there is nothing to edit. @see withCatalog */
export function editorScreen(Body: ComponentType<{ editor: Editor }>, title: string) {
  return function EditorScreen() {
    const editor = useEditor();
    return editor ? <Body editor={editor} /> : <CatalogIssueScreen title={title} />;
  };
}

interface EditorFrameProps {
  title: string;
  about: string;
  editor: Editor;
  keys: readonly KeyBinding[];
  /** The screen's own question, if one is open. */
  dialog?: ReactNode;
  children: (size: Size) => ReactNode;
}

export function EditorFrame({ title, about, editor, keys, dialog, children }: EditorFrameProps) {
  const { draft, setDraft } = editor;
  const { say } = useNav();
  const { catalogSource } = useShop();
  const ask = useAsk();
  const [isSaving, setSaving] = useState(false);
  const save = useSaveDraft(editor);
  const askToSave = async (): Promise<void> => {
    if (changesToSave(draft).length === 0) return say({ kind: "done", text: "There is nothing to save." });
    setSaving(true);
    const isYes = await ask.yes(
      `Write this to ${catalogWord(catalogSource)}?`,
      "save",
      "A running server picks it up. Bookings already made keep their prices.",
    );
    setSaving(false);
    if (isYes) await save();
  };
  const isChanged = isUnsaved(draft);
  const leaving = async (leave: () => void) => {
    if (!isChanged) {
      if (!dialog || (await ask.yes("Leave? What is being typed is lost.", "drop it and leave"))) leave();
      return;
    }
    const answers = [["s", "save first", askToSave] as const, ["y", "yes, drop the changes", leave] as const];
    await (await ask.choose(`Leave with ${changesInWords(draft)}?`, answers))?.();
  };
  const undoHelp = "Take back the last change that is not saved yet.";
  const saveHelp = "Show what is different, old → new, and ask before writing it to the catalog.";
  return (
    <Frame
      title={title}
      about={about}
      status={isChanged ? changesInWords(draft) : ""}
      keys={[
        ...keys,
        ...(isChanged ? [key("u", "undo", () => setDraft(undo(draft)), undoHelp)] : []),
        key("s", "save", () => void askToSave(), saveHelp),
      ]}
      dialog={(ask.dialog || dialog) && <Stacked front={ask.dialog}>{dialog}</Stacked>}
      beforeLeaving={(leave) => void leaving(leave)}
    >
      {(size) => (isSaving && isChanged ? <Difference draft={draft} size={size} /> : children(size))}
    </Frame>
  );
}

function changesInWords({ steps }: Draft): string {
  return counted(steps.length, "unsaved change");
}

/** Draws `front` if there is one. The screen's own question waits behind it and keeps the text typed into it. */
function Stacked({ front, children }: { front: ReactNode; children: ReactNode }) {
  const isInFront = useContext(InFront);
  return (
    <>
      {front}
      <InFront value={isInFront && front === null}>
        <Box display={front === null ? "flex" : "none"} flexDirection="column">
          {children}
        </Box>
      </InFront>
    </>
  );
}
