/** The shop as the screens have it: where it is kept, its catalog, and what tells that something changed. */
import { useEffect, useReducer, useRef, useState } from "react";
import { CatalogError, NoCatalog } from "../../../src/catalog/load/document.ts";
import { lastGoodOf, loadCatalog } from "../../../src/catalog/load/load.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import type { CatalogSource } from "../../../src/catalog/source.ts";
import type { DataLocation } from "../../../src/store/location/location.ts";
import type { Store } from "../../../src/store/store.ts";
import type { ServerSeen } from "../../server/listening.ts";
import { clockOfBroken, type ShopLocale } from "../../shop/clock.ts";

export interface ShopSource {
  store: Store;
  /** Where the database is, to name it in errors. */
  location: DataLocation;
  catalogSource: CatalogSource;
  now: () => Temporal.Instant;
  /** Asks the running server; only it knows which messages go out. */
  askServer: () => Promise<ServerSeen>;
}

interface CatalogState {
  /** The last good catalog; null when none was good since the screens were opened. */
  catalog: Shop | null;
  /** The shop's clock, which screens need even without a good catalog. */
  clock: ShopLocale;
  /** The issues of the text, while the last good catalog stays in use; null when the text is good. */
  catalogIssue: CatalogError | null;
  isCatalogMissing: boolean;
}

export interface OpenShop extends ShopSource, CatalogState {
  /** Counts up whenever something may have changed. */
  pulse: number;
  /** Reads everything shown again, the catalog too; called after each write. */
  refresh: () => void;
}

const LOOK_MS = 500;
/** Ages and "in 3 min" must move on even when nothing changes. */
const PULSE_MS = 30_000;

export function useLiveShop(source: ShopSource): OpenShop {
  const { store, catalogSource } = source;
  const [watched] = useState(() => catalogSource.watch());
  const state = useRef<CatalogState>(null);
  state.current ??= readCatalogState(catalogSource, null);
  const read = () => {
    state.current = readCatalogState(catalogSource, state.current?.catalog ?? null);
  };
  const [pulse, beat] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer runs as long as the screens
  useEffect(() => {
    let version: number | null = null;
    let lastPulse = performance.now();
    const look = async () => {
      // The next look will try again.
      const current = await store.dataVersion().catch(() => version);
      const isEdited = await watched.hasChanged();
      if (isEdited) read();
      const hasChanged = isEdited || (version !== null && current !== version);
      version = current;
      if (!hasChanged && performance.now() - lastPulse < PULSE_MS) return;
      lastPulse = performance.now();
      beat();
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const refresh = () => {
    watched.settle();
    read();
    beat();
  };
  return { ...source, ...state.current, pulse, refresh };
}

function readCatalogState(source: CatalogSource, lastGood: Shop | null): CatalogState {
  try {
    const { catalog } = loadCatalog(source);
    return { catalog, clock: catalog, catalogIssue: null, isCatalogMissing: false };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const isCatalogMissing = error instanceof NoCatalog;
    const catalog = lastGood ?? (isCatalogMissing ? null : (lastGoodOf(source)?.catalog ?? null));
    return { catalog, clock: catalog ?? clockOfBroken(source), catalogIssue: error, isCatalogMissing };
  }
}
