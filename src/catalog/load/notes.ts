/** What a good catalog holds that is probably not meant. The catalog is used all the same. */
import { type Document, isNode, type Scalar, visit } from "yaml";
import { counted } from "../../lib/text.ts";
import { atAddress } from "../at-site.ts";
import { doubtsOf } from "../checks/doubts.ts";
import type { Catalog } from "../schema.ts";
import type { CatalogSource } from "../source.ts";
import { MOST_ISSUES, offsetOf, type ParsedText, parseText, type TextIssue, withItsLine } from "./parse.ts";
import { changesForLog } from "./values.ts";

export function loadWithNotes(source: CatalogSource, now: Temporal.Instant) {
  const { bytes, hash, name } = source.read();
  const parsed = parseText(bytes, name);
  return { catalog: atAddress(parsed.catalog, source.address), hash, notes: notesOn(parsed, now) };
}

/** What the owner is told of a reload. */
export interface Told {
  /** The values that changed, in words for the log. */
  changed: readonly string[];
  /** Values that are probably not meant. */
  notes: readonly string[];
}

/** @param was the text before @throws CatalogError */
export function reread(bytes: Uint8Array, name: string, was: Uint8Array): Told & { catalog: Catalog } {
  const parsed = parseText(bytes, name);
  return {
    catalog: parsed.catalog,
    changed: changesForLog(valuesBefore(was) ?? parsed.values, parsed.values),
    notes: notesOn(parsed, Temporal.Now.instant()),
  };
}

/** The values of a text that passed every check. No reload fails for what it tells. */
function valuesBefore(bytes: Uint8Array): unknown {
  try {
    return Bun.YAML.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** In the order of the text, a line each: `catalog.yaml:12:7: business.special_hours.0 has …`. */
function notesOn({ catalog, text, file, document, lines }: ParsedText, now: Temporal.Instant): string[] {
  const doubts = doubtsOf(catalog, todayAt(catalog, now));
  const inText = textDoubts(document, text);
  // Finding the place of a value takes longer than doubting it.
  const placed = doubts.slice(0, MOST_ISSUES).map((doubt) => ({
    offset: offsetOf(document, doubt),
    message: `${doubt.path.join(".")} ${doubt.message}`,
  }));
  const shown = [...placed, ...inText]
    .sort((a, b) => a.offset - b.offset)
    .slice(0, MOST_ISSUES)
    .map((doubt) => withItsLine(file, text, lines, doubt).split("\n", 1).join());
  const more = doubts.length + inText.length - shown.length;
  return more > 0 ? [...shown, `${file}: and ${counted(more, "more note")}`] : shown;
}

function todayAt({ business }: Catalog, now: Temporal.Instant): string {
  return now.toZonedDateTimeISO(business.timezone).toPlainDate().toString();
}

/** Notes begin with a space and a word: `#1` behind a text was meant as a part of it. */
const CUT_OFF = /[ \t]+#(?:\S|[ \t]*\d)/y;
/** The quotes that word processors and phones write, which YAML takes for letters. */
const TYPOGRAPHIC = /^[\u201c-\u201f\u2018\u00ab].*[\u201c-\u201f\u2019\u00bb]$/s;

/** Texts without quotes that YAML reads otherwise than a person does. */
function textDoubts(document: Document, text: string): TextIssue[] {
  const found: TextIssue[] = [];
  const look = ({ type, value, range }: Scalar) => {
    if (type !== "PLAIN" || typeof value !== "string" || !range) return;
    const [offset, end] = range;
    CUT_OFF.lastIndex = end;
    if (CUT_OFF.test(text))
      found.push({ offset, message: "this text ends before the #: put quotes around it if the rest belongs to it" });
    if (TYPOGRAPHIC.test(value))
      found.push({ offset, message: `these are no quotes of YAML, so that customers see them: write "…"` });
  };
  visit(document, { Scalar: (_key, node) => (isNode(node) ? look(node) : undefined) });
  return found;
}
