/** Questions for the `dialog` of a frame; each takes all keys until it is answered. */
import { Text } from "ink";
import { Fragment, type ReactNode, useRef, useState } from "react";
import { ShadeNotLegal, UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import { issueIn } from "../../typed/values.ts";
import { bindingFor, Footer, footerLines, type KeyBinding, type Keys, key } from "./bindings.tsx";
import { useQuestionKeys } from "./keyboard.tsx";
import { Paragraph, useTerminalSize } from "./text.tsx";
import { lineOf, selected, shownLine, trimmedText, typeInto } from "./typed-line.ts";

type Answer<T> = readonly [key: string, words: string, value: T];

interface ChoiceProps<T> {
  question: string;
  consequence?: string;
  answers: readonly Answer<T>[];
  onAnswer: (value: T | undefined) => void;
}

/** A question with a few answers, one key each. Where one is yes, `n` is no, unless that is an answer, too. */
function Choice<T>({ question, consequence = "", answers, onAnswer }: ChoiceProps<T>) {
  const { columns } = useTerminalSize();
  const isYesOrNo = answers.length === 1 && answers[0]?.[0] === "y";
  const keys: KeyBinding[] = [
    ...answers.map(([on, words, value]) => key(on, words, () => onAnswer(value))),
    isYesOrNo
      ? { on: ["n", "esc"], label: "n/Esc", does: "no, go back", run: () => onAnswer(undefined) }
      : key("esc", "go back", () => onAnswer(undefined)),
  ];
  useQuestionKeys((press) => bindingFor(keys, press)?.run(press));
  return (
    <>
      <Paragraph text={question} width={columns} most={2} look="question" />
      <Paragraph text={consequence} width={columns} most={2} />
      <Footer lines={footerLines(keys, columns).slice(0, 1)} width={columns} />
    </>
  );
}

interface PromptProps {
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
}

function Prompt(props: PromptProps & { onSubmit: (text: string) => void; onCancel: () => void }) {
  const { label, initial = "", begun = "", submit, isInForm = false, check = () => null, onSubmit, onCancel } = props;
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
        onSubmit(text);
      }),
      on: isInForm ? ["enter", "tab"] : ["enter"],
    },
    key("esc", "cancel", onCancel),
    ...(line.isSelected ? [REPLACE] : []),
    ...(initial + begun === "" ? [] : [{ ...EMPTY, run: () => setLine(lineOf("")) }]),
  ];
  useQuestionKeys((press) => {
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

/** Questions, one after the other, as a function asks them. An answer is undefined when the owner goes back. */
export interface Ask {
  /** The open question, for the frame; null without one. It keeps what it was opened for: the list behind it may change. */
  dialog: ReactNode;
  choose: <T>(question: string, answers: readonly Answer<T>[], consequence?: string) => Promise<T | undefined>;
  /** A yes needs `y`: an Enter pressed by mistake does no harm. @param yes the words behind `y`, such as `save` */
  yes: (question: string, yes: string, consequence?: string) => Promise<boolean>;
  text: (prompt: PromptProps) => Promise<string | undefined>;
  /** A text that means something: a day, a time, a percentage. @param read throws UsageError, whose message is shown */
  read: <T>(read: (text: string) => T, prompt: Omit<PromptProps, "check">) => Promise<T | undefined>;
}

export function useAsk(): Ask {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const asked = useRef(0);
  const show = <T,>(draw: (answer: (value: T | undefined) => void) => ReactNode) =>
    new Promise<T | undefined>((resolve) => {
      const answer = (value: T | undefined) => {
        setDialog(null);
        resolve(value);
      };
      asked.current++;
      setDialog(<Fragment key={asked.current}>{draw(answer)}</Fragment>);
    });
  const choose: Ask["choose"] = (question, answers, consequence = "") =>
    show((answer) => <Choice {...{ question, answers, consequence }} onAnswer={answer} />);
  const text: Ask["text"] = (prompt) =>
    show((answer) => <Prompt {...prompt} onSubmit={answer} onCancel={() => answer(undefined)} />);
  return {
    dialog,
    choose,
    text,
    yes: async (question, yes, consequence) => (await choose(question, [["y", yes, true]], consequence)) ?? false,
    async read(read, prompt) {
      const typed = await text({ ...prompt, check: (text) => issueIn(() => read(text)) });
      return typed === undefined ? undefined : read(typed);
    },
  };
}

/** The keys of a thing on the screen, and the question that one of them has opened. */
export interface Actions {
  keys: Keys;
  dialog: ReactNode;
}

/** Asks whether the customer hears of a change, where the shop tells of such changes. @returns whether nobody is told */
export function askToTell(ask: Ask): Promise<boolean | undefined> {
  const answers = [["y", "yes", false] as const, ["n", "no", true] as const];
  return ask.choose("Tell the customer?", answers, "A change that you undo at once is told to nobody.");
}

export interface Anyway {
  anyway?: boolean;
  evenIllegal?: boolean;
}

/** What comes of a yes to an unusual time. @param what is done: `book it` */
export function anywayConsequence(what: string): string {
  return `You can ${what} all the same; a full bay is refused always.`;
}

/** Does work, and after a yes once more where the time is unusual or a shade is not legal. @param what is done: `book` */
export async function askAnyway(ask: Ask, what: string, work: (agreed: Anyway) => Promise<void>): Promise<void> {
  const again = async (agreed: Anyway): Promise<void> => {
    try {
      await work(agreed);
    } catch (error) {
      const yes = `${what} it anyway`;
      if (error instanceof UnusualTime) {
        const question = `Customers could not book this: ${error.message}.`;
        if (await ask.yes(question, yes, anywayConsequence(`${what} it`))) await again({ ...agreed, anyway: true });
      } else if (error instanceof ShadeNotLegal) {
        const question = `${error.message}: ${yes}?`;
        if (await ask.yes(question, yes, error.reasons.join(" "))) await again({ ...agreed, evenIllegal: true });
      } else throw error;
    }
  };
  await again({});
}
