/** Warnings about the vehicle of an estimate or a booking. Source: contract 2 and 6. */
import type { Catalog } from "../../catalog/schema.ts";
import { formatMoney } from "../../domain/money.ts";
import { modelIn } from "../../domain/vehicle-class.ts";
import { durationInWords } from "../../lib/durations.ts";
import type { Warning } from "../core/envelope.ts";
import { estimateOfJob } from "../shared/job.ts";
import type { VehicleFields } from "../shared/vehicle.ts";

type Job = VehicleFields & Omit<Parameters<typeof estimateOfJob>[1], "vehicle_type">;

/** About a make and model that the catalog lists under another type, with the price and the length for that one. */
export function typeWarnings(job: Job, catalog: Catalog, view: "full" | "brief" = "full"): Warning[] {
  const { vehicle_type: type, vehicle_make: make, vehicle_model: model } = job;
  if (type === undefined || model === undefined) return [];
  const known = modelIn([make, model].filter(Boolean).join(" "), catalog);
  if (!known || known.vehicleType === type) return [];
  const { chosen, work } = estimateOfJob(catalog, { ...job, vehicle_type: known.vehicleType });
  const price = formatMoney(chosen.total, catalog.currency);
  const counts = `A ${known.name} counts as ${known.vehicleType} here: ${price}, ${durationInWords(work.minutes)}.`;
  return [
    {
      code: "VEHICLE_TYPE_CHECK",
      field: "vehicle_type",
      message:
        view === "brief"
          ? counts
          : `${counts} Send vehicle_type ${known.vehicleType} unless the customer's vehicle differs.`,
    },
  ];
}

/** About a booking whose vehicle is not known, so that it has no price. */
export function noPriceWarnings({ vehicle_type: type }: VehicleFields): Warning[] {
  if (type !== undefined) return [];
  return [
    {
      code: "NO_PRICE",
      field: "vehicle_type",
      message:
        "No vehicle_type was given, so this booking has no price, and the longest work is assumed. Name the vehicle to have both exact.",
    },
  ];
}
