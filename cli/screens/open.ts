/** Screens: whether there may be any, and opening the first one so that the terminal is always given back. */
import { catalogFile, dataFolder, prepareScreens, rawSettings } from "../../src/env/env.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { watchOutput } from "../terminal/output.ts";
import type { ScreenName } from "./kit/shell/screen-names.ts";

/** Both ends must be a terminal: keys come from one, the screen goes to the other. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2 } as const;

/**
 * Opens a screen, and comes back when the owner leaves it.
 * @returns the exit status: 0, or 128 and the number of the signal that ended it
 */
export async function openScreen(name: ScreenName, options: CommonOptions = {}): Promise<number> {
  // Ink costs a third of a second to load; and it looks for colours as it loads.
  prepareScreens();
  watchOutput();
  const [{ render }, { createElement }, { Screens }, { screens }] = await Promise.all([
    import("ink"),
    import("react"),
    import("./kit/shell/screen-stack.tsx"),
    import("./index.ts"),
  ]);
  const { Screen } = await screens.load(name);
  return await withStore(
    options.data,
    async (store) => {
      const shop = {
        store,
        data: dataFolder(options.data),
        catalogFile: catalogFile(options.catalog),
        now: () => Temporal.Now.instant(),
        settings: rawSettings(),
      };
      // Keys typed while the first screen is made must not be written over it by the terminal; Ink turns this off again.
      process.stdin.setRawMode(true);
      const app = render(createElement(Screens, { source: screens, first: Screen, shop }), {
        alternateScreen: true,
        // The screens ask first where something is not saved yet.
        exitOnCtrlC: false,
        incrementalRendering: true,
        // Both ends are terminals; that the machine also builds things does not matter.
        interactive: true,
        patchConsole: false,
      });
      return await untilLeft(app);
    },
    { create: true },
  );
}

interface App {
  waitUntilExit: () => Promise<unknown>;
  unmount: () => void;
}

/** Waits until the screens are left. A signal or a fault of the program takes them down first, so that it can be read. */
async function untilLeft(app: App): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const fail = (error: unknown) => reject(error);
  const stops = Object.entries(SIGNALS).map(([signal, number]) => {
    const stop = () => resolve(128 + number);
    process.on(signal, stop);
    return () => process.off(signal, stop);
  });
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  try {
    app.waitUntilExit().then(() => resolve(0), reject);
    return await promise;
  } finally {
    app.unmount();
    for (const stop of stops) stop();
    process.off("uncaughtException", fail);
    process.off("unhandledRejection", fail);
  }
}
