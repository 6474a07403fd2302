/** Parts of the answer to an automotive estimate. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { POSITIONS } from "../../constants.ts";
import { GLASS_STATUSES, type GlassStatus, LAW_STATUSES, type LawStatus, RULES } from "../../domain/tint-law.ts";
import { GLASS_NAMES, LAW_REASONS, type LawReason } from "../../domain/tint-law-wording.ts";
import { capitalised } from "../../lib/text.ts";
import { linesFor } from "../../schema/fields.ts";

export const automotiveFilm = () =>
  z
    .object({
      name: z.string().describe("Name for customers."),
      description: z.string().nullable().describe("What it is good for."),
      ir_rejection_pct: z.number().describe("Infrared heat that is kept out, in percent."),
      uv_rejection_pct: z.number().describe("UV that is blocked, in percent."),
      warranty: z.string().describe("Warranty of the maker."),
      shades: z
        .array(
          z
            .object({
              label: z.int().describe("The number on the box."),
              vlt: z.int().describe("Light that passes, in percent, as measured."),
            })
            .meta({ title: "FilmShade", description: "A shade in which the film comes." }),
        )
        .describe("The shades in which it comes, the darkest first."),
    })
    .meta({ title: "AutomotiveFilm", description: "A film for vehicles." });

/** A film as it is sent. */
export function filmOf({ priceList }: Shop, code: string) {
  const film = priceList.films.get(code);
  if (!film) throw new Error(`the catalog has no film ${code}`);
  return film.wire;
}

const glassPosition = () =>
  z.enum(POSITIONS).meta({
    title: "GlassPosition",
    description: "The glass.",
    ...linesFor(Object.fromEntries(POSITIONS.map((one) => [one, `${capitalised(GLASS_NAMES[one])}.`]))),
  });
const STATUS_LINES: Record<GlassStatus, string> = {
  not_checked: "No verdict.",
  legal: "Permitted.",
  borderline: "It depends on the glass or on the meter: have it metered.",
  illegal: "Too dark.",
  not_permitted: "No film is permitted there.",
};
const glassStatus = () =>
  z.enum(GLASS_STATUSES).meta({ title: "GlassStatus", description: "The verdict.", ...linesFor(STATUS_LINES) });
const lawRule = () =>
  z.enum(RULES).meta({
    title: "TintLawRule",
    description: "What the law asks of this glass.",
    ...linesFor<(typeof RULES)[number]>({
      minimum: "At least min_vlt must pass.",
      none: "Any shade is permitted.",
      no_film: "No film is permitted.",
      see_reason: "A strip at the top alone: see reason.",
    }),
  });
export const lawStatus = () =>
  z.enum(LAW_STATUSES).meta({
    title: "TintLawStatus",
    description: "The gravest of the checks that were made.",
    ...linesFor<LawStatus>({
      ...STATUS_LINES,
      partly_checked: "What was checked is legal, but not all glass was checked.",
    }),
  });
const minVlt = () => z.int().nullable().describe("Light that must pass, in percent; null where rule is not minimum.");
const darkestLegal = () =>
  z.int().nullable().describe("VLT of the darkest shade of the chosen film that is legal here.");
export const lawDisclaimer = () => z.string().describe("To be told with every verdict.");
export const lawJurisdiction = () => z.string().describe("The state, by its ISO 3166-2 code.");

/** A check as both forms of an estimate show it. */
export const checkShapes = () => ({
  position: glassPosition(),
  status: glassStatus(),
  rule: lawRule(),
  min_vlt: minVlt(),
  darkest_legal_shade: darkestLegal(),
});

export const tintLawShape = () =>
  z
    .object({
      jurisdiction: lawJurisdiction(),
      name: z.string().describe("Name of the state."),
      citation: z.string().nullable().describe("Where the law stands; null when it is not known."),
      confidence: z.string().describe("How sure the rules are: official, primary_copy, secondary or disputed."),
      reviewed_on: z.string().nullable().describe("The day the rules were last checked."),
      measure: z.enum(["net", "film", "unclear"]).meta({
        title: "TintLawMeasure",
        description: "What is measured.",
        ...linesFor({
          net: "Glass and film together.",
          film: "The film alone.",
          unclear: "It is not known which.",
        }),
      }),
      disclaimer: lawDisclaimer(),
      status: lawStatus(),
      checks: z
        .array(
          z
            .object({
              position: glassPosition(),
              film_vlt: z.int().nullable().describe("VLT of the wished film; null without a wish."),
              net_vlt: z.number().nullable().meta({
                description:
                  "Light in percent: through film and assumed factory glass, or through the film alone where measure is film.",
              }),
              glass_vlt: z.int().nullable().meta({
                description:
                  "VLT of the factory glass for net_vlt: as given, else assumed; null where measure is film.",
              }),
              rule: lawRule(),
              min_vlt: minVlt(),
              status: glassStatus(),
              reason: z.enum(LAW_REASONS).meta({
                title: "TintLawReason",
                description: "Why.",
                ...linesFor<LawReason>({
                  no_shade_given: "No shade was wished.",
                  no_film_priced: "No film for this glass is in the job.",
                  any_shade_permitted: "The law sets no limit here.",
                  meets_minimum: "Enough light passes.",
                  within_tolerance: "Below the minimum, but within what meters differ.",
                  depends_on_glass: "It is legal on clearer glass only.",
                  below_minimum: "Too little light passes.",
                  strip_only: "Film is permitted at the top alone.",
                  strip_permitted: "A strip at the top is permitted.",
                  prohibited: "No film is permitted.",
                }),
              }),
              explanation: z.string().describe("The same in a sentence."),
              darkest_legal_shade: darkestLegal(),
            })
            .meta({ title: "TintLawCheck", description: "The verdict on one glass." }),
        )
        .describe("One for each glass that gets film."),
      notes: z.array(z.string()).describe("What else the law says."),
    })
    .meta({ title: "TintLaw", description: "What the law of a state says of the wished shade." });
