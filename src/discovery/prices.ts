/** Today's prices, hours and rules as table rows and short phrases for the documents. */
import type { Catalog, Jurisdiction } from "../catalog/schema.ts";
import { formatMoney, formatRange } from "../domain/money.ts";
import { ruleInWords } from "../domain/tint-law.ts";
import { COVERAGES, FILM_TYPES, type FilmType, VEHICLE_TYPES, WEEKDAYS, type Weekday } from "../vocabulary.ts";

export const PRICE_HEAD = [
  "Vehicle",
  ...FILM_TYPES.flatMap((film) => COVERAGES.map((coverage) => `${film}, ${coverage}`)),
  "Film removal",
  "Clear windshield film",
];

export function priceRows({ automotive, currency }: Catalog): string[][] {
  return VEHICLE_TYPES.map((type) => {
    const prices = automotive.vehicle_types[type];
    const cents = [
      ...FILM_TYPES.flatMap((film) => COVERAGES.map((coverage) => prices[film][coverage])),
      prices.film_removal.full,
      prices.clearplex,
    ];
    return [type, ...cents.map((one) => formatMoney(one, currency))];
  });
}

/** The lowest and highest full-coverage price of a film, like `$249 to $379`. */
export function priceSpan({ automotive, currency }: Catalog, film: FilmType): string {
  const prices = VEHICLE_TYPES.map((type) => automotive.vehicle_types[type][film].full);
  return formatRange({ min: Math.min(...prices), max: Math.max(...prices) }, currency);
}

export function flatGlassRate({ flat_glass: { ballpark_per_sqft: rate }, currency }: Catalog): string {
  return `${formatRange({ min: rate.low, max: rate.high }, currency)} per square foot`;
}

/** How to treat new film, from `scheduling.cure`. */
export function cureAdvice({ scheduling: { cure } }: Catalog): string {
  return `After tinting, the windows stay up for ${cure.keep_windows_up_days} days; the film has fully cured after ${cure.full_cure_days} days.`;
}

const MEASURED: Record<Jurisdiction["measure"], string> = {
  net: "measured on glass and film together",
  film: "measured on the film alone",
  unclear: "measured on the film alone or on glass and film together (it is not known which)",
};

/** The shop's own tint law, for the front side windows of a passenger car. */
export function frontWindowRule({ tint_law: law }: Catalog): string {
  const home = law.jurisdictions[law.home];
  if (!home) throw new Error(`no jurisdiction ${law.home}`);
  const rules = home.classes.passenger.map(({ front_side: rule }) => {
    if (rule.rule !== "min_vlt") return ruleInWords(rule);
    const slack = home.tolerance ? ` (plus or minus ${home.tolerance} points)` : "";
    return `${ruleInWords(rule)}${slack}, ${MEASURED[home.measure]}`;
  });
  return `${home.name}, front side windows of a passenger car: ${[...new Set(rules)].join("; or, with other rules at the rear, ")}.`;
}

/** Like `monday 09:00-18:00`. */
export function weekHours({ business }: Catalog): string[] {
  return WEEKDAYS.map((day) => `${day} ${openTimes(business.hours[day])}`);
}

/** Like `2026-12-24 (Christmas Eve): 09:00-13:00`. */
export function specialHours({ business }: Catalog): string[] {
  return business.special_hours.map(
    ({ date, hours, reason }) => `${date}${reason ? ` (${reason})` : ""}: ${openTimes(hours)}`,
  );
}

function openTimes(hours: Catalog["business"]["hours"][Weekday]): string {
  return hours.length > 0 ? hours.map(({ opens, closes }) => `${opens}-${closes}`).join(", ") : "closed";
}
