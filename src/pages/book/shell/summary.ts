/** A summary of a booking, and the work on a vehicle in the words of customers. */
import type { Catalog } from "../../../catalog/schema.ts";
import { words } from "../../../catalog/terms.ts";
import type { GlassCheck, GlassStatus, Verdict } from "../../../domain/tint-law.ts";
import { GLASS_NAMES } from "../../../domain/tint-law-wording.ts";
import { listAll } from "../../../schema/explain.ts";
import { type Html, html, type Part } from "../../markup/html.ts";
import { amount, capital, serviceName, vehicleName } from "./wording.ts";

type Fact = readonly [term: string, text: Part];

export function summary(...facts: (Fact | false | null | undefined)[]): Html {
  return html`<dl class="summary">${facts.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)}</dl>`;
}

/** A price with its tax; older bookings have none. */
interface Priced {
  total: number;
  tax?: { amount: number | null } | undefined;
  total_with_tax?: number | undefined;
}

/** The price; where tax is added, that tax and the sum on lines of their own. */
export function priceFacts({ total, tax, total_with_tax: all }: Priced, catalog: Catalog): Fact[] {
  const price = ["Price", amount(total, catalog)] as const;
  if (all === undefined) return [price];
  return [price, [taxName(catalog), amount(tax?.amount ?? 0, catalog)], ["In all", amount(all, catalog)]];
}

/** What the shop calls its tax. */
export function taxName({ tax }: Catalog): string {
  return tax.label ?? "Tax";
}

/** The verdict on the shades that were chosen: `Not legal in Georgia on the front side windows; the darkest that is: 50%`. */
export function lawFacts({ name, checks }: Pick<Verdict, "name" | "checks">): Fact[] {
  const of = (...statuses: GlassStatus[]) => checks.filter(({ status }) => statuses.includes(status));
  const glass = (some: readonly GlassCheck[]) => listAll(some.map(({ position }) => GLASS_NAMES[position]));
  const barred = of("illegal", "not_permitted");
  const unsure = of("borderline");
  const texts = [
    ...barred.map(({ position, darkest_legal_shade: darkest }) => {
      const instead = darkest === null ? "" : `; the darkest that is: ${darkest}%`;
      return `Not legal in ${name} on the ${GLASS_NAMES[position]}${instead}`;
    }),
    ...(unsure.length === 0 ? [] : [`On the ${glass(unsure)} it depends on your glass, which we measure first`]),
    ...(barred.length === 0 && unsure.length === 0 && of("legal").length > 0 ? [`Legal in ${name}`] : []),
  ];
  return texts.map((text) => ["Tint law", text] as const);
}

/** Words of the catalog, some of which the shop may have given up since. */
interface Job {
  service: string;
  film_type: string | null;
  coverage: string | null;
  vehicle: { type: string | null };
}

/** `Ceramic IR film, SUV, all side and rear windows`. */
export function workName(
  { service, film_type: film, coverage, vehicle }: Job,
  { automotive, services }: Catalog,
): string {
  return [
    film === null ? serviceName(service, { services }) : (automotive.films[film]?.name ?? capital(film)),
    ...(vehicle.type === null ? [] : [vehicleName(vehicle.type, { automotive })]),
    ...(coverage === null ? [] : [automotive.coverages[coverage]?.name ?? capital(coverage)]),
  ].join(", ");
}

interface Extras {
  addons: readonly string[];
  remove_old_film: boolean;
  /** Percent of light; one for all glass, or one for each. */
  shade: number | { front_side: number | null; rear_side: number | null; rear_window: number | null } | null;
}

/** Darkness and extras. */
export function jobFacts({ addons, remove_old_film, shade }: Extras, catalog: Catalog): Fact[] {
  const { removal } = words(catalog);
  const extras = [
    ...addons.map((word) => catalog.automotive.addons[word]?.name ?? capital(word)),
    ...(remove_old_film ? [catalog.services.find(({ key }) => key === removal)?.name ?? "Old film taken off"] : []),
  ];
  const darkness =
    shade === null ? "" : darknessOf(typeof shade === "number" ? { front_side: shade, rear_side: shade } : shade);
  return [
    ...(darkness === "" ? [] : [["Darkness", darkness] as const]),
    ...(extras.length === 0 ? [] : [["Extras", extras.join(", ")] as const]),
  ];
}

/** `front 50%, rear 15%`. */
function darknessOf({
  front_side: front,
  rear_side,
  rear_window,
}: {
  [glass: string]: number | null | undefined;
}): string {
  const rear = rear_side ?? rear_window;
  if (front && front === rear) return `${front}% all round`;
  return [...(front ? [`front ${front}%`] : []), ...(rear ? [`rear ${rear}%`] : [])].join(", ");
}
