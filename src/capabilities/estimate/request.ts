/** The request of an automotive estimate, and the reading of its shades. */
import { z } from "zod";
import { derived } from "../../catalog/derived.ts";
import type { Catalog } from "../../catalog/schema.ts";
import { words } from "../../catalog/words.ts";
import { parseShade } from "../../domain/shade.ts";
import type { Shades } from "../../domain/tint-law.ts";
import { oneOf } from "../../schema/explain.ts";
import { exampleOf, line, optional, soft, vehicleYear } from "../../schema/fields.ts";
import { POSITIONS } from "../../vocabulary.ts";
import type { FieldFault } from "../core/capability.ts";
import { wordFields } from "../core/word-fields.ts";
import { allFilms, coveragesInWords } from "../shared/phrases.ts";

const PERCENTAGE = 'must be a VLT percentage from 1 to 100, like 35 or "35%"';
const SHADE_WORDING = `${PERCENTAGE}, or one of the shop's words for a shade`;
const scalarShade = () => z.union([z.int().min(1).max(100), line(20)], { error: SHADE_WORDING });
const sideShades = () =>
  z.object({
    front_side: optional(scalarShade()),
    rear_side: optional(scalarShade()),
    rear_window: optional(scalarShade()),
  });

export const estimateRequest = derived((catalog) => {
  const { vehicleType, service, filmType, coverage, addon } = wordFields(catalog);
  const { example, addons } = words(catalog);
  const { defaults } = catalog.automotive;
  return z.object({
    vehicle_type: vehicleType.meta({ description: "Body type.", example: example.vehicle_type }),
    service: optional(service).meta({
      description: "The service wanted; the shop's default where it is left out.",
      example: defaults.service,
      ...soft,
    }),
    film_type: optional(filmType).meta({
      description: `The film; the shop's default where it is left out. The answer prices ${allFilms(catalog)}.`,
      example: example.film_type,
      ...soft,
    }),
    coverage: optional(coverage).meta({
      description: `${coveragesInWords(catalog)}; the shop's default where it is left out.`,
      example: defaults.coverage,
    }),
    vehicle_year: optional(vehicleYear()).meta({
      description: "Model year, for display.",
      ...exampleOf(example.vehicle_year),
    }),
    vehicle_make: optional(line()).meta({ description: "For display.", ...exampleOf(example.vehicle_make) }),
    vehicle_model: optional(line()).meta({ description: "For display.", ...exampleOf(example.vehicle_model) }),
    addons: optional(z.array(addon).max(20)).meta({
      description: "Extras; duplicates are charged once.",
      example: addons.slice(0, 1),
    }),
    shade: optional(
      z.union([scalarShade(), sideShades()], {
        error: `${SHADE_WORDING}, or an object with front_side, rear_side and rear_window`,
      }),
    ).meta({
      description:
        "Wished VLT of side and rear glass, checked against tint law: one percentage for all, or one per position.",
      example: 35,
    }),
    windshield_shade: optional(scalarShade()).meta({
      description: "Wished VLT of full windshield film; checked when that film is among the addons.",
      example: 70,
    }),
    jurisdiction: optional(line()).meta({
      description: `The state whose tint law is checked, like ${catalog.tint_law.home}; the shop's own where it is left out.`,
      example: catalog.tint_law.home,
    }),
  });
});
export type EstimateRequest = z.output<ReturnType<typeof estimateRequest>>;

/** The fault of a wished shade; undefined when it is a percentage or a shade word of the shop. */
export function shadeFault(shade: EstimateRequest["shade"], catalog: Catalog): FieldFault | undefined {
  const shades = typeof shade === "object" ? Object.values(shade) : [shade];
  return shades.some((one) => one !== undefined && parseShade(one, catalog) === undefined)
    ? { message: wording(catalog) }
    : undefined;
}

function wording({ automotive }: Catalog): string {
  const words = Object.keys(automotive.shade_words);
  return words.length > 0 ? `${PERCENTAGE}, or a shade word: ${oneOf(words)}` : PERCENTAGE;
}

/** The wished VLT of each position. */
export function shadesOf({ shade, windshield_shade }: EstimateRequest, catalog: Catalog): Shades {
  const sides = typeof shade === "object" ? shade : { front_side: shade, rear_side: shade, rear_window: shade };
  const wished = { ...sides, windshield: windshield_shade };
  const shades: Shades = {};
  for (const position of POSITIONS) {
    const word = wished[position];
    const vlt = word === undefined ? undefined : parseShade(word, catalog);
    if (vlt !== undefined) shades[position] = vlt;
  }
  return shades;
}
