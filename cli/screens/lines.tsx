/** Lines of text, each exactly one line of the terminal. */
import { Text } from "ink";
import { fit } from "./kit/fit.ts";

export interface Line {
  text: string;
  look?: "dim" | "bold" | "warning" | "good";
}

const LOOKS = {
  dim: { dimColor: true },
  bold: { bold: true },
  warning: { color: "yellow" },
  good: { color: "green" },
} as const;

export function Lines({ lines, width }: { lines: readonly (Line | string)[]; width: number }) {
  return lines.map((line, i) => {
    const { text, look } = typeof line === "string" ? { text: line, look: undefined } : line;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
      <Text key={i} {...(look && LOOKS[look])}>
        {fit(text, width)}
      </Text>
    );
  });
}
