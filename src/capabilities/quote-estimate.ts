/** The estimate that a quote request names (contract 12), and the price that it leads to meanwhile. */
import type { Shop } from "../catalog/shop.ts";
import { CONCERNS } from "../constants.ts";
import { type Ballpark, estimateFlatGlass, type FlatGlassRequest, flatGlassOf } from "../domain/flat-glass.ts";
import { shopDate } from "../domain/schedule.ts";
import { type PriceLock, readToken } from "../job/forms.ts";
import { contradiction, contradictions, isOnPriceList, verified } from "../job/price.ts";
import { pick } from "../lib/fields.ts";
import { hundredthsOf, toUnits } from "../lib/money.ts";
import type { Context, Suggestion } from "./core/capability.ts";
import { OTHER_WORK } from "./core/shapes.ts";
import { isBuilding, type QuoteRequest, sqftOf, vehicleWord } from "./glass-fields.ts";

/** The estimate as the lead shows it, and the fields that it fills in. @throws ApiError BAD_REQUEST */
export async function estimateForRequest(input: QuoteRequest, token: string, ctx: Context<never>) {
  const { lock } = await verified(token, "any", ctx);
  const shown = { total: toUnits(lock.total), valid_until: lock.validUntil };
  const filled = heldFields(lock, input, ctx.catalog);
  if (lock.kind === "digest") return { estimate: shown, filled };
  if (lock.kind === "automotive") {
    const { job } = lock;
    const { vehicle_type = job.vehicle_type } = input;
    const asked = {
      ...(!standsFor(job.service_type, input, ctx.catalog) && pick(input, "service_type")),
      ...pick(input, "film_type", "coverage"),
      vehicle_type: vehicleWord(vehicle_type, ctx.catalog),
    };
    const other = contradictions(asked, job, ctx.catalog);
    if (other.length > 0) throw contradiction(other);
    return { estimate: { ...shown, ...job }, filled };
  }
  const { site_type, square_footage, ...glass } = lock.glass;
  const isOther = (field: (typeof EXTRAS)[number]) =>
    input[field] !== undefined && input[field] !== (glass[field] ?? 0);
  const sqft = sqftOf(input, ctx.catalog);
  const differing = [
    ...(input.service_type === site_type || standsFor(site_type, input, ctx.catalog)
      ? []
      : [{ field: "service_type", held: site_type }]),
    ...(sqft === undefined || hundredthsOf(sqft) === hundredthsOf(square_footage)
      ? []
      : [{ field: "square_footage", held: square_footage }]),
    ...(input.needs_ladder === undefined || input.needs_ladder === glass.needs_ladder
      ? []
      : [{ field: "needs_ladder", held: glass.needs_ladder }]),
    ...EXTRAS.filter(isOther).map((field) => ({ field, held: glass[field] ?? 0 })),
  ];
  if (differing.length > 0) throw contradiction(differing);
  const held = { site_type, total_sqft: square_footage, ...glass };
  return { estimate: { ...shown, ...glass }, filled, range: rangeOf(held, lock, ctx) };
}

/** What makes the work dearer, besides a ladder. */
const EXTRAS = ["blocked_windows", "curtain_windows", "existing_film_sqft"] as const;

/** From the lowest price of the estimate to its highest, as quoted or, of one that ran out, as of today. Undefined without such work. */
function rangeOf(
  { primary_concern: concern, ...held }: Omit<FlatGlassRequest, "primary_concern"> & { primary_concern: string },
  { validUntil, amounts: [lowest, highest] }: PriceLock,
  { catalog, now }: Context<never>,
): Ballpark | undefined {
  if (!catalog.terms.siteTypes.includes(held.site_type)) return undefined;
  const primary_concern = CONCERNS.find((one) => one === concern);
  const { options, ladderRequired } = estimateFlatGlass(catalog, {
    ...held,
    ...(primary_concern && { primary_concern }),
  });
  const ladder = ladderRequired ? flatGlassOf(catalog).ladder.per_sqft : 0;
  const rates = options.map(({ pricePerSqft }) => pricePerSqft + ladder);
  const isInForce = validUntil >= shopDate(catalog, now);
  const today = {
    min: Math.min(...options.map(({ total }) => total.min)),
    max: Math.max(...options.map(({ total }) => total.max)),
  };
  return {
    perSqft: { min: Math.min(...rates), max: Math.max(...rates) },
    total: isInForce && lowest !== undefined && highest !== undefined ? { min: lowest, max: highest } : today,
  };
}

