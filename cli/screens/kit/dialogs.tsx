/** Questions for the `dialog` of a frame; each takes all keys until it is answered. */
import { Text } from "ink";
import { type ReactNode, useState } from "react";
import { issueIn } from "../../typed/values.ts";
import { bindingFor, Footer, footerLines, type KeyBinding, key, useKeys } from "./bindings.tsx";
import { type KeyPress, useKeyPress } from "./keyboard.tsx";
import { Paragraph, useTerminalSize } from "./text.tsx";
import { lineOf, selected, shownLine, trimmedText, typeInto } from "./typed-line.ts";

interface ConfirmProps {
  question: string;
  /** The effect of a yes, in a sentence. */
  consequence?: string;
  /** The words behind `y`, such as `cancel the booking`. */
  yes: string;
  onYes: () => void;
  /** Takes the question down, before a yes is acted on. */
  close: () => void;
}

/** A yes needs `y`: an Enter pressed by mistake does no harm. */
export function Confirm({ question, consequence = "", yes, onYes, close }: ConfirmProps) {
  const agree = () => {
    close();
    onYes();
  };
  return (
    <Choice
      question={question}
      consequence={consequence}
      choices={[key("y", yes, agree)]}
      onCancel={close}
      cancel="no, go back"
      cancelKeys={["n", "esc"]}
    />
  );
}

interface ChoiceProps {
  question: string;
  consequence?: string;
  choices: readonly KeyBinding[];
  cancel?: string;
  cancelKeys?: readonly string[];
  onCancel: () => void;
}

/** A question with a few answers, one key each. */
export function Choice({
  question,
  consequence = "",
  choices,
  cancel = "go back",
  cancelKeys = ["esc"],
  onCancel,
}: ChoiceProps) {
  const { columns } = useTerminalSize();
  const keys: KeyBinding[] = [
    ...choices,
    {
      on: cancelKeys,
      label: cancelKeys.map((name) => (name === "esc" ? "Esc" : name)).join("/"),
      does: cancel,
      run: onCancel,
    },
  ];
  useKeys(keys);
  return (
    <>
      <Paragraph text={question} width={columns} most={2} look="question" />
      <Paragraph text={consequence} width={columns} most={2} />
      <Footer lines={footerLines(keys, columns).slice(0, 1)} width={columns} />
    </>
  );
}

interface LeaveProps {
  question?: string;
  leave: () => void;
  close: () => void;
}

/** Asks before what was typed is lost. */
export function Leave({ question = "Leave? What was typed is lost.", leave, close }: LeaveProps) {
  return <Confirm question={question} yes="drop it and leave" onYes={leave} close={close} />;
}

/** Asks whether the customer hears of a change, where the shop tells of such changes. */
export function Tell({ onAnswer, close }: { onAnswer: (isQuiet: boolean) => void; close: () => void }) {
  return (
    <Choice
      question="Tell the customer?"
      consequence="A change that you undo at once is told to nobody."
      choices={[key("y", "yes", () => onAnswer(false)), key("n", "no", () => onAnswer(true))]}
      onCancel={close}
    />
  );
}

export interface PromptProps {
  /** Names the text: `Reason`. */
  label: string;
  /** What stands there now: typing replaces it. One that is too long to be seen whole is edited in place. */
  initial?: string;
  /** A text that goes on where it ends: one that was begun with the key that opened the question, or prose. */
  begun?: string;
  /** The effect of Enter: `save`. */
  submit: string;
  /** The question belongs to a field of a form: Tab takes the text, too, and goes on. */
  isInForm?: boolean;
  /** @returns why the text is refused, or null */
  check?: (text: string) => string | null;
  onSubmit: (text: string) => void;
  /** Takes the question down, before a text is acted on. */
  close: () => void;
  /** By default only closes. */
  onCancel?: () => void;
}

