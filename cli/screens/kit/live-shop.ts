/** Keeps the shop up to date: looks at the database and the catalog twice a second, and tells the screens of a change. */
import { useEffect, useState } from "react";
import { CatalogError, NoCatalog } from "../../../src/catalog/load/document.ts";
import { lastGoodOf, loadCatalog } from "../../../src/catalog/load/load.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import type { CatalogSource } from "../../../src/catalog/source.ts";
import { clockOfBroken } from "../../shop/clock.ts";
import type { CatalogState, OpenShop, ShopSource } from "./open-shop.ts";

const LOOK_MS = 500;
/** Ages and "in 3 min" must move on even when nothing changes. */
const PULSE_MS = 30_000;

export function useLiveShop(source: ShopSource): OpenShop {
  const { store, catalogSource } = source;
  const [catalog] = useState(() => openCatalog(catalogSource));
  const [pulse, setPulse] = useState(0);
  useEffect(() => {
    let version: number | null = null;
    let lastPulse = performance.now();
    const look = async () => {
      // The next look will try again.
      const current = await store.dataVersion().catch(() => version);
      const hasChanged = (await catalog.look()) || (version !== null && current !== version);
      version = current;
      if (!hasChanged && performance.now() - lastPulse < PULSE_MS) return;
      lastPulse = performance.now();
      setPulse((count) => count + 1);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [catalog, store]);
  const refresh = () => {
    catalog.read();
    setPulse((count) => count + 1);
  };
  return { ...source, ...catalog.state, pulse, refresh };
}

interface LiveCatalog {
  readonly state: CatalogState;
  /** Reads the catalog again after a change. @returns whether it was read again */
  look: () => Promise<boolean>;
  /** Reads the catalog again at once, after a save from here. */
  read: () => void;
}

function openCatalog(source: CatalogSource): LiveCatalog {
  const watched = source.watch();
  let state = readCatalogState(source, null);
  return {
    get state() {
      return state;
    },
    async look() {
      const hasChanged = await watched.hasChanged();
      if (hasChanged) state = readCatalogState(source, state.catalog);
      return hasChanged;
    },
    read() {
      watched.settle();
      state = readCatalogState(source, state.catalog);
    },
  };
}

function readCatalogState(source: CatalogSource, lastGood: Shop | null): CatalogState {
  try {
    const { catalog } = loadCatalog(source);
    return { catalog, clock: catalog, catalogIssue: null, isCatalogMissing: false };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const isCatalogMissing = error instanceof NoCatalog;
    const catalog = lastGood ?? (isCatalogMissing ? null : (lastGoodOf(source)?.catalog ?? null));
    return {
      catalog,
      clock: catalog ?? clockOfBroken(source),
      catalogIssue: error,
      isCatalogMissing,
    };
  }
}