/** Whether a request says `other` for a service that the shop has given up since the estimate. */
function standsFor(service: string, { service_type }: QuoteRequest, { services }: Shop): boolean {
  return service_type === OTHER_WORK && !services.some(({ key }) => key === service);
}

function heldFields(lock: PriceLock | undefined, input: QuoteRequest, catalog: Shop): Partial<QuoteRequest> {
  if (!lock || lock.kind === "digest") return {};
  if (lock.kind === "automotive") {
    const { job } = lock;
    return { ...pick(job, "film_type", "coverage"), vehicle_type: input.vehicle_type ?? job.vehicle_type };
  }
  const held = lock.glass;
  return {
    square_footage: sqftOf(input, catalog) ?? held.square_footage,
    needs_ladder: input.needs_ladder ?? held.needs_ladder,
  };
}

/** The other fields of the estimate, so that its price can be asked for again; none when the shop no longer does the work. */
function furtherWork(lock: PriceLock | undefined, { windows = [] }: QuoteRequest, catalog: Shop): object {
  if (!lock || lock.kind === "digest") return {};
  if (lock.kind === "flat_glass") {
    const held = lock.glass;
    // Windows that are marked in their rows are counted there.
    return {
      ...pick(held, "primary_concern", "floors", "existing_film_sqft"),
      ...(!windows.some(({ blocked }) => blocked) && pick(held, "blocked_windows")),
      ...(!windows.some(({ curtain }) => curtain) && pick(held, "curtain_windows")),
    };
  }
  const { job } = lock;
  if (!isOnPriceList(job, catalog)) return {};
  return {
    ...(job.addons.length > 0 && pick(job, "addons")),
    ...(job.remove_old_film && { remove_old_film: true }),
    ...pick(job, "shade", "windshield_shade", "jurisdiction"),
  };
}

/** @param input with an estimate whose signature was checked, now or when the request was first sent */
export function quoteNextSteps(input: QuoteRequest, catalog: Shop): Suggestion[] {
  const lock = input.estimate_id === undefined ? undefined : readToken(input.estimate_id);
  return [
    ...priceMeanwhile({ ...input, ...heldFields(lock, input, catalog) }, furtherWork(lock, input, catalog), catalog),
    {
      action: "list_faq",
      description: "Answer questions about the work meanwhile.",
      input: catalog.terms.faqQueries.get(input.service_type) ?? {},
    },
  ];
}

/** Furniture and blinds that nobody counted stand at one window at least, as in the lowest price of the ballpark. */
function uncounted({ windows = [], furniture_moving, blinds_removal }: QuoteRequest) {
  return {
    ...(furniture_moving && !windows.some(({ blocked }) => blocked) && { blocked_windows: 1 }),
    ...(blinds_removal && !windows.some(({ curtain }) => curtain) && { curtain_windows: 1 }),
  };
}

/** A price meanwhile, where the request says enough for one. @param further fields of the estimate that it names */
function priceMeanwhile(input: QuoteRequest, further: object, catalog: Shop): Suggestion[] {
  const { services, vehicleTypes, coverages, films } = catalog.terms;
  const sqft = sqftOf(input, catalog);
  if (isBuilding(input, catalog)) {
    if (sqft === undefined) return [];
    const area = input.windows ? pick(input, "windows") : { total_sqft: sqft };
    return [
      {
        action: "flat_glass_estimate",
        description: "Show the customer Good, Better and Best with films while they wait for the quote.",
        input: {
          ...area,
          site_type: input.service_type,
          ...further,
          ...pick(input, "floors", "needs_ladder", "film_goals"),
          ...uncounted(input),
          ...pick(input, "blocked_windows", "curtain_windows", "existing_film_sqft"),
        },
      },
    ];
  }
  const { vehicle_type: named, service_type: service } = input;
  const type = named === undefined ? undefined : vehicleWord(named, catalog);
  if (!services.includes(service) || type === undefined || !vehicleTypes.includes(type)) return [];
  const vehicle = { vehicle_type: type, ...pick(input, "vehicle_year", "vehicle_make", "vehicle_model") };
  return [
    {
      action: "automotive_estimate",
      description: "Show the customer the price while they wait; the answer leads on to open times.",
      input: {
        ...vehicle,
        service,
        // An estimate can hold words that the shop has given up since.
        ...(coverages.includes(input.coverage ?? "") && pick(input, "coverage")),
        ...(films.includes(input.film_type ?? "") && pick(input, "film_type")),
        ...further,
      },
    },
  ];
}
