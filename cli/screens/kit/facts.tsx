/** Names and values, one a line or more; long ones are wrapped, and the whole scrolls. */
import { Box, Text } from "ink";
import { useState } from "react";
import { fit, wrap } from "./fit.ts";
import type { KeyBinding } from "./keys.tsx";
import type { Size } from "./terminal.tsx";

export type Fact = readonly [name: string, value: string | null | undefined];

export interface Scroll {
  top: number;
  keys: readonly KeyBinding[];
}

/** @param hidden how many lines do not fit; less than 1 when all do */
export function useScroll(hidden: number): Scroll {
  const [wanted, setTop] = useState(0);
  const last = Math.max(0, hidden);
  const top = Math.min(wanted, last);
  const by = (step: number) => () => setTop(Math.max(0, Math.min(top + step, last)));
  return {
    top,
    keys: [
      { on: ["up", "k"], label: "↑↓", does: last > 0 ? "scroll" : null, help: "Scroll the text.", run: by(-1) },
      { on: ["down", "j"], label: "↓", does: null, help: "Scroll down.", run: by(1) },
    ],
  };
}

/** The lines of facts, names in a column of their own; those without a value are left out. */
export function factLines(facts: readonly Fact[], columns: number): { name: string; text: string }[] {
  const given = facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const width = Math.min(Math.max(0, ...given.map(({ name }) => Bun.stringWidth(name))), Math.floor(columns / 3));
  return given.flatMap(({ name, value }) =>
    wrap(value, columns - width - GAP).map((text, i) => ({ name: fit(i === 0 ? name : "", width + GAP), text })),
  );
}

const GAP = 2;

export function Lines({
  lines,
  top,
  size,
}: {
  lines: readonly { name: string; text: string }[];
  top: number;
  size: Size;
}) {
  return (
    <Box flexDirection="column" height={size.rows} overflow="hidden">
      {lines.slice(top, top + size.rows).map(({ name, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of text have no other name
        <Text key={i}>
          <Text dimColor>{name}</Text>
          {text}
        </Text>
      ))}
    </Box>
  );
}
