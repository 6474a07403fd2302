/** The worker of `parseInThread`: reads and checks one text, answers, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { CatalogError } from "./catalog-file.ts";
import { parseCatalog } from "./parse.ts";
import type { Parsed, TextToParse } from "./parse-in-thread.ts";

function answer({ bytes, name }: TextToParse): Parsed {
  try {
    return { catalog: parseCatalog(bytes, name) };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { file, issues, message } = error;
    return { file, issues, message };
  }
}

parentPort?.postMessage(answer(workerData as TextToParse));
