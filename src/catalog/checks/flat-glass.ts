/** Rules of `flat_glass`. */
import { CONCERNS, SITE_TYPES, TIERS } from "../../vocabulary.ts";
import type { Fault } from "../path.ts";
import type { CatalogSource } from "../schema.ts";
import { type Rule, unknownName } from "./rule.ts";

type Range = CatalogSource["flat_glass"]["removal_per_sqft"];
type Concern = (typeof CONCERNS)[number];

export const flatGlassRules: Rule[] = [
  { needs: ["flat_glass.recommend", "flat_glass.films"], check: recommendedFilmsExist },
  { needs: ["flat_glass.recommend", "flat_glass.films"], check: betterTiersDoNotDoWorse },
  { needs: ["flat_glass.ballpark_per_sqft", "flat_glass.rates_per_sqft"], check: ratesLieWithinTheBallpark },
  {
    needs: ["flat_glass.ballpark_per_sqft"],
    check: ({ flat_glass }) => highIsNotBelowLow("ballpark_per_sqft", flat_glass.ballpark_per_sqft),
  },
  {
    needs: ["flat_glass.removal_per_sqft"],
    check: ({ flat_glass }) => highIsNotBelowLow("removal_per_sqft", flat_glass.removal_per_sqft),
  },
];

/** An estimate could not describe a film that is not on the list. */
function recommendedFilmsExist({ flat_glass: { recommend, films } }: CatalogSource): Fault[] {
  const steps = CONCERNS.flatMap((concern) => TIERS.map((tier) => ({ concern, tier, film: recommend[concern][tier] })));
  return steps
    .filter(({ film }) => !Object.hasOwn(films, film))
    .map(({ concern, tier, film }) => ({
      path: ["flat_glass", "recommend", concern, tier],
      message: unknownName("a film of flat_glass.films", film, Object.keys(films)),
    }));
}

/** The figure that answers a concern. Security is left out: no single figure says how secure a film is. */
const FIGURES = {
  heat: { key: "tser", worse: "lower" },
  energy: { key: "tser", worse: "lower" },
  leed: { key: "tser", worse: "lower" },
  glare: { key: "glare", worse: "lower" },
  uv: { key: "uv", worse: "lower" },
  privacy: { key: "vlt", worse: "higher" },
} as const;

/** A customer who pays for a better step must not get less of what was asked for. */
function betterTiersDoNotDoWorse(catalog: CatalogSource): Fault[] {
  return CONCERNS.filter((concern) => concern !== "security").flatMap((concern) => tiersThatDoWorse(concern, catalog));
}

function tiersThatDoWorse(concern: Exclude<Concern, "security">, { flat_glass }: CatalogSource): Fault[] {
  const { key, worse } = FIGURES[concern];
  const figures = TIERS.map((tier) => flat_glass.films[flat_glass.recommend[concern][tier]]?.[key]);
  return TIERS.flatMap((tier, i) => {
    const before = figures[i - 1];
    const here = figures[i];
    // A decorative film may have no figure to compare.
    if (before == null || here == null) return [];
    const isWorse = worse === "lower" ? here < before : here > before;
    const message = `must not do worse at ${concern} than the step before it (${key} ${here} after ${before})`;
    return isWorse ? [{ path: ["flat_glass", "recommend", concern, tier], message }] : [];
  });
}

/** The ballpark is the first figure a customer hears; no estimate may contradict it. */
function ratesLieWithinTheBallpark({ flat_glass }: CatalogSource): Fault[] {
  const { ballpark_per_sqft: ballpark, rates_per_sqft: rates } = flat_glass;
  // `highIsNotBelowLow` reports this fault; a second message would confuse.
  if (ballpark.low > ballpark.high) return [];
  return SITE_TYPES.flatMap((site) =>
    TIERS.filter((tier) => rates[site][tier] < ballpark.low || rates[site][tier] > ballpark.high).map((tier) => ({
      path: ["flat_glass", "rates_per_sqft", site, tier],
      message: `must lie between ${ballpark.low} and ${ballpark.high}, the ballpark_per_sqft that customers are told first`,
    })),
  );
}

/** A range is shown as "low to high". */
function highIsNotBelowLow(key: string, { low, high }: Range): Fault[] {
  return low > high ? [{ path: ["flat_glass", key, "high"], message: "must not be less than low" }] : [];
}
