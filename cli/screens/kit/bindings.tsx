/** Key bindings: one table for each screen says what its keys do, what the footer shows and what the help explains. */
import { Text } from "ink";
import { type KeyPress, useKeyPress } from "./keyboard.tsx";
import { padded } from "./text.tsx";

export interface KeyBinding {
  /** Names of keys: `["enter", "tab"]`. */
  on: readonly string[];
  /** The key as the footer writes it: `↑↓`. */
  label: string;
  /** The effect in a word or two, for the footer; null keeps the binding out of the footer. */
  does: string | null;
  /** The effect in a sentence, for the help. */
  help?: string;
  /** Also takes every key that types text. Such a binding comes before those of the frame, so that q can be typed. */
  takesText?: boolean;
  /** @returns a promise where it asks or writes something */
  run: (key: KeyPress) => unknown;
}

/** Keys of which some are there only at times. */
export type Keys = readonly (KeyBinding | false | null | undefined)[];

export function present(keys: Keys): KeyBinding[] {
  return keys.filter((one) => one !== false && one !== null && one !== undefined);
}

/** The usual binding: one key, shown by its own name. */
export function key(on: string, does: string, run: (key: KeyPress) => unknown, help?: string): KeyBinding {
  return { on: [on], label: LABELS[on] ?? on, does, run, ...(help !== undefined && { help }) };
}

const LABELS: Record<string, string> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  enter: "Enter",
  esc: "Esc",
  space: "Space",
  tab: "Tab",
  delete: "Del",
  "ctrl+s": "Ctrl+S",
};

/** Two opposite keys, such as ↑ and ↓, in one binding, so that footer and help name them once. */
export function pair(
  back: readonly string[],
  forth: readonly string[],
  label: string,
  does: string | null,
  help: string,
  run: (by: -1 | 1) => void,
): KeyBinding {
  return { on: [...back, ...forth], label, does, help, run: ({ name }) => run(back.includes(name) ? -1 : 1) };
}

const PAGE = 10;

/** The keys that move through a list or a text. @param last the last line that can be reached */
export function travelKeys(at: number, last: number, does: string | null, go: (to: number) => void): KeyBinding[] {
  const by = (step: number) => go(Math.max(0, Math.min(at + step, last)));
  return [
    pair(["up"], ["down"], "↑↓", does, "Go up or down.", by),
    pair(["pageup"], ["pagedown"], "PgUp PgDn", null, "Go ten lines up or down.", (step) => by(step * PAGE)),
    pair(["home"], ["end"], "Home End", null, "Go to the first or last line.", (step) =>
      go(step < 0 ? 0 : Math.max(0, last)),
    ),
  ];
}

export function bindingFor(bindings: readonly KeyBinding[], { name, text }: KeyPress): KeyBinding | undefined {
  return bindings.find(({ on, takesText = false }) => on.includes(name) || (takesText && text !== ""));
}

/** The bindings that a key press can reach: while a text is typed, q and ? are letters. */
export function reachable(bindings: readonly KeyBinding[]): KeyBinding[] {
  const press = (name: string): KeyPress => ({ name, text: name.length === 1 ? name : "" });
  return bindings.filter((one) => one.on.some((name) => bindingFor(bindings, press(name)) === one));
}

export function useKeys(bindings: readonly KeyBinding[], active = true): void {
  useKeyPress((press) => bindingFor(bindings, press)?.run(press), active);
}

const GAP = "  ";
const MOST_LINES = 2;

/** The keys on as few lines as possible. Keys without room are left out; the help has them all. */
export function footerLines(bindings: readonly Pick<KeyBinding, "label" | "does">[], width: number): string[] {
  const words = bindings.flatMap(({ label, does }) => (does === null ? [] : [`${label} ${does}`]));
  for (let dropped = 0; ; dropped++) {
    const last = words.slice(-ALWAYS);
    const lines = pack([...words.slice(0, Math.max(0, words.length - ALWAYS - dropped)), ...last], width);
    if (lines.length <= MOST_LINES || dropped >= words.length) return lines.slice(0, MOST_LINES);
  }
}

/** The last bindings (go to, help, back, quit) always stay. */
const ALWAYS = 4;

function pack(words: readonly string[], width: number): string[] {
  const lines: string[] = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? word : line + GAP + word;
    if (Bun.stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

export function Footer({ lines, width }: { lines: readonly string[]; width: number }) {
  return lines.map((line) => (
    <Text key={line} dimColor>
      {padded(line, width)}
    </Text>
  ));
}
