/** The stack of screens: only the front one is drawn and gets the keys; the ones behind it keep their state. */
import { Box, Text, useApp, useWindowSize } from "ink";
import { type ComponentType, useRef, useState } from "react";
import { InFront, Keyboard, useKeyPress } from "./keyboard.tsx";
import { type ShopSource, useLiveShop } from "./open-shop.ts";
import {
  type MenuEntry,
  type Nav,
  NavContext,
  type Notice,
  type ScreenName,
  type ScreenProps,
  ShopContext,
  useHistory,
} from "./screen.ts";
import { TerminalSize, tooSmallInWords } from "./text.tsx";

export type ScreenModule = { Screen: ComponentType<ScreenProps> };

export interface ScreenSource {
  load: (name: ScreenName) => Promise<ScreenModule>;
  menu: readonly MenuEntry[];
}

interface Layer {
  id: number;
  name: ScreenName | null;
  Screen: ComponentType<ScreenProps>;
  about: string;
}

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
  const history = useHistory();
  const size = useWindowSize();
  const tooSmall = tooSmallInWords(size);
  // Keys act on what is seen.
  const front = tooSmall === null ? layers.stack.length - 1 : -1;
  return (
    <Keyboard isOpening={layers.isOpening}>
      {tooSmall !== null && <TooSmall says={tooSmall} leave={() => exit(INTERRUPTED)} />}
      <TerminalSize value={size}>
        <ShopContext value={live}>
          {layers.stack.map(({ id, Screen, about }, depth) => {
            const { open, back } = layers;
            const ways = { open, back, quit: () => exit(), interrupt: () => exit(INTERRUPTED), isFirst: depth === 0 };
            const nav: Nav = { ...ways, menu: source.menu, notice, say, history };
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
      </TerminalSize>
    </Keyboard>
  );
}

function TooSmall({ says, leave }: { says: string; leave: () => void }) {
  useKeyPress(({ name }) => {
    if (name === "ctrl+c") leave();
  });
  return <Text>{says}</Text>;
}

/** The exit status of a program that Ctrl+C ended: 128 and the number of SIGINT. */
const INTERRUPTED = 130;

function useLayers(source: ScreenSource, first: ComponentType<ScreenProps>, exit: () => void) {
  const [stack, setStack] = useState<readonly Layer[]>([{ id: 0, name: null, Screen: first, about: "" }]);
  const [isOpening, setOpening] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const ids = useRef(0);
  // A screen that does not load is a bug.
  if (failure !== null) throw failure;
  return {
    stack,
    isOpening,
    open: (name: ScreenName, about = "") => {
      setOpening(true);
      source.load(name).then(({ Screen }) => {
        setOpening(false);
        ids.current += 1;
        const id = ids.current;
        // Another day or booking takes the place of the one in front.
        setStack((old) => [...(old.at(-1)?.name === name ? old.slice(0, -1) : old), { id, name, Screen, about }]);
      }, setFailure);
    },
    back: () => {
      if (stack.length === 1) exit();
      else setStack((old) => old.slice(0, -1));
    },
  };
}
