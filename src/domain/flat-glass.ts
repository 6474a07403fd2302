/** Flat glass: the Good/Better/Best estimate and the ballpark of a quote request. Pure; all money in cents. */
import type { Catalog, FlatGlass, FlatGlassFilm } from "../catalog/schema.ts";
import { entryOf, words } from "../catalog/terms.ts";
import { CONCERNS, type Concern, FILM_GOALS, type FilmGoal } from "../constants.ts";
import { areaPrice, type Cents, midpoint, type Range } from "./money.ts";
import { type Glazing, measure, type WindowRow } from "./window-area.ts";

/** The glass as its area, or window by window. */
export interface FlatGlassRequest {
  total_sqft?: number;
  /** Where they are given, the price is that of their area. */
  windows?: readonly WindowRow[];
  site_type: string;
  primary_concern?: Concern;
  /** In any words. */
  film_goals?: readonly string[];
  floors?: number;
  needs_ladder?: boolean;
  blocked_windows?: number;
  curtain_windows?: number;
  existing_film_sqft?: number;
}

export interface FlatGlassLine {
  code: string;
  label: string;
  quantity: number;
  unit: "sq ft" | "window" | "job";
  unitPrice: Range;
  amount: Range;
}

export interface FlatGlassOption {
  tier: string;
  film: FlatGlassFilm;
  pricePerSqft: Cents;
  lines: FlatGlassLine[];
  total: Range;
  middle: Cents;
}

export interface FlatGlassEstimate {
  /** Glass area in square feet. */
  sqft: number;
  /** Null when only the area is known. */
  glazing: Glazing | null;
  concern: Concern;
  ladderRequired: boolean;
  assumed: string[];
  options: FlatGlassOption[];
  siteVisitRequired: boolean;
}

export function estimateFlatGlass(catalog: Catalog, request: FlatGlassRequest): FlatGlassEstimate {
  const prices = flatGlassOf(catalog);
  const named = concernOf(prices, request);
  const concern = named ?? prices.default_concern;
  const floors = request.floors ?? 1;
  const ladderRequired = request.needs_ladder ?? floors >= prices.ladder.floors_min;
  const glazing = request.windows ? measure(request.windows, prices.round_up) : null;
  const sqft = glazing?.sqft ?? request.total_sqft;
  if (sqft === undefined) throw new Error("neither total_sqft nor windows");
  const extras = extraLines(prices, request, { sqft, glazing, ladderRequired });

  const options = words(catalog).tiers.map((tier): FlatGlassOption => {
    const film = entryOf(prices.films, entryOf(prices.recommend[concern], tier));
    const pricePerSqft = entryOf(entryOf(prices.rates_per_sqft, request.site_type), tier);
    const work = [
      areaLine("film", `${film.name}, installed`, sqft, { min: pricePerSqft, max: pricePerSqft }),
      ...extras,
    ];
    const sum = totalOf(work);
    const lines = sum.min < prices.minimum_job_charge ? [...work, minimumLine(prices.minimum_job_charge, sum)] : work;
    const total = totalOf(lines);
    return { tier, film, pricePerSqft, lines, total, middle: midpoint(total.min, total.max) };
  });

  return {
    sqft,
    glazing,
    concern,
    ladderRequired,
    assumed: [
      ...(named === undefined ? ["primary_concern"] : []),
      ...(request.needs_ladder === undefined ? ["needs_ladder"] : []),
      ...(request.needs_ladder === undefined && request.floors === undefined ? ["floors"] : []),
    ],
    options,
    siteVisitRequired: floors >= prices.survey_floors_min,
  };
}

/** The section on flat glass. @throws Error for a shop without one, whose estimates are not offered */
export function flatGlassOf({ flat_glass: flat }: Catalog): FlatGlass {
  if (!flat) throw new Error("the catalog has no flat_glass");
  return flat;
}

