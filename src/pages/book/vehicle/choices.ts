/** The choices of a visitor so far. They stand in the query of the page, so they hold nothing about the person. */

import type { Confirmation } from "../../../capabilities/booking/confirmation.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import type { Start } from "../../../domain/slots.ts";
import { modelIn } from "../../../domain/vehicle-class.ts";
import { readToken, startText } from "../../../job/forms.ts";
import { nameOf } from "../../../job/job.ts";
import { pick } from "../../../lib/fields.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { visibleText } from "../shell/forms.ts";
import { parseStart } from "../shell/paths.ts";

export interface Choices {
  service: string;
  /** The car in the visitor's words, like `2022 CR-V`. */
  car: string | undefined;
  vehicle: string | undefined;
  film: string | undefined;
  coverage: string | undefined;
  /** Percent of light that the film lets through; undefined: settled at the shop. */
  front: number | undefined;
  rear: number | undefined;
  addons: string[];
  removeOldFilm: boolean;
  /** The state whose tint law counts. */
  state: string | undefined;
  from: string | undefined;
  start: Start | undefined;
  /** The estimate that an assistant was given for these choices. */
  estimateId: string | undefined;
}

/**
 * The choices in an address. An estimate fills in what the address leaves out. Unknown words count as not chosen: the page
 * then asks again.
 */
export function readChoices(given: URLSearchParams, catalog: Shop): Choices {
  const query = withEstimate(given);
  // Without a script, the button that was pressed comes after the field with the choice that it replaces.
  const last = (name: string) => query.getAll(name).at(-1) ?? null;
  const { vehicleTypes, films, coverages, addons, services } = catalog.terms;
  const one = (name: string, known: readonly string[]) => known.find((word) => word === query.get(name));
  const sold = catalog.bookable.map(({ key }) => key).filter((key) => services.includes(key));
  const car = visibleText(query, "car").trim().slice(0, LIMITS.other) || undefined;
  // A car that was just named picks its class; a class that was chosen afterwards stays.
  const known = car !== undefined && car !== query.get("car_before") ? modelIn(car, catalog) : undefined;
  return {
    service: one("service_type", sold) ?? catalog.automotive.defaults.service,
    car,
    vehicle: known?.vehicleType ?? one("vehicle_type", vehicleTypes),
    film: one("film_type", films),
    coverage: one("coverage", coverages),
    front: shadeIn(query, "front_shade"),
    rear: shadeIn(query, "rear_shade"),
    addons: addons.filter((word) => query.getAll("addons").includes(word)),
    removeOldFilm: query.get("remove_old_film") === "true",
    state: one("jurisdiction", Object.keys(catalog.tint_law.jurisdictions)),
    from: parseStart(`${last("from")}T00:00`)?.date,
    start: parseStart(last("start")),
    estimateId: query.get("estimate_id") || undefined,
  };
}

/** The signature does not matter here: the price is checked before it is shown, and a visitor can choose anything. */
function withEstimate(query: URLSearchParams): URLSearchParams {
  const lock = readToken(query.get("estimate_id") ?? "");
  if (lock?.kind !== "automotive" || query.has("vehicle_type")) return query;
  const { shade, addons, ...job } = lock.job;
  const sides = typeof shade === "object" ? shade : { front_side: shade, rear_side: shade };
  const car = query.get("car") ?? nameOf(job);
  const pairs = {
    ...pick(job, "service_type", "vehicle_type", "film_type", "coverage", "jurisdiction"),
    remove_old_film: job.remove_old_film || undefined,
    front_shade: sides.front_side,
    rear_shade: sides.rear_side,
    // The class of the estimate stays, too.
    car_before: car || undefined,
    car: car || undefined,
  };
  const filled = new URLSearchParams(query);
  for (const [name, value] of Object.entries(pairs)) {
    if (value !== undefined && !query.has(name)) filled.set(name, String(value));
  }
  for (const code of addons) filled.append("addons", code);
  return filled;
}

function shadeIn(query: URLSearchParams, name: string): number | undefined {
  // Without a script, the button beside a verdict comes last, too.
  const shade = Number(/^\d{1,3}$/.exec(query.getAll(name).at(-1) ?? "")?.[0]);
  return shade >= 1 && shade <= 100 ? shade : undefined;
}

export function toQuery(choices: Choices): string {
  const { service, car, vehicle, film, coverage, front, rear, addons, removeOldFilm, state, from, start, estimateId } =
    choices;
  const pairs: [string, string | undefined][] = [
    ["service_type", service],
    ["car", car],
    ["car_before", car],
    ["vehicle_type", vehicle],
    ["film_type", film],
    ["coverage", coverage],
    ["front_shade", front?.toString()],
    ["rear_shade", rear?.toString()],
    ...addons.map((word): [string, string] => ["addons", word]),
    ["remove_old_film", removeOldFilm ? "true" : undefined],
    ["jurisdiction", state],
    ["from", from],
    ["estimate_id", estimateId],
    ["start", start && startText(start)],
  ];
  const given = pairs.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(given).toString();
}

/** The choices that this work has a place for, as the form sends them. */
export function asOffered(
  choices: Choices,
  {
    film_type,
    coverage,
    line_items: lines,
  }: Pick<Confirmation, "film_type" | "coverage"> & { line_items: readonly { code: string }[] },
  catalog: Shop,
): Choices {
  const covered = positionsOf(choices.service, coverage ?? undefined, catalog);
  const rear = covered.includes("rear_side") || covered.includes("rear_window");
  return {
    ...choices,
    front: covered.includes("front_side") ? choices.front : undefined,
    rear: rear ? choices.rear : undefined,
    addons: choices.addons.filter((word) => lines.some(({ code }) => code === word)),
    removeOldFilm: choices.removeOldFilm && film_type !== null,
  };
}

/** What a price was worked out for: the choices without the time, those of the shop where there are none. */
export function pricedChoices(choices: Choices, { automotive, tint_law }: Shop): string {
  const { film_type, coverage } = automotive.defaults;
  return toQuery({
    ...choices,
    film: choices.film ?? film_type,
    coverage: choices.coverage ?? coverage,
    state: choices.state ?? tint_law.home,
    from: undefined,
    start: undefined,
    estimateId: undefined,
  });
}

export function chosenWork({ vehicle, film, coverage, addons, removeOldFilm }: Choices) {
  return {
    ...(vehicle && { vehicle_type: vehicle }),
    ...(film && { film_type: film }),
    ...(coverage && { coverage }),
    ...(addons.length > 0 && { addons }),
    ...(removeOldFilm && { remove_old_film: true }),
  };
}

/** The car as it was typed, for the price and for the shop. */
export function carOf({ car }: Choices) {
  return car === undefined ? {} : { vehicle_model: car };
}

/** The wished darkness and the state, as the API's fields. */
export function shadeOf({ front, rear, state, service, coverage }: Choices, catalog: Shop): object {
  const covered = positionsOf(service, coverage, catalog);
  const shade = {
    ...(front !== undefined && covered.includes("front_side") && { front_side: front }),
    ...(rear !== undefined && covered.includes("rear_side") && { rear_side: rear }),
    ...(rear !== undefined && covered.includes("rear_window") && { rear_window: rear }),
  };
  return { ...(Object.keys(shade).length > 0 && { shade }), ...(state && { jurisdiction: state }) };
}

/** The glass that gets film. */
export function positionsOf(service: string, coverage: string | undefined, catalog: Shop): readonly string[] {
  if (catalog.terms.pricedBy.get(service) !== "film") return [];
  const { coverages, defaults } = catalog.automotive;
  return entryOf(coverages, coverage ?? defaults.coverage).positions;
}
