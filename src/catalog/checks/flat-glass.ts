/** Rules of `flat_glass`. */
import { CONCERNS } from "../../constants.ts";
import type { Issue } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { tiersOf } from "../terms.ts";
import { missingKeys, type Rule, unknownAt, unknownKeys, unknownName } from "./rule.ts";

type FlatGlass = NonNullable<WrittenCatalog["flat_glass"]>;

export const flatGlassRules: Rule[] = [sitesAreServices, ratesAreSound];

/** The rules of a shop that works on buildings. */
function ratesAreSound({ flat_glass: flat }: WrittenCatalog): Issue[] {
  if (!flat) return [];
  return [
    ...stepsAreTheSame(flat),
    ...recommendedTierExists(flat),
    ...recommendedFilmsExist(flat),
    ...betterTiersDoNotDoWorse(flat),
    ...ratesLieWithinTheBallpark(flat),
    ...highIsNotBelowLow("ballpark_per_sqft", flat),
    ...highIsNotBelowLow("removal_per_sqft", flat),
  ];
}

/** Every estimate has the same steps. */
function stepsAreTheSame({ rates_per_sqft: rates }: FlatGlass): Issue[] {
  const steps = tiersOf(rates);
  return Object.entries(rates).flatMap(([site, row]) => [
    ...missingKeys(["flat_glass", "rates_per_sqft", site], steps, row, (step) => `${site} has no price for ${step}`),
    ...unknownKeys(["flat_glass", "rates_per_sqft", site], Object.keys(row), "a step", steps),
  ]);
}

const WITHOUT_SECTION = "must not be flat_glass, because the file has no section flat_glass with prices";

/** A kind of site is the key of a service, and a service that is priced by the square foot has a rate. */
function sitesAreServices(catalog: WrittenCatalog): Issue[] {
  const services = catalog.services
    .map((service, index) => ({ service, index }))
    .filter(({ service }) => service.estimate === "flat_glass");
  const rates = catalog.flat_glass?.rates_per_sqft ?? {};
  const keys = services.map(({ service }) => service.key);
  const issues: Issue[] = [];
  for (const { service, index } of services) {
    if (Object.hasOwn(rates, service.key)) continue;
    const unpriced = `is missing: ${service.key} has no price by the square foot`;
    if (catalog.flat_glass) issues.push({ path: ["flat_glass", "rates_per_sqft", service.key], message: unpriced });
    else issues.push({ path: ["services", index, "estimate"], message: WITHOUT_SECTION });
  }
  for (const site of Object.keys(rates)) {
    if (keys.includes(site)) continue;
    const message = `has prices, but ${unknownName("a listed service with `estimate: flat_glass`", site, keys)}`;
    issues.push({ path: ["flat_glass", "rates_per_sqft", site], message, at: "key" });
  }
  return issues;
}

function recommendedTierExists({ recommended_tier: tier, rates_per_sqft: rates }: FlatGlass): Issue[] {
  const steps = tiersOf(rates);
  return unknownAt(["flat_glass", "recommended_tier"], tier, "a step of rates_per_sqft", steps);
}

/** An estimate could not describe a film that is not on the list. */
function recommendedFilmsExist({ recommend, films, rates_per_sqft: rates }: FlatGlass): Issue[] {
  const steps = tiersOf(rates);
  const known = Object.keys(films);
  return CONCERNS.flatMap((concern) => {
    const place = ["flat_glass", "recommend", concern];
    const row = recommend[concern];
    return [
      ...missingKeys(place, steps, row, (step) => `no film is named for ${concern}, ${step}`),
      ...unknownKeys(place, Object.keys(row), "a step of rates_per_sqft", steps),
      ...Object.keys(row).flatMap((step) =>
        unknownAt([...place, step], row[step], "a film of flat_glass.films", known),
      ),
    ];
  });
}

/**
 * The value of a film by which customers with a concern compare films. Security is left out: no single number says how
 * secure a film is.
 */
const MEASURES = {
  heat: { key: "tser", worse: "lower" },
  energy: { key: "tser", worse: "lower" },
  leed: { key: "tser", worse: "lower" },
  glare: { key: "glare", worse: "lower" },
  uv: { key: "uv", worse: "lower" },
  privacy: { key: "vlt", worse: "higher" },
} as const;

/** A customer who pays for a better step must not get less of what was asked for. */
function betterTiersDoNotDoWorse({ films, recommend }: FlatGlass): Issue[] {
  return CONCERNS.flatMap((concern) => {
    if (concern === "security") return [];
    const { key, worse } = MEASURES[concern];
    const steps = Object.entries(recommend[concern]);
    const values = steps.map(([, film]) => films[film]?.[key]);
    return steps.flatMap(([tier], i) => {
      const before = values[i - 1];
      const here = values[i];
      // A decorative film may have no number to compare.
      if (before == null || here == null) return [];
      const isWorse = worse === "lower" ? here < before : here > before;
      const message = `must not do worse at ${concern} than the step before it (${key} ${here} after ${before})`;
      return isWorse ? [{ path: ["flat_glass", "recommend", concern, tier], message }] : [];
    });
  });
}

/** The ballpark is the first figure a customer hears; no estimate may contradict it. */
function ratesLieWithinTheBallpark({ ballpark_per_sqft: ballpark, rates_per_sqft: rates }: FlatGlass): Issue[] {
  // `highIsNotBelowLow` reports this issue; a second message would confuse.
  if (ballpark.low > ballpark.high) return [];
  const message = `must lie between ${ballpark.low} and ${ballpark.high}, the ballpark_per_sqft that customers are told first`;
  return Object.entries(rates).flatMap(([site, row]) =>
    Object.entries(row)
      .filter(([, rate]) => rate < ballpark.low || rate > ballpark.high)
      .map(([tier]) => ({ path: ["flat_glass", "rates_per_sqft", site, tier], message })),
  );
}

/** A range is shown as "low to high". */
function highIsNotBelowLow(
  key: "ballpark_per_sqft" | "removal_per_sqft",
  { [key]: { low, high } }: FlatGlass,
): Issue[] {
  return low > high ? [{ path: ["flat_glass", key, "high"], message: "must not be less than low" }] : [];
}
