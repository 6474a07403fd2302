/** Loads a catalog. Where the hash of a text that passed is remembered, Bun's reader is enough, in a fiftieth of the time. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deepFreeze } from "../../lib/fields.ts";
import { replacePrivately } from "../../lib/files.ts";
import { atAddress } from "../at-site.ts";
import { checkValues } from "../checks/check-values.ts";
import type { Catalog } from "../schema.ts";
import type { Shop } from "../shop.ts";
import type { CatalogSource } from "../source.ts";
import { CatalogError } from "./document.ts";
import type { ParsedText } from "./parse.ts";

export interface LoadedCatalog {
  catalog: Shop;
  /** SHA-256 of the text's bytes. */
  hash: string;
}

interface LoadResult extends LoadedCatalog {
  /** As it is written, without the addresses at which the shop is reached. */
  written: Catalog;
  bytes: Uint8Array;
  /** False when the text had passed before. */
  isParsed: boolean;
}

/** What was loaded last, since a command asks several times. Held weakly: a server lets an old catalog go. */
let last: { of: string; loaded: WeakRef<LoadResult> } | undefined;

/** @throws CatalogError when the text cannot be read or has any issue */
export function loadCatalog(source: CatalogSource): LoadResult {
  const { bytes, hash, name } = source.read();
  const of = JSON.stringify([hash, source.address]);
  const hasPassed = passedBefore(source.memory, hash);
  const again = hasPassed && last?.of === of ? last.loaded.deref() : undefined;
  if (again) return { ...again, isParsed: false };
  const known = hasPassed ? readAgain(bytes) : undefined;
  const written = known ?? readAndCheck(bytes, name, () => remember(source.memory, hash));
  const loaded = { catalog: atAddress(written, source.address), written, hash, bytes, isParsed: !known };
  last = { of, loaded: new WeakRef(loaded) };
  return loaded;
}

/** @returns undefined when this program has rules that the text breaks: then its mistakes are named with their places */
function readAgain(bytes: Uint8Array): Catalog | undefined {
  const checked = checkValues(Bun.YAML.parse(new TextDecoder().decode(bytes)));
  return "catalog" in checked ? deepFreeze(checked.catalog) : undefined;
}

/** @param passed called where Bun's reader makes the same of the text: the two differ in some words, like `yes` */
function readAndCheck(bytes: Uint8Array, name: string, passed: () => void): Catalog {
  // Loaded on first use: the code that keeps positions is large.
  const { parseText }: typeof import("./parse.ts") = require("./parse.ts");
  const parsed = parseText(bytes, name);
  if (isReadAlike(parsed)) passed();
  return parsed.catalog;
}

type TextAndValues = Pick<ParsedText, "text" | "values">;

/** A text that an edit has read and saved is no news to the next command. */
export function rememberSaved({ memory }: CatalogSource, saved: TextAndValues): void {
  if (isReadAlike(saved)) remember(memory, Bun.CryptoHasher.hash("sha256", saved.text, "hex"));
}

function isReadAlike({ text, values }: TextAndValues): boolean {
  try {
    // The order of keys is that of the pages.
    return JSON.stringify(Bun.YAML.parse(text)) === JSON.stringify(values);
  } catch {
    return false;
  }
}

/** Several catalogs take turns on one machine. */
const MOST_REMEMBERED = 20;

/** Another version of Bun may read otherwise. */
const memoryIn = (folder: string) => join(folder, `good-catalogs-${Bun.version}`);

function remembered(folder: string): string[] {
  try {
    return readFileSync(memoryIn(folder), "utf8").split("\n");
  } catch {
    return [];
  }
}

function passedBefore(folder: string | null, hash: string): boolean {
  return folder !== null && remembered(folder).includes(hash);
}

/** Ignores a folder that cannot be written: the next start then takes longer, nothing else. */
function remember(folder: string | null, hash: string): void {
  if (folder === null) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replacePrivately(memoryIn(folder), [hash, ...remembered(folder)].slice(0, MOST_REMEMBERED).join("\n"));
  } catch {}
}

/** Loads the catalog, and keeps its text for the time when the file has a mistake. @throws CatalogError */
export function loadAndKeep(source: CatalogSource): LoadResult {
  const loaded = loadCatalog(source);
  const { bytes, hash } = source.read();
  // The file may have changed in between.
  if (hash === loaded.hash) source.inForce?.keep(bytes);
  return loaded;
}

/** @returns null without a text that this program accepts */
export function lastGoodOf(source: CatalogSource): LoadResult | null {
  const bytes = source.inForce?.read();
  if (!bytes) return null;
  const hash = Bun.CryptoHasher.hash("sha256", bytes, "hex");
  try {
    return loadCatalog({ ...source, read: () => ({ bytes, hash, version: null, name: source.name }) });
  } catch (error) {
    if (error instanceof CatalogError) return null;
    throw error;
  }
}
