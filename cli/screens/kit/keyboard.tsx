/** The keyboard: reads key presses and hands them to whichever screen is in front. */
import { type Key, useInput, usePaste } from "ink";
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";
import { clean, graphemes } from "../../terminal/output.ts";

export interface KeyPress {
  /** A word (`up`, `enter`, `ctrl+s`) or the character itself. */
  name: string;
  /** The text that was typed; empty for keys that type nothing. */
  text: string;
}

type Listener = (press: KeyPress) => void;
const Listeners = createContext<Set<Listener>>(new Set());

/** Whether the enclosing screen is in front; screens behind it get no keys. */
export const InFront = createContext(true);

/** Reads the keyboard for everything inside. @param isHeld keys wait, because the screen that they are for is still to come */
export function Keyboard({ isHeld, children }: { isHeld: boolean; children: ReactNode }) {
  const listeners = useRef(new Set<Listener>()).current;
  const waiting = useRef<KeyPress[]>([]).current;
  const isBusy = useRef(false);
  const [step, setStep] = useState(0);
  // Keys that arrive together are handed out one at a time: each must reach the screen that the key before it opened.
  const next = () => {
    const press = waiting.shift();
    isBusy.current = press !== undefined;
    if (!press) return;
    for (const listener of [...listeners]) listener(press);
    setStep((count) => count + 1);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next key waits until this one has been drawn
  useLayoutEffect(() => {
    if (isBusy.current && !isHeld) setImmediate(next);
  }, [step, isHeld]);
  const take = (presses: KeyPress[]) => {
    waiting.push(...presses);
    if (!isBusy.current) next();
  };
  useInput((input, pressed) => take(readKeys(input, pressed)));
  // A line break in pasted text must not press Enter.
  usePaste((text) => take([{ name: "paste", text: clean(text) }]));
  return <Listeners value={listeners}>{children}</Listeners>;
}

/** Listens to every key press, while `active` and in front. */
export function useKeyPress(listener: Listener, active = true): void {
  const listeners = useContext(Listeners);
  const isInFront = useContext(InFront);
  useLayoutEffect(() => {
    if (!active || !isInFront) return;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
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

const ESC: KeyPress = { name: "esc", text: "" };

/** Ink's input as key presses; several characters may arrive at once. */
function readKeys(input: string, pressed: Key): KeyPress[] {
  // Ink reports Esc pressed twice quickly as one key press.
  if (pressed.escape && input === "\u001b") return [ESC, ESC];
  if (pressed.tab) return [{ name: pressed.shift ? "backtab" : "tab", text: "" }];
  for (const [flag, name] of Object.entries(NAMED)) {
    if (Object.entries(pressed).some(([known, on]) => known === flag && on === true)) return [{ name, text: "" }];
  }
  if (pressed.ctrl) return [{ name: `ctrl+${input}`, text: "" }];
  if (pressed.meta) return [];
  return graphemes(input).flatMap((typed) => {
    if (typed === "\r" || typed === "\n" || typed === "\r\n") return [{ name: "enter", text: "" }];
    if (typed === "\t") return [{ name: "tab", text: "" }];
    // A control key in the middle of what arrives at once, as Ctrl+U before a text. A bracketed paste does not come here.
    if (typed === "\u007f") return [{ name: "backspace", text: "" }];
    if (typed >= "\u0001" && typed <= "\u001a")
      return [{ name: `ctrl+${String.fromCharCode(typed.charCodeAt(0) + 0x60)}`, text: "" }];
    if (typed === " ") return [{ name: "space", text: " " }];
    return clean(typed) === "" ? [] : [{ name: typed, text: typed }];
  });
}
