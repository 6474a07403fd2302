/** Opens the screens on a terminal, and gives the terminal back however they end. */
import { existsSync } from "node:fs";
import { catalogFile, dataLocation, prepareScreens, rawSettings, readListening } from "../../src/env/env.ts";
import { findServer } from "../server/listening.ts";
import { catalogSource } from "../shop/catalog.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { watchOutput } from "../terminal/output.ts";
import type { ScreenName } from "./kit/screen.ts";

/** Whether screens can be shown: both input and output must be a terminal that can move its cursor. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && rawSettings().TERM !== "dumb";
}

const SIGNALS = { SIGTERM: 15, SIGHUP: 1, SIGINT: 2 } as const;

/**
 * Opens a screen and waits until the owner leaves it.
 * @returns the exit status: 0, or 128 plus the number of the signal that ended the screens, as Ctrl+C does
 */
export async function openScreen(name: ScreenName, options: CommonOptions, about = ""): Promise<number> {
  // Ink is loaded here because it takes a third of a second, and after prepareScreens because it looks for colours as it loads.
  prepareScreens();
  watchOutput();
  const [{ render }, { createElement }, { Screens }, { screens }] = await Promise.all([
    import("ink"),
    import("react"),
    import("./kit/screen-stack.tsx"),
    import("./index.ts"),
  ]);
  const { Screen } = await screens.load(name);
  const location = dataLocation(options.data);
  return await withStore(
    options,
    async (store) => {
      const shop = {
        store,
        location,
        catalogSource: catalogSource(options),
        now: () => Temporal.Now.instant(),
        askServer: () => findServer(location, readListening()),
      };
      // Otherwise the terminal echoes keys typed while the first screen is made. Ink turns raw mode off again.
      process.stdin.setRawMode(true);
      // Keys that were echoed before have moved the cursor, and Ink draws from the column where it stands.
      process.stdout.write("\r");
      const app = render(
        createElement(Screens, { source: screens, first: () => createElement(Screen, { about }), shop }),
        {
          alternateScreen: true,
          // The screens ask first when changes are not saved.
          exitOnCtrlC: false,
          incrementalRendering: true,
          // At Ink's 30 frames a second, the data of the first screen would wait for the second frame.
          maxFps: 120,
          // Ink would draw nothing where CI is set; isInteractive has checked the terminal already.
          interactive: true,
          patchConsole: false,
        },
      );
      return await untilLeft(app);
    },
    // In the wrong folder nothing is made; the screens then say that there is no catalog.
    { create: existsSync(catalogFile(options.catalog)) },
  );
}

/** Waits until the screens are left. After a signal or a bug they are taken down first, so that the message can be read. */
async function untilLeft(app: { waitUntilExit: () => Promise<unknown>; unmount: () => void }): Promise<number> {
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
    app.waitUntilExit().then((status) => resolve(typeof status === "number" ? status : 0), reject);
    return await promise;
  } finally {
    app.unmount();
    for (const stop of stops) stop();
    process.off("uncaughtException", fail);
    process.off("unhandledRejection", fail);
  }
}
