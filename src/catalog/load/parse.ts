/** Reads the text of catalog.yaml. Every issue is reported at once, each with its line and column, the line itself and a caret. */
import type { Document, LineCounter } from "yaml";
import { deepFreeze } from "../../lib/fields.ts";
import { counted } from "../../lib/text.ts";
import { explainIssue } from "../../schema/explain.ts";
import { crossCheck } from "../checks/cross-check.ts";
import type { Issue } from "../path.ts";
import { type Catalog, catalogSchema, type WrittenCatalog } from "../schema.ts";
import { derive, type Shop } from "../shop.ts";
import { CatalogError } from "./catalog-file.ts";
import { MAX_ALIASES, type ReadDocument, readDocument, TooComplex } from "./document.ts";
import { offsetOf, schemaIssues, type TextIssue, withItsLine, yamlIssues } from "./issues.ts";

/** About four times the size of the stock catalog; a larger file is a mistake. */
const MAX_BYTES = 256 * 1024;

/** A good catalog, with what is needed to point at its values. */
export interface ParsedText extends ReadDocument {
  /** Frozen. */
  catalog: Catalog;
  text: string;
  file: string;
}

/** @returns the catalog, frozen @throws CatalogError with every issue of the text */
export function parseCatalog(bytes: Uint8Array, file: string): Shop {
  return derive(parseText(bytes, file).catalog);
}

/**
 * @param file named in the issues
 * @throws CatalogError with every issue of the text
 */
export function parseText(bytes: Uint8Array, file: string): ParsedText {
  const text = decode(bytes, file);
  const { document, lines } = readBounded(text, file);
  const refuse = (issues: TextIssue[]) => refusal(file, text, lines, issues);
  const unreadable = yamlIssues(document, text);
  if (unreadable.length > 0) throw refuse(unreadable);

  const checked = checkValues(valuesOf(document, file));
  if ("catalog" in checked) return { catalog: deepFreeze(checked.catalog), text, file, document, lines };
  throw refuse(
    checked.issues.map((issue) => ({
      offset: offsetOf(document, issue),
      message: `${issue.path.join(".") || "the file"} ${issue.message}`,
    })),
  );
}

/** More issues than anybody reads in one go. */
export const MOST_ISSUES = 200;

function refusal(file: string, text: string, lines: LineCounter, issues: readonly TextIssue[]): CatalogError {
  const inOrder = issues.toSorted((a, b) => a.offset - b.offset);
  const shown = inOrder.slice(0, MOST_ISSUES).map((issue) => withItsLine(file, text, lines, issue));
  const more = issues.length - shown.length;
  return new CatalogError(file, more > 0 ? [...shown, `${file}: and ${counted(more, "more mistake")}`] : shown);
}

/** @throws CatalogError for a text with more levels or values than any catalog */
function readBounded(text: string, file: string): ReadDocument {
  try {
    return readDocument(text);
  } catch (error) {
    throw error instanceof TooComplex ? refusal(file, text, error.lines, [error.issue]) : error;
  }
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

/** Checks the values of a file, each by the schema, then, where those are good, all together. @returns every issue found */
export function checkValues(source: unknown): { catalog: Catalog } | { issues: Issue[] } {
  const parsed = catalogSchema.safeParse(source, { error: explainIssue, reportInput: true });
  const issues = parsed.success
    ? crossCheck(source as WrittenCatalog)
    : parsed.error.issues.flatMap((zodIssue) => schemaIssues(zodIssue));
  return parsed.success && issues.length === 0 ? { catalog: parsed.data } : { issues: firstOfEach(issues) };
}

/** One mistake may break several rules; the first says enough. */
function firstOfEach(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.toReversed().map((issue) => [issue.path.join("\0"), issue])).values()].reverse();
}
