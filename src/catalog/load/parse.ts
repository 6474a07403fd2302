/** Reads the text of catalog.yaml. Every fault is reported at once, each with its line and column, the line itself and a caret. */
import type { Document } from "yaml";
import { deepFreeze } from "../../lib/fields.ts";
import { explain } from "../../schema/explain.ts";
import { crossCheck } from "../checks/cross-check.ts";
import type { Fault } from "../path.ts";
import { type Catalog, catalogSchema, type WrittenCatalog } from "../schema.ts";
import { CatalogError } from "./catalog-file.ts";
import { MAX_ALIASES, readDocument } from "./document.ts";
import { offsetOf, withItsLine } from "./fault-position.ts";
import { schemaFaults } from "./schema-faults.ts";
import { type TextFault, yamlFaults } from "./yaml-faults.ts";

/** About four times the size of the stock catalog; a larger file is a mistake. */
const MAX_BYTES = 256 * 1024;

/**
 * @param file named in the faults
 * @returns the catalog, frozen
 * @throws CatalogError with every fault of the text
 */
export function parseCatalog(bytes: Uint8Array, file: string): Catalog {
  const text = decode(bytes, file);
  const { document, lines } = readDocument(text);
  const refuse = (faults: TextFault[]) => {
    const inOrder = faults.toSorted((a, b) => a.offset - b.offset);
    return new CatalogError(
      file,
      inOrder.map((fault) => withItsLine(file, text, lines, fault)),
    );
  };
  const unreadable = yamlFaults(document, text);
  if (unreadable.length > 0) throw refuse(unreadable);

  const checked = checkValues(valuesOf(document, file));
  if ("catalog" in checked) return deepFreeze(checked.catalog);
  throw refuse(
    checked.faults.map((fault) => ({
      offset: offsetOf(document, fault),
      message: `${fault.path.join(".") || "the file"} ${fault.message}`,
    })),
  );
}

function decode(bytes: Uint8Array, file: string): string {
  if (bytes.byteLength > MAX_BYTES) {
    throw new CatalogError(file, [`${file}: is larger than ${MAX_BYTES / 1024} KiB`]);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CatalogError(file, [`${file}: is not UTF-8 text; save it again as UTF-8`]);
  }
}

function valuesOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new CatalogError(file, [`${file}: has too many aliases (*name)`]);
  }
}

/** Checks the values of a file, each by the schema, then all together. @returns every fault at once */
export function checkValues(source: unknown): { catalog: Catalog } | { faults: Fault[] } {
  const parsed = catalogSchema.safeParse(source, { error: explain, reportInput: true });
  const found = parsed.success ? [] : parsed.error.issues.flatMap((issue) => schemaFaults(issue));
  const paths = found.map(({ path }) => path);
  // The rules read only what the schema found sound, so the source has the declared shape wherever they look.
  const faults = firstOfEach([...found, ...crossCheck(source as WrittenCatalog, paths)]);
  return parsed.success && faults.length === 0 ? { catalog: parsed.data } : { faults };
}

/** One mistake may break several rules; the first says enough. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.path.join("\0"), fault])).values()].reverse();
}
