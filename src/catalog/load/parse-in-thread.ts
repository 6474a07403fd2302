/** Reads a catalog in a worker thread, so that a running server goes on answering: a large text takes a second. */
import { Worker } from "node:worker_threads";
import { deepFreeze } from "../../lib/fields.ts";
import type { Catalog } from "../schema.ts";
import { CatalogError } from "./catalog-file.ts";

/** The worker's `workerData`. */
export interface TextToParse {
  bytes: Uint8Array;
  /** Named in the issues. */
  name: string;
  /** The text before, to tell what changed. */
  was: Uint8Array;
}

/** What a reload brings. */
export interface Reread {
  catalog: Catalog;
  /** The values that changed, in words for the log. */
  changed: readonly string[];
  /** Values that are probably not meant. */
  notes: readonly string[];
}

/** From the worker. A message between threads does not keep the class of an error. */
export type Parsed = Reread | { file: string; issues: readonly string[]; message: string };

/** About seventy times as long as the stock catalog takes. */
const LONGEST_MS = 10_000;

/**
 * @returns the catalog, frozen, with what the owner is told
 * @throws CatalogError with every issue of the text, or when it cannot be read in time
 */
export async function parseInThread(text: TextToParse): Promise<Reread> {
  const { promise, resolve, reject } = Promise.withResolvers<Parsed>();
  const fail = (why: unknown) => {
    const reason = `${text.name} could not be read: ${String(why)}. Save it again.`;
    reject(new CatalogError(text.name, [reason], reason));
  };
  const worker = new Worker(new URL("./parse-thread.ts", import.meta.url), { workerData: text });
  const timer = setTimeout(fail, LONGEST_MS, `it took longer than ${LONGEST_MS / 1000} seconds`);
  worker.on("message", resolve);
  worker.on("error", fail);
  // Without effect once the thread has answered.
  worker.on("exit", () => fail("its reader ended"));
  try {
    const parsed = await promise;
    if ("catalog" in parsed) return { ...parsed, catalog: deepFreeze(parsed.catalog) };
    throw new CatalogError(parsed.file, parsed.issues, parsed.message);
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}
