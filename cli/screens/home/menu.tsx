/** The menu of the home screen: letter and name of every screen in columns, and the keys that open them. */
import { Box, Text } from "ink";
import { type KeyBinding, key, pair } from "../kit/bindings.tsx";
import type { Selection } from "../kit/list.tsx";
import type { MenuEntry } from "../kit/navigation.ts";
import { fit } from "../kit/text.tsx";

/** From this width on there is room for the purpose of each screen. */
const WIDE_FROM = 100;

function columnsOf(width: number): number {
  return width >= WIDE_FROM ? 2 : 3;
}

/** Includes the rule above the menu. */
export function menuRows(menu: readonly MenuEntry[], width: number): number {
  return 1 + Math.ceil(menu.length / columnsOf(width));
}

interface MenuGridProps {
  menu: readonly MenuEntry[];
  /** From 0; any other number marks none. */
  selected: number;
  width: number;
}

export function MenuGrid({ menu, selected, width }: MenuGridProps) {
  const columns = columnsOf(width);
  const room = Math.floor(width / columns) - LEAD;
  const lines = Array.from({ length: Math.ceil(menu.length / columns) }, (_, i) => i * columns);
  return (
    <Box flexDirection="column" flexShrink={0}>
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

/** Columns of the mark, the letter and the spaces around them. */
const LEAD = 5;

/** The end of a sentence of the help. */
const LETTERS_TOO = / \(also k and j\)/;

/** The keys of a list without j, k and other letters: on home a letter opens a screen. */
export function withoutLetters(keys: readonly KeyBinding[]): KeyBinding[] {
  return keys.map(({ help, ...binding }) => ({
    ...binding,
    on: binding.on.filter((name) => name.length > 1),
    ...(help !== undefined && { help: help.replace(LETTERS_TOO, "") }),
  }));
}

/** The keys of a menu that ends a list. @param chosen the selected entry; undefined while the selection is elsewhere */
export function menuKeys(
  selection: Selection,
  chosen: MenuEntry | undefined,
  menu: readonly MenuEntry[],
  open: (name: MenuEntry["name"]) => void,
): KeyBinding[] {
  return [
    ...(chosen ? [key("enter", `open ${chosen.title}`, () => open(chosen.name)), stepsIn(selection)] : []),
    { on: [], label: "letter", does: "open a screen", help: "A letter opens the screen it stands for:", run() {} },
    ...menu.map(({ name, key: letter, title, about }) => ({
      on: [letter],
      label: letter,
      does: null,
      help: `${title}: ${about}.`,
      run: () => open(name),
    })),
  ];
}

function stepsIn({ index, select }: Selection): KeyBinding {
  return pair(["left"], ["right"], { label: "← →", does: null, help: "Move in the menu." }, (by) => select(index + by));
}
