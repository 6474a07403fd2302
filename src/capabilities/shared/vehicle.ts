/** The vehicle of an estimate or booking: the fields of a request, and how an answer shows it. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { vehicleInWords } from "../../catalog/terms.ts";
import { exampleOf, line, optional, vehicleYear } from "../../schema/fields.ts";

/** @param type schema of the body type */
export const vehicle = (type: z.ZodType<string, string>) =>
  z
    .object({
      type: type.nullable(),
      year: z.int().nullable().describe("Model year."),
      make: z.string().nullable().describe("Make."),
      model: z.string().nullable().describe("Model."),
      description: z.string().nullable().describe("All of it in words."),
    })
    .meta({ title: "Vehicle", description: "The vehicle, as far as it is known." });

/** The car's name, which changes neither price nor length. */
export const vehicleFields = (catalog: Shop) => {
  const { example } = catalog.terms;
  return {
    vehicle_year: optional(vehicleYear()).meta({
      description: "Model year, for display.",
      ...exampleOf(example.vehicle_year),
    }),
    vehicle_make: optional(line()).meta({ description: "For display.", ...exampleOf(example.vehicle_make) }),
    vehicle_model: optional(line()).meta({ description: "For display.", ...exampleOf(example.vehicle_model) }),
  };
};

export interface VehicleFields {
  vehicle_type?: string;
  vehicle_year?: number;
  vehicle_make?: string;
  vehicle_model?: string;
}

/** @param catalog undefined where it cannot be read: the type then stands as it was sent */
export function toVehicle(input: VehicleFields, catalog: Shop | undefined): z.output<ReturnType<typeof vehicle>> {
  const name = nameOf(input);
  const type = input.vehicle_type ?? null;
  return {
    type,
    year: input.vehicle_year ?? null,
    make: input.vehicle_make ?? null,
    model: input.vehicle_model ?? null,
    description: describe(name, type === null || !catalog ? type : vehicleInWords(type, catalog)),
  };
}

/** `2024 Toyota Highlander`, or what is known of it; empty where nothing is. */
export function nameOf({ vehicle_year, vehicle_make, vehicle_model }: VehicleFields): string {
  return [vehicle_year, vehicle_make, vehicle_model].filter((part) => part !== undefined).join(" ");
}

/** `2024 Toyota Highlander (SUV)`, or the part that is known. */
function describe(name: string, type: string | null): string | null {
  return name && type ? `${name} (${type})` : name || type;
}
