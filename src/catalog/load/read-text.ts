/** The catalog's text as it stands, for edits and for showing it. */
import { EditError } from "../edit-error.ts";
import type { CatalogSource } from "../source.ts";
import { CatalogError, NoCatalog } from "./catalog-file.ts";

/** A source, as far as its text is concerned. */
interface Readable {
  name: string;
  read: () => { bytes: Uint8Array };
}

/** The text, byte-order mark included, so that an edit keeps every byte. @throws EditError */
export function readText({ name, read }: Readable): string {
  const { bytes } = readOrRefuse(read);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new EditError(`${name} is not UTF-8 text; save it again as UTF-8.`);
  }
}

/** As `readText`; empty where a database has no catalog yet. @throws EditError */
export function textOrEmpty(source: CatalogSource): string {
  try {
    source.read();
  } catch (error) {
    if (error instanceof NoCatalog && source.file === null) return "";
  }
  return readText(source);
}

function readOrRefuse(read: Readable["read"]): { bytes: Uint8Array } {
  try {
    return read();
  } catch (error) {
    throw error instanceof CatalogError ? new EditError(error.message) : error;
  }
}
