/** The choices of a visitor so far. They are in the query of the page, so they hold nothing about the person. */
import type { z } from "zod";
import type { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { taxed, type wholeOf } from "../../../capabilities/core/price-shapes.ts";
import { modelIn } from "../../../catalog/models.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf } from "../../../catalog/terms.ts";
import { wordMeant } from "../../../catalog/words.ts";
import type { Visit } from "../../../http/pages.ts";
import { bookUrl, type HeldJob, readToken, startText } from "../../../job/forms.ts";
import { isOtherVehicle, SIDES } from "../../../job/job.ts";
import { type Quote, quoteOf } from "../../../job/price.ts";
import { pick } from "../../../lib/fields.ts";
import type { Html } from "../../../lib/html.ts";
import { toCents, toUnits } from "../../../lib/money.ts";
import { LIMITS, normalize } from "../../../schema/fields.ts";
import { quoteNote } from "../shell/forms.ts";
import { parseStart } from "../shell/paths.ts";
import { QUOTE } from "../shell/texts.ts";
import { amount, dayIn } from "../shell/wording.ts";

type Answer = z.output<ReturnType<typeof automotiveEstimate.output>>;
export type Estimate = ReturnType<typeof wholeOf<Answer>>;
export type Choices = ReturnType<typeof readChoices>;

/**
 * The choices in an address. An estimate fills in what the address leaves out. Unknown words count as not chosen: the page
 * then asks again.
 */
export function readChoices(given: URLSearchParams, catalog: Shop) {
  const lock = readToken(given.get("estimate_id") ?? "");
  const held = lock?.kind === "automotive" ? lock.job : undefined;
  const query = held && !given.has("vehicle_type") ? withEstimate(given, held, catalog) : given;
  // Without a script, the button that was pressed comes after the field with the choice that it replaces.
  const last = (name: string) => query.getAll(name).at(-1) ?? null;
  const { vehicleTypes, films, coverages, addons, services } = catalog.terms;
  const one = (name: string, known: readonly string[]) => known.find((word) => word === query.get(name));
  const sold = catalog.bookable.map(({ key }) => key).filter((key) => services.includes(key));
  const car =
    String(normalize(last("car") ?? ""))
      .trim()
      .slice(0, LIMITS.other) || undefined;
  // A car that was just named picks its class, by its model or a word like `pickup`; one that was chosen afterwards stays.
  const isNew = car !== undefined && car !== query.get("car_before");
  const named = isNew ? (modelIn(car, catalog)?.vehicleType ?? wordMeant(car, "vehicle_types", catalog)) : undefined;
  // No type of the list has the price of a boat.
  const isOther = car !== undefined && isOtherVehicle(car, catalog);
  const vehicle_type = isOther ? undefined : (named ?? one("vehicle_type", vehicleTypes));
  return {
    service_type: one("service_type", sold) ?? catalog.automotive.defaults.service,
    /** In the visitor's words, like `2022 CR-V`. */
    car,
    vehicle_type,
    /** Of the vehicle that the estimate is for. */
    factory_glass: held?.vehicle_type === vehicle_type ? held?.factory_glass : undefined,
    film_type: one("film_type", films),
    coverage: one("coverage", coverages),
    /** Percent of light that the film lets through; undefined: settled at the shop. */
    front: shadeIn(query, "front_shade"),
    rear: shadeIn(query, "rear_shade"),
    /** Of the rear window alone: undefined where it has that of the rear sides, null where it is settled at the shop. */
    rear_window: query.has("rear_window_shade") ? (shadeIn(query, "rear_window_shade") ?? null) : undefined,
    /** A shade was asked for that the film does not come in. */
    isNearest: false,
    /** The page has no field for it. */
    windshield: shadeIn(query, "windshield_shade"),
    addons: addons.filter((word) => query.getAll("addons").includes(word)),
    remove_old_film: query.get("remove_old_film") === "true",
    jurisdiction: one("jurisdiction", Object.keys(catalog.tint_law.jurisdictions)),
    from: parseStart(`${last("from")}T00:00`)?.date,
    /** The first day of the month that is shown instead of a day's times. */
    month: parseStart(`${last("month")}T00:00`)?.date,
    start: parseStart(last("start")),
    estimate_id: query.get("estimate_id") || undefined,
    /** The page itself put the estimate into the address. */
    own: query.has("own"),
  };
}

/** The signature does not matter here: the price is checked before it is shown, and a visitor can choose anything. */
function withEstimate(query: URLSearchParams, job: HeldJob, catalog: Shop): URLSearchParams {
  const filled = new URLSearchParams(query);
  const car = query.get("car");
  // The class of the estimate stays, too.
  if (car !== null && !query.has("car_before")) filled.set("car_before", car);
  const [, link] = bookUrl(job, catalog)?.split("?") ?? [];
  for (const [name, value] of new URLSearchParams(link)) if (!query.has(name)) filled.append(name, value);
  return filled;
}

function shadeIn(query: URLSearchParams, name: string): number | undefined {
  // Without a script, the button beside a verdict comes last, too.
  const shade = Number(/^\d{1,3}$/.exec(query.getAll(name).at(-1) ?? "")?.[0]);
  return shade >= 1 && shade <= 100 ? shade : undefined;
}

export function toQuery({ car, front, rear, rear_window, windshield, addons, start, ...choices }: Choices): string {
  const query = new URLSearchParams();
  const pairs = {
    service_type: choices.service_type,
    car,
    car_before: car,
    ...pick(choices, "vehicle_type", "film_type", "coverage"),
    front_shade: front,
    rear_shade: rear,
    rear_window_shade: rear_window === null ? "none" : rear_window,
    windshield_shade: windshield,
    addons,
    remove_old_film: choices.remove_old_film || undefined,
    ...pick(choices, "jurisdiction", "from", "month", "estimate_id"),
    own: choices.own ? 1 : undefined,
    start: start && startText(start),
  };
  for (const [name, value] of Object.entries(pairs))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(name, String(one));
  return query.toString();
}

/** The choices that this work has a place for, as the form sends them. */
export function asOffered(choices: Choices, estimate: Estimate, catalog: Shop): Choices {
  const { film_type, coverage, line_items: lines } = estimate;
  const takesOff = film_type !== null && catalog.terms.removal !== undefined;
  const covered = positionsOf(choices.service_type, coverage ?? undefined, catalog);
  const rear = covered.includes("rear_side") || covered.includes("rear_window");
  return {
    ...choices,
    film_type: film_type === null ? undefined : choices.film_type,
    coverage: coverage === null ? undefined : choices.coverage,
    front: covered.includes("front_side") ? choices.front : undefined,
    rear: rear ? choices.rear : undefined,
    rear_window: rear ? choices.rear_window : undefined,
    addons: choices.addons.filter((word) => lines.some(({ code }) => code === word)),
    remove_old_film: choices.remove_old_film && takesOff,
  };
}

/** What a price was worked out for: the choices without the time, those of the shop where there are none. */
export function pricedChoices(choices: Choices, { automotive, tint_law }: Shop): string {
  const { film_type, coverage } = automotive.defaults;
  return workQuery({
    ...choices,
    film_type: choices.film_type ?? film_type,
    coverage: choices.coverage ?? coverage,
    jurisdiction: choices.jurisdiction ?? tint_law.home,
    estimate_id: undefined,
  });
}

/** Without the time, and what the page shows of it. */
function workQuery(choices: Choices): string {
  return toQuery({ ...choices, own: false, from: undefined, month: undefined, start: undefined });
}

export function chosenWork({ addons, remove_old_film, ...choices }: Choices) {
  return {
    ...pick(choices, "vehicle_type", "film_type", "coverage"),
    ...(addons.length > 0 && { addons }),
    ...(remove_old_film && { remove_old_film }),
  };
}

/** The work with the car as it was typed, the wished darkness and the state, as the API's fields. */
export function chosenJob(choices: Choices, catalog: Shop) {
  const { service_type, coverage, windshield } = choices;
  const covered = positionsOf(service_type, coverage, catalog);
  const shade = pick(shadesBySide(choices), ...SIDES.filter((side) => covered.includes(side)));
  return {
    ...chosenWork(choices),
    service_type,
    ...(Object.keys(shade).length > 0 && { shade }),
    ...(windshield !== undefined && { windshield_shade: windshield }),
    ...pick({ ...choices, vehicle_model: choices.car }, "factory_glass", "jurisdiction", "vehicle_model"),
  };
}

export function shadesBySide({ front, rear, rear_window }: Pick<Choices, "front" | "rear" | "rear_window">) {
  return { front_side: front, rear_side: rear, rear_window: rear_window === undefined ? rear : rear_window };
}

export function positionsOf(service: string, coverage: string | undefined, catalog: Shop): readonly string[] {
  if (catalog.terms.pricedBy.get(service) !== "film") return [];
  const { coverages, defaults } = catalog.automotive;
  return entryOf(coverages, coverage ?? defaults.coverage).positions;
}

/** The estimate with the price that was promised, the address that keeps it, and what is to be said of it. */
export async function promised(choices: Choices, today: Estimate, { ctx }: Visit) {
  const { catalog } = ctx;
  const { estimate_id: token } = choices;
  const quote = token === undefined ? undefined : await quoteOf(token, chosenJob(choices, catalog), ctx);
  const estimate = quote?.is === "held" ? atQuote(today, quote, catalog) : today;
  // A better price of other work is kept until the visitor comes back to that work.
  const isBetter = quote?.is === "of other work" && quote.isLess;
  const kept = (isBetter && token) || estimate.estimate_id;
  return { estimate, kept, line: lineOn(quote, choices, today, catalog) };
}

function atQuote(today: Estimate, { terms, estimate_id }: Quote & { is: "held" }, catalog: Shop): Estimate {
  const price = taxed(terms.total, catalog);
  // The promise protects the customer alone: a list that is lower by now wins.
  if (price.total > today.total) return today;
  // A page reads the day alone.
  const valid_until = `${terms.validUntil}T00:00`;
  if (price.total === today.total) return { ...today, estimate_id, valid_until };
  const { line_items: lines, options, film_type: film } = today;
  const isAlike = terms.amounts.length === lines.length;
  // Where the work has other lines by now, the first one takes the difference.
  const less = (i: number) => (i === 0 ? toCents(today.total) - terms.total : 0);
  const amounts = lines.map((line, i) => (isAlike ? (terms.amounts[i] ?? 0) : toCents(line.amount) - less(i)));
  return {
    ...today,
    ...price,
    estimate_id,
    valid_until,
    line_items: lines.map((line, i) => ({ ...line, amount: toUnits(amounts[i] ?? 0) })),
    options: options.map((one) => (one.film_type === film ? { ...one, total: price.total } : one)),
  };
}

/** Why a promise is not kept; the page's own estimate is replaced without a word where nothing is lost. */
function lineOn(quote: Quote | undefined, choices: Choices, { total }: Estimate, catalog: Shop): Html | undefined {
  if (!quote || quote.is === "held") return undefined;
  const now = amount(total, catalog);
  if (quote.is === "not ours") return quoteNote(QUOTE.unknown(now));
  const before = amount(toUnits(quote.terms.total), catalog);
  const day = dayIn("dayOfMonth", quote.terms.validUntil, catalog);
  if (quote.is === "over") return quote.isLess ? quoteNote(QUOTE.over(before, day, now)) : undefined;
  return choices.own && !quote.isLess ? undefined : quoteNote(QUOTE.other(before, now));
}

export function quotedAddress(choices: Choices, { estimate_id }: Estimate): string {
  return `${BOOK_PATH}?${workQuery({ ...choices, estimate_id })}`;
}
