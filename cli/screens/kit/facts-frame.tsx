/** A frame around names and values that scroll. */
import type { ReactNode } from "react";
import { type Fact, factLines, Lines, useScroll } from "./facts.tsx";
import { Frame } from "./frame.tsx";
import type { KeyBinding } from "./keys.tsx";
import { useTerminalSize } from "./terminal.tsx";

interface FactsFrameProps {
  title: string;
  status: string;
  about: string;
  keys: readonly KeyBinding[];
  dialog: ReactNode;
  facts: readonly Fact[];
  /** Drawn while there are no facts. */
  otherwise: ReactNode;
}

/** Rows that are not the body's, at most: title, rule, notice and two lines of keys. */
const AROUND = 5;

export function FactsFrame({ title, status, about, keys, dialog, facts, otherwise }: FactsFrameProps) {
  const { columns, rows } = useTerminalSize();
  const lines = factLines(facts, columns);
  const scroll = useScroll(lines.length - (rows - AROUND));
  return (
    <Frame title={title} status={status} about={about} keys={[...scroll.keys, ...keys]} dialog={dialog}>
      {(size) => (lines.length === 0 ? otherwise : <Lines lines={lines} top={scroll.top} size={size} />)}
    </Frame>
  );
}
