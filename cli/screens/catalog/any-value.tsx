/** Changing any single value of the catalog by its path: first the path is asked for, then the value. */
import { EditError } from "../../../src/catalog/edit-error.ts";
import type { Path } from "../../../src/catalog/path.ts";
import { findPlace, readTyped } from "../../../src/catalog/places.ts";
import { valueAt } from "../../../src/lib/fields.ts";
import { type Change, shown } from "../editor/change.ts";
import { Prompt } from "../kit/widgets/dialogs.tsx";

export type ValueQuestion = { about: "path" } | { about: "value"; path: Path };

interface AnyValueDialogProps {
  question: ValueQuestion;
  /** The values as they stand in the draft. */
  source: unknown;
  /** Asks the next question; null closes the dialog. */
  ask: (question: ValueQuestion | null) => void;
  onChange: (change: Change) => void;
}

export function AnyValueDialog({ question, source, ask, onChange }: AnyValueDialogProps) {
  if (question.about === "path")
    return (
      <Prompt
        key="path"
        label="Path, like scheduling.bays"
        submit="next"
        check={(typed) => pathFault(source, typed)}
        onSubmit={(typed) => ask({ about: "value", path: findPlace(source, typed).path })}
        onCancel={() => ask(null)}
      />
    );
  const { path } = question;
  const was = valueAt(source, path);
  const what = path.join(".");
  return (
    <Prompt
      key="value"
      label={what}
      initial={startOf(path, was)}
      submit="accept"
      onSubmit={(typed) => {
        onChange({ kind: "value", what, path, was, now: readTyped(path, typed) });
        ask(null);
      }}
      onCancel={() => ask(null)}
    />
  );
}

/** @returns why a path names no single value, or null */
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

/** The text to correct; a key that is not set begins empty. */
function startOf(path: Path, value: unknown): string {
  return value === undefined ? "" : value === null ? "null" : shown(path, value);
}
