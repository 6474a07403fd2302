/** The frame of every screen that changes the catalog: undo, save, and a question before changes are lost. */
import { Box } from "ink";
import { type ComponentType, type ReactNode, useContext, useState } from "react";
import { type KeyBinding, key } from "../kit/bindings.tsx";
import { CatalogIssueScreen } from "../kit/catalog-issues.tsx";
import { Frame } from "../kit/frame.tsx";
import { InFront } from "../kit/keyboard.tsx";
import { useNav } from "../kit/navigation.ts";
import type { Size } from "../kit/text.tsx";
import { Difference } from "./difference.tsx";
import { changesToSave, isUnsaved, undo } from "./draft.ts";
import { changesInWords, EditorDialog, type EditorQuestion } from "./editor-dialog.tsx";
import { type Editor, useEditor, useSaveDraft, useUndoSave } from "./use-editor.ts";

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
  const [question, ask] = useState<EditorQuestion | null>(null);
  const save = useSaveDraft(editor);
  const undoSave = useUndoSave(editor, (difference, undoSave) => ask({ about: "undoing", difference, undoSave }));
  const askToSave = () => {
    if (changesToSave(draft).length > 0) ask({ about: "saving" });
    else say({ kind: "done", text: "There is nothing to save." });
  };
  const own: KeyBinding[] = [
    ...keys,
    key(
      "u",
      "undo",
      () => (isUnsaved(draft) ? setDraft(undo(draft)) : undoSave()),
      "Take back the last change that is not saved yet; without one, go back to the catalog before the last save.",
    ),
    key("s", "save", askToSave, "Show what is different, old → new, and ask before writing it to the catalog."),
  ];
  const isChanged = isUnsaved(draft);
  return (
    <Frame
      title={title}
      about={about}
      status={isChanged ? changesInWords(draft) : ""}
      keys={own}
      dialog={
        (question || dialog) && (
          <Stacked front={question && <EditorDialog {...{ question, editor, ask, askToSave, save }} />}>
            {dialog}
          </Stacked>
        )
      }
      beforeLeaving={(leave) => (isChanged || dialog ? ask({ about: "leaving", leave }) : leave())}
    >
      {(size) => (question && isChanged ? <Difference draft={draft} size={size} /> : children(size))}
    </Frame>
  );
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
