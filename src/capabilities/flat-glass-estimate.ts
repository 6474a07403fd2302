import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { CONCERNS, FILM_GOALS } from "../constants.ts";
import { estimateFlatGlass, type FlatGlassEstimate, type FlatGlassRequest, flatGlassOf } from "../domain/flat-glass.ts";
import { planOf, shopDate } from "../domain/schedule.ts";
import { glassToken, glassUrl, holdsWork, type LockTerms } from "../job/forms.ts";
import { CAR_NAME } from "../job/job.ts";
import { pick } from "../lib/fields.ts";
import { newId } from "../lib/ids.ts";
import { joinWithAnd } from "../schema/explain.ts";
import { exampleOf, inTool, optional, soft, sqft } from "../schema/fields.ts";
import { defineCapability } from "./core/capability.ts";
import type { Warning } from "./core/envelope.ts";
import { briefFlatGlass, mergeWarnings, viewField } from "./core/price-shapes.ts";
import { termFields } from "./core/shapes.ts";
import { briefGlassAnswer, flatGlassAnswer, labelOf, wholeGlassAnswer } from "./flat-glass-answer.ts";
import {
  concern,
  extraFields,
  filmGoals,
  glassChecks,
  goalWarnings,
  sizeWarnings,
  windowRows,
} from "./glass-fields.ts";

const glassRequest = (catalog: Shop) =>
  z.object({
    total_sqft: optional(sqft()).meta({
      description: "Total glass area in square feet; not needed with windows.",
      ...inTool("Or windows."),
      example: 350.5,
    }),
    windows: optional(windowRows()).meta({
      description: "The windows, one row for each size, instead of total_sqft.",
      example: [{ width_in: 36, height_in: 60, quantity: 8 }],
    }),
    site_type: termFields(catalog).siteType.meta({
      description: `Kind of site${describeGoals(catalog)}.`,
      ...inTool("Of a building."),
      ...exampleOf(sampleSite(catalog)),
    }),
    primary_concern: optional(concern(catalog)).meta({
      description: "The main concern; it picks the films.",
      example: "heat",
      ...soft,
    }),
    floors: optional(z.int().min(1).max(200)).meta({
      description: "Number of floors; from a number that the shop sets, a ladder is assumed.",
      example: 2,
    }),
    needs_ladder: optional(z.boolean()).meta({ description: "Whether ladder work is needed; overrides floors." }),
    film_goals: filmGoals(catalog),
    ...extraFields(),
    view: viewField(),
  });

const GLASS = glassChecks("total_sqft");

