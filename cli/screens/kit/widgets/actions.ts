/** Keys that open a question, and the question itself. */
import { type ReactNode, useState } from "react";
import type { KeyBinding } from "../input/bindings.ts";

export interface Actions {
  /** None while a question is open. */
  keys: readonly KeyBinding[];
  /** The open question, for the frame. */
  dialog: ReactNode;
}

/**
 * The question keeps the booking, lead or day it was opened for: the list behind it may change meanwhile.
 * @param keysFor the keys, given a function that opens a question
 * @param draw draws the open question, given a function that closes it
 */
export function useActions<Question extends object>(
  keysFor: (ask: (question: Question) => void) => readonly KeyBinding[],
  draw: (question: Question, close: () => void) => ReactNode,
): Actions {
  const [question, ask] = useState<Question | null>(null);
  if (question === null) return { keys: keysFor(ask), dialog: null };
  return { keys: [], dialog: draw(question, () => ask(null)) };
}
