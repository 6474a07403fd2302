/** The keyboard: reads key presses and hands them to whichever screen is in front. */
import { type Key, useInput, usePaste } from "ink";
import { createContext, type ReactNode, useContext, useLayoutEffect, useReducer, useState } from "react";
import { clean, graphemes } from "../../terminal/output.ts";

export interface KeyPress {
  /** A word (`up`, `enter`, `ctrl+s`) or the character itself. */
  name: string;
  /** The text that was typed; empty for keys that type nothing. */
  text: string;
}

/** @returns a promise where the key began something: keys typed ahead wait for what comes of it */
type Listener = (press: KeyPress) => unknown;

/** Whether the enclosing screen is in front; screens behind it get no keys. */
export const InFront = createContext(true);

/** How long a key waits for work, in ms. */
const PATIENCE_MS = 1000;

/**
 * Keys typed ahead: they are handed out one at a time, since each must reach what the key before it opened. That may
 * take a while, as a screen is loaded, a list is read or a question is asked only after something was written.
 */
class KeyQueue {
  readonly listeners = new Set<Listener>();
  readonly #drawAgain: () => void;
  readonly #waiting: KeyPress[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  #questions = 0;
  /** How many drawings were asked for, and the last one that was done. */
  #asked = 0;
  #drawn = 0;
  /** Work ended, or asked, after the last drawing was asked for: the screen may still change before the next key. */
  #isStale = false;
  #isOpening = false;
  #patience: Timer | undefined;

  constructor(drawAgain: () => void) {
    this.#drawAgain = drawAgain;
  }

  take(presses: readonly KeyPress[]): void {
    this.#waiting.push(...presses);
    this.#next();
  }

  /** Keys wait until `work` is done or asks a question. */
  waitFor(work: Promise<unknown>): void {
    this.#pending.add(work);
    void work.finally(() => {
      this.#pending.delete(work);
      this.#isStale = true;
      this.#next();
    });
  }

  /** A question is on the screen: it takes keys, even if the work that asks it is not done. @returns ends that */
  readonly ask = (): (() => void) => {
    this.#questions++;
    this.#isStale = true;
    this.#next();
    return () => void this.#questions--;
  };

  /** @param isOpening the screen that the keys are for is still to come */
  wasDrawn(drawn: number, isOpening: boolean): void {
    this.#isOpening = isOpening;
    setImmediate(() => {
      this.#drawn = drawn;
      this.#next();
    });
  }

  #draw(): void {
    this.#isStale = false;
    this.#asked++;
    this.#drawAgain();
  }

  #next(): void {
    if (this.#isOpening || this.#drawn < this.#asked || this.#waiting.length === 0) return;
    if (this.#pending.size > 0 && this.#questions === 0) {
      this.#patience ??= setTimeout(() => this.#goOn(), PATIENCE_MS);
      return;
    }
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const press = this.#isStale ? undefined : this.#waiting.shift();
    if (press) this.#hand(press);
    this.#draw();
  }

  #hand(press: KeyPress): void {
    for (const listener of [...this.listeners]) {
      const begun = listener(press);
      if (begun instanceof Promise) this.waitFor(begun);
    }
  }

  /** Stops waiting for work that takes too long, or that never ends because its screen is gone. */
  #goOn(): void {
    this.#patience = undefined;
    this.#pending.clear();
    this.#next();
  }
}

const Queue = createContext(new KeyQueue(() => {}));

/** Reads the keyboard for everything inside. @param isOpening a screen is still to come: keys wait for it */
export function Keyboard({ isOpening, children }: { isOpening: boolean; children: ReactNode }) {
  const [drawn, draw] = useReducer((times: number) => times + 1, 0);
  const [queue] = useState(() => new KeyQueue(draw));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next key waits until this one has been drawn
  useLayoutEffect(() => queue.wasDrawn(drawn, isOpening), [drawn, isOpening]);
  useInput((input, pressed) => queue.take(readKeys(input, pressed)));
  // A line break in pasted text must not press Enter.
  usePaste((text) => queue.take([{ name: "paste", text: clean(text) }]));
  return <Queue value={queue}>{children}</Queue>;
}

/** Listens to every key press, while `active` and in front. */
export function useKeyPress(listener: Listener, active = true): void {
  const { listeners } = useContext(Queue);
  const isInFront = useContext(InFront);
  useLayoutEffect(() => {
    if (!active || !isInFront) return;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
}

/** The keys of a question, which is asked in the middle of work. */
export function useQuestionKeys(listener: Listener): void {
  useKeyPress(listener);
  const { ask } = useContext(Queue);
  useLayoutEffect(ask, [ask]);
}

/** @returns makes the keys wait for work */
export function useKeysWait(): (work: Promise<unknown>) => void {
  const queue = useContext(Queue);
  return (work) => queue.waitFor(work);
}

const NAMED: Partial<Record<keyof Key, string>> = {
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
};

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
