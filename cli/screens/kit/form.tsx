/** A form: fields that are typed, chosen or put on and off, one below the other. */
import { Box, Text } from "ink";
import { useState } from "react";
import { type KeyBinding, key, pair } from "./bindings.tsx";
import { type Ask, REPLACE, useAsk } from "./dialogs.tsx";
import { Frame } from "./frame.tsx";
import { useNav } from "./navigation.ts";
import { cut, fit, Lines, type Size, wrap } from "./text.tsx";
import { CARET, lineOf, selected, shownLine, type TypedLine, trimmedText, typeInto } from "./typed-line.ts";

interface Field {
  name: string;
  label: string;
  /** Shown beside the field while it is empty. */
  hint?: string | undefined;
  initial?: string | undefined;
  /** The words to choose from; the first one is chosen where there is no other. Absent where the value is typed. */
  choices?: readonly string[];
  /** Prose is edited in place; in any other field typing replaces what stood there. */
  isProse?: boolean;
  /** Begins with the focus, though others stand above it. */
  isFirst?: true;
  /** Whether the field is asked beside what stands in the others; always where it is left out. */
  isAsked?: (values: FormValues) => boolean;
  /** @returns why the text is refused, to follow the label (`must be a number`), or null */
  check?: (text: string) => string | null;
}

/** Texts by the name of the field; empty where it is not asked. */
export type FormValues = Readonly<Record<string, string>>;

interface FormProps {
  title: string;
  about: string;
  /** The effect of Enter on the last field. */
  submit: string;
  fields: readonly Field[];
  /** @param changed the values that are not as they stood there first @param ask for what only comes up then */
  onSubmit: (values: FormValues, changed: FormValues, ask: Ask) => void;
  onCancel: () => void;
}

export function Form({ title, about, submit, fields, onSubmit, onCancel }: FormProps) {
  const { say } = useNav();
  const ask = useAsk();
  const first = Math.max(
    0,
    fields.findIndex(({ isFirst }) => isFirst),
  );
  const [lines, setLines] = useState<readonly TypedLine[]>(() =>
    fields.map((field, i) => (i === first && !field.isProse ? selected(startOf(field)) : startOf(field))),
  );
  const [at, setAt] = useState(first);
  const typed = Object.fromEntries(fields.map(({ name }, i) => [name, trimmedText(lines[i] ?? lineOf(""))]));
  const asked = fields.filter(({ isAsked }) => isAsked?.(typed) ?? true);
  const values = Object.fromEntries(
    fields.map((one) => [one.name, asked.includes(one) ? (typed[one.name] ?? "") : ""]),
  );
  const before = (field: Field) => trimmedText(startOf(field));
  const changed = Object.fromEntries(
    asked.flatMap((one) => (values[one.name] === before(one) ? [] : [[one.name, values[one.name] ?? ""]])),
  );
  const field = fields[at];
  const put = (next: (line: TypedLine) => TypedLine, where = at) =>
    setLines((old) => old.map((line, i) => (i === where ? next(line) : line)));
  const goTo = (row: number) => {
    setAt(row);
    if (!fields[row]?.isProse) put(selected, row);
  };
  const place = field ? asked.indexOf(field) : 0;
  const go = (by: number) => {
    const next = asked[(place + by + asked.length) % asked.length];
    if (next) goTo(fields.indexOf(next));
  };
  const send = () => {
    for (const one of asked) {
      const issue = one.check?.(values[one.name] ?? "") ?? null;
      if (issue === null) continue;
      const row = fields.indexOf(one);
      setAt(row);
      // What was refused is corrected, not typed anew.
      put((line) => ({ ...line, isSelected: false }), row);
      return say({ kind: "error", text: one.label + (issue.startsWith(":") ? issue : ` ${issue}`) });
    }
    onSubmit(values, changed, ask);
  };
  const leave = async (leave: () => void) => {
    if (Object.keys(changed).length === 0 || (await ask.yes(LEAVE, "drop it and leave"))) leave();
  };
  const isLast = place === asked.length - 1;
  const keys: KeyBinding[] = [
    pair(
      ["up", "backtab"],
      ["down", "tab"],
      { label: "↑↓", does: "field", help: "Go to the field above or below." },
      go,
    ),
    key("enter", isLast ? submit : "next", isLast ? send : () => go(1)),
    { ...key("ctrl+s", submit, send), ...(isLast && { does: null }) },
    key("esc", "cancel", () => void leave(onCancel)),
    ...(field?.choices ? choiceKeys(field.choices, lines[at], put) : [typing(lines[at], put)]),
  ];
  return (
    <Frame title={title} about={about} keys={keys} dialog={ask.dialog} beforeLeaving={(go) => void leave(go)}>
      {(size) => <Fields {...{ about, fields: asked, at: place, size }} lineOf={(one) => lines[fields.indexOf(one)]} />}
    </Frame>
  );
}

