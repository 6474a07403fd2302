/** Questions for the `dialog` of a frame; each takes all keys until it is answered. */
import { Text } from "ink";
import { useState } from "react";
import { bindingFor, type KeyBinding, key, useKeys } from "../input/bindings.ts";
import { Footer, footerLines } from "../input/footer.tsx";
import { useKeyPress } from "../input/keyboard.tsx";
import { lineOf, shownLine, textOf, typeInto } from "../input/typed-line.ts";
import { Paragraph } from "../text/lines.tsx";
import { useTerminalSize } from "../text/terminal.tsx";

interface ConfirmProps {
  question: string;
  /** The effect of a yes, in a sentence. */
  consequence?: string;
  /** The words behind `y`, such as `cancel the booking`. */
  yes: string;
  onYes: () => void;
  onNo: () => void;
}

/** A yes needs `y`: an Enter pressed by mistake does no harm. */
export function Confirm({ question, consequence = "", yes, onYes, onNo }: ConfirmProps) {
  return (
    <Choice
      question={question}
      consequence={consequence}
      choices={[key("y", yes, onYes)]}
      onCancel={onNo}
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

export interface PromptProps {
  /** Names the text: `Reason`. */
  label: string;
  initial?: string;
  /** The effect of Enter: `save`. */
  submit: string;
  /** @returns why the text is refused, or null */
  check?: (text: string) => string | null;
  onSubmit: (text: string) => void;
  onCancel: () => void;
}

/** Asks for a line of text. */
export function Prompt({ label, initial = "", submit, check = () => null, onSubmit, onCancel }: PromptProps) {
  const { columns } = useTerminalSize();
  const [line, setLine] = useState(() => lineOf(initial));
  const [isTried, setTried] = useState(false);
  const text = textOf(line);
  const fault = check(text);
  const keys = [
    key("enter", submit, () => (fault === null ? onSubmit(text) : setTried(true))),
    ...(initial === "" ? [] : [{ on: ["ctrl+u"], label: "Ctrl+U", does: "empty", run: () => setLine(lineOf("")) }]),
    key("esc", "cancel", onCancel),
  ];
  useKeyPress((press) => {
    const binding = bindingFor(keys, press);
    if (binding) binding.run(press);
    else setLine((old) => typeInto(old, press));
  });
  // A long label has a line of its own.
  const isLong = Bun.stringWidth(label) > columns / 2;
  const head = isLong ? "› " : `${label}: `;
  return (
    <>
      <Paragraph text={isLong ? `${label}:` : ""} width={columns} most={2} look="question" />
      <Text>
        <Text bold color="yellow">
          {head}
        </Text>
        {shownLine(line, columns - Bun.stringWidth(head), true)}
      </Text>
      <Paragraph
        text={isTried && fault !== null ? `✗ ${fault}` : ""}
        width={columns}
        most={isLong ? 2 : 3}
        look="error"
      />
      <Footer lines={footerLines(keys, columns).slice(0, 1)} width={columns} />
    </>
  );
}
