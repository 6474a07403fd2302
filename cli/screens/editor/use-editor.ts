/** The draft behind a screen that changes the catalog: it follows the catalog, takes changes, and is saved. */
import { useEffect, useState } from "react";
import { editCatalog, previewEdit } from "../../../src/catalog/edit/save.ts";
import { EditError } from "../../../src/catalog/edit-error.ts";
import { CatalogError, readText } from "../../../src/catalog/load/document.ts";
import type { CatalogSource } from "../../../src/catalog/source.ts";
import { counted } from "../../../src/lib/text.ts";
import { differenceInALine, replacing } from "../../catalog/difference.ts";
import { conflictNotice } from "../../diary/conflicts.ts";
import { useNav } from "../kit/navigation.ts";
import { useAct, useShop } from "../kit/shop.ts";
import type { Change } from "./change.ts";
import { changesToSave, type Draft, latest, makeChange, openDraft, rebase } from "./draft.ts";

export interface Editor {
  draft: Draft;
  setDraft: (draft: Draft) => void;
  /** @returns why the change is refused, or null */
  make: (change: Change) => string | null;
  /** @returns why the change would be refused, or null */
  refusal: (change: Change) => string | null;
  /** Makes the change, or shows above the footer why it is refused. */
  makeOrSay: (change: Change) => void;
}

/** @returns null until the catalog was good once */
export function useEditor(): Editor | null {
  const { catalog, catalogIssue, catalogSource } = useShop();
  const { say } = useNav();
  const [draft, setDraft] = useState<Draft | null>(() => draftOver(catalogSource, null));
  // Changes made in another editor go beneath the changes made here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new catalog means that its text was read again
  useEffect(() => setDraft((old) => draftOver(catalogSource, old)), [catalog, catalogIssue, catalogSource]);
  if (!draft) return null;
  const make = (change: Change) => {
    const made = makeChange(draft, change);
    if (typeof made === "string") return made;
    setDraft(made);
    return null;
  };
  return {
    draft,
    setDraft,
    make,
    refusal(change) {
      const made = makeChange(draft, change);
      return typeof made === "string" ? made : null;
    },
    makeOrSay(change) {
      const refusal = make(change);
      if (refusal !== null) say({ kind: "error", text: refusal });
    },
  };
}

/** The draft over the catalog as it is now. While the catalog has a mistake the draft stays as it was. */
function draftOver(source: CatalogSource, draft: Draft | null): Draft | null {
  try {
    const text = readText(source);
    return draft ? rebase(draft, text) : openDraft(text);
  } catch (error) {
    if (error instanceof CatalogError || error instanceof EditError) return draft;
    throw error;
  }
}

/** @returns a function that saves the draft; when another editor changed the same place it writes nothing */
export function useSaveDraft({ draft, setDraft }: Editor, onClash: () => void): () => void {
  const { catalogSource, store, now } = useShop();
  const act = useAct();
  return () =>
    act(async () => {
      let rebased = draft;
      const merge = (now: string) => {
        rebased = rebase(draft, now);
        return rebased.clashes.length > 0 ? now : latest(rebased).text;
      };
      const edit = await editCatalog(catalogSource, merge);
      if (rebased.clashes.length > 0) {
        setDraft(rebased);
        onClash();
        return null;
      }
      setDraft(openDraft(edit.text));
      const saved = `Saved ${counted(changesToSave(rebased).length, "change")}.${edit.undoable ? " u undoes it." : ""}`;
      return saved + (await conflictNotice(store, edit, now()));
    });
}

/**
 * @param ask gets the difference in words, and the work that makes it
 * @returns a function that asks before the catalog goes back to the version before the last save
 */
export function useUndoSave({ setDraft }: Editor, ask: (difference: string, undoSave: () => void) => void): () => void {
  const { catalogSource, store, now } = useShop();
  const act = useAct();
  return () =>
    act(async () => {
      const version = await catalogSource.earlier();
      if (!version) return "There is no save to undo.";
      // A save by somebody else, between the question and the answer, is not overwritten.
      const change = replacing(readText(catalogSource), version.text);
      const difference = differenceInALine(previewEdit(catalogSource, change));
      ask(difference, () =>
        act(async () => {
          const edit = await editCatalog(catalogSource, change);
          setDraft(openDraft(edit.text));
          const undone = "The catalog is as it was before the last save. u goes forward again.";
          return undone + (await conflictNotice(store, edit, now()));
        }),
      );
      return null;
    });
}
