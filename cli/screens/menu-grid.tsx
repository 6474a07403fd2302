/** Home's menu: the letter and name of every screen, in columns. */
import { Box, Text } from "ink";
import { fit } from "./kit/fit.ts";
import type { MenuEntry } from "./kit/nav.tsx";

/** A wide terminal has room for what each screen is for. */
const WIDE_FROM = 100;

function columnsOf(width: number): number {
  return width >= WIDE_FROM ? 2 : 3;
}

/** With the rule above it. */
export function menuRows(menu: readonly MenuEntry[], width: number): number {
  return 1 + Math.ceil(menu.length / columnsOf(width));
}

interface MenuGridProps {
  menu: readonly MenuEntry[];
  /** From 0; anything else marks none. */
  selected: number;
  width: number;
}

export function MenuGrid({ menu, selected, width }: MenuGridProps) {
  const columns = columnsOf(width);
  const room = Math.floor(width / columns) - LEAD;
  const lines = Array.from({ length: Math.ceil(menu.length / columns) }, (_, i) => i * columns);
  return (
    <Box flexDirection="column">
      <Text dimColor>{"─".repeat(width)}</Text>
      {lines.map((first) => (
        <Text key={first}>
          {menu.slice(first, first + columns).map((entry, i) => (
            <Text key={entry.name} inverse={first + i === selected}>
              {`${first + i === selected ? "›" : " "} `}
              <Text bold>{entry.key}</Text>
              {`  ${fit(width >= WIDE_FROM ? `${entry.title}: ${entry.about}` : entry.title, room)}`}
            </Text>
          ))}
        </Text>
      ))}
    </Box>
  );
}

/** The mark, the letter and the spaces around them. */
const LEAD = 5;