const LEAVE = "Leave? What was typed is lost.";

function startOf({ initial = "", choices }: Field): TypedLine {
  return lineOf(initial || (choices?.[0] ?? ""));
}

type Put = (next: (line: TypedLine) => TypedLine) => void;

function typing(line: TypedLine | undefined, put: Put): KeyBinding {
  return {
    on: ["left", "right", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+u"],
    takesText: true,
    label: "a-z",
    does: line?.isSelected ? REPLACE.does : null,
    run: (press) => put((old) => typeInto(old, press)),
  };
}

/** The arrows go round; a letter goes to the next choice that begins with it. */
function choiceKeys(choices: readonly string[], line: TypedLine | undefined, put: Put): KeyBinding[] {
  const now = choices.indexOf(line ? trimmedText(line) : "");
  const take = (choice: string | undefined) => choice !== undefined && put(() => lineOf(choice));
  const turn = (by: number) => take(choices[(now + by + choices.length) % choices.length]);
  const begun = (text: string) => [...choices.slice(now + 1), ...choices].find((one) => one.startsWith(text));
  const letters = [...new Set(choices.map((choice) => choice.slice(0, 1)))];
  return [
    pair(["left"], ["right", "space"], { label: "←→", does: "choose", help: "The choice before or after." }, turn),
    { on: letters, label: "a-z", does: null, help: "The choice that begins so.", run: ({ text }) => take(begun(text)) },
  ];
}

interface FieldsProps {
  about: string;
  fields: readonly Field[];
  at: number;
  lineOf: (field: Field) => TypedLine | undefined;
  size: Size;
}

function Fields({ about, fields, at, lineOf: lineIn, size: { columns, rows } }: FieldsProps) {
  const label = Math.max(...fields.map((one) => Bun.stringWidth(one.label))) + 2;
  const room = columns - label - 2;
  const head = wrap(about, columns);
  // Prose takes the room that the other fields leave.
  const proseRows = Math.max(1, rows - head.length - fields.length);
  return (
    <Box flexDirection="column">
      <Lines lines={[...head, ""]} width={columns} />
      {fields.flatMap((field, i) => {
        const isHere = i === at;
        const line = lineIn(field) ?? lineOf("");
        const hint = line.characters.length === 0 ? cut(field.hint ?? "", room - 2) : "";
        const texts = field.choices
          ? [`‹ ${cut(trimmedText(line), room - 4)} ›`]
          : field.isProse
            ? aroundCaret(line, room - Bun.stringWidth(hint), proseRows, isHere)
            : [shownLine(line, room - Bun.stringWidth(hint), isHere)];
        return texts.map((text, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
          <Text key={`${field.name} ${row}`}>
            {isHere && row === 0 ? "› " : "  "}
            <Text bold={isHere}>{fit(row === 0 ? field.label : "", label)}</Text>
            <Text inverse={isHere && field.choices !== undefined}>{text}</Text>
            <Text dimColor>{hint}</Text>
          </Text>
        ));
      })}
    </Box>
  );
}

/** Wrapped, as many lines as fit around the caret. */
function aroundCaret({ characters, caret }: TypedLine, width: number, rows: number, hasCaret: boolean): string[] {
  const lines = wrap((hasCaret ? characters.toSpliced(caret, 0, CARET) : characters).join(""), width);
  const at = lines.findIndex((line) => line.includes(CARET));
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), lines.length - rows));
  return lines.slice(first, first + rows);
}
