/** The request of an automotive estimate. */
import { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import { optional, soft } from "../../schema/fields.ts";
import { termFields } from "../core/shapes.ts";
import { jobFields } from "../shared/job.ts";
import { allFilms, coveragesInWords, vehicleTypesInWords } from "../shared/phrases.ts";
import { vehicleFields } from "../shared/vehicle.ts";
import { viewField } from "./brief.ts";

export const estimateRequest = perCatalog((catalog) => {
  const { vehicleType, service, filmType, coverage } = termFields(catalog);
  const { example } = catalog.terms;
  const { defaults } = catalog.automotive;
  return z.object({
    vehicle_type: vehicleType.meta({ description: vehicleTypesInWords(catalog), example: example.vehicle_type }),
    service: optional(service).meta({
      description: "The service wanted; else the shop's default.",
      example: defaults.service,
      ...soft,
    }),
    film_type: optional(filmType).meta({
      description: `The film; else the shop's default. The answer prices ${allFilms(catalog)}.`,
      example: example.film_type,
      ...soft,
    }),
    coverage: optional(coverage).meta({
      description: `${coveragesInWords(catalog)}; else the shop's default.`,
      example: defaults.coverage,
    }),
    ...vehicleFields(catalog),
    ...jobFields(catalog),
    view: viewField(),
  });
});
export type EstimateRequest = z.output<ReturnType<typeof estimateRequest>>;