/** The customer's concern; undefined when they named none. A kind of site that is called like a concern always has it. */
function concernOf({ goal_to_concern: map }: FlatGlass, request: FlatGlassRequest): Concern | undefined {
  const ofSite = CONCERNS.find((concern) => concern === request.site_type);
  if (ofSite) return ofSite;
  if (request.primary_concern) return request.primary_concern;
  const goal = request.film_goals?.find(isKnownGoal);
  if (goal === undefined) return undefined;
  return isConcern(goal) ? goal : map[goal];
}

function isConcern(word: string): word is Concern {
  return (CONCERNS as readonly string[]).includes(word);
}

/** Whether a goal is a word of the API, in either vocabulary: `heat` or `heat_reduction`. */
export function isKnownGoal(word: string): word is Concern | FilmGoal {
  return isConcern(word) || (FILM_GOALS as readonly string[]).includes(word);
}

function extraLines(
  prices: FlatGlass,
  request: FlatGlassRequest,
  { sqft, glazing, ladderRequired }: Pick<FlatGlassEstimate, "sqft" | "glazing" | "ladderRequired">,
): FlatGlassLine[] {
  const { blocked_windows: blocked = glazing?.blocked ?? 0, curtain_windows: curtain = glazing?.curtain ?? 0 } =
    request;
  const { existing_film_sqft: old = 0 } = request;
  const { per_sqft: ladder } = prices.ladder;
  return [
    ...(ladderRequired ? [areaLine("ladder", "Ladder work", sqft, { min: ladder, max: ladder })] : []),
    ...(blocked > 0
      ? [windowLine("blocked_windows", "Windows blocked by furniture", blocked, prices.blocked_window_each)]
      : []),
    ...(curtain > 0
      ? [windowLine("curtain_windows", "Windows with blinds or curtains", curtain, prices.curtain_window_each)]
      : []),
    ...(old > 0
      ? [
          areaLine("removal", "Removal of old film", old, {
            min: prices.removal_per_sqft.low,
            max: prices.removal_per_sqft.high,
          }),
        ]
      : []),
  ];
}

function areaLine(code: string, label: string, sqft: number, rate: Range): FlatGlassLine {
  const amount = { min: areaPrice(sqft, rate.min), max: areaPrice(sqft, rate.max) };
  return { code, label, quantity: sqft, unit: "sq ft", unitPrice: rate, amount };
}

function windowLine(code: string, label: string, count: number, price: Cents): FlatGlassLine {
  const amount = count * price;
  return {
    code,
    label,
    quantity: count,
    unit: "window",
    unitPrice: { min: price, max: price },
    amount: { min: amount, max: amount },
  };
}

/** Raises a total to the minimum charge. Each end of a range is raised separately. */
function minimumLine(minimum: Cents, sum: Range): FlatGlassLine {
  const amount = { min: minimum - sum.min, max: Math.max(0, minimum - sum.max) };
  return {
    code: "minimum_adjustment",
    label: "Minimum job charge",
    quantity: 1,
    unit: "job",
    unitPrice: amount,
    amount,
  };
}

function totalOf(lines: readonly FlatGlassLine[]): Range {
  return lines.reduce((sum, { amount }) => ({ min: sum.min + amount.min, max: sum.max + amount.max }), {
    min: 0,
    max: 0,
  });
}

export interface Ballpark {
  perSqft: Range;
  total: Range;
}

/** The price range in the answer to a quote request. A ladder is included only when the caller asks for one. */
export function ballparkOf(catalog: Catalog, sqft: number, needsLadder: boolean): Ballpark {
  const prices = flatGlassOf(catalog);
  const { low, high } = prices.ballpark_per_sqft;
  const ladder = needsLadder ? prices.ladder.per_sqft : 0;
  return {
    perSqft: { min: low + ladder, max: high + ladder },
    total: {
      min: areaPrice(sqft, low) + areaPrice(sqft, ladder),
      max: areaPrice(sqft, high) + areaPrice(sqft, ladder),
    },
  };
}
