/** The store, the catalog and the clock that the screens work on. */
import { basename } from "node:path";
import { useStdout } from "ink";
import { createContext, useContext, useLayoutEffect, useRef, useState } from "react";
import { ShadeNotLegal, UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import { CatalogError } from "../../../src/catalog/load/document.ts";
import type { CatalogSource } from "../../../src/catalog/source.ts";
import { EditError } from "../../../src/catalog/source.ts";
import { cannotUse } from "../../shop/database.ts";
import { CliError, clean, UsageError } from "../../terminal/output.ts";
import { InFront, useKeysWait } from "./keyboard.tsx";
import { noticeOf, type Said, type Step, UNDOES, useNav } from "./navigation.ts";
import type { OpenShop, ShopSource } from "./open-shop.ts";

/** How questions and warnings name the catalog: the file by its name, as the owner gave it. */
export function catalogWord({ file }: CatalogSource): string {
  return file === null ? "the catalog" : clean(basename(file));
}

export const ShopContext = createContext<OpenShop | null>(null);

export function useShop(): OpenShop {
  const shop = useContext(ShopContext);
  if (!shop) throw new Error("useShop is used outside of the screens");
  return shop;
}

/**
 * Something read from the store. It is read again when another process writes (within about a second), when the catalog
 * changes, and every half a minute.
 * @param about names the thing to read; a change of it reads the new thing
 * @param isActedOn keys are for what is read, as for what is due after a payment: they wait for it
 * @returns null until it was read once
 */
export function useLive<T>(read: (shop: OpenShop) => Promise<T>, about = "", isActedOn = true): T | null {
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
  return live?.about === about ? live.value : null;
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
