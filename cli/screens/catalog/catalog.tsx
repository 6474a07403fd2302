/** Where to change the catalog: the screens for what changes every week, and any other value by its path. */
import { Text } from "ink";
import { useState } from "react";
import { EditError } from "../../../src/catalog/edit-error.ts";
import type { Path } from "../../../src/catalog/path.ts";
import { findPlace, readTyped } from "../../../src/catalog/places.ts";
import { inWords, shown, valueAt } from "../editor/change.ts";
import { isUnsaved, latest, summary } from "../editor/draft.ts";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { useNav } from "../kit/shell/navigation.ts";
import type { ScreenName } from "../kit/shell/screen-names.ts";
import { type Line, Lines, wrapLines } from "../kit/text/lines.tsx";
import { Prompt } from "../kit/widgets/dialogs.tsx";
import { Table, useSelection } from "../kit/widgets/list.tsx";

const TITLE = "Change the catalog";
const PLACES: readonly ScreenName[] = ["prices", "addons", "hours", "faqs"];

type Asking = { kind: "path" } | { kind: "value"; path: Path } | null;

function CatalogMenu({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const { open, menu, say } = useNav();
  const [asking, ask] = useState<Asking>(null);
  const entries = menu.filter(({ name }) => PLACES.includes(name));
  const selection = useSelection(entries.length + 1);
  const { source } = latest(draft);
  const go = (name: ScreenName) =>
    isUnsaved(draft)
      ? say({ kind: "error", text: "Save the changes made here first (s), or take them back (u)." })
      : open(name);
  const keys: KeyBinding[] = [
    ...selection.keys,
    key(
      "enter",
      "open",
      () => {
        const entry = entries[selection.index];
        if (entry) go(entry.name);
        else ask({ kind: "path" });
      },
      "Open the screen, or ask for a path.",
    ),
    ...entries.map((entry) => ({
      on: [entry.key],
      label: entry.key,
      does: null,
      help: entry.title,
      run: () => go(entry.name),
    })),
    key("v", "any value", () => ask({ kind: "path" }), "Change any single value by its path, like scheduling.bays."),
  ];
  const take = (path: Path, typed: string) => {
    const refusal = editor.make({
      kind: "value",
      what: path.join("."),
      path,
      was: valueAt(source, path),
      now: readTyped(path, typed),
    });
    say(refusal === null ? null : { kind: "error", text: refusal });
    ask(null);
  };
  const dialog =
    asking?.kind === "path" ? (
      <Prompt
        key="path"
        label="Path, like scheduling.bays"
        submit="next"
        check={(typed) => pathFault(source, typed)}
        onSubmit={(typed) => ask({ kind: "value", path: findPlace(source, typed).path })}
        onCancel={() => ask(null)}
      />
    ) : (
      asking && (
        <Prompt
          key="value"
          label={asking.path.join(".")}
          initial={startOf(asking.path, valueAt(source, asking.path))}
          submit="accept"
          onSubmit={(typed) => take(asking.path, typed)}
          onCancel={() => ask(null)}
        />
      )
    );
  return (
    <EditorFrame
      title={TITLE}
      about="Everything the shop sells and how it works. Notes and layout of the file stay as they are."
      editor={editor}
      keys={keys}
      dialog={dialog}
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
  const changes = summary(draft).map(inWords);
  if (changes.length === 0) return [];
  return [
    { text: "* Not saved yet:", look: "warning" },
    ...changes.map(({ what, old, now }) => ({ text: `${what}: ${old} → ${now}` })),
  ];
}

/** @returns why there is no single value at what was typed, or null */
function pathFault(source: unknown, typed: string): string | null {
  try {
    const { value } = findPlace(source, typed);
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? `${typed} is a group: it has ${Object.keys(value).join(", ")}.` : null;
  } catch (error) {
    if (error instanceof EditError) return error.message;
    throw error;
  }
}

/** The value to correct; a key that is not set begins empty. */
function startOf(path: Path, value: unknown): string {
  return value === undefined ? "" : value === null ? "null" : shown(path, value);
}

export const Screen = editorScreen(CatalogMenu, TITLE);
