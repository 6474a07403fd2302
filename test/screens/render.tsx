/** Draws the screens on a simulated terminal of a given size, and waits until the expected text is there. */
import { onTestFinished } from "bun:test";
import { EventEmitter } from "node:events";
import { render } from "ink";
import { useEffect } from "react";
import { screens } from "../../cli/screens/index.ts";
import type { ScreenName } from "../../cli/screens/kit/screen.ts";
import { Screens } from "../../cli/screens/kit/screen-stack.tsx";
import type { ServerSeen } from "../../cli/server/listening.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { NOW } from "../fixed-day.ts";
import { CATALOG_MEMORY, type ShopFolder } from "../process/server.ts";

/** Long, because the machine may be busy with other tests. */
const WITHIN_MS = 20_000;

/** Computing time of this process, so that a text that never comes fails early on an idle machine. */
const WITHIN_CPU_MS = 8_000;

const KEYS = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  backtab: "\u001b[Z",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
  home: "\u001b[H",
  end: "\u001b[F",
  "ctrl+c": "\u0003",
  "ctrl+s": "\u0013",
  "ctrl+u": "\u0015",
  backspace: "\u007f",
} as const;

/** What is waited for after a key. */
interface Pressed {
  /** Waits until the text is on the screen. @returns the screen */
  see: (what: string | RegExp) => Promise<string>;
  /** Waits until the text is gone from the screen. */
  lose: (what: string) => Promise<string>;
}

export interface Terminal extends Pressed {
  /** The screen as it is now, without colours. */
  frame: () => string;
  press: (...keys: (keyof typeof KEYS | (string & {}))[]) => Pressed;
  /** All that was written to the terminal, with escape sequences. */
  written: () => string;
  /** Every screen drawn so far, without colours. */
  frames: () => string[];
  resize: (size: { columns: number; rows: number }) => void;
  /** How many listen to the size. */
  listeners: () => number;
  /** Waits until the owner has left the program. */
  leave: () => Promise<void>;
  hasLeft: () => boolean;
}

/** The least terminal that the screens are made for, and a wide one. */
export const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;

/** Saves one change of the catalog from the screen in front. */
export async function saveChange(terminal: Terminal): Promise<void> {
  await terminal.press("s").see("Write this to catalog.yaml?");
  await terminal.press("y").see("✓ Saved 1 change.");
}

/** A server as it answers when everything can be sent. */
const ALL_ON: ServerSeen = { at: "127.0.0.1:8080", says: { status: "ready", jobs: { off: [] } } };

interface Options {
  columns?: number;
  rows?: number;
  about?: string;
  now?: () => Temporal.Instant;
  /** Another place of the catalog than the folder's file. */
  catalogSource?: CatalogSource;
  /** The answer of the server; without it everything can be sent. */
  server?: ServerSeen;
  /** What each call of the store waits for, as on a busy machine. */
  storeWaits?: () => Promise<void>;
  /** What is waited for before anything else. */
  sees?: string | RegExp;
}

/** Keeps what is drawn. Its size is known from the start: for any other terminal Ink asks two programs of the system. */
class Output extends EventEmitter {
  frames: string[] = [];
  columns: number;
  rows: number;
  constructor({ columns, rows }: { columns: number; rows: number }) {
    super();
    this.columns = columns;
    this.rows = rows;
  }
  write = (drawn: string) => this.frames.push(drawn) > 0;
}

/** Hands each key on as it is pressed. */
class Input extends EventEmitter {
  isTTY = true;
  #key: string | null = null;
  press(key: string): void {
    this.#key = key;
    this.emit("readable");
  }
  read(): string | null {
    const key = this.#key;
    this.#key = null;
    return key;
  }
  setEncoding() {}
  setRawMode() {}
  ref() {}
  unref() {}
}

/** Opens a screen as the first one. */
export async function openOn(folder: ShopFolder, name: ScreenName, options: Options = {}): Promise<Terminal> {
  const { columns = 80, rows = 24, about = "", now = () => NOW, server = ALL_ON } = options;
  const { catalogSource = { ...fileSource(folder.catalog, folder.data), memory: CATALOG_MEMORY } } = options;
  const opened = openSqliteStore(folder.data);
  const store = options.storeWaits ? waiting(opened, options.storeWaits) : opened;
  const { Screen } = await screens.load(name);
  const shop = {
    store,
    location: locationOf(folder.data),
    catalogSource,
    now,
    askServer: async () => server,
  };
  let hasLeft = false;
  const first = () => {
    useEffect(
      () => () => {
        hasLeft = true;
      },
      [],
    );
    return <Screen about={about} />;
  };
  let size = { columns, rows };
  const [stdin, stdout] = [new Input(), new Output(size)];
  const app = render(<Screens source={screens} first={first} shop={shop} />, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const resize = (to: typeof size) => {
    size = to;
    Object.assign(stdout, to);
    stdout.emit("resize");
  };
  onTestFinished(async () => {
    app.unmount();
    await opened.close();
  });
  let plain = { of: "", text: "" };
  const frame = () => {
    const drawn = stdout.frames.at(-1) ?? "";
    if (plain.of !== drawn) plain = { of: drawn, text: Bun.stripANSI(drawn) };
    return plain.text;
  };
  const wait = async (isThere: () => boolean, what: string | RegExp) => {
    const deadline = performance.now() + WITHIN_MS;
    const cpuDeadline = cpuMs() + WITHIN_CPU_MS;
    while (!isThere()) {
      if (performance.now() > deadline || cpuMs() > cpuDeadline) throw new Error(`no ${what}; there is:\n${frame()}`);
      // Not in a loop without a pause: that would take the time of the other test files.
      await Bun.sleep(3);
    }
  };
  const until = async (fits: (frame: string) => boolean, what: string | RegExp) => {
    await wait(() => fits(frame()), what);
    return assertFits(frame(), size);
  };
  const waits: Pressed = {
    see: (what) => until((text) => (typeof what === "string" ? text.includes(what) : what.test(text)), what),
    lose: (what) => until((text) => !text.includes(what), `end of ${what}`),
  };
  if (options.sees !== undefined) await waits.see(options.sees);
  return {
    ...waits,
    frame,
    written: () => stdout.frames.join(""),
    frames: () => stdout.frames.map((drawn) => Bun.stripANSI(drawn)),
    resize,
    listeners: () => stdout.listenerCount("resize"),
    leave: () => wait(() => hasLeft, "left"),
    hasLeft: () => hasLeft,
    press: (...keys) => {
      const named: Record<string, string> = KEYS;
      for (const key of keys) stdin.press(named[key] ?? key);
      return waits;
    },
  };
}

function waiting(store: Store, wait: () => Promise<void>): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...given: unknown[]) => {
        await wait();
        return method.apply(target, given);
      };
    },
  });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @throws when the screen is wider or higher than the terminal, or holds control characters */
function assertFits(frame: string, { columns, rows }: { columns: number; rows: number }): string {
  const lines = frame.split("\n");
  if (lines.length > rows) throw new Error(`${lines.length} lines on ${rows}:\n${frame}`);
  for (const line of lines) {
    if (Bun.stringWidth(line) > columns) throw new Error(`${Bun.stringWidth(line)} columns on ${columns}:\n${line}`);
    if (/[\p{Cc}\p{Cf}]/u.test(line)) throw new Error(`control characters: ${JSON.stringify(line)}`);
  }
  return frame;
}
