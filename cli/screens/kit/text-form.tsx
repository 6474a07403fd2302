/** A form of a few lines of text. */
import { Box, Text } from "ink";
import { useState } from "react";
import { bindingFor, Footer, footerLines, type KeyBinding, key, pair } from "./bindings.tsx";
import { useCtrlC } from "./ctrl-c.ts";
import { Leave, REPLACE } from "./dialogs.tsx";
import { useKeyPress } from "./keyboard.tsx";
import { useNav } from "./navigation.ts";
import { cut, fit, Paragraph, TitleBar, useTerminalSize } from "./text.tsx";
import { lineOf, selected, shownLine, type TypedLine, trimmedText, typeInto } from "./typed-line.ts";

interface TextField {
  label: string;
  /** Shown beside the field while it is empty. */
  hint: string;
  /** Prose is edited in place; in any other field typing replaces what was there. */
  isProse?: boolean;
  /** Whether the field is asked beside what is in the others; always where it is left out. */
  isAsked?: (texts: readonly string[]) => boolean;
  /** @returns why the text is refused, to follow the label (`must be a number`), or null */
  check: (text: string) => string | null;
}

interface TextFormProps {
  title: string;
  about: string;
  /** The effect of Enter on the last line. */
  submit: string;
  fields: readonly TextField[];
  onSubmit: (texts: readonly string[]) => void;
  onCancel: () => void;
}

export function TextForm({ title, about, submit, fields, onSubmit, onCancel }: TextFormProps) {
  const { columns, rows } = useTerminalSize();
  const { lines, asked, at, refusal, keys, leaving, stay } = useTextForm({ submit, fields, onSubmit, onCancel });
  const labelWidth = Math.max(...fields.map(({ label }) => Bun.stringWidth(label))) + 2;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={title} status="" width={columns} />
      <Paragraph text={about} width={columns} most={2} />
      <Text> </Text>
      {fields.map((field, i) =>
        asked[i] ? (
          <FieldLine
            key={field.label}
            field={field}
            line={lines[i] ?? lineOf("")}
            isHere={i === at}
            labelWidth={labelWidth}
            width={columns}
          />
        ) : null,
      )}
      <Box flexGrow={1} />
      {leaving ? (
        <Leave leave={leaving} close={stay} />
      ) : (
        <>
          <Paragraph text={refusal === null ? "" : `✗ ${refusal}`} width={columns} most={3} look="error" />
          <Footer lines={footerLines(keys, columns).slice(0, 1)} width={columns} />
        </>
      )}
    </Box>
  );
}

/** The typed lines, the line with the caret, why the form was refused, the keys, and what leaves once it was agreed to. */
function useTextForm({ submit, fields, onSubmit, onCancel }: Omit<TextFormProps, "title" | "about">) {
  const { notice, say, interrupt } = useNav();
  const [lines, setLines] = useState<readonly TypedLine[]>(() => fields.map(() => lineOf("")));
  const [at, setAt] = useState(0);
  const [isTried, setTried] = useState(false);
  const [leaving, setLeaving] = useState<{ leave: () => void } | null>(null);
  const typed = lines.map(trimmedText);
  const asked = fields.map(({ isAsked }) => isAsked?.(typed) ?? true);
  const texts = typed.map((text, i) => (asked[i] ? text : ""));
  const issues = fields.map(({ check }, i) => (asked[i] ? check(texts[i] ?? "") : null));
  const isLast = at === fields.length - 1;
  const goTo = (row: number) => {
    setAt(row);
    setLines((old) => old.map((line, i) => (i === row && !fields[i]?.isProse ? selected(line) : line)));
  };
  const go = (by: number) => {
    let row = at + by;
    while (fields[row] && !asked[row]) row += by;
    goTo(Math.max(0, Math.min(row, fields.length - 1)));
  };
  const send = () => {
    const first = issues.findIndex((issue) => issue !== null);
    if (first < 0) return onSubmit(texts);
    setTried(true);
    setAt(first);
    // What was refused is corrected, not typed anew.
    setLines((old) => old.map((line, i) => (i === first ? { ...line, isSelected: false } : line)));
  };
  const beforeLeaving = (leave: () => void) => (texts.some((text) => text !== "") ? setLeaving({ leave }) : leave());
  const keys: KeyBinding[] = [
    pair(["up", "backtab"], ["down", "tab"], { label: "↑↓", does: "move" }, go),
    key("enter", isLast ? submit : "next line", isLast ? send : () => go(1)),
    ...(lines[at]?.isSelected ? [REPLACE] : []),
    key("esc", "cancel", () => beforeLeaving(onCancel)),
  ];
  useCtrlC(() => beforeLeaving(interrupt));
  useKeyPress((press) => {
    say(null);
    const binding = bindingFor(keys, press);
    if (binding) binding.run(press);
    else setLines((old) => old.map((line, i) => (i === at ? typeInto(line, press) : line)));
  }, leaving === null);
  const issue = isTried ? issues[at] : null;
  return {
    lines,
    asked,
    at,
    refusal: issue ? `${fields[at]?.label} ${issue}` : (notice?.text ?? null),
    keys,
    leaving: leaving?.leave,
    stay: () => setLeaving(null),
  };
}

interface FieldLineProps {
  field: TextField;
  line: TypedLine;
  isHere: boolean;
  labelWidth: number;
  width: number;
}

function FieldLine({ field: { label, hint }, line, isHere, labelWidth, width }: FieldLineProps) {
  const note = line.characters.length === 0 ? hint : "";
  const room = width - labelWidth - 2;
  const noteRoom = Math.min(Bun.stringWidth(note), room - 2);
  return (
    <Text>
      {isHere ? "› " : "  "}
      <Text bold={isHere}>{fit(label, labelWidth)}</Text>
      {shownLine(line, room - noteRoom, isHere)}
      <Text dimColor>{cut(note, noteRoom)}</Text>
    </Text>
  );
}
