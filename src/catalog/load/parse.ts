/** Reads the text of catalog.yaml. Every fault is reported at once, each with its line and column, the line itself and a caret. */
import type { Document } from "yaml";
import { deepFreeze } from "../../lib/deep-freeze.ts";
import type { Catalog } from "../schema.ts";
import { CatalogError, MAX_ALIASES } from "./catalog-file.ts";
import { checkValues } from "./check-values.ts";
import { readDocument } from "./document.ts";
import { offsetOf, withItsLine } from "./fault-position.ts";
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