/** Asks for a line of text. */
export function Prompt(props: PromptProps) {
  const {
    label,
    initial = "",
    begun = "",
    submit,
    isInForm = false,
    check = () => null,
    onSubmit,
    close,
    onCancel = close,
  } = props;
  const { columns } = useTerminalSize();
  // A long label has a line of its own.
  const isLong = Bun.stringWidth(label) > columns / 2;
  const head = isLong ? "› " : `${label}: `;
  const room = columns - Bun.stringWidth(head);
  const [line, setLine] = useState(() => {
    const isSeen = Bun.stringWidth(initial) + 2 <= room;
    return initial !== "" && isSeen ? selected(lineOf(initial)) : lineOf(initial || begun);
  });
  const [isTried, setTried] = useState(false);
  const text = trimmedText(line);
  // A check may read the whole catalog: it is asked from the first Enter on.
  const issue = isTried ? check(text) : null;
  const keys = [
    {
      ...key("enter", submit, () => {
        if (check(text) !== null) return setTried(true);
        close();
        onSubmit(text);
      }),
      on: isInForm ? ["enter", "tab"] : ["enter"],
    },
    key("esc", "cancel", onCancel),
    ...(line.isSelected ? [REPLACE] : []),
    ...(initial + begun === "" ? [] : [{ ...EMPTY, run: () => setLine(lineOf("")) }]),
  ];
  useKeyPress((press) => {
    const binding = bindingFor(keys, press);
    if (binding) binding.run(press);
    else setLine((old) => typeInto(old, press));
  });
  return (
    <>
      <Paragraph text={isLong ? `${label}:` : ""} width={columns} most={2} look="question" />
      <Text>
        <Text bold color="yellow">
          {head}
        </Text>
        {shownLine(line, room, true)}
      </Text>
      <Paragraph text={issue !== null ? `✗ ${issue}` : ""} width={columns} most={isLong ? 2 : 3} look="error" />
      <Footer lines={footerLines(keys, columns).slice(0, 1)} width={columns} />
    </>
  );
}

/** What typing and the arrows do to a selected text, for the footer. */
export const REPLACE: KeyBinding = { on: [], label: "a-z", does: "replace, ←→ edit", run: () => {} };
const EMPTY = { on: ["ctrl+u"], label: "Ctrl+U", does: "empty" } as const;

interface TypedPromptProps<Value> extends Omit<PromptProps, "check" | "onSubmit"> {
  /** @throws UsageError, whose message is shown while the text cannot be read */
  read: (text: string) => Value;
  onRead: (value: Value) => void;
}

/** Asks for a text that means something: a day, a time, a percentage. */
export function TypedPrompt<Value>({ read, onRead, ...prompt }: TypedPromptProps<Value>) {
  return <Prompt {...prompt} check={(text) => issueIn(() => read(text))} onSubmit={(text) => onRead(read(text))} />;
}

interface TypingProps {
  /** Names the text: `New value: suv, ceramic, full`. */
  head: string;
  /** Why the last text was refused; null when it was not. */
  refusal: string | null;
  /** Keys and their effects: `["Enter", "accept"]`. */
  keys: readonly (readonly [label: string, does: string])[];
  onKey: (press: KeyPress) => void;
}

/** The `dialog` of a frame while text is typed into the body: it takes all keys. */
export function Typing({ head, refusal, keys, onKey }: TypingProps) {
  const { columns } = useTerminalSize();
  useKeyPress(onKey);
  const named = keys.map(([label, does]) => ({ label, does }));
  return (
    <>
      <Paragraph text={head} width={columns} most={2} look="question" />
      <Paragraph text={refusal === null ? "" : `✗ ${refusal}`} width={columns} most={2} look="error" />
      <Footer lines={footerLines(named, columns).slice(0, 1)} width={columns} />
    </>
  );
}

export interface Actions {
  /** None while a question is open. */
  keys: readonly KeyBinding[];
  /** The open question, for the frame. */
  dialog: ReactNode;
}

/**
 * The question keeps the booking, lead or day it was opened for: the list behind it may change meanwhile.
 * @param keysFor the keys, given a function that opens a question
 * @param draw draws the open question, given a function that closes it and one that asks the next
 */
export function useActions<Question extends object>(
  keysFor: (ask: (question: Question) => void) => readonly KeyBinding[],
  draw: (question: Question, close: () => void, ask: (next: Question) => void) => ReactNode,
): Actions {
  const [question, ask] = useState<Question | null>(null);
  if (question === null) return { keys: keysFor(ask), dialog: null };
  return { keys: [], dialog: draw(question, () => ask(null), ask) };
}
