/** A catalog in a file. */
import type { ShopAddress } from "../at-site.ts";
import { readCatalogFile } from "../load/catalog-file.ts";
import type { CatalogSource, TextInForce } from "../source.ts";
import { watchFile } from "./watch-file.ts";

/** How often the file is looked at. A change takes two looks, and its reading up to a second on a slow machine, of the 2 promised. */
const LOOK_MS = 150;

function textInForce(data: string, file: string): TextInForce {
  return {
    read() {
      const { readInForce }: typeof import("./history.ts") = require("./history.ts");
      return readInForce(data, file);
    },
    keep(bytes) {
      const { keepInForce }: typeof import("./history.ts") = require("./history.ts");
      keepInForce(data, file, bytes);
    },
  };
}

/** @param data the data folder, which keeps the versions that saves replace; without it a save cannot be undone */
export function fileSource(file: string, data?: string, address: ShopAddress | null = null): CatalogSource {
  return {
    address,
    file,
    name: file,
    inForce: data === undefined ? null : textInForce(data, file),
    read: () => ({ ...readCatalogFile(file), version: null, name: file }),
    watch: () => ({ everyMs: LOOK_MS, ...watchFile(file) }),
    // Loaded on first use: most commands only read.
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
