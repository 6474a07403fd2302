/** The frame of every screen that changes the catalog: undo, save, and a question before changes are lost. */
import { Box, Text } from "ink";
import { type ComponentType, type ReactNode, useContext, useState } from "react";
import { isListPrice } from "../../../src/catalog/edit/everyday.ts";
import { counted } from "../../../src/lib/text.ts";
import { editWarnings } from "../../catalog/edits.ts";
import { priceChangeInWords, reprice } from "../../catalog/reprice.ts";
import { type Keys, key, useKeys } from "../kit/bindings.tsx";
import { CatalogIssueScreen } from "../kit/catalog-issues.tsx";
import { useAsk } from "../kit/dialogs.tsx";
import { Frame } from "../kit/frame.tsx";
import { InFront } from "../kit/keyboard.tsx";
import { useScroll } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import { catalogWord, useShop } from "../kit/shop.ts";
import { fit, type Line, type Size, wrapLines } from "../kit/text.tsx";
import { type Change, describeChange, replacedInWords } from "./change.ts";
import { changesToSave, type Draft, isUnsaved, latest, undo } from "./draft.ts";
import { type Editor, useEditor, useSaveDraft } from "./use-editor.ts";

/** A screen over a draft of the catalog. While the file has a mistake there is nothing to edit. */
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
  keys: Keys;
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
  const changes = changesToSave(draft).flatMap((change) => {
    const { what, old, now } = describeChange(change);
    return change.kind === "faq" ? questionLines(change, columns) : [row(what, old, now)];
  });
  const { catalog } = latest(draft);
  const warnings = changesToSave(draft).flatMap((change) => [
    ...(change.isLater ? [`This replaces ${replacedInWords(change)}.`] : []),
    ...(change.kind === "value"
      ? editWarnings(change.path, change.was, change.now, catalog).map((warning) => `${change.what}: ${warning}`)
      : []),
  ]);
  // Prices of the list are the samples themselves: each stands there once.
  const isPriceList = changesToSave(draft).every((change) => change.kind === "value" && isListPrice(change.path));
  const samples = (isPriceList ? [] : reprice(draft.base.catalog, catalog)).map((change): Line => {
    const { sample, old, now } = priceChangeInWords(change, catalog);
    return { ...row(sample, old, now), look: "dim" };
  });
  return [
    ...(changes.length > 0 ? [{ ...row("", "old", "new"), look: "dim" as const }] : []),
    ...changes,
    ...wrapLines(
      warnings.map((text) => ({ text, look: "warning" as const })),
      columns,
    ),
    ...(samples.length > 0 ? [{ text: "" }, { text: "Sample prices" }, ...samples] : []),
  ];
}

/** Makes a line with a name, the old value and the new one, in columns. */
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
