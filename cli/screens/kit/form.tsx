/** A form: fields that are typed, chosen, put on and off, or have keys of their own, one below the other. */
import { Box, Text } from "ink";
import { Fragment, useState } from "react";
import { type KeyBinding, key, pair } from "./bindings.tsx";
import { type Ask, REPLACE, useAsk } from "./dialogs.tsx";
import { Frame } from "./frame.tsx";
import type { KeyPress } from "./keyboard.tsx";
import { useNav } from "./screen.ts";
import { cut, fit, Lines, type Size, wrap } from "./text.tsx";
import { CARET, lineOf, selected, shownLine, type TypedLine, trimmedText, typeInto } from "./typed-line.ts";

export interface Choice {
  value: string;
  label: string;
}

export interface Field {
  name: string;
  label: string;
  /** Shown beside the field while it is empty; of a choice, while nothing is chosen. */
  hint?: string | ((state: FormState) => string) | undefined;
  initial?: string | undefined;
  /** What to choose from; the first one is chosen where there is no other. Absent where the value is typed. */
  choices?: readonly (string | Choice)[];
  /** The choice that other words stand for: the class of a car. */
  find?: (typed: string) => string | undefined;
  /** Whether such words may go on like this. */
  begins?: (typed: string) => boolean;
  /** It is on, with any text, or off. */
  isToggle?: true;
  /** The text and keys of a field whose value is kept elsewhere. Without a text, the hint is shown on focus. */
  own?: { text: string; isWrong?: boolean; keys: readonly KeyBinding[] };
  /** Prose is edited in place; in any other field typing replaces what stood there. */
  isProse?: boolean;
  /** Begins with the focus, though others stand above it. */
  isFirst?: true;
  /** Whether the field is asked beside what stands in the others; always where it is left out. */
  isAsked?: (values: FormValues) => boolean;
  /** @returns why the text is refused, in a sentence, or null */
  check?: ((text: string) => string | null) | undefined;
}

/** Texts by the name of the field; empty where it is not asked. */
export type FormValues = Readonly<Record<string, string>>;

/** A record of values as texts; what is not there is empty. */
export function asTexts(values: Record<string, unknown>): FormValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? "")]));
}

export interface FormState {
  /** The field with the focus. */
  at: string;
  lines: Readonly<Record<string, TypedLine>>;
  /** The letters that look for a choice there. */
  search: string;
}

export function newState(fields: readonly Field[]): FormState {
  const lines = Object.fromEntries(fields.map((one) => [one.name, startOf(one)]));
  const first = fields.find(({ isFirst }) => isFirst) ?? fields[0];
  const state = { at: "", lines, search: "" };
  return first ? focusOn(state, first) : state;
}

function startOf({ initial = "", choices }: Field): TypedLine {
  return lineOf(initial || (choicesIn({ choices: choices ?? [] })[0]?.value ?? ""));
}

function choicesIn({ choices = [] }: Pick<Field, "choices">): Choice[] {
  return choices.map((one) => (typeof one === "string" ? { value: one, label: one } : one));
}

/** The text of a field, trimmed. */
export function textIn({ lines }: FormState, name: string): string {
  const line = lines[name];
  return line ? trimmedText(line) : "";
}

export function withTexts(state: FormState, texts: FormValues): FormState {
  const lines = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, lineOf(text)]));
  return { ...state, lines: { ...state.lines, ...lines }, search: "" };
}

/** The form with the focus on a field: what is typed replaces what stands there, but of prose and of what was refused. */
export function focusOn(state: FormState, { name, isProse, choices, isToggle }: Field, isRefused = false): FormState {
  const line = state.lines[name] ?? lineOf("");
  const isEdited = isProse || isRefused || choices || isToggle;
  return {
    at: name,
    search: "",
    lines: { ...state.lines, [name]: isEdited ? lineOf(line.characters.join("")) : selected(line) },
  };
}

/** The field above or below, from the last one to the first. */
export function moveBy(state: FormState, fields: readonly Field[], by: number): FormState {
  const at = fields.findIndex(({ name }) => name === state.at);
  const next = fields[(at + by + fields.length) % fields.length];
  return next ? focusOn(state, next) : state;
}

/** The next choice, or the one before; what is on goes off. */
function turned(state: FormState, field: Field, by: number): FormState {
  const now = textIn(state, field.name);
  if (field.isToggle) return withTexts(state, { [field.name]: now === "" ? "yes" : "" });
  const choices = choicesIn(field);
  const at = choices.findIndex(({ value }) => value === now);
  const next = choices[(at + by + choices.length) % choices.length];
  return next ? withTexts(state, { [field.name]: next.value }) : state;
}

