/** The way to everything in the catalog: screens for prices, hours and questions, and any other value by its path. */
import { Text } from "ink";
import { useState } from "react";
import { EditError } from "../../../src/catalog/edit-error.ts";
import type { Path } from "../../../src/catalog/path.ts";
import { findSetting, readTyped } from "../../../src/catalog/settings.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { type Change, describeChange, shown } from "../editor/change.ts";
import { changesToSave, isUnsaved, latest } from "../editor/draft.ts";
import { EditorFrame, editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { type KeyBinding, key } from "../kit/bindings.tsx";
import { Prompt } from "../kit/dialogs.tsx";
import { Table, useSelection } from "../kit/list.tsx";
import { type MenuEntry, type ScreenName, useNav } from "../kit/navigation.ts";
import { type Line, Lines, wrapLines } from "../kit/text.tsx";

const TITLE = "Change the catalog";
const PLACES: readonly ScreenName[] = ["prices", "addons", "hours", "faqs", "texts"];

function CatalogMenu({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const { open, menu, say } = useNav();
  const [question, ask] = useState<ValueQuestion | null>(null);
  const entries = menu.filter(({ name }) => PLACES.includes(name));
  // The line for any value comes last.
  const selection = useSelection(entries.length + 1);
  const askForPath = () => ask({ about: "path" });
  const go = ({ name }: MenuEntry) =>
    isUnsaved(draft)
      ? say({ kind: "error", text: "Save the changes made here first (s), or take them back (u)." })
      : open(name);
  const chosen = entries[selection.index];
  const keys: KeyBinding[] = [
    ...selection.keys,
    key("enter", "open", () => (chosen ? go(chosen) : askForPath()), "Open the screen, or ask for a path."),
    ...entries.map((entry) => ({
      on: [entry.key],
      label: entry.key,
      does: null,
      help: entry.title,
      run: () => go(entry),
    })),
    key("v", "any value", askForPath, "Change any single value by its path, like scheduling.bays."),
  ];
  return (
    <EditorFrame
      title={TITLE}
      about="Everything the shop sells and how it works. Notes and layout of the file stay as they are."
      editor={editor}
      keys={keys}
      dialog={
        question && (
          <AnyValueDialog
            question={question}
            source={latest(draft).source}
            ask={ask}
            onChange={editor.makeOrSay}
            refusal={editor.refusal}
          />
        )
      }
    >
      {({ columns, rows }) => (
        <>
          <Table
            columns={[{ head: "", width: 3 }, { head: "what", width: 16 }, { head: "" }]}
            rows={[
              ...entries.map((entry) => ({ key: entry.name, cells: [entry.key, entry.title, entry.about] })),
              { key: "path", cells: ["v", "Any value", "by its path, like scheduling.bays or business.phone"] },
            ]}
            selected={selection.index}
            width={columns}
            height={entries.length + 2}
            empty=""
          />
          <Text> </Text>
          <Lines lines={wrapLines(changeLines(editor), columns).slice(0, rows - entries.length - 3)} width={columns} />
        </>
      )}
    </EditorFrame>
  );
}

function changeLines({ draft }: Editor): Line[] {
  const changes = changesToSave(draft).map(describeChange);
  if (changes.length === 0) return [];
  return [
    { text: "* Not saved yet:", look: "warning" },
    ...changes.map(({ what, old, now }) => ({ text: `${what}: ${old} → ${now}` })),
  ];
}

export const Screen = editorScreen(CatalogMenu, TITLE);

export type ValueQuestion = { about: "path" } | { about: "value"; path: Path };

interface AnyValueDialogProps {
  question: ValueQuestion;
  /** The values as they are in the draft. */
  source: unknown;
  /** Asks the next question; null closes the dialog. */
  ask: (question: ValueQuestion | null) => void;
  onChange: (change: Change) => void;
  /** @returns why a change would be refused, or null */
  refusal: (change: Change) => string | null;
}

/** Asks for the path of any single value of the catalog, then for the value. */
export function AnyValueDialog({ question, source, ask, onChange, refusal }: AnyValueDialogProps) {
  if (question.about === "path")
    return (
      <Prompt
        key="path"
        label="Path, like scheduling.bays"
        submit="next"
        check={(typed) => pathIssue(source, typed)}
        onSubmit={(typed) => ask({ about: "value", path: findSetting(source, typed).path })}
        close={() => ask(null)}
      />
    );
  const { path } = question;
  const was = valueAt(source, path);
  const what = path.join(".");
  const changeTo = (typed: string): Change => ({ kind: "value", what, path, was, now: readTyped(path, typed) });
  return (
    <Prompt
      key="value"
      label={what}
      initial={startOf(path, was)}
      submit="accept"
      check={(typed) => refusal(changeTo(typed))}
      onSubmit={(typed) => onChange(changeTo(typed))}
      close={() => ask(null)}
    />
  );
}

/** @returns why a path names no single value, or null */
function pathIssue(source: unknown, typed: string): string | null {
  try {
    const { value } = findSetting(source, typed);
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? `${typed} is a group: it has ${Object.keys(value).join(", ")}.` : null;
  } catch (error) {
    if (error instanceof EditError) return error.message;
    throw error;
  }
}

/** The text to correct; a key that is not set begins empty. */
function startOf(path: Path, value: unknown): string {
  return value === undefined ? "" : value === null ? "null" : shown(path, value);
}
