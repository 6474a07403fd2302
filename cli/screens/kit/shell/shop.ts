/** What the screens work on: the store, the catalog and the clock, and how they stay up to date. */
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { EditError } from "../../../../src/catalog/edit-error.ts";
import { CatalogError } from "../../../../src/catalog/load/load.ts";
import type { Store } from "../../../../src/store/store.ts";
import { Failure, Misuse } from "../../../failure.ts";
import { cannotUse } from "../../../shop/database.ts";
import { InFront } from "../input/keyboard.tsx";
import type { CatalogState } from "./catalog-file.ts";
import { useNav } from "./navigation.ts";

/** What is handed in from outside. */
export interface ShopSource {
  store: Store;
  /** The folder of the database, to name it in errors. */
  data: string;
  catalogFile: string;
  now: () => Temporal.Instant;
  /** The environment's variables, which say what messages go out through. */
  settings: Readonly<Record<string, string | undefined>>;
}

export interface Shop extends ShopSource, CatalogState {
  /** Counts up whenever something may have changed. */
  pulse: number;
  /** After a write of one's own: everything shown is read again, the catalog too. */
  refresh: () => void;
}

export const ShopContext = createContext<Shop | null>(null);

export function useShop(): Shop {
  const shop = useContext(ShopContext);
  if (!shop) throw new Error("useShop is used outside of the screens");
  return shop;
}

/**
 * Something read from the store, read again when another process writes (within about a second), the catalog changes
 * or half a minute passes. Null until it was read once.
 * @param about changes when something else is to be read
 */
export function useLive<T>(read: (shop: Shop) => Promise<T>, about = ""): T | null {
  const shop = useShop();
  const { say } = useNav();
  const isInFront = useContext(InFront);
  const [live, setLive] = useState<{ about: string; value: T } | null>(null);
  const latest = useRef({ read, shop, say });
  latest.current = { read, shop, say };
  const { pulse } = shop;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a pulse means that something may have changed
  useEffect(() => {
    if (!isInFront) return;
    let isWanted = true;
    const { read, shop, say } = latest.current;
    read(shop).then(
      (value) => isWanted && setLive({ about, value }),
      (error: unknown) => isWanted && say({ kind: "error", text: reasonOf(error, shop) }),
    );
    return () => {
      isWanted = false;
    };
  }, [pulse, about, isInFront]);
  // What was read about something else is not shown under a new heading.
  return live?.about === about ? live.value : null;
}

/**
 * Does something that writes, and says how it went; everything shown is read again then.
 * @returns a function that takes the work; the work returns the line to say
 */
export function useAct(): (work: () => Promise<string | null>) => void {
  const shop = useShop();
  const { say } = useNav();
  return (work) => {
    work().then(
      (text) => {
        say(text === null ? null : { kind: "done", text });
        shop.refresh();
      },
      (error: unknown) => {
        say({ kind: "error", text: reasonOf(error, shop) });
        shop.refresh();
      },
    );
  };
}

/** A refusal in words. What is no refusal is a fault of the program, and ends it. */
function reasonOf(error: unknown, { data }: Pick<ShopSource, "data">): string {
  const known = cannotUse(error, data);
  if (known instanceof CatalogError) return `Not saved, because then ${known.faults[0] ?? known.message}`;
  if (known instanceof Failure || known instanceof Misuse || known instanceof EditError) return known.message;
  throw error;
}
