/** A form of a few lines of text. */
import { Box, Text } from "ink";
import { useState } from "react";
import { bindingFor, type KeyBinding, key, pair } from "../input/bindings.ts";
import { Footer, footerLines } from "../input/footer.tsx";
import { useKeyPress } from "../input/keyboard.tsx";
import { lineOf, shownLine, type TypedLine, typeInto } from "../input/typed-line.ts";
import { useNav } from "../shell/navigation.ts";
import { cut, fit } from "../text/fit.ts";
import { Paragraph } from "../text/lines.tsx";
import { TitleBar, useTerminalSize } from "../text/terminal.tsx";

interface TextField {
  label: string;
  /** Said beside it while it is empty. */
  hint: string;
  /** @returns what is wrong with the text, or null: `must be a number` */
  check: (text: string) => string | null;
}

interface FormProps {
  title: string;
  about: string;
  /** What Enter does on the last line. */
  submit: string;
  fields: readonly TextField[];
  onSubmit: (texts: readonly string[]) => void;
  onCancel: () => void;
}

export function Form({ title, about, submit, fields, onSubmit, onCancel }: FormProps) {
  const { columns, rows } = useTerminalSize();
  const { notice, say, quit } = useNav();
  const [lines, setLines] = useState<readonly TypedLine[]>(() => fields.map(() => lineOf("")));
  const [at, setAt] = useState(0);
  const [isTried, setTried] = useState(false);
  const texts = lines.map(({ characters }) => characters.join("").trim());
  const faults = fields.map(({ check }, i) => check(texts[i] ?? ""));
  const isLast = at === fields.length - 1;
  const go = (by: number) => setAt(Math.max(0, Math.min(at + by, fields.length - 1)));
  const send = () => {
    const first = faults.findIndex((fault) => fault !== null);
    if (first < 0) return onSubmit(texts);
    setTried(true);
    setAt(first);
  };
  const keys: KeyBinding[] = [
    pair(["up", "backtab"], ["down", "tab"], { label: "↑↓", does: "move" }, go),
    key("enter", isLast ? submit : "next line", isLast ? send : () => go(1)),
    key("esc", "cancel", onCancel),
    { on: ["ctrl+c"], label: "Ctrl+C", does: null, run: quit },
  ];
  useKeyPress((press) => {
    say(null);
    const binding = bindingFor(keys, press);
    if (binding) binding.run(press);
    else setLines((old) => old.map((line, i) => (i === at ? typeInto(line, press) : line)));
  });
  const fault = isTried ? faults[at] : null;
  const refusal = fault ? `${fields[at]?.label} ${fault}` : (notice?.text ?? null);
  const labelWidth = Math.max(...fields.map(({ label }) => Bun.stringWidth(label))) + 2;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <TitleBar title={title} status="" width={columns} />
      <Paragraph text={about} width={columns} most={2} />
      <Text> </Text>
      {fields.map(({ label, hint }, i) => {
        const line = lines[i] ?? lineOf("");
        const note = line.characters.length === 0 ? hint : "";
        const room = columns - labelWidth - 2;
        const noteRoom = Math.min(Bun.stringWidth(note), Math.floor(room / 2));
        return (
          <Text key={label}>
            {i === at ? "› " : "  "}
            <Text bold={i === at}>{fit(label, labelWidth)}</Text>
            {shownLine(line, room - noteRoom, i === at)}
            <Text dimColor>{cut(note, noteRoom)}</Text>
          </Text>
        );
      })}
      <Box flexGrow={1} />
      <Paragraph text={refusal === null ? "" : `✗ ${refusal}`} width={columns} most={3} look="error" />
      <Footer lines={footerLines(keys, columns).slice(0, 1)} width={columns} />
    </Box>
  );
}
