/** Today's prices and rules in the few words that people and models read first. */
import type { Catalog } from "../catalog/schema.ts";
import { formatMoney } from "../domain/money.ts";
import { COVERAGES, FILM_TYPES, type FilmType, VEHICLE_TYPES, WEEKDAYS } from "../vocabulary.ts";

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

/** The span of full-coverage prices of a film, like `$249 to $379`. */
export function priceSpan({ automotive, currency }: Catalog, film: FilmType): string {
  const prices = VEHICLE_TYPES.map((type) => automotive.vehicle_types[type][film].full);
  return `${formatMoney(Math.min(...prices), currency)} to ${formatMoney(Math.max(...prices), currency)}`;
}

export function flatGlassRate({ flat_glass: { ballpark_per_sqft: rate }, currency }: Catalog): string {
  return `${formatMoney(rate.low, currency)} to ${formatMoney(rate.high, currency)} per square foot`;
}

/** The shop's own tint law, for the front side windows of a passenger car. */
export function frontWindowRule({ tint_law: law }: Catalog): string {
  const home = law.jurisdictions[law.home];
  const rule = home?.classes.passenger[0]?.front_side;
  if (!home || !rule) return "";
  if (rule.rule !== "min_vlt") return rule.rule === "any" ? `${home.name}: front windows may be any shade.` : "";
  const how = home.measure === "net" ? "glass and film together" : "the film";
  const slack = home.tolerance ? ` (plus or minus ${home.tolerance} points)` : "";
  return `${home.name}: front side windows must let at least ${rule.vlt}% VLT of light through${slack}, measured on ${how}.`;
}

/** Like `monday 09:00-18:00`. */
export function weekHours({ business }: Catalog): string[] {
  return WEEKDAYS.map((day) => {
    const open = business.hours[day].map(({ opens, closes }) => `${opens}-${closes}`);
    return `${day} ${open.length > 0 ? open.join(", ") : "closed"}`;
  });
}
