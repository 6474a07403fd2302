/** Keeps the shop up to date: looks at the database and the catalog twice a second, and tells the screens of a change. */
import { useEffect, useState } from "react";
import { openCatalog } from "./live-catalog.ts";
import type { Shop, ShopSource } from "./shop.ts";

const LOOK_MS = 500;
/** Ages and "in 3 min" must move on even when nothing changes. */
const PULSE_MS = 30_000;

export function useLiveShop(source: ShopSource): Shop {
  const { store, catalogSource, catalogCache } = source;
  const [catalog] = useState(() => openCatalog(catalogSource, catalogCache));
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
