/** The `dialog` of a frame while text is typed into the body: it takes all keys. */
import { Footer, footerLines } from "../input/footer.tsx";
import { type KeyPress, useKeyPress } from "../input/keyboard.tsx";
import { Paragraph } from "../text/lines.tsx";
import { useTerminalSize } from "../text/terminal.tsx";

interface TypingProps {
  /** Names the text: `New value: suv, ceramic, full`. */
  head: string;
  /** Why the last text was refused; null when it was not. */
  refusal: string | null;
  /** Keys and their effects: `["Enter", "accept"]`. */
  keys: readonly (readonly [label: string, does: string])[];
  onKey: (press: KeyPress) => void;
}

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
