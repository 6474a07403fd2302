/** The way to everything in the catalog: screens for prices, hours and questions, and any other value by its path. */
import { Text } from "ink";
import type { Path } from "../../../src/catalog/path.ts";
import { findSetting, readTyped } from "../../../src/catalog/settings.ts";
import { EditError } from "../../../src/catalog/source.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { LEAST } from "../../terminal/columns.ts";
import { changesToSave, describeChange, isUnsaved, latest, shown, valueChange } from "../editor/draft.ts";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { key } from "../kit/bindings.tsx";
import { Table, useSelection } from "../kit/list.tsx";
import { type MenuEntry, type ScreenName, useScreen } from "../kit/screen.ts";
import { type Line, Lines, wrapLines } from "../kit/text.tsx";

const TITLE = "Change the catalog";
const PLACES: readonly ScreenName[] = ["prices", "addons", "hours", "faqs", "texts"];

function CatalogMenu({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const { open, menu, say, ask } = useScreen();
  const entries = menu.filter(({ name }) => PLACES.includes(name));
  // The line for any value comes last.
  const selection = useSelection(entries.length + 1);
  const changeAny = async () => {
    const source = latest(draft).source;
    const typed = await ask.text({
      label: "Path, like scheduling.bays",
      submit: "next",
      check: (typed) => pathIssue(source, typed),
    });
    if (typed === undefined) return;
    const { path } = findSetting(source, typed);
    const changeTo = (typed: string) => valueChange(draft, path, readTyped(path, typed));
    const value = await ask.text({
      label: path.join("."),
      initial: typedForm(path, valueAt(source, path)),
      submit: "accept",
      check: (typed) => editor.refusal(changeTo(typed)),
    });
    if (value !== undefined) editor.make(changeTo(value));
  };
  const go = ({ name }: MenuEntry) =>
    isUnsaved(draft)
      ? say({ kind: "error", text: "Save the changes made here first (s), or take them back (u)." })
      : open(name);
  const chosen = entries[selection.index];
  return (
    <EditorFrame
      title={TITLE}
      about="Everything the shop sells and how it works. Notes and layout of the file stay as they are."
      editor={editor}
      keys={[
        ...selection.keys,
        key("enter", "open", () => (chosen ? go(chosen) : void changeAny()), "Open the screen, or ask for a path."),
        key("e", "any value", () => changeAny(), "Change any single value by its path, like scheduling.bays."),
      ]}
      dialog={ask.dialog}
    >
      {({ columns, rows }) => (
        <>
          <Table
            columns={[
              { name: "", value: ({ key }) => key },
              { name: "what", value: ({ title }) => title },
              { name: "", value: ({ about }) => about, min: LEAST },
            ]}
            rows={[
              ...entries.map(({ title, about }) => ({ key: "", title, about })),
              { key: "e", title: "Any value", about: "by its path, like scheduling.bays or business.phone" },
            ]}
            id={({ title }) => title}
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
function typedForm(path: Path, value: unknown): string {
  return value === undefined ? "" : value === null ? "null" : shown(path, value);
}