/** Good, Better, Best for flat glass. Source: contract 3. */
export const flatGlassEstimate = defineCapability({
  id: "flat_glass_estimate",
  title: "Flat-glass estimate",
  description: (catalog) =>
    `Ballpark for the windows of a building in ${optionsInWords(catalog)}, each with a film, line items and a total or range.`,
  inTools: ["ballpark for the glass of a building in three options."],
  returnsPrice: true,
  useWhen: ["The user knows the square feet or the windows of a building."],
  avoidWhen: [
    "The glass is on a vehicle: use {tool:automotive_estimate}.",
    "The glass area is unknown: use {tool:quote_request}.",
  ],
  isOffered: (catalog) => catalog.terms.siteTypes.length > 0,
  input: glassRequest,
  output: (catalog) => z.union([flatGlassAnswer(catalog), briefFlatGlass(catalog)]),
  status: 200,
  errors: [],
  // "Commercial" says nothing of a building beside a van.
  sharesTool: { of: "automotive_estimate", field: "site_type", against: ["vehicle_type", ...CAR_NAME] },
  queryFields: ["view"],
  demands: ["total_sqft"],
  checks: {
    total_sqft(sqft, catalog, body) {
      const isMissing = sqft === undefined && body?.windows === undefined;
      return isMissing
        ? { missing: "total_sqft", or: "windows", message: "is missing" }
        : GLASS.area(sqft, catalog, body);
    },
    windows: GLASS.windows,
    blocked_windows: GLASS.blocked,
    curtain_windows: GLASS.curtain,
  },
  sample: (catalog) => ({
    total_sqft: 350.5,
    site_type: sampleSite(catalog) ?? "",
    primary_concern: "heat" as const,
    floors: 1,
  }),
  async run(input, { catalog, now, signing }) {
    const estimate = estimateFlatGlass(catalog, input);
    const { date, until } = planOf(catalog, shopDate(catalog, now)).priceHolds;
    const secret = await signing?.recent();
    const id = secret && glassToken(input, estimate, lockTermsOf(estimate, date, catalog), secret);
    const { glazing, concern, ladderRequired } = estimate;
    const isBrief = input.view === "brief";
    const page = glassUrl(
      { ...input, total_sqft: estimate.sqft, glazing, primary_concern: concern, estimate_id: id },
      catalog,
      isBrief ? BRIEF_ROWS : undefined,
    );
    const blocked = input.blocked_windows ?? glazing?.blocked;
    const curtain = input.curtain_windows ?? glazing?.curtain;
    const glass = {
      ...(input.windows ? pick(input, "windows") : { square_footage: estimate.sqft }),
      ...pick(input, "floors"),
      needs_ladder: ladderRequired,
      ...(blocked && { furniture_moving: true, blocked_windows: blocked }),
      ...(curtain && { blinds_removal: true, curtain_windows: curtain }),
      ...(input.existing_film_sqft && pick(input, "existing_film_sqft")),
    };
    const warnings = [
      ...goalWarnings(input.film_goals, input.view),
      ...sizeWarnings(input, estimate.sqft, catalog),
      ...concernWarnings(input),
    ];
    return {
      data: {
        ...(isBrief ? briefGlassAnswer : wholeGlassAnswer)(estimate, input, catalog),
        valid_until: until,
        ...(id && { estimate_id: id }),
        ...(page && { book_url: page }),
      },
      warnings: isBrief ? mergeWarnings(warnings) : warnings,
      suggestions: [
        {
          action: "quote_request",
          description: isBrief
            ? "Once the customer agrees; the shop follows up."
            : "Turn this estimate into a quote request once the customer agrees: put in their own name, phone and e-mail; the shop follows up.",
          input: {
            service_type: input.site_type,
            // A brief answer does not say again what its estimate holds.
            ...(!isBrief || !id || !holdsWork(id) ? glass : {}),
            ...goalsOf(
              [...(input.primary_concern ? [input.primary_concern] : []), ...(input.film_goals ?? [])],
              catalog,
            ),
            ...(id && { estimate_id: id }),
            quote_request_id: newId("try"),
          },
          fillIn: ["first_name", "phone", "email"],
          ...(page && { bookUrl: page }),
        },
      ],
    };
  },
});

/** The most rows of windows in the address of a brief answer; with more rows it holds the area. */
const BRIEF_ROWS = 3;

/** A kind of site that is called like a concern decides the films. */
function concernWarnings({ site_type: site, primary_concern: concern }: FlatGlassRequest): Warning[] {
  if (concern === undefined || concern === site || !CONCERNS.some((one) => one === site)) return [];
  const message = `For site_type ${site} the films are those for ${site}; primary_concern ${concern} was not used.`;
  return [{ code: "CONCERN_NOT_USED", field: "primary_concern", message }];
}

function lockTermsOf({ options }: FlatGlassEstimate, validUntil: string, catalog: Shop): LockTerms {
  const { recommendedTier } = catalog.terms;
  const total = options.find(({ tier }) => tier === recommendedTier)?.middle ?? 0;
  const amounts = [
    Math.min(...options.map((option) => option.total.min)),
    Math.max(...options.map((option) => option.total.max)),
  ];
  return { validUntil, total, amounts, minutes: 0 };
}

/** The goals in the words of a quote request: a concern becomes the goal that the catalog maps to it; other words stay. */
function goalsOf(goals: readonly string[], catalog: Shop) {
  const { goal_to_concern: concerns } = flatGlassOf(catalog);
  const named = goals.map(
    (goal) => FILM_GOALS.find((one) => one === goal) ?? FILM_GOALS.find((one) => concerns[one] === goal) ?? goal,
  );
  return named.length > 0 ? { film_goals: [...new Set(named)].slice(0, 20) } : {};
}

const COUNTS = ["no", "one", "two", "three", "four", "five"];

/** `three options, Good, Better and Best`. */
function optionsInWords(catalog: Shop): string {
  const { tiers } = catalog.terms;
  return `${COUNTS[tiers.length] ?? tiers.length} options, ${joinWithAnd(tiers.map(labelOf))}`;
}

/** Explains each kind of site that has the name of a concern: `; security means safety and security film`. */
function describeGoals(catalog: Shop): string {
  const { siteTypes } = catalog.terms;
  return catalog.services
    .filter(({ key }) => siteTypes.includes(key) && CONCERNS.some((concern) => concern === key))
    .map(({ key, name }) => `; ${key} means ${name.toLowerCase()}`)
    .join("");
}

/** The second kind of site, because samples of quote requests show the first. */
function sampleSite(catalog: Shop): string | undefined {
  const [one, other] = catalog.terms.siteTypes;
  return other ?? one;
}
