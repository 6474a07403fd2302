/** Today's prices, hours and rules as table rows and short phrases for the documents. */
import type { FlatGlass, Jurisdiction } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf, first, priceAt } from "../catalog/terms.ts";
import { WEEKDAYS } from "../constants.ts";
import { type DayPlan, datesFrom, planOf } from "../domain/schedule.ts";
import { ruleInWords } from "../domain/tint-law.ts";
import { serviceOf } from "../domain/work.ts";
import { formatMoney, formatRange } from "../lib/money.ts";

/** A service with a price of its own shows the price of the first coverage. */
export function priceTable(catalog: Shop): [head: string[], rows: string[][]] {
  const columns = catalog.terms.columns.flatMap(({ key, isFilm, coverages }) => {
    if (isFilm) return coverages.map((coverage) => ({ key, coverage, title: `${key}, ${coverage}` }));
    return [{ key, coverage: coverages[0], title: serviceOf(catalog, key).name }];
  });
  const rows = catalog.terms.vehicleTypes.map((type) => [
    type,
    ...columns.map(({ key, coverage }) => formatMoney(cellPrice(catalog, type, key, coverage), catalog.currency)),
  ]);
  return [["Vehicle", ...columns.map(({ title }) => title)], rows];
}

/** @param column a film or a service */
function cellPrice(catalog: Shop, vehicle: string, column: string, coverage: string | undefined): number {
  const price = priceAt(catalog, vehicle, column);
  return typeof price === "number" ? price : entryOf(price, coverage ?? "");
}

/** The prices of a film or service for every vehicle type, with the first coverage. */
export function pricesOf(catalog: Shop, column: string): number[] {
  const { vehicleTypes, coverages } = catalog.terms;
  return vehicleTypes.map((type) => cellPrice(catalog, type, column, first(coverages)));
}

export function flatGlassRate(flat: FlatGlass, catalog: Shop): string {
  return `${flatGlassSpan(flat, catalog)} per square foot`;
}

/** What a square foot costs, from the cheapest to the dearest film. */
export function flatGlassSpan({ ballpark_per_sqft: rate }: FlatGlass, { currency }: Shop): string {
  return formatRange({ min: rate.low, max: rate.high }, currency);
}

export function cureAdvice({ scheduling: { cure } }: Shop): string {
  return `After tinting, the windows stay up for ${cure.keep_windows_up_days} days; the film has fully cured after ${cure.full_cure_days} days.`;
}

const MEASURED: Record<Jurisdiction["measure"], string> = {
  net: "measured on glass and film together",
  film: "measured on the film alone",
  unclear: "measured on the film alone or on glass and film together (it is not known which)",
};

/** The shop's own tint law, for the front side windows of a passenger car. */
export function frontWindowRule({ tint_law: law }: Shop): string {
  const home = law.jurisdictions[law.home];
  if (!home) throw new Error(`no jurisdiction ${law.home}`);
  const rules = home.classes.passenger.map(({ front_side: rule }) => {
    if (rule.rule !== "min_vlt") return ruleInWords(rule);
    const slack = home.tolerance ? ` (plus or minus ${home.tolerance} points)` : "";
    return `${ruleInWords(rule)}${slack}, ${MEASURED[home.measure]}`;
  });
  return `${home.name}, front side windows of a passenger car: ${[...new Set(rules)].join("; or, with other rules at the rear, ")}.`;
}

/** Like `monday 09:00-18:00`, and `2026-12-24 (Christmas Eve): 09:00-13:00`. */
export function hoursInLines({ business }: Shop): string[] {
  return [
    ...WEEKDAYS.map((day) => `${day} ${openTimes(business.hours[day])}`),
    ...business.special_hours.map(
      ({ date, hours, reason }) => `${date}${reason ? ` (${reason})` : ""}: ${openTimes(hours)}`,
    ),
  ];
}

/** The seven days from a date on, like `thursday 2026-12-24 09:00-13:00 (Christmas Eve)`. */
export function comingDays(catalog: Shop, from: string): string[] {
  return datesFrom(from, 7).map((date) => {
    const { weekday, block, special, hours } = planOf(catalog, date);
    const reason = (block ?? special)?.reason;
    return `${weekday} ${date} ${block ? "closed" : openTimes(hours)}${reason === undefined ? "" : ` (${reason})`}`;
  });
}

function openTimes(hours: DayPlan["hours"]): string {
  return hours.length > 0 ? hours.map(({ opens, closes }) => `${opens}-${closes}`).join(", ") : "closed";
}
