/** Draws the screens on a terminal of a given size that is not there, and waits for what should be seen. */
import { onTestFinished } from "bun:test";
import { render } from "ink-testing-library";
import { screens } from "../../cli/screens/index.ts";
import type { ScreenName } from "../../cli/screens/kit/shell/screen-names.ts";
import { Screens } from "../../cli/screens/kit/shell/screen-stack.tsx";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { NOW } from "../helpers.ts";
import type { ShopFolder } from "../process/server.ts";

const WITHIN_MS = 5_000;

export const KEYS = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  enter: "\r",
  esc: "\u001b",
  tab: "\t",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
  home: "\u001b[H",
  end: "\u001b[F",
  "ctrl+c": "\u0003",
  backspace: "\u007f",
} as const;

export interface Terminal {
  /** What is on the screen now, without colours. */
  frame: () => string;
  /** Waits until the screen fits. @returns it */
  see: (what: string | RegExp) => Promise<string>;
  /** Waits until something is no longer on the screen. */
  lose: (what: string) => Promise<string>;
  press: (...keys: (keyof typeof KEYS | (string & {}))[]) => void;
}

/** Whatever is set in the environment of the tests, nothing is sent from here. */
const TEXTS_ON = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "secret", TWILIO_FROM: "+14045550142" };

interface Options {
  columns?: number;
  rows?: number;
  about?: string;
  now?: () => Temporal.Instant;
  /** Of the environment; those of texts unless given. */
  settings?: Record<string, string>;
}

/** Opens a screen as the first one. */
export async function openOn(folder: ShopFolder, name: ScreenName, options: Options = {}): Promise<Terminal> {
  const { columns = 80, rows = 24, about = "", now = () => NOW, settings = TEXTS_ON } = options;
  const store = openSqliteStore(folder.data);
  const { Screen } = await screens.load(name);
  const shop = { store, data: folder.data, catalogFile: folder.catalog, now, settings };
  const first = () => <Screen about={about} />;
  const app = render(<Screens source={screens} first={first} shop={shop} />);
  for (const [side, value] of Object.entries({ columns, rows }))
    Object.defineProperty(app.stdout, side, { value, configurable: true });
  app.stdout.emit("resize");
  onTestFinished(async () => {
    app.unmount();
    await store.close();
  });
  const frame = () => Bun.stripANSI(app.lastFrame() ?? "");
  const until = async (fits: (frame: string) => boolean, what: string | RegExp) => {
    const deadline = performance.now() + WITHIN_MS;
    while (!fits(frame())) {
      if (performance.now() > deadline) throw new Error(`${what} within ${WITHIN_MS} ms; there is:\n${frame()}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return assertFits(frame(), { columns, rows });
  };
  // The first drawing is made before the size is known.
  await until((text) => text.split("\n").every((line) => Bun.stringWidth(line) <= columns), "the right size");
  return {
    frame,
    see: (what) => until((text) => (typeof what === "string" ? text.includes(what) : what.test(text)), what),
    lose: (what) => until((text) => !text.includes(what), `no ${what}`),
    press: (...keys) => {
      const named: Record<string, string> = KEYS;
      for (const key of keys) app.stdin.write(named[key] ?? key);
    },
  };
}

/** Nothing may be wider or higher than the terminal, and nothing obeyed by it. */
function assertFits(frame: string, { columns, rows }: { columns: number; rows: number }): string {
  const lines = frame.split("\n");
  if (lines.length > rows) throw new Error(`${lines.length} lines on ${rows}:\n${frame}`);
  for (const line of lines) {
    if (Bun.stringWidth(line) > columns) throw new Error(`${Bun.stringWidth(line)} columns on ${columns}:\n${line}`);
    if (/[\p{Cc}\p{Cf}]/u.test(line)) throw new Error(`control characters: ${JSON.stringify(line)}`);
  }
  return frame;
}
