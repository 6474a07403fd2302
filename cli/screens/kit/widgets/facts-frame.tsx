/** A screen of facts: names and values. Long values are wrapped, and the whole scrolls. */
import { Box, Text } from "ink";
import type { ReactNode } from "react";
import type { KeyBinding } from "../input/bindings.tsx";
import { fit, type Line, Lines, useTerminalSize, wrap } from "../text.tsx";
import { AROUND_BODY, Frame } from "./frame.tsx";
import { useScroll } from "./list.tsx";

type Fact = readonly [name: string, value: string | null | undefined];

interface FactsFrameProps {
  title: string;
  status?: string;
  about: string;
  keys: readonly KeyBinding[];
  dialog?: ReactNode;
  facts: readonly Fact[];
  /** Said while there are no facts. */
  otherwise: string;
}

export function FactsFrame({ keys, facts, otherwise, ...frame }: FactsFrameProps) {
  const { columns, rows } = useTerminalSize();
  const lines = factLines(facts, columns);
  const scroll = useScroll(lines.length - (rows - AROUND_BODY));
  return (
    <Frame {...frame} keys={[...scroll.keys, ...keys]}>
      {(size) =>
        lines.length === 0 ? (
          <Text dimColor>{otherwise}</Text>
        ) : (
          <Box flexDirection="column" height={size.rows} overflow="hidden">
            <Lines lines={lines.slice(scroll.top, scroll.top + size.rows)} width={columns} />
          </Box>
        )
      }
    </Frame>
  );
}

/** The lines of the facts, names in a column of their own. A fact without a value is left out. */
function factLines(facts: readonly Fact[], columns: number): Line[] {
  const given = facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const width = Math.min(Math.max(0, ...given.map(({ name }) => Bun.stringWidth(name))), Math.floor(columns / 3));
  return given.flatMap(({ name, value }) =>
    wrap(value, columns - width - GAP).map((text, i) => ({ name: fit(i === 0 ? name : "", width + GAP), text })),
  );
}

const GAP = 2;
