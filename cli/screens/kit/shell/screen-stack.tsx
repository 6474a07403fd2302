/** The stack of screens: the one in front is seen and gets the keys, those behind it keep their state. */
import { Box, useApp } from "ink";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { InFront, Keyboard } from "../input/keyboard.tsx";
import { openCatalogFile } from "./catalog-file.ts";
import { type MenuEntry, type Nav, NavContext, type Notice } from "./navigation.ts";
import type { ScreenName } from "./screen-names.ts";
import { type Shop, ShopContext, type ShopSource } from "./shop.ts";

export interface ScreenProps {
  /** What the screen is to show, such as a confirmation code; empty when it was opened from the menu. */
  about: string;
}

export type ScreenModule = { Screen: ComponentType<ScreenProps> };

/** How the stack finds a screen by its name. */
export interface ScreenSource {
  load: (name: ScreenName) => Promise<ScreenModule>;
  menu: readonly MenuEntry[];
}

interface Layer {
  id: number;
  Screen: ComponentType<ScreenProps>;
  about: string;
}

const LOOK_MS = 500;
/** Ages and "in 3 min" move on by themselves. */
const PULSE_MS = 30_000;

interface ScreensProps {
  source: ScreenSource;
  first: ComponentType<ScreenProps>;
  shop: ShopSource;
}

export function Screens({ source, first, shop }: ScreensProps) {
  const { exit } = useApp();
  const layers = useLayers(source, first, exit);
  const live = useLiveShop(shop);
  const [notice, say] = useState<Notice | null>(null);
  const front = layers.stack.length - 1;
  return (
    <Keyboard>
      <ShopContext value={live}>
        {layers.stack.map(({ id, Screen, about }, depth) => {
          const nav: Nav = {
            open: layers.open,
            back: layers.back,
            quit: exit,
            isFirst: depth === 0,
            menu: source.menu,
            notice,
            say,
          };
          return (
            <NavContext key={id} value={nav}>
              <InFront value={depth === front}>
                <Box display={depth === front ? "flex" : "none"}>
                  <Screen about={about} />
                </Box>
              </InFront>
            </NavContext>
          );
        })}
      </ShopContext>
    </Keyboard>
  );
}

function useLayers(source: ScreenSource, first: ComponentType<ScreenProps>, exit: () => void) {
  const [stack, setStack] = useState<readonly Layer[]>([{ id: 0, Screen: first, about: "" }]);
  const [failure, setFailure] = useState<unknown>(null);
  const ids = useRef(0);
  // A screen that cannot be loaded is a fault of the program.
  if (failure !== null) throw failure;
  return {
    stack,
    open: (name: ScreenName, about = "") => {
      source.load(name).then(({ Screen }) => {
        ids.current += 1;
        const id = ids.current;
        setStack((old) => [...old, { id, Screen, about }]);
      }, setFailure);
    },
    back: () => {
      if (stack.length === 1) exit();
      else setStack((old) => old.slice(0, -1));
    },
  };
}

/** Looks at the database and the catalog twice a second, and draws again only when something changed. */
function useLiveShop(source: ShopSource): Shop {
  const { store, catalogFile } = source;
  const [file] = useState(() => openCatalogFile(catalogFile));
  const [pulse, setPulse] = useState(0);
  useEffect(() => {
    let version: number | null = null;
    let lastPulse = performance.now();
    const look = async () => {
      // A database that is busy just now is looked at again.
      const current = await store.dataVersion().catch(() => version);
      const hasChanged = file.look() || (version !== null && current !== version);
      version = current;
      if (!hasChanged && performance.now() - lastPulse < PULSE_MS) return;
      lastPulse = performance.now();
      setPulse((count) => count + 1);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [file, store]);
  const refresh = () => {
    file.read();
    setPulse((count) => count + 1);
  };
  return { ...source, ...file.state, pulse, refresh };
}
