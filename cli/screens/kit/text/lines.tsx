/** Lines of text: as data, so that they can be counted before they are drawn. */
import { Text } from "ink";
import { fit, wrap, wrapTo } from "./fit.ts";

export interface Line {
  text: string;
  look?: keyof typeof LOOKS;
  /** Drawn dim before the text; runs of spaces in it stay. */
  name?: string;
}

const LOOKS = {
  dim: { dimColor: true },
  bold: { bold: true },
  question: { bold: true, color: "yellow" },
  warning: { color: "yellow" },
  error: { color: "red" },
  good: { color: "green" },
} as const;

/** The same text on lines that fit a width. */
export function wrapLines(lines: readonly (Line | string)[], width: number): Line[] {
  return lines.flatMap((line) => {
    const { text, ...rest } = typeof line === "string" ? { text: line } : line;
    return wrap(text, width).map((part) => ({ ...rest, text: part }));
  });
}

/** Draws each line on exactly one line of the terminal. */
export function Lines({ lines, width }: { lines: readonly (Line | string)[]; width: number }) {
  return lines.map((line, i) => {
    const { text, look, name = "" }: Line = typeof line === "string" ? { text: line } : line;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
      <Text key={i} {...(look && LOOKS[look])}>
        <Text dimColor>{name}</Text>
        {fit(text, width - Bun.stringWidth(name))}
      </Text>
    );
  });
}

interface ParagraphProps {
  text: string;
  width: number;
  /** The most lines. */
  most: number;
  look?: keyof typeof LOOKS;
}

/** A wrapped text; an empty one takes no line. */
export function Paragraph({ text, width, most, look }: ParagraphProps) {
  if (text === "") return null;
  return (
    <Lines lines={wrapTo(text, width, most).map((line) => ({ text: line, ...(look && { look }) }))} width={width} />
  );
}
