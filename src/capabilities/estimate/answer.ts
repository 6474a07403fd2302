/** Parts of the answer to an automotive estimate. */
import { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { AutomotiveFilm, Catalog } from "../../catalog/schema.ts";
import { entryOf } from "../../catalog/terms.ts";
import { POSITIONS } from "../../constants.ts";
import { GLASS_STATUSES, LAW_STATUSES, RULES } from "../../domain/tint-law.ts";
import { LAW_REASONS } from "../../domain/tint-law-wording.ts";

export const automotiveFilm = () =>
  z
    .object({
      name: z.string(),
      description: z.string().nullable(),
      ir_rejection_pct: z.number(),
      uv_rejection_pct: z.number(),
      warranty: z.string(),
      shades: z.array(z.object({ label: z.int(), vlt: z.int() }).meta({ title: "FilmShade" })),
    })
    .meta({ title: "AutomotiveFilm" });

/** A film on the wire, without `reference`, which answers show as a comparison. */
export function filmOf(catalog: Catalog, code: string) {
  return entryOf(wireFilms(catalog), code);
}

const wireFilms = perCatalog(({ automotive }) =>
  Object.fromEntries(Object.entries(automotive.films).map(([code, film]) => [code, toFilm(film)])),
);

export function toFilm({ name, description, ir_rejection_pct, uv_rejection_pct, warranty, shades }: AutomotiveFilm) {
  // A copy, because JSON.stringify takes three times as long for an answer that holds a frozen list.
  return { name, description: description ?? null, ir_rejection_pct, uv_rejection_pct, warranty, shades: [...shades] };
}

export const glassPosition = () => z.enum(POSITIONS).meta({ title: "GlassPosition" });
export const glassStatus = () => z.enum(GLASS_STATUSES).meta({ title: "GlassStatus" });
export const lawRule = () =>
  z.enum(RULES).meta({
    title: "TintLawRule",
    description: "minimum: min_vlt must pass. none: any shade. no_film: none is permitted. see_reason: a strip only.",
  });
export const lawStatus = () => z.enum(LAW_STATUSES).meta({ title: "TintLawStatus" });

export const tintLaw = () =>
  z
    .object({
      jurisdiction: z.string(),
      name: z.string(),
      citation: z.string().nullable(),
      confidence: z.string(),
      reviewed_on: z.string().nullable(),
      measure: z.enum(["net", "film", "unclear"]).meta({ title: "TintLawMeasure" }),
      disclaimer: z.string(),
      status: lawStatus().meta({
        title: "TintLawStatus",
        description:
          "The gravest of the checks that were made. partly_checked: what was checked is legal, but not all glass was checked. not_checked is no verdict.",
      }),
      checks: z.array(
        z
          .object({
            position: glassPosition(),
            film_vlt: z.int().nullable(),
            net_vlt: z.number().nullable().meta({
              description:
                "Light in percent: through film and assumed factory glass, or through the film alone where measure is film.",
            }),
            glass_vlt: z.int().nullable().meta({
              description: "VLT of the factory glass for net_vlt: as given, else assumed; null where measure is film.",
            }),
            rule: lawRule(),
            min_vlt: z.int().nullable(),
            status: glassStatus(),
            reason: z.enum(LAW_REASONS).meta({ title: "TintLawReason" }),
            explanation: z.string(),
            darkest_legal_shade: z
              .int()
              .nullable()
              .meta({ description: "VLT of the darkest shade of the chosen film that is legal here." }),
          })
          .meta({ title: "TintLawCheck" }),
      ),
      notes: z.array(z.string()),
    })
    .meta({ title: "TintLaw" });
