/** Reads the text of catalog.yaml. Every issue is reported at once, each with its line and column, the line itself and a caret. */
import type { Document, LineCounter } from "yaml";
import { deepFreeze } from "../../lib/fields.ts";
import { counted } from "../../lib/text.ts";
import { checkValues } from "../checks/check-values.ts";
import type { Catalog } from "../schema.ts";
import { derive, type Shop } from "../shop.ts";
import { CatalogError, MAX_ALIASES, type ReadDocument, readDocument } from "./document.ts";
import { amountWithComma, offsetOf, type TextIssue, withItsLine, withWholeExample, yamlIssues } from "./issues.ts";

/** About four times the size of the stock catalog; a larger file is a mistake. */
const MAX_BYTES = 256 * 1024;

/** A good catalog, with what is needed to point at its values. */
export interface ParsedText extends ReadDocument {
  /** Frozen. */
  catalog: Catalog;
  /** As the owner wrote them. */
  values: unknown;
  text: string;
  file: string;
}

/** @returns the catalog, frozen @throws CatalogError with every issue of the text */
export function parseCatalog(bytes: Uint8Array, file: string): Shop {
  return derive(parseText(bytes, file).catalog);
}

/** Throws CatalogError with every issue of the text. */
export function parseText(bytes: Uint8Array, file: string): ParsedText {
  const text = decode(bytes, file);
  const { document, lines } = readDocument(text);
  const refuse = (issues: TextIssue[], count?: number) => catalogRefusal(file, text, lines, issues, count);
  const unreadable = yamlIssues(document, text);
  if (unreadable.length > 0) throw refuse(unreadable);

  const values = documentValues(document, file);
  const checked = checkValues(values);
  if ("catalog" in checked) return { catalog: deepFreeze(checked.catalog), values, text, file, document, lines };
  // Each place is looked for among all keys beside it.
  const told = withWholeExample(checked.issues.slice(0, MOST_ISSUES), document, text);
  throw refuse(
    told.map((issue) => {
      const offset = offsetOf(document, issue);
      const example = issue.kind === "amount" ? ` ${amountWithComma(text, offset)}` : "";
      return { offset, message: `${issue.path.join(".") || "the file"} ${issue.message}${example}` };
    }),
    told.length + Math.max(0, checked.issues.length - MOST_ISSUES),
  );
}

/** More issues than anybody reads in one go. */
export const MOST_ISSUES = 200;

function catalogRefusal(
  file: string,
  text: string,
  lines: LineCounter,
  issues: readonly TextIssue[],
  count = issues.length,
): CatalogError {
  const inOrder = issues.toSorted((a, b) => a.offset - b.offset);
  const shown = inOrder.slice(0, MOST_ISSUES).map((issue) => withItsLine(file, text, lines, issue));
  const more = count - shown.length;
  return new CatalogError(file, more > 0 ? [...shown, `${file}: and ${counted(more, "more mistake")}`] : shown);
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

function documentValues(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new CatalogError(file, [`${file}: has too many aliases (*name)`]);
  }
}
