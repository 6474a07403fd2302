/** Screens that change the catalog: a draft that follows the catalog, with undo, save, and a question before changes are lost. */
import { Box, Text } from "ink";
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { isListPrice } from "../../../src/catalog/edit/everyday.ts";
import { type Edit, editCatalog } from "../../../src/catalog/edit/save.ts";
import { CatalogError, readText } from "../../../src/catalog/load/document.ts";
import { type CatalogSource, EditError } from "../../../src/catalog/source.ts";
import { counted } from "../../../src/lib/text.ts";
import { conflictNotice, differenceInALine, editWarnings, replacing } from "../../catalog/edits.ts";
import { priceChangeInWords, reprice } from "../../catalog/reprice.ts";
import { key, useKeys } from "../kit/bindings.tsx";
import { CatalogIssueScreen, Frame } from "../kit/frame.tsx";
import { InFront } from "../kit/keyboard.tsx";
import { useScroll } from "../kit/list.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { catalogWord, type Step, useNav, useScreen, useShop } from "../kit/screen.ts";
import { fit, type Line, type Size, wrapLines } from "../kit/text.tsx";
import {
  type Change,
  changesToSave,
  type Draft,
  describeChange,
  isUnsaved,
  latest,
  makeChange,
  openDraft,
  rebase,
  replacedInWords,
  undo,
} from "./draft.ts";

export type Editor = NonNullable<ReturnType<typeof useEditor>>;

/** @returns null until the catalog was good once */
function useEditor() {
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
  const made = (change: Change) => makeChange(latestDraft.current ?? draft, change);
  return {
    draft,
    setDraft,
    /** @returns why the change would be refused, or null */
    refusal(change: Change) {
      const next = made(change);
      return typeof next === "string" ? next : null;
    },
    /** Makes the change, or shows above the footer why it is refused. @returns whether it is made */
    make(change: Change) {
      const next = made(change);
      if (typeof next === "string") say({ kind: "error", text: next });
      else setDraft(next);
      return typeof next !== "string";
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

/** The way back from a save, and forth. What somebody else saved since is not overwritten. */
function saveStep({ was, text }: Edit): Step {
  const replace = (from: string, to: string) => async (shop: OpenShop) => {
    const { edit, conflicts } = await editAndName(shop, replacing(from, to));
    return `${differenceInALine(edit)}.${conflicts}`;
  };
  return { undo: replace(text, was), redo: replace(was, text) };
}

/** Changes the catalog, and names the bookings that no longer fit, for the end of a notice. */
export async function editAndName({ catalogSource, store, now }: OpenShop, change: (text: string) => string) {
  const edit = await editCatalog(catalogSource, change);
  return { edit, conflicts: await conflictNotice(store, edit, now()) };
}

/** A screen over a draft of the catalog. While the file has a mistake there is nothing to edit. */
export function editorScreen(Body: ComponentType<{ editor: Editor }>, title: string) {
  return function EditorScreen() {
    const editor = useEditor();
    return editor ? <Body editor={editor} /> : <CatalogIssueScreen title={title} />;
  };
}

type EditorFrameProps = Omit<ComponentProps<typeof Frame>, "status" | "beforeLeaving"> & { editor: Editor };

/** @param dialog the screen's own question, if one is open */
export function EditorFrame({ editor, keys, dialog, children, ...frame }: EditorFrameProps) {
  const { draft, setDraft } = editor;
  const { say, catalogSource, act, ask } = useScreen();
  const [isSaving, setSaving] = useState(false);
  const save = () => {
    let rebased = draft;
    const merge = (now: string) => {
      rebased = rebase(draft, now);
      return latest(rebased).text;
    };
    return act(async (shop) => {
      const { edit, conflicts } = await editAndName(shop, merge);
      setDraft(openDraft(edit.text));
      const changes = changesToSave(rebased);
      const replaced = changes.filter((one) => one.isLater).map(replacedInWords);
      const instead = replaced.length > 0 ? `, in place of ${replaced.join("; ")}` : "";
      return { said: `Saved ${counted(changes.length, "change")}${instead}.${conflicts}`, step: saveStep(edit) };
    });
  };
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
      {...frame}
      status={isChanged ? changesInWords(draft) : ""}
      keys={[
        ...keys,
        isChanged && key("u", "undo", () => setDraft(undo(draft)), undoHelp),
        key("s", "save", () => askToSave(), saveHelp),
      ]}
      dialog={(ask.dialog || dialog) && <Stacked front={ask.dialog}>{dialog}</Stacked>}
      beforeLeaving={(leave) => leaving(leave)}
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

function Difference({ draft, size }: { draft: Draft; size: Size }) {
  const lines = differenceLines(draft, size.columns);
  const scroll = useScroll(lines, size.rows);
  useKeys(scroll.keys);
  return lines.length === 0 ? <Text dimColor>Nothing is changed.</Text> : scroll.draw(size);
}

function differenceLines(draft: Draft, columns: number): Line[] {
  const row = rowIn(columns);
  const changes = changesToSave(draft);
  const { catalog } = latest(draft);
  const drawn = changes.flatMap((change) => {
    const { what, old, now } = describeChange(change);
    return change.kind === "faq" ? questionLines(change, columns) : [row(what, old, now)];
  });
  const warnings = changes.flatMap((change) => {
    const { what, isLater, was, now } = change;
    const doubts = change.kind === "value" ? editWarnings(change.path, was, now, catalog) : [];
    return [
      ...(isLater ? [`This replaces ${replacedInWords(change)}.`] : []),
      ...doubts.map((doubt) => `${what}: ${doubt}`),
    ].map((text) => ({ text, look: "warning" as const }));
  });
  // Prices of the list are the samples themselves: each stands there once.
  const isPriceList = changes.every((change) => change.kind === "value" && isListPrice(change.path));
  const samples = (isPriceList ? [] : reprice(draft.base.catalog, catalog)).map((change): Line => {
    const { sample, old, now } = priceChangeInWords(change, catalog);
    return { ...row(sample, old, now), look: "dim" };
  });
  return [
    ...(drawn.length > 0 ? [{ ...row("", "old", "new"), look: "dim" as const }] : []),
    ...drawn,
    ...wrapLines(warnings, columns),
    ...(samples.length > 0 ? [{ text: "" }, { text: "Sample prices" }, ...samples] : []),
  ];
}

function rowIn(columns: number) {
  const width = Math.min(22, Math.floor((columns - 10) / 3.5));
  return (what: string, old: string, now: string): Line => {
    const arrow = now === "" || now === "new" ? " " : "→";
    const values = `${fit(old, width, "right")}  ${arrow}  ${fit(now, width)}`;
    // The spaces between the columns stay in a name.
    return { name: `  ${fit(what, columns - Bun.stringWidth(values) - 4)}  ${values}`, text: "" };
  };
}

/** Question, answer and category as they were and as they will be, in full. */
function questionLines({ what, was, now }: Change & { kind: "faq" }, columns: number): Line[] {
  const fields = (["question", "answer", "category"] as const).filter((field) => was?.[field] !== now?.[field]);
  const about = was && now && was.question === now.question ? [{ text: was.question }] : [];
  const changed = fields.flatMap((field): Line[] => [
    ...(was ? [{ text: `- ${was[field]}`, look: "error" as const }] : []),
    ...(now ? [{ text: `+ ${now[field]}`, look: "good" as const }] : []),
  ]);
  return wrapLines([{ text: what, look: "bold" }, ...about, ...changed], columns);
}
