/** What a good catalog holds that is probably not meant, in its text and in its values. The catalog is used all the same. */
import { type Document, isNode, type Scalar, visit } from "yaml";
import { DAY_MS } from "../../lib/durations.ts";
import { counted } from "../../lib/text.ts";
import { atAddress } from "../at-site.ts";
import type { Issue, Path } from "../path.ts";
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

/** Values that are allowed, but probably not what the owner means. Each looks at every value once. @param today YYYY-MM-DD, at the shop */
function doubtsOf(catalog: Catalog, today: string): Issue[] {
  return [
    ...priceDoubts(catalog),
    ...addonDoubts(catalog),
    ...passedDays(catalog, today),
    ...oldReviews(catalog, today),
  ];
}

interface Price {
  path: Path;
  cents: number;
  /** Film or service, and coverage where it has one. */
  column: string;
}

/** A digit too many or too few makes a price ten times or a tenth of its neighbors, which are up to twice apart. */
const FAR = 5;

export function priceDoubts(catalog: Catalog): Issue[] {
  const prices = Object.entries(catalog.automotive.vehicle_types).flatMap(([vehicle, row]) =>
    Object.entries(row).flatMap(([column, price]): Price[] => {
      const path: Path = ["automotive", "vehicle_types", vehicle, column];
      if (typeof price === "number") return [{ path, cents: price, column }];
      const own = (coverage: string, cents: number) => ({
        path: [...path, coverage],
        cents,
        column: `${column} ${coverage}`,
      });
      return Object.entries(price).map(([coverage, cents]) => own(coverage, cents));
    }),
  );
  const middles = new Map(
    [...Map.groupBy(prices, ({ column }) => column)].map(([column, all]) => [column, middleOf(all)]),
  );
  return [
    ...prices.flatMap(({ path, cents, column }) => {
      const middle = middles.get(column) ?? cents;
      const usual = `${middle / 100}, the middle of its column`;
      if (cents >= FAR * middle && cents > middle)
        return [{ path, message: `is ${cents / 100}, far above ${usual}: is a digit too many?` }];
      return cents > 0 && FAR * cents <= middle
        ? [{ path, message: `is ${cents / 100}, far below ${usual}: is a digit missing?` }]
        : [];
    }),
    ...dearerParts(catalog),
  ];
}

/** The middle price of a column; the lower of two. */
function middleOf(prices: readonly Price[]): number {
  const sorted = prices.map(({ cents }) => cents).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** Coverages that cost more than another one with the same glass and more. */
function dearerParts({ automotive: { coverages, vehicle_types: rows } }: Catalog): Issue[] {
  const glass = new Map(Object.entries(coverages).map(([key, { positions }]) => [key, new Set(positions)]));
  return Object.entries(rows).flatMap(([vehicle, row]) =>
    Object.entries(row).flatMap(([column, prices]) => {
      if (typeof prices === "number") return [];
      // There are few kinds of glass, so that few coverages are the cheapest of theirs.
      const cheapest = new Map<string, { key: string; positions: Set<string>; cents: number }>();
      for (const [key, cents] of Object.entries(prices)) {
        const positions = glass.get(key) ?? new Set();
        const kind = [...positions].sort().join(" ");
        if (cents < (cheapest.get(kind)?.cents ?? Number.POSITIVE_INFINITY))
          cheapest.set(kind, { key, positions, cents });
      }
      return Object.entries(prices).flatMap(([part, cents]): Issue[] => {
        const own = glass.get(part) ?? new Set();
        const whole = [...cheapest.values()].find(
          (one) => one.cents < cents && one.positions.size > own.size && own.isSubsetOf(one.positions),
        );
        if (!whole) return [];
        const message = `is dearer than ${whole.key}, which covers more: ${coverages[part]?.name} ${cents / 100}, ${coverages[whole.key]?.name} ${whole.cents / 100}`;
        return [{ path: ["automotive", "vehicle_types", vehicle, column, part], message }];
      });
    }),
  );
}

function addonDoubts({ automotive }: Catalog): Issue[] {
  return Object.entries(automotive.addons).flatMap(([addon, { price, free }]) =>
    Object.entries(price)
      .filter(([, cents]) => cents === 0 && !free)
      .map(([film]) => ({
        path: ["automotive", "addons", addon, "price", film],
        message: "is 0: customers are told it costs nothing. Write free: true at the add-on if that is meant",
      })),
  );
}

const MOST_DAYS = 3;

/** A day of last year may have been meant for this one. */
function passedDays({ business: { special_hours: days } }: Catalog, today: string): Issue[] {
  const passed = days.map(({ date }) => date).filter((date) => date < today);
  if (passed.length === 0) return [];
  const more = passed.length > MOST_DAYS ? ` and ${passed.length - MOST_DAYS} more` : "";
  const message = `has a day that has passed: ${passed.slice(0, MOST_DAYS).join(", ")}${more}. Take it out, or correct its year`;
  return [{ path: ["business", "special_hours", days.findIndex(({ date }) => date < today)], message }];
}

/** So long after they were read, customers may find other numbers. */
const REVIEW_DAYS = 90;

function oldReviews({ site: { reviews } }: Catalog, today: string): Issue[] {
  if (reviews === null || Date.parse(today) - Date.parse(reviews.reviewed_on) <= REVIEW_DAYS * DAY_MS) return [];
  const message = `were read more than ${REVIEW_DAYS} days ago: look at ${reviews.url}, and set rating, count and reviewed_on`;
  return [{ path: ["site", "reviews", "reviewed_on"], message }];
}
