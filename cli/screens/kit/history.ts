/** What was done on the screens: `u` takes it back step by step, `U` does it again. */
import { useReducer, useRef } from "react";
import type { OpenShop } from "./open-shop.ts";

/** What work says that it did, and what is to be done about it, such as a call. */
export type Said = string | { said: string; after: string };

/** A change, and its ways back and forth. */
export interface Step {
  undo: (shop: OpenShop) => Promise<Said>;
  redo: (shop: OpenShop) => Promise<Said>;
}

export interface History {
  /** Whether there is a step back, and one forward. */
  can: Readonly<Record<keyof Step, boolean>>;
  add: (step: Step) => void;
  /** @throws the reason, when somebody else has changed the thing meanwhile: that step is then left out */
  go: (way: keyof Step, shop: OpenShop) => Promise<string>;
  /** Runs work after the work before it: the next key may come while that is still written. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export function useHistory(): History {
  const steps = useRef<Record<keyof Step, Step[]>>({ undo: [], redo: [] });
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  return {
    can: { undo: steps.current.undo.length > 0, redo: steps.current.redo.length > 0 },
    add(step) {
      steps.current = { undo: [...steps.current.undo, step], redo: [] };
      drawAgain();
    },
    async go(way, shop) {
      const step = steps.current[way].pop();
      drawAgain();
      if (!step) return way === "undo" ? "There is nothing to undo." : "Nothing was taken back.";
      const said = await step[way](shop);
      steps.current[way === "undo" ? "redo" : "undo"].push(step);
      drawAgain();
      return noticeOf(said, way === "undo" ? "U does it again." : UNDOES);
    },
    inTurn(work) {
      const run = last.current.then(work);
      last.current = run.catch(() => {});
      return run;
    },
  };
}

export const UNDOES = "u undoes it.";

export function noticeOf(said: Said, hint: string): string {
  if (typeof said === "string") return `${said} ${hint}`;
  return [said.said, hint, said.after].filter(Boolean).join(" ");
}
