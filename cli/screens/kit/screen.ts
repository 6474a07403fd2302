/** What a screen works with: the shop, the way to other screens, the notice above the footer, and work that can be undone. */
import { basename } from "node:path";
import { useStdout } from "ink";
import { createContext, useContext, useLayoutEffect, useReducer, useRef, useState } from "react";
import { ShadeNotLegal, UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import { CatalogError } from "../../../src/catalog/load/document.ts";
import { type CatalogSource, EditError } from "../../../src/catalog/source.ts";
import { cannotUse } from "../../shop/database.ts";
import { CliError, clean, UsageError } from "../../terminal/output.ts";
import { useAsk } from "./dialogs.tsx";
import { InFront, useKeysWait } from "./keyboard.tsx";
import type { OpenShop, ShopSource } from "./open-shop.ts";

export interface ScreenProps {
  /** Names the thing to show, such as a confirmation code; empty when the screen was opened from the menu. */
  about: string;
}

export interface MenuEntry {
  name: ScreenName;
  /** The key that opens the screen from home. */
  key: string;
  title: string;
  about: string;
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
  menu: readonly MenuEntry[];
  notice: Notice | null;
  /** Shows a notice above the footer; null takes it away. */
  say: (notice: Notice | null) => void;
  history: ReturnType<typeof useHistory>;
}

export const NavContext = createContext<Nav | null>(null);
export const ShopContext = createContext<OpenShop | null>(null);

export function useNav(): Nav {
  return within(useContext(NavContext));
}

export function useShop(): OpenShop {
  return within(useContext(ShopContext));
}

function within<Value>(value: Value | null): Value {
  if (!value) throw new Error("used outside of the screens");
  return value;
}

/** Shop and navigation, work that writes, and questions of its own: the `dialog` of `ask` belongs into the frame. */
export function useScreen() {
  return { ...useShop(), ...useNav(), act: useAct(), ask: useAsk() };
}

/** The screens, by room. */
export type ScreenName =
  | "home"
  | ("diary" | "booking" | "edit" | "book" | "paper" | "report")
  | ("leads" | "lead" | "inquiry" | "find" | "messages" | "customer")
  | ("prices" | "addons" | "estimate")
  | ("hours" | "faqs" | "texts" | "catalog" | "keys");

/** What work says that it did, and what is to be done about it, such as a call. */
type Said = string | { said: string; after: string };

/** A change, and its ways back and forth. */
export interface Step {
  undo: (shop: OpenShop) => Promise<Said>;
  redo: (shop: OpenShop) => Promise<Said>;
}

export function useHistory() {
  const steps = useRef<Record<keyof Step, Step[]>>({ undo: [], redo: [] });
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  return {
    /** Whether there is a step back, and one forward. */
    can: { undo: steps.current.undo.length > 0, redo: steps.current.redo.length > 0 },
    /** @param step what the work says of itself, where nothing takes it back */
    add(step: Step | string) {
      const { undo } = steps.current;
      // Without a step before it there is nothing that `u` could take back in its place.
      const more = typeof step !== "string" ? [step] : undo.length > 0 ? [forGood(step)] : [];
      steps.current = { undo: [...undo, ...more], redo: [] };
      drawAgain();
    },
    /** @throws the reason, when somebody else has changed the thing meanwhile: that step is then left out */
    async go(way: keyof Step, shop: OpenShop) {
      const step = steps.current[way].pop();
      drawAgain();
      if (!step) return { said: way === "undo" ? "There is nothing to undo." : "Nothing was taken back." };
      const said = await step[way](shop);
      steps.current[way === "undo" ? "redo" : "undo"].push(step);
      drawAgain();
      return { said: noticeOf(said, way === "undo" ? "U does it again." : UNDOES) };
    },
    /** Runs work after the work before it: the next key may come while that is still written. */
    inTurn<T>(work: () => Promise<T>): Promise<T> {
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

const UNDOES = "u undoes it.";

/** Work with its way back, for `useAct`. */
export function undoable({ redo, undo }: Step) {
  return async (shop: OpenShop) => ({ said: await redo(shop), step: { undo, redo } });
}

export function noticeOf(said: Said, hint: string): string {
  if (typeof said === "string") return `${said} ${hint}`;
  return [said.said, hint, said.after].filter(Boolean).join(" ");
}

/** How questions and warnings name the catalog: the file by its name, as the owner gave it. */
export function catalogWord({ file }: CatalogSource): string {
  return file === null ? "the catalog" : clean(basename(file));
}

/**
 * Something read from the store, again when another process writes, when the catalog changes, and every half a minute.
 * @param about names the thing to read; a change of it reads the new thing
 * @param isActedOn keys are for what is read, as for what is due after a payment: they wait for it
 */
export function useLive<T>(read: (shop: OpenShop) => Promise<T>, about = "", isActedOn = true): T | undefined {
  const shop = useShop();
  const { say } = useNav();
  const isInFront = useContext(InFront);
  const keysWait = useKeysWait();
  const [live, setLive] = useState<{ about: string; value: T } | null>(null);
  const latest = useRef({ read, shop, say });
  latest.current = { read, shop, say };
  const { pulse } = shop;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pulse means that something may have changed
  useLayoutEffect(() => {
    if (!isInFront) return;
    let isWanted = true;
    const { read, shop, say } = latest.current;
    const reading = read(shop).then(
      (value) => isWanted && setLive({ about, value }),
      (error: unknown) => isWanted && say({ kind: "error", text: errorInWords(error, shop) }),
    );
    if (isActedOn) keysWait(reading);
    return () => {
      isWanted = false;
    };
  }, [pulse, about, isInFront]);
  // Never show one day's bookings under another day's heading.
  return live?.about === about ? live.value : undefined;
}

/** The parts of the shop that the owner's work on a booking needs. */
export function deskOf({ store, catalog, now }: OpenShop) {
  return { store, catalog, now: now() };
}

/** The same with the catalog. @throws CliError without one */
export function goodDeskOf(shop: OpenShop) {
  const { catalog, ...desk } = deskOf(shop);
  if (!catalog) throw new CliError("Without the catalog the words of the shop are not known.");
  return { ...desk, catalog };
}

/** What work returns: a step with its line, a line of which `u` says that it cannot be undone, a line that is no step, or null for nothing. */
type Done = string | null | { said: string } | { said: Said; step: Step };

/**
 * @returns a function that runs work which writes, shows the line that the work returns (or why it failed), and reads
 * everything shown again. It throws only what needs a yes of the owner. @see askAnyway
 */
export function useAct(): (work: (shop: OpenShop) => Promise<Done>) => Promise<void> {
  const shop = useShop();
  const { say, history } = useNav();
  const keysWait = useKeysWait();
  const act = async (work: (shop: OpenShop) => Promise<Done>) => {
    try {
      const done = await history.inTurn(() => work(shop));
      const hasStep = typeof done === "object" && done !== null && "step" in done;
      if (typeof done === "string" || hasStep) history.add(hasStep ? done.step : done);
      const text = hasStep ? noticeOf(done.said, UNDOES) : typeof done === "string" ? done : done?.said;
      say(text === undefined ? null : { kind: "done", text });
    } catch (error) {
      if (error instanceof UnusualTime || error instanceof ShadeNotLegal) throw error;
      say({ kind: "error", text: errorInWords(error, shop) });
    }
    shop.refresh();
  };
  return (work) => {
    const acting = act(work);
    // The caller learns of a failure.
    keysWait(acting.catch(() => {}));
    return acting;
  };
}

/** @returns a function that asks the terminal by OSC 52 to put a text on the clipboard, over SSH too */
export function useCopy(): (text: string) => void {
  const { stdout } = useStdout();
  const { say } = useNav();
  return (text) => {
    stdout.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
    say({ kind: "done", text: "Sent to the clipboard, if your terminal allows it. Check by pasting it." });
  };
}

/** An expected failure in words. @throws any other error: it is a bug and ends it */
function errorInWords(error: unknown, { location }: Pick<ShopSource, "location">): string {
  const known = cannotUse(error, location);
  if (known instanceof CatalogError) return `Not saved, because then ${known.issues[0] ?? known.message}`;
  if (known instanceof CliError || known instanceof UsageError || known instanceof EditError) return known.message;
  throw error;
}