function choiceNamed(field: Field, typed: string, from = 0): string | undefined {
  const choices = choicesIn(field);
  const isNamed = (word: string) => word.toLowerCase().startsWith(typed.toLowerCase());
  return [...choices.slice(from), ...choices.slice(0, from)].find(({ value, label }) =>
    [label, value, value.replace(/^US-/, "")].some(isNamed),
  )?.value;
}

/** One letter goes to the next choice that begins with it; more of them find one by its name, or by what it stands for. */
function sought(state: FormState, field: Field, text: string): FormState {
  const put = (value: string, search: string) => ({ ...withTexts(state, { [field.name]: value }), search });
  const whole = state.search + text;
  const next = choicesIn(field).findIndex(({ value }) => value === textIn(state, field.name)) + 1;
  const found = choiceNamed(field, whole, whole.length > 1 ? 0 : next) ?? field.find?.(whole);
  if (found !== undefined) return put(found, whole);
  // More of a name is to come.
  if (field.begins?.(whole)) return { ...state, search: whole };
  const other = choiceNamed(field, text, next);
  return other === undefined ? state : put(other, text);
}

/** Characters that begin a search by letters; `q`, `?`, `:` and `/` keep their own meaning. */
export const LETTERS = [..."0123456789-.abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ", "paste"];

export function fieldKeys(
  field: Field,
  state: FormState,
  change: (next: (state: FormState) => FormState) => void,
): readonly KeyBinding[] {
  if (field.own) return field.own.keys;
  const turn = (by: number) => change((old) => turned(old, field, by));
  if (field.isToggle) return [pair(["left"], ["right", "space"], "Space", "on/off", "Put it on or off.", turn)];
  if (!field.choices) {
    const line = state.lines[field.name] ?? lineOf("");
    const type = (old: FormState, press: KeyPress): FormState => {
      return { ...old, lines: { ...old.lines, [field.name]: typeInto(old.lines[field.name] ?? lineOf(""), press) } };
    };
    return [
      {
        on: ["left", "right", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+u"],
        takesText: true,
        label: "a-z",
        does: line.isSelected ? REPLACE.does : "type",
        run: (press) => change((old) => type(old, press)),
      },
    ];
  }
  const look = (text: string) =>
    change((old) => (text === " " && old.search === "" ? turned(old, field, 1) : sought(old, field, text)));
  const takesQ = state.search !== "" && field.begins?.(`${state.search}q`);
  return [
    pair(["left"], ["right"], "←→", "choose", "The choice before or after.", turn),
    {
      on: [...LETTERS, "space", ...(takesQ ? ["q", "Q"] : [])],
      label: "a-z",
      does: null,
      help: "The choice that begins so.",
      run: ({ text }) => look(text),
    },
    {
      on: ["backspace"],
      ...{ label: "⌫", does: null, help: "Take back a letter." },
      run: () => change((old) => ({ ...old, search: old.search.slice(0, -1) })),
    },
  ];
}

export interface Filled {
  /** The values that are not as they stood there first, and as they stood there. */
  changed: FormValues;
  were: FormValues;
  /** For what only comes up then. */
  ask: Ask;
}

interface FormProps {
  title: string;
  about: string;
  /** The effect of Enter on the last field. */
  submit: string;
  fields: readonly Field[];
  onSubmit: (values: FormValues, filled: Filled) => void;
  onCancel: () => void;
}

export function Form({ title, about, submit, fields, onSubmit, onCancel }: FormProps) {
  const { say } = useNav();
  const ask = useAsk();
  const [state, setState] = useState(() => newState(fields));
  const typed = Object.fromEntries(fields.map(({ name }) => [name, textIn(state, name)]));
  const asked = fields.filter(({ isAsked }) => isAsked?.(typed) ?? true);
  const values = Object.fromEntries(
    fields.map((one) => [one.name, asked.includes(one) ? (typed[one.name] ?? "") : ""]),
  );
  const others = asked.filter((one) => values[one.name] !== trimmedText(startOf(one)));
  const changed = Object.fromEntries(others.map(({ name }) => [name, values[name] ?? ""]));
  const field = asked.find(({ name }) => name === state.at);
  const go = (by: number) => setState((old) => moveBy(old, asked, by));
  const send = () => {
    for (const one of asked) {
      const issue = one.check?.(values[one.name] ?? "") ?? null;
      if (issue === null) continue;
      setState((old) => focusOn(old, one, true));
      return say({ kind: "error", text: issue });
    }
    onSubmit(values, { changed, were: Object.fromEntries(others.map((one) => [one.name, one.initial ?? ""])), ask });
  };
  const leave = async (leave: () => void) => {
    if (others.length === 0 || (await ask.yes(LEAVE, "drop it and leave"))) leave();
  };
  const isLast = field === asked.at(-1);
  const keys: KeyBinding[] = [
    pair(["up", "backtab"], ["down", "tab"], "↑↓", "field", "Go to the field above or below.", go),
    key("enter", isLast ? submit : "next", isLast ? send : () => go(1)),
    { ...key("ctrl+s", submit, send), ...(isLast && { does: null }) },
    key("esc", "cancel", () => leave(onCancel)),
    ...(field ? fieldKeys(field, state, setState) : []),
  ];
  return (
    <Frame title={title} about={about} keys={keys} dialog={ask.dialog} beforeLeaving={(go) => leave(go)}>
      {({ columns, rows }) => {
        const head = wrap(about, columns);
        return (
          <Box flexDirection="column">
            <Lines lines={[...head, ""]} width={columns} />
            <Fields fields={asked} state={state} size={{ columns, rows: rows - head.length - 1 }} />
          </Box>
        );
      }}
    </Frame>
  );
}

const LEAVE = "Leave? What was typed is lost.";

interface FieldsProps {
  fields: readonly Field[];
  state: FormState;
  size: Size;
  /** Columns for the labels; as many as the longest one takes where it is left out. */
  label?: number;
  /** Why a value is refused, by the name of its field. */
  issues?: FormValues;
}

/** As many fields as fit around the one with the focus. */
export function Fields({ fields, state, size: { columns, rows }, label: given, issues = {} }: FieldsProps) {
  const label = given ?? Math.max(...fields.map((one) => Bun.stringWidth(one.label))) + 2;
  // Prose takes the room that the other fields leave.
  const proseRows = Math.max(1, rows - fields.length + 1);
  const drawn = fields.flatMap((field) => {
    const isHere = field.name === state.at;
    const head = isHere ? "› " : "  ";
    if (field.isToggle)
      return (
        <Text bold={isHere}>
          {head}
          <Text inverse={isHere}>{textIn(state, field.name) === "" ? "[ ]" : "[x]"}</Text>{" "}
          {cut(field.label, columns - 6)}
        </Text>
      );
    const isWrong = field.own?.isWrong || (issues[field.name] !== undefined && textIn(state, field.name) !== "");
    const { texts, hint } = drawnValue(field, state, columns - label - 2, proseRows);
    return texts.map((text, row) => (
      // biome-ignore lint/correctness/useJsxKeyInIterable: named below
      <Text>
        <Text bold={isHere}>{(row === 0 ? head : "  ") + fit(row === 0 ? field.label : "", label)}</Text>
        <Text inverse={isHere && text.startsWith("‹")} {...(isWrong && { color: "red" })}>
          {text}
        </Text>
        <Text dimColor>{hint}</Text>
      </Text>
    ));
  });
  const at = fields.findIndex(({ name }) => name === state.at);
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), drawn.length - rows));
  return (
    <Box flexDirection="column">
      {drawn.slice(first, first + rows).map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
        <Fragment key={i}>{row}</Fragment>
      ))}
    </Box>
  );
}

