/** In the `dialog` place of a frame: the keys belong to what is being typed in the body. */
import { Text } from "ink";
import { fit } from "./kit/fit.ts";
import { Footer, footerLines } from "./kit/footer.tsx";
import { type KeyPress, useKeyPress } from "./kit/keys.tsx";
import { useTerminalSize } from "./kit/terminal.tsx";

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
      <Text bold color="yellow">
        {fit(head, columns)}
      </Text>
      <Text color="red">{fit(refusal === null ? "" : `✗ ${refusal}`, columns)}</Text>
      <Footer lines={footerLines(bindings, columns).slice(0, 1)} width={columns} />
    </>
  );
}
