/** What the screens that change the catalog share: the draft, undo, saving with a look at the difference, leaving. */
import { Box } from "ink";
import { type ComponentType, type ReactNode, useContext, useEffect, useState } from "react";
import { editCatalog, readText } from "../../../src/catalog/edit/save.ts";
import { EditError } from "../../../src/catalog/edit-error.ts";
import { CatalogError } from "../../../src/catalog/load/load.ts";
import { InFront, type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { useNav } from "../kit/shell/navigation.ts";
import { useAct, useShop } from "../kit/shell/shop.ts";
import type { Size } from "../kit/text/terminal.tsx";
import { CatalogFault } from "../kit/widgets/catalog-fault.tsx";
import { Choice, Confirm } from "../kit/widgets/dialogs.tsx";
import { Frame } from "../kit/widgets/frame.tsx";
import type { Change } from "./change.ts";
import { Difference } from "./difference.tsx";
import {
  type Draft,
  isUnsaved,
  keepMine,
  latest,
  makeChange,
  openDraft,
  rebase,
  summary,
  takeTheirs,
  undo,
} from "./draft.ts";

export interface Editor {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  /** @returns why the change is refused, or null */
  make: (change: Change) => string | null;
}

/** A screen over a draft of the catalog. While the file has a mistake there is nothing to edit. @see withCatalog */
export function editorScreen(Body: ComponentType<{ editor: Editor }>, title: string) {
  return function EditorScreen() {
    const editor = useEditor();
    if (editor) return <Body editor={editor} />;
    return (
      <Frame title={title} keys={[]}>
        {(size) => <CatalogFault size={size} />}
      </Frame>
    );
  };
}

function useEditor(): Editor | null {
  const { catalog, catalogFault, catalogFile } = useShop();
  const [draft, setDraft] = useState<Draft | null>(() => read(catalogFile, null));
  // A save by another editor comes in under the changes made here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new catalog means that the file was read again
  useEffect(() => setDraft((old) => read(catalogFile, old)), [catalog, catalogFault, catalogFile]);
  if (!draft) return null;
  return {
    draft,
    setDraft,
    make(change) {
      const made = makeChange(draft, change);
      if (typeof made === "string") return made;
      setDraft(made);
      return null;
    },
  };
}

/** The draft over the file as it is now; a faulty file leaves the draft as it was. */
function read(file: string, draft: Draft | null): Draft | null {
  try {
    const text = readText(file);
    return draft ? rebase(draft, text) : openDraft(text);
  } catch (error) {
    if (error instanceof CatalogError || error instanceof EditError) return draft;
    throw error;
  }
}

interface EditorFrameProps {
  title: string;
  about: string;
  editor: Editor;
  keys: readonly KeyBinding[];
  /** The screen's own question. */
  dialog?: ReactNode;
  children: (size: Size) => ReactNode;
}

type Asking = "save" | "clash" | { leave: () => void } | null;

export function EditorFrame({ title, about, editor, keys, dialog, children }: EditorFrameProps) {
  const { draft, setDraft } = editor;
  const { say } = useNav();
  const [asking, ask] = useState<Asking>(null);
  const save = useSave(editor, () => ask("clash"));
  const count = draft.steps.length + draft.clashes.length;
  const changes = `${count} unsaved ${count === 1 ? "change" : "changes"}`;
  const nothing = () => say({ kind: "done", text: "There is nothing to save." });
  const askToSave = () => {
    if (draft.clashes.length > 0) ask("clash");
    else if (summary(draft).length > 0) ask("save");
    else nothing();
  };
  const own: KeyBinding[] = [
    ...keys,
    key("u", "undo", () => setDraft(undo(draft)), "Take back the last change that is not saved yet."),
    key("s", "save", askToSave, "Show what is different, old → new, and ask before writing it to the catalog."),
  ];
  const close = () => ask(null);
  const questions = () => {
    if (asking === "save")
      return (
        <Confirm
          question="Write this to catalog.yaml?"
          consequence="A running server picks it up. Bookings already made keep their prices."
          yes="save"
          onYes={() => {
            close();
            save();
          }}
          onNo={close}
        />
      );
    if (asking === "clash")
      return (
        <Choice
          question="Another editor changed the same place meanwhile. Nothing was written."
          consequence="Keep your value, or take what stands in the file now?"
          choices={[
            key("m", "keep mine", () => {
              const kept = keepMine(draft);
              if (typeof kept === "string") say({ kind: "error", text: kept });
              else setDraft(kept);
              ask(typeof kept === "string" ? null : "save");
            }),
            key("t", "take theirs", () => {
              const taken = takeTheirs(draft);
              setDraft(taken);
              ask(summary(taken).length > 0 ? "save" : null);
            }),
          ]}
          onCancel={close}
        />
      );
    if (asking && !isUnsaved(draft))
      return (
        <Choice
          question="Leave? What is being typed is lost."
          choices={[key("d", "drop it and leave", asking.leave)]}
          onCancel={close}
        />
      );
    if (asking)
      return (
        <Choice
          question={`Leave with ${changes}?`}
          choices={[key("s", "save first", askToSave), key("d", "drop the changes and leave", asking.leave)]}
          onCancel={close}
        />
      );
    return null;
  };
  return (
    <Frame
      title={title}
      about={about}
      status={isUnsaved(draft) ? changes : ""}
      keys={own}
      dialog={(asking || dialog) && <Dialogs question={questions()}>{dialog}</Dialogs>}
      beforeLeaving={(go) => (isUnsaved(draft) || dialog ? ask({ leave: go }) : go())}
    >
      {(size) => (asking && isUnsaved(draft) ? <Difference draft={draft} size={size} /> : children(size))}
    </Frame>
  );
}

/** A question of the editor's goes before the screen's own, which keeps what was typed into it. */
function Dialogs({ question, children }: { question: ReactNode; children: ReactNode }) {
  const isInFront = useContext(InFront);
  return (
    <>
      {question}
      <InFront value={isInFront && question === null}>
        <Box display={question === null ? "flex" : "none"} flexDirection="column">
          {children}
        </Box>
      </InFront>
    </>
  );
}

/** Writes the draft over the file as it is at that moment, unless somebody changed the same place. */
function useSave({ draft, setDraft }: Editor, onClash: () => void): () => void {
  const { catalogFile } = useShop();
  const act = useAct();
  return () =>
    act(async () => {
      let over = draft;
      const { text } = await editCatalog(catalogFile, (now) => {
        over = rebase(draft, now);
        return over.clashes.length > 0 ? now : latest(over).text;
      });
      if (over.clashes.length > 0) {
        setDraft(over);
        onClash();
        return null;
      }
      const saved = summary(over).length;
      setDraft(openDraft(text));
      return `Saved ${saved} ${saved === 1 ? "change" : "changes"}.`;
    });
}
