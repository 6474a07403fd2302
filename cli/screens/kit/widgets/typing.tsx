/** In the `dialog` place of a frame: the keys belong to what is being typed in the body. */
import { Footer, footerLines } from "../input/footer.tsx";
import { type KeyPress, useKeyPress } from "../input/keyboard.tsx";
import { Paragraph } from "../text/lines.tsx";
import { useTerminalSize } from "../text/terminal.tsx";

interface TypingProps {
  /** What is being typed: `New value: suv, ceramic, full`. */
  head: string;
  /** Why the last try was not taken. */
  refusal: string | null;
  /** What the keys do: `["Enter", "accept"]`. */
  keys: readonly (readonly [label: string, does: string])[];
  onKey: (press: KeyPress) => void;
}

export function Typing({ head, refusal, keys, onKey }: TypingProps) {
  const { columns } = useTerminalSize();
  useKeyPress(onKey);
  const bindings = keys.map(([label, does]) => ({ on: [], label, does, run: () => {} }));
  return (
    <>
      <Paragraph text={head} width={columns} most={2} look="question" />
      <Paragraph text={refusal === null ? "" : `✗ ${refusal}`} width={columns} most={2} look="error" />
      <Footer lines={footerLines(bindings, columns).slice(0, 1)} width={columns} />
    </>
  );
}
