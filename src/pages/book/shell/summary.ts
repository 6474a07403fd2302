/** A summary of a booking, and the work on a vehicle in the words of customers. */
import type { Shop } from "../../../catalog/shop.ts";
import type { GlassCheck, GlassStatus, Verdict } from "../../../domain/tint-law.ts";
import { GLASS_NAMES } from "../../../domain/tint-law-wording.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import { type Html, type HtmlPart, html } from "../../markup/html.ts";
import { PAGE_TEXTS } from "./texts.ts";
import { amount, capital, serviceName, shadeLabel, vehicleName } from "./wording.ts";

type Fact = readonly [term: string, text: HtmlPart];

export function factList(...facts: (Fact | false | null | undefined)[]): Html {
  return html`<dl class="summary">${facts.map((fact) => fact && html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`)}</dl>`;
}

/** A price with its tax; older bookings have none. */
interface Priced {
  total: number;
  tax?: { amount: number | null } | undefined;
  total_with_tax?: number | undefined;
}

/** The price; where tax is added, that tax and the sum on lines of their own. */
export function priceFacts({ total, tax, total_with_tax: all }: Priced, catalog: Shop): Fact[] {
  const price = [PAGE_TEXTS.facts.price, amount(total, catalog)] as const;
  if (all === undefined) return [price];
  return [price, [taxName(catalog), amount(tax?.amount ?? 0, catalog)], [PAGE_TEXTS.facts.inAll, amount(all, catalog)]];
}

/** What the shop calls its tax. */
export function taxName({ tax }: Shop): string {
  return tax.label ?? PAGE_TEXTS.facts.tax;
}

/**
 * The verdict on the shades that were chosen: `Not legal in Georgia on the front side windows; the darkest that is: 50%`.
 * @param film whose shades they are
 */
export function lawFacts(
  { name, checks }: Pick<Verdict, "name" | "checks">,
  film: string | null,
  catalog: Shop,
): Fact[] {
  const { facts } = PAGE_TEXTS;
  const of = (...statuses: GlassStatus[]) => checks.filter(({ status }) => statuses.includes(status));
  const glass = (some: readonly GlassCheck[]) => joinWithAnd(some.map(({ position }) => GLASS_NAMES[position]));
  const barred = of("illegal", "not_permitted");
  const unsure = of("borderline");
  const texts = [
    ...barred.map(({ position, darkest_legal_shade: darkest }) =>
      facts.notLegal(name, GLASS_NAMES[position], darkest === null ? null : shadeLabel(darkest, film, catalog)),
    ),
    ...(unsure.length === 0 ? [] : [facts.unsure(glass(unsure))]),
    ...(barred.length === 0 && unsure.length === 0 && of("legal").length > 0 ? [facts.legal(name)] : []),
  ];
  return texts.map((text) => [facts.law, text] as const);
}

/** Words of the catalog, some of which the shop may have given up since. */
interface Job {
  service: string;
  film_type: string | null;
  coverage: string | null;
  vehicle: { type: string | null };
}

/** `Ceramic IR film, SUV, all side and rear windows`. */
export function workName({ service, film_type: film, coverage, vehicle }: Job, { automotive, services }: Shop): string {
  return [
    film === null ? serviceName(service, { services }) : (automotive.films[film]?.name ?? capital(film)),
    ...(vehicle.type === null ? [] : [vehicleName(vehicle.type, { automotive })]),
    ...(coverage === null ? [] : [automotive.coverages[coverage]?.name ?? capital(coverage)]),
  ].join(", ");
}

interface Extras {
  film_type: string | null;
  addons: readonly string[];
  remove_old_film: boolean;
  /** Percent of light; one for all glass, or one for each. */
  shade: number | { front_side: number | null; rear_side: number | null; rear_window: number | null } | null;
}

/** Darkness and extras. */
export function jobFacts({ film_type: film, addons, remove_old_film, shade }: Extras, catalog: Shop): Fact[] {
  const { removal } = catalog.terms;
  const extras = [
    ...addons.map((word) => catalog.automotive.addons[word]?.name ?? capital(word)),
    ...(remove_old_film ? [catalog.services.find(({ key }) => key === removal)?.name ?? PAGE_TEXTS.facts.oldFilm] : []),
  ];
  const sides = typeof shade === "object" ? shade : { front_side: shade, rear_side: shade, rear_window: shade };
  const darkness =
    sides === null ? "" : darknessOf(sides.front_side, sides.rear_side ?? sides.rear_window, film, catalog);
  return [
    ...(darkness === "" ? [] : [[PAGE_TEXTS.facts.darkness, darkness] as const]),
    ...(extras.length === 0 ? [] : [[PAGE_TEXTS.facts.extras, extras.join(", ")] as const]),
  ];
}

type Percent = number | null | undefined;

/** `front 50%, rear 15%`, by the numbers under which the film is sold; nothing where none is chosen. */
export function darknessOf(front: Percent, rear: Percent, film: string | null, catalog: Shop): string {
  const { facts } = PAGE_TEXTS;
  const label = (vlt: number) => shadeLabel(vlt, film, catalog);
  if (front && front === rear) return facts.allRound(label(front));
  return [...(front ? [facts.front(label(front))] : []), ...(rear ? [facts.rear(label(rear))] : [])].join(", ");
}
