/** A catalog in a file, which is looked at again and again. */
import { statSync } from "node:fs";
import type { ShopAddress } from "../../catalog/at-site.ts";
import { NoCatalog, readCatalogFile } from "../../catalog/load/document.ts";
import type { CatalogSource, TextInForce } from "../../catalog/source.ts";

/** How often the file is looked at. A change takes two looks, and its reading up to a second on a slow machine, of the 2 promised. */
const LOOK_MS = 150;

/** The history is loaded on first use: most commands only read. */
function textInForce(data: string, file: string): TextInForce {
  return {
    read() {
      const { readInForce }: typeof import("./history.ts") = require("./history.ts");
      return readInForce(data, file);
    },
    keep(bytes) {
      const { keepInForce }: typeof import("./history.ts") = require("./history.ts");
      return keepInForce(data, file, bytes);
    },
  };
}

/** @param data the data folder, which keeps the versions that saves replace; without it a save cannot be undone */
export function fileSource(file: string, data?: string, address: ShopAddress | null = null): CatalogSource {
  return {
    address,
    memory: null,
    file,
    name: file,
    inForce: data === undefined ? null : textInForce(data, file),
    read: () => ({ ...readOrSay(file, data), version: null, name: file }),
    watch: () => ({ everyMs: LOOK_MS, ...watchFile(file) }),
    save(work, options) {
      const { saveFile }: typeof import("./save-file.ts") = require("./save-file.ts");
      return saveFile(file, work, { ...options, data });
    },
    async earlier(number = 1) {
      const { versionsOf }: typeof import("./history.ts") = require("./history.ts");
      const version = data === undefined ? undefined : versionsOf(data, file)[number - 1];
      return version ? { number, ...version } : null;
    },
  };
}

/** A catalog that was there before can be brought back: a new one is the way out only where there was none. */
function readOrSay(file: string, data: string | undefined) {
  try {
    return readCatalogFile(file);
  } catch (error) {
    if (!(error instanceof NoCatalog) || data === undefined) throw error;
    const { lostText }: typeof import("./history.ts") = require("./history.ts");
    const lost = lostText(data, file);
    if (lost === null) throw error;
    const message = `There is no file ${file}. To bring it back ${lost.what}: tint catalog undo. For a new shop: tint init.`;
    throw new NoCatalog(file, [message], message);
  }
}

/** A file that keeps changing is read after this many looks, within the 2 seconds that catalog.yaml promises. */
const MOST_LOOKS = 4;

export function watchFile(file: string) {
  let settled = fingerprint(file);
  let seen = settled;
  let looks = 0;
  return {
    /** One look at the file. True for a change once the file held still, because a half-written file often parses, or at every fourth look. */
    hasChanged() {
      const now = fingerprint(file);
      const isStill = now === seen;
      seen = now;
      looks = now === settled ? 0 : looks + 1;
      if (looks === 0 || (!isStill && looks < MOST_LOOKS)) return false;
      settled = now;
      looks = 0;
      return true;
    },
    settle() {
      settled = fingerprint(file);
      seen = settled;
      looks = 0;
    },
  };
}

/** A text that changes whenever the file changes, appears or disappears. */
function fingerprint(file: string): string {
  try {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return "missing";
  }
}
