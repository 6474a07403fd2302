/** The steps after a quote request: a price meanwhile, and answers to questions. */
import type { Shop } from "../../catalog/shop.ts";
import { pick } from "../../lib/fields.ts";
import type { Suggestion } from "../core/capability.ts";
import { readToken } from "../lock/token.ts";
import { questionsAbout } from "../shared/faq.ts";
import { furtherWork, heldFields } from "./estimate.ts";
import { isBuilding, type QuoteRequest, sqftOf, vehicleWord } from "./request.ts";

/** @param input with an estimate whose signature was checked, now or when the request was first sent */
export function quoteNextSteps(input: QuoteRequest, catalog: Shop): Suggestion[] {
  const lock = input.estimate_id === undefined ? undefined : readToken(input.estimate_id);
  return [
    ...priceMeanwhile({ ...input, ...heldFields(lock, input, catalog) }, furtherWork(lock, input, catalog), catalog),
    {
      action: "list_faq",
      description: "Answer questions about the work meanwhile.",
      input: questionsAbout(input.service_type, catalog),
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
