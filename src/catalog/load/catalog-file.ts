/** The catalog's text: the bytes of its file, the text as it is, and the error that lists what is wrong with it. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf, explainCode } from "../../lib/os-errors.ts";
import { counted } from "../../lib/text.ts";
import { EditError } from "../edit-error.ts";
import type { CatalogSource } from "../source.ts";

/** The catalog cannot be used. The owner reads the message: one paragraph for each issue. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(
    readonly file: string,
    readonly issues: readonly string[],
    /** Replaces the list of issues when the file itself cannot be read. */
    message?: string,
  ) {
    super(message ?? `${file} has ${counted(issues.length, "mistake")}:\n\n${issues.join("\n\n")}\n`);
  }
}

/** There is no catalog yet; the message says how to make one. */
export class NoCatalog extends CatalogError {}

/** The file is there, and belongs to somebody else. */
export class UnreadableCatalog extends CatalogError {}

/** The bytes and their SHA-256. @throws CatalogError when the file cannot be read */
export function readCatalogFile(file: string): { bytes: Buffer; hash: string } {
  try {
    const bytes = readFileSync(file);
    return { bytes, hash: Bun.CryptoHasher.hash("sha256", bytes, "hex") };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") throw new NoCatalog(file, [`there is no file ${file}`], noCatalogMessage(file));
    const reason = `cannot be read: ${explainCode(code)}`;
    const Refusal = code === "EACCES" ? UnreadableCatalog : CatalogError;
    throw new Refusal(file, [`${file}: ${reason}`], `${file} ${reason}.`);
  }
}

/** Says how to make a catalog and how to name one in another place. */
export function noCatalogMessage(file: string): string {
  return `There is no file ${file}. To make the catalog of a new shop: tint init. To use a file in another place: --catalog FILE. Looked in ${dirname(resolve(file))}.`;
}

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
