/** Flat glass: the Good/Better/Best estimate, the ballpark of a quote request, and areas without floats. Pure. Source: contract 14. */
import type { FlatGlass, FlatGlassFilm } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import { CONCERNS, type Concern, FILM_GOALS, type FilmGoal } from "../constants.ts";
import { type Cents, hundredthsOf, type Range } from "../lib/money.ts";

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
  /** The amount; of a range its middle. */
  middle: Cents;
}
type RangeLine = Omit<FlatGlassLine, "middle">;

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

export function estimateFlatGlass(catalog: Shop, request: FlatGlassRequest): FlatGlassEstimate {
  const prices = flatGlassOf(catalog);
  const named = concernOf(prices, request);
  const concern = named ?? prices.default_concern;
  const floors = request.floors ?? 1;
  const ladderRequired = needsLadder(prices, request);
  const glazing = request.windows ? measure(request.windows, prices.round_up) : null;
  const sqft = glazing?.sqft ?? request.total_sqft;
  if (sqft === undefined) throw new Error("neither total_sqft nor windows");
  const extras = extraLines(prices, request, { sqft, glazing, ladderRequired });

  const options = catalog.terms.tiers.map((tier): FlatGlassOption => {
    const film = entryOf(prices.films, entryOf(prices.recommend[concern], tier));
    const pricePerSqft = entryOf(entryOf(prices.rates_per_sqft, request.site_type), tier);
    const work = [
      areaLine("film", `${film.name}, installed`, sqft, { min: pricePerSqft, max: pricePerSqft }),
      ...extras,
    ];
    const sum = totalOf(work);
    const all = sum.min < prices.minimum_job_charge ? [...work, minimumLine(prices.minimum_job_charge, sum)] : work;
    const total = totalOf(all);
    const middle = midpoint(total.min, total.max);
    return { tier, film, pricePerSqft, lines: withMiddles(all, middle), total, middle };
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
export function flatGlassOf({ flat_glass: flat }: Shop): FlatGlass {
  if (!flat) throw new Error("the catalog has no flat_glass");
  return flat;
}

/** A concern as customers read it. A shop without work on buildings has no names for them. */
export function concernName(concern: Concern, { flat_glass: flat }: Shop): string {
  return flat?.concern_names[concern] ?? concern;
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

type FlatGlassExtras = Pick<FlatGlassRequest, "blocked_windows" | "curtain_windows" | "existing_film_sqft">;

function extraLines(
  prices: FlatGlass,
  request: FlatGlassExtras,
  { sqft, glazing, ladderRequired }: Pick<FlatGlassEstimate, "sqft" | "glazing" | "ladderRequired">,
): RangeLine[] {
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

/** The amount of each line, of a range its middle. The last range takes an odd cent, so that they add up to the total. */
function withMiddles(lines: readonly RangeLine[], total: Cents): FlatGlassLine[] {
  const last = lines.findLast(({ amount }) => amount.min !== amount.max);
  const middles = lines.map(({ amount }) => midpoint(amount.min, amount.max));
  const odd = total - middles.reduce((sum, middle) => sum + middle, 0);
  return lines.map((line, i) => ({ ...line, middle: (middles[i] ?? 0) + (line === last ? odd : 0) }));
}

function areaLine(code: string, label: string, sqft: number, rate: Range): RangeLine {
  const amount = { min: areaPrice(sqft, rate.min), max: areaPrice(sqft, rate.max) };
  return { code, label, quantity: sqft, unit: "sq ft", unitPrice: rate, amount };
}

function windowLine(code: string, label: string, count: number, price: Cents): RangeLine {
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
function minimumLine(minimum: Cents, sum: Range): RangeLine {
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

function totalOf(lines: readonly RangeLine[]): Range {
  return lines.reduce((sum, { amount }) => ({ min: sum.min + amount.min, max: sum.max + amount.max }), {
    min: 0,
    max: 0,
  });
}

export interface Ballpark {
  perSqft: Range;
  total: Range;
}

interface BallparkRequest extends Omit<FlatGlassRequest, "site_type" | "total_sqft"> {
  window_count?: number;
  furniture_moving?: boolean;
  blinds_removal?: boolean;
}

/** The range in the answer to a quote request, with all surcharges, so that an estimate of the same job lies in it. Source: contract 4. */
export function ballparkOf(catalog: Shop, sqft: number, request: BallparkRequest): Ballpark {
  const prices = flatGlassOf(catalog);
  const { low, high } = prices.ballpark_per_sqft;
  const ladderRequired = needsLadder(prices, request);
  const glazing = request.windows ? measure(request.windows, prices.round_up) : null;
  const end = (edge: "min" | "max"): Cents => {
    const lines = [
      areaLine("film", "", sqft, { min: low, max: high }),
      ...extraLines(prices, withCounts(request, glazing, edge), { sqft, glazing, ladderRequired }),
    ];
    return Math.max(totalOf(lines)[edge], prices.minimum_job_charge);
  };
  const ladder = ladderRequired ? prices.ladder.per_sqft : 0;
  return { perSqft: { min: low + ladder, max: high + ladder }, total: { min: end("min"), max: end("max") } };
}

/** A request that tells of furniture or blinds, but not at how many windows: at one of them, or at all. */
function withCounts(request: BallparkRequest, glazing: Glazing | null, edge: "min" | "max"): FlatGlassExtras {
  const { window_count, blocked_windows, curtain_windows, furniture_moving, blinds_removal } = request;
  const all = glazing?.rows.reduce((sum, { quantity }) => sum + quantity, 0) ?? window_count ?? 1;
  const uncounted = edge === "min" ? 1 : Math.max(1, all);
  const blocked = blocked_windows ?? (glazing?.blocked || (furniture_moving ? uncounted : 0));
  const curtain = curtain_windows ?? (glazing?.curtain || (blinds_removal ? uncounted : 0));
  return { ...request, blocked_windows: blocked, curtain_windows: curtain };
}

/** A ladder is due where the customer says so or, when they do not say, from the shop's number of floors on. */
function needsLadder(
  { ladder }: FlatGlass,
  { needs_ladder, floors = 1 }: Pick<FlatGlassRequest, "needs_ladder" | "floors">,
): boolean {
  return needs_ladder ?? floors >= ladder.floors_min;
}

/** Windows of one size. Inches; any number of decimals. */
export interface WindowRow {
  width_in: number;
  height_in: number;
  quantity: number;
  label?: string;
  /** Furniture stands in front of these windows. */
  blocked?: boolean;
  /** These windows have blinds or curtains. */
  curtain?: boolean;
}

type Rounding = FlatGlass["round_up"];

export interface Glazing {
  rows: { label: string; quantity: number; sqft: number }[];
  sqft: number;
  /** Edges of all panes, for attaching film to frames. */
  perimeterFt: number;
  blocked: number;
  curtain: number;
}

const SQUARE_INCHES = 144n;
const INCHES = 12n;

/** Each row's area is rounded half up to a hundredth of a square foot; the total is the sum of the rows. */
export function measure(rows: readonly WindowRow[], rounding: Rounding): Glazing {
  const areas = rows.map((row) => rowArea(row, rounding));
  const edges = rows.map(({ width_in: width, height_in: height, quantity }) =>
    multiply(plus(toDecimal(width), toDecimal(height)), BigInt(2 * quantity)),
  );
  const countOf = (kind: "blocked" | "curtain") =>
    rows.filter((row) => row[kind]).reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    rows: rows.map(({ label, quantity, width_in: width, height_in: height }, i) => ({
      label: label ?? `${width} x ${height} in`,
      quantity,
      sqft: Number(areas[i]) / 100,
    })),
    sqft: Number(areas.reduce((sum, area) => sum + area, 0n)) / 100,
    perimeterFt: Number(hundredths(edges.reduce(plus, toDecimal(0)), INCHES)) / 100,
    blocked: countOf("blocked"),
    curtain: countOf("curtain"),
  };
}

/** In hundredths of a square foot. */
function rowArea({ width_in: width, height_in: height, quantity }: WindowRow, rounding: Rounding): bigint {
  const pane = product(toDecimal(width), toDecimal(height));
  if (rounding === "none") return hundredths(multiply(pane, BigInt(quantity)), SQUARE_INCHES);
  const divisor = pane.scale * SQUARE_INCHES;
  return ((pane.digits + divisor - 1n) / divisor) * BigInt(quantity) * 100n;
}

/** A decimal number: digits ÷ scale. */
interface Decimal {
  digits: bigint;
  scale: bigint;
}

/** The number as it is written, like 36.5 = 365 ÷ 10. @throws Error for one that is written with an exponent */
function toDecimal(number: number): Decimal {
  const [whole = "", decimals = ""] = String(number).split(".");
  return { digits: BigInt(whole + decimals), scale: 10n ** BigInt(decimals.length) };
}

function plus(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.scale + b.digits * a.scale, scale: a.scale * b.scale };
}

function product(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale * b.scale };
}

function multiply({ digits, scale }: Decimal, count: bigint): Decimal {
  return { digits: digits * count, scale };
}

/** A hundred times the number ÷ divisor, rounded half up. */
function hundredths({ digits, scale }: Decimal, divisor: bigint): bigint {
  const whole = scale * divisor;
  return (200n * digits + whole) / (2n * whole);
}

/** Rounded half up to the cent without floats: the area is taken to a hundredth of a square foot. */
export function areaPrice(sqft: number, rate: Cents): Cents {
  return Math.floor((hundredthsOf(sqft) * rate + 50) / 100);
}

/** The middle of a range, rounded half up to the cent. */
export function midpoint(min: Cents, max: Cents): Cents {
  return Math.floor((min + max + 1) / 2);
}
