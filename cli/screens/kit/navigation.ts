/** Going from screen to screen, and the notice above the footer. */
import { createContext, useContext, useReducer, useRef } from "react";
import { CliError } from "../../terminal/output.ts";
import type { OpenShop } from "./open-shop.ts";

export interface MenuEntry {
  name: ScreenName;
  /** The key that opens the screen from home. */
  key: string;
  title: string;
  about: string;
  /** Present on screens that work without a good catalog. */
  withoutCatalog?: true;
}

export interface Notice {
  kind: "done" | "error";
  text: string;
}

export interface Nav {
  /** Opens a screen in front of this one. @param about names the thing to show, such as a confirmation code or a date */
  open: (name: ScreenName, about?: string) => void;
  /** Goes to the screen behind; from the first screen it leaves the program. */
  back: () => void;
  quit: () => void;
  /** Leaves the program as after Ctrl+C. */
  interrupt: () => void;
  /** True on the screen that Esc does not leave. */
  isFirst: boolean;
  /** The screens that home offers. */
  menu: readonly MenuEntry[];
  notice: Notice | null;
  /** Shows a notice above the footer; null takes it away. */
  say: (notice: Notice | null) => void;
  history: History;
}

export const NavContext = createContext<Nav | null>(null);

export function useNav(): Nav {
  const nav = useContext(NavContext);
  if (!nav) throw new Error("useNav is used outside of the screens");
  return nav;
}

/** The screens, by room. */
export type ScreenName =
  | "home"
  | ("diary" | "booking" | "edit" | "book" | "paper" | "report")
  | ("leads" | "lead" | "inquiry" | "find" | "messages" | "customer")
  | ("prices" | "addons" | "estimate")
  | ("hours" | "faqs" | "texts" | "catalog" | "keys");

/** What work says that it did, and what is to be done about it, such as a call. */
export type Said = string | { said: string; after: string };

/** A change, and its ways back and forth. */
export interface Step {
  undo: (shop: OpenShop) => Promise<Said>;
  redo: (shop: OpenShop) => Promise<Said>;
}

interface History {
  /** Whether there is a step back, and one forward. */
  can: Readonly<Record<keyof Step, boolean>>;
  /** @param step what the work says of itself, where nothing takes it back */
  add: (step: Step | string) => void;
  /** @throws the reason, when somebody else has changed the thing meanwhile: that step is then left out */
  go: (way: keyof Step, shop: OpenShop) => Promise<{ said: string }>;
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
      const { undo } = steps.current;
      // Without a step before it there is nothing that `u` could take back in its place.
      const more = typeof step !== "string" ? [step] : undo.length > 0 ? [forGood(step)] : [];
      steps.current = { undo: [...undo, ...more], redo: [] };
      drawAgain();
    },
    async go(way, shop) {
      const step = steps.current[way].pop();
      drawAgain();
      if (!step) return { said: way === "undo" ? "There is nothing to undo." : "Nothing was taken back." };
      const said = await step[way](shop);
      steps.current[way === "undo" ? "redo" : "undo"].push(step);
      drawAgain();
      return { said: noticeOf(said, way === "undo" ? "U does it again." : UNDOES) };
    },
    inTurn(work) {
      const run = last.current.then(work);
      last.current = run.catch(() => {});
      return run;
    },
  };
}

/** In place of the way back from work that has none: the step before it is not taken back unasked. */
function forGood(said: string): Step {
  const undo = () => Promise.reject(new CliError(`This cannot be undone: ${said} u goes on to the step before.`));
  return { undo, redo: undo };
}

export const UNDOES = "u undoes it.";

export function noticeOf(said: Said, hint: string): string {
  if (typeof said === "string") return `${said} ${hint}`;
  return [said.said, hint, said.after].filter(Boolean).join(" ");
}
