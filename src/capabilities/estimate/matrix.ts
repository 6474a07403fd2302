import { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { basePrice } from "../../domain/automotive.ts";
import { toUnits } from "../../domain/money.ts";
import type { PricedWork } from "../../domain/work.ts";
import { keepLatest } from "../../lib/latest.ts";
import {
  ADDONS,
  AUTOMOTIVE_SERVICES,
  COVERAGES,
  FILM_TYPES,
  VEHICLE_TYPES,
  type VehicleType,
} from "../../vocabulary.ts";
import { money, unitsOf } from "../core/shapes.ts";

/** Every base price, for GET without a query. */
export const estimateMatrix = keepLatest(() =>
  z.object({
    currency: z.string(),
    matrix: z.array(
      z.object({
        vehicle_type: z.enum(VEHICLE_TYPES),
        film_type: z.enum(FILM_TYPES),
        coverage: z.enum(COVERAGES),
        total: money(),
      }),
    ),
    film_removal: z.array(
      z.object({ vehicle_type: z.enum(VEHICLE_TYPES), coverage: z.enum(COVERAGES), total: money() }),
    ),
    clearplex: z.array(z.object({ vehicle_type: z.enum(VEHICLE_TYPES), total: money() })),
    addons: z.array(
      z.object({
        code: z.enum(ADDONS),
        label: z.string(),
        price: z.object({ standard: money(), ceramic: money() }),
        applies_to: z.array(z.enum(AUTOMOTIVE_SERVICES)),
      }),
    ),
  }),
);

export function toEstimateMatrix(catalog: Catalog): z.output<ReturnType<typeof estimateMatrix>> {
  const price = (vehicle: VehicleType, work: PricedWork) => toUnits(basePrice(catalog, vehicle, work));
  return {
    currency: catalog.currency,
    matrix: VEHICLE_TYPES.flatMap((vehicle_type) =>
      FILM_TYPES.flatMap((film_type) =>
        COVERAGES.map((coverage) => ({
          vehicle_type,
          film_type,
          coverage,
          total: price(vehicle_type, { service: "automotive", filmType: film_type, coverage }),
        })),
      ),
    ),
    film_removal: VEHICLE_TYPES.flatMap((vehicle_type) =>
      COVERAGES.map((coverage) => ({
        vehicle_type,
        coverage,
        total: price(vehicle_type, { service: "film_removal", filmType: null, coverage }),
      })),
    ),
    clearplex: VEHICLE_TYPES.map((vehicle_type) => ({
      vehicle_type,
      total: price(vehicle_type, { service: "clearplex", filmType: null, coverage: null }),
    })),
    addons: ADDONS.map((code) => {
      const addon = catalog.automotive.addons[code];
      return { code, label: addon.name, price: unitsOf(addon.price), applies_to: addon.applies_to };
    }),
  };
}
