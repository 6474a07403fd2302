/** Warnings about the vehicle of an estimate or a booking. Source: contract 2 and 6. */
import type { Shop } from "../../catalog/shop.ts";
import { formatMoney } from "../../domain/money.ts";
import { type KnownModel, modelIn } from "../../domain/vehicle-class.ts";
import { durationInWords } from "../../lib/durations.ts";
import type { Warning } from "../core/envelope.ts";
import { estimateOfJob } from "../shared/job.ts";
import type { VehicleFields } from "../shared/vehicle.ts";

type Job = VehicleFields & Omit<Parameters<typeof estimateOfJob>[1], "vehicle_type">;

/** About a make and model that the catalog lists under another type, with the price and the length for that one. */
export function typeWarnings(job: Job, catalog: Shop, view: "full" | "brief" = "full"): Warning[] {
  const { vehicle_type: type } = job;
  const known = type === undefined ? undefined : modelOf(job, catalog);
  if (!known || known.vehicleType === type) return [];
  const counts = countsAs(known, job, catalog);
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

/** The model of the catalog that a request names. */
export function modelOf({ vehicle_make: make, vehicle_model: model }: VehicleFields, catalog: Shop) {
  return model === undefined ? undefined : modelIn([make, model].filter(Boolean).join(" "), catalog);
}

/** About a booking that names a known model and no type. */
export function understoodType(known: KnownModel, job: Job, catalog: Shop): Warning {
  const message = `${countsAs(known, job, catalog)} That vehicle_type was taken: name another one if the customer's vehicle differs.`;
  return { code: "UNDERSTOOD", field: "vehicle_type", message };
}

/** What a model costs and how long it takes, as the type that it is. */
function countsAs({ name, vehicleType }: KnownModel, job: Job, catalog: Shop): string {
  const { chosen, work } = estimateOfJob(catalog, { ...job, vehicle_type: vehicleType });
  const price = formatMoney(chosen.total, catalog.currency);
  return `A ${name} counts as ${vehicleType} here: ${price}, ${durationInWords(work.minutes)}.`;
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
