/** Values of a good catalog that are allowed, but probably not what the owner means. Each looks at every value once. */
import { DAY_MS } from "../../lib/durations.ts";
import type { Issue, Path } from "../path.ts";
import type { Catalog } from "../schema.ts";

/** @param today YYYY-MM-DD, at the shop */
export function doubtsOf(catalog: Catalog, today: string): Issue[] {
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

/** Prices of vehicles that are probably a typo. */
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

/** The most days that one sentence names. */
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
