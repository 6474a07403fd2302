/**
 * Reads catalog.yaml. Every fault is reported at once, each with its place in the file, the offending line and a caret.
 */
import { type Document, LineCounter, parseDocument, visit } from "yaml";
import { explain } from "../../schema/explain.ts";
import { crossCheck } from "../checks/cross-check.ts";
import { type Catalog, type CatalogSource, catalogSchema } from "../schema.ts";
import { CatalogError, MAX_ALIASES, readCatalog, YAML_OPTIONS } from "./catalog-file.ts";
import { BAD_ALIAS, describe, offsetOf, yamlFaults } from "./fault-position.ts";
import { schemaFaults } from "./schema-faults.ts";

/** Larger files are refused: a shop's catalog is a quarter of this. */
const MAX_BYTES = 256 * 1024;

export { CatalogError };

export interface LoadedCatalog {
  catalog: Catalog;
  /** SHA-256 of the file's bytes. */
  hash: string;
}

/** @throws CatalogError when the file cannot be read or has any fault. */
export function loadCatalog(file: string): LoadedCatalog {
  const { bytes, hash } = readCatalog(file);
  return { catalog: parseCatalog(bytes, file), hash };
}

/** @throws CatalogError naming every fault of the text. */
export function parseCatalog(bytes: Uint8Array, file: string): Catalog {
  if (bytes.byteLength > MAX_BYTES) {
    throw new CatalogError(file, [`${file}: is larger than ${MAX_BYTES / 1024} KiB`]);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CatalogError(file, [`${file}: is not UTF-8 text; save it again as UTF-8`]);
  }

  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...YAML_OPTIONS, lineCounter });
  const refuse = (faults: { offset: number; message: string }[]) =>
    new CatalogError(
      file,
      faults
        .toSorted((a, b) => a.offset - b.offset)
        .map(({ offset, message }) => describe(file, text, lineCounter, offset, message)),
    );
  const yaml = [...yamlFaults(document.errors), ...danglingAliases(document)];
  if (yaml.length > 0) throw refuse(yaml);

  const source = toSource(document, file);
  const parsed = catalogSchema.safeParse(source, { error: explain, reportInput: true });
  const shapeFaults = parsed.success ? [] : parsed.error.issues.flatMap((issue) => schemaFaults(issue));
  const faults = [
    ...shapeFaults,
    ...crossCheck(
      source as CatalogSource,
      shapeFaults.map(({ path }) => path),
    ),
  ];
  if (parsed.success && faults.length === 0) return deepFreeze(parsed.data);

  throw refuse(
    faults.map((fault) => ({
      offset: offsetOf(document, fault),
      message: `${fault.path.join(".") || "the file"} ${fault.message}`,
    })),
  );
}

function danglingAliases(document: Document): { offset: number; message: string }[] {
  const dangling: { offset: number; message: string }[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (!alias.resolve(document)) dangling.push({ offset: alias.range?.[0] ?? 0, message: BAD_ALIAS });
    },
  });
  return dangling;
}

function toSource(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new CatalogError(file, [`${file}: repeats itself through too many aliases (*name)`]);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
