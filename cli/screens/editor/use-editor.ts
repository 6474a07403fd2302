/** The draft behind a screen that changes the catalog: it follows the catalog, takes changes, and is saved. */
import { useEffect, useRef, useState } from "react";
import { type Edit, editCatalog } from "../../../src/catalog/edit/save.ts";
import { CatalogError, readText } from "../../../src/catalog/load/document.ts";
import { type CatalogSource, EditError } from "../../../src/catalog/source.ts";
import { counted } from "../../../src/lib/text.ts";
import { conflictNotice, differenceInALine, replacing } from "../../catalog/edits.ts";
import { type Step, useNav } from "../kit/navigation.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import { useAct, useShop } from "../kit/shop.ts";
import { type Change, replacedInWords } from "./change.ts";
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
  const latestDraft = useRef(draft);
  latestDraft.current = draft;
  if (!draft) return null;
  // A question was asked over a draft that may have changed since.
  const now = () => latestDraft.current ?? draft;
  const make = (change: Change) => {
    const made = makeChange(now(), change);
    if (typeof made === "string") return made;
    setDraft(made);
    return null;
  };
  return {
    draft,
    setDraft,
    make,
    refusal(change) {
      const made = makeChange(now(), change);
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

/** @returns a function that saves the draft, and says what of another editor's it replaces */
export function useSaveDraft({ draft, setDraft }: Editor): () => Promise<void> {
  const act = useAct();
  return async () => {
    let rebased = draft;
    await act(async ({ catalogSource, store, now }) => {
      const merge = (now: string) => {
        rebased = rebase(draft, now);
        return latest(rebased).text;
      };
      const edit = await editCatalog(catalogSource, merge);
      setDraft(openDraft(edit.text));
      const changes = changesToSave(rebased);
      const replaced = changes.filter((one) => one.isLater).map(replacedInWords);
      const instead = replaced.length > 0 ? `, in place of ${replaced.join("; ")}` : "";
      const said = `Saved ${counted(changes.length, "change")}${instead}.`;
      return { said: said + (await conflictNotice(store, edit, now())), step: saveStep(edit) };
    });
  };
}

/** The way back from a save, and forth. What somebody else saved since is not overwritten. */
function saveStep({ was, text }: Edit): Step {
  const replace =
    (from: string, to: string) =>
    async ({ catalogSource, store, now }: OpenShop) => {
      const edit = await editCatalog(catalogSource, replacing(from, to));
      return `${differenceInALine(edit)}.${await conflictNotice(store, edit, now())}`;
    };
  return { undo: replace(text, was), redo: replace(was, text) };
}
