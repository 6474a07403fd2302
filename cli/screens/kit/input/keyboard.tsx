/** Keys: one table of bindings a screen drives what the keys do, what the footer says and what the help explains. */
import { type Key, useInput, usePaste } from "ink";
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";
import { clean } from "../../../terminal/text.ts";
import { graphemes } from "../text/fit.ts";

/** `name` is a word (`up`, `enter`, `ctrl+s`) or the character itself; `text` is what was typed, if anything was. */
export interface KeyPress {
  name: string;
  text: string;
}

export interface KeyBinding {
  /** Names of keys: `["up", "k"]`. */
  on: readonly string[];
  /** The key as the footer writes it: `↑↓`. */
  label: string;
  /** What it does, in a word or two, for the footer; null keeps it to the help. */
  does: string | null;
  /** What it does, in a sentence, for the help. */
  help?: string;
  run: (key: KeyPress) => void;
}

/** The usual binding: one key, shown by its own name. */
export function key(on: string, does: string, run: (key: KeyPress) => void, help?: string): KeyBinding {
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
};

/** Two keys that belong together, such as ↑ and ↓: one binding, so that footer and help speak of them once. */
export function pair(
  back: readonly string[],
  forth: readonly string[],
  words: Pick<KeyBinding, "label" | "does" | "help">,
  run: (by: -1 | 1) => void,
): KeyBinding {
  return { on: [...back, ...forth], ...words, run: ({ name }) => run(back.includes(name) ? -1 : 1) };
}

const PAGE = 10;

/** The keys that go through a list or a text. @param last the last line that can be gone to */
export function travelKeys(at: number, last: number, does: string | null, go: (to: number) => void): KeyBinding[] {
  const by = (step: number) => go(Math.max(0, Math.min(at + step, last)));
  return [
    pair(["up", "k"], ["down", "j"], { label: "↑↓", does, help: "Go up or down (also k and j)." }, by),
    pair(["pageup"], ["pagedown"], { label: "PgUp PgDn", does: null, help: "Go ten lines up or down." }, (step) =>
      by(step * PAGE),
    ),
    pair(
      ["home", "g"],
      ["end", "G"],
      { label: "Home End", does: null, help: "Go to the first or last line." },
      (step) => go(step < 0 ? 0 : Math.max(0, last)),
    ),
  ];
}

type Listener = (press: KeyPress) => void;
const Listeners = createContext<Set<Listener>>(new Set());

/** Whether the screen around is the one in front; those behind it get no keys. */
export const InFront = createContext(true);

/** Reads the keyboard for everything inside. */
export function Keyboard({ children }: { children: ReactNode }) {
  const listeners = useRef(new Set<Listener>()).current;
  const waiting = useRef<KeyPress[]>([]).current;
  const isBusy = useRef(false);
  const [step, setStep] = useState(0);
  // Keys that arrive together are given out one by one, so that each finds the screen the one before it made.
  const next = () => {
    const press = waiting.shift();
    isBusy.current = press !== undefined;
    if (!press) return;
    for (const listener of [...listeners]) listener(press);
    setStep((count) => count + 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step is drawn together with what its key changed
  useLayoutEffect(() => {
    if (isBusy.current) setImmediate(next);
  }, [step]);
  const take = (presses: KeyPress[]) => {
    waiting.push(...presses);
    if (!isBusy.current) next();
  };
  useInput((input, pressed) => take(readKeys(input, pressed)));
  // A pasted line break does not press Enter.
  usePaste((text) => take([{ name: "paste", text: clean(text) }]));
  return <Listeners value={listeners}>{children}</Listeners>;
}

/** Listens to every key press while `active` and in front. */
export function useKeyPress(listener: Listener, active = true): void {
  const listeners = useContext(Listeners);
  const isInFront = useContext(InFront);
  useLayoutEffect(() => {
    if (!active || !isInFront) return;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
}

/** Runs the first binding of a key press. */
export function useKeys(bindings: readonly KeyBinding[], active = true): void {
  useKeyPress((press) => bindings.find(({ on }) => on.includes(press.name))?.run(press), active);
}

const NAMED = {
  upArrow: "up",
  downArrow: "down",
  leftArrow: "left",
  rightArrow: "right",
  pageUp: "pageup",
  pageDown: "pagedown",
  home: "home",
  end: "end",
  return: "enter",
  escape: "esc",
  backspace: "backspace",
  delete: "delete",
} as const satisfies Partial<Record<keyof Key, string>>;

/** What was typed as key presses; several characters may arrive at once. */
function readKeys(input: string, pressed: Key): KeyPress[] {
  if (pressed.tab) return [{ name: pressed.shift ? "backtab" : "tab", text: "" }];
  for (const [flag, name] of Object.entries(NAMED)) {
    if (Object.entries(pressed).some(([known, on]) => known === flag && on === true)) return [{ name, text: "" }];
  }
  if (pressed.ctrl) return [{ name: `ctrl+${input}`, text: "" }];
  if (pressed.meta) return [];
  return graphemes(input).flatMap((typed) => {
    if (typed === "\r" || typed === "\n" || typed === "\r\n") return [{ name: "enter", text: "" }];
    if (typed === "\t") return [{ name: "tab", text: "" }];
    if (typed === " ") return [{ name: "space", text: " " }];
    return clean(typed) === "" ? [] : [{ name: typed, text: typed }];
  });
}