function drawnValue(field: Field, state: FormState, room: number, proseRows: number) {
  const isHere = field.name === state.at;
  const { hint: given = "", own } = field;
  const hint = typeof given === "string" ? given : given(state);
  if (own && own.text === "") return { texts: [""], hint: isHere ? cut(hint, room) : "" };
  if (own) return { texts: [`‹ ${cut(own.text, room - 4)} ›`], hint: "" };
  if (field.choices) {
    const label = choicesIn(field).find(({ value }) => value === textIn(state, field.name))?.label ?? hint;
    return { texts: [`‹ ${cut(isHere ? withSearch(label, field, state) : label, room - 4)} ›`], hint: "" };
  }
  const line = state.lines[field.name] ?? lineOf("");
  if (line.characters.length === 0) return { texts: [isHere ? CARET : ""], hint: cut(hint, room - 1) };
  return {
    texts: field.isProse ? aroundCaret(line, room, proseRows, isHere) : [shownLine(line, room, isHere)],
    hint: "",
  };
}

/** The choice, and what was typed so far of a name that is not found yet: `sedan: highl`. */
function withSearch(label: string, field: Field, { search }: FormState): string {
  const isFound = search === "" || choiceNamed(field, search) !== undefined || field.find?.(search) !== undefined;
  return isFound ? label : `${label}: ${search}`;
}

/** Wrapped, as many lines as fit around the caret. */
function aroundCaret({ characters, caret }: TypedLine, width: number, rows: number, hasCaret: boolean): string[] {
  const lines = wrap((hasCaret ? characters.toSpliced(caret, 0, CARET) : characters).join(""), width);
  const at = lines.findIndex((line) => line.includes(CARET));
  const first = Math.max(0, Math.min(at - Math.floor(rows / 2), lines.length - rows));
  return lines.slice(first, first + rows);
}
