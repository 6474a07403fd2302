/** What was done on the screens: `u` takes it back step by step, `U` does it again. */
import { useReducer, useRef } from "react";
import type { OpenShop } from "./shop.ts";

/** A change, and its ways back and forth. Each says what it did. */
export interface Step {
  undo: (shop: OpenShop) => Promise<string>;
  redo: (shop: OpenShop) => Promise<string>;
}

export interface History {
  /** Whether there is a step back, and one forward. */
  can: Readonly<Record<keyof Step, boolean>>;
  add: (step: Step) => void;
  /** @throws the reason, when somebody else has changed the thing meanwhile: that step is then left out */
  go: (way: keyof Step, shop: OpenShop) => Promise<string>;
}

export function useHistory(): History {
  const steps = useRef<Record<keyof Step, Step[]>>({ undo: [], redo: [] });
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
      return `${said} ${way === "undo" ? "U does it again." : UNDOES}`;
    },
  };
}

/** The end of a notice. */
export const UNDOES = "u undoes it.";
