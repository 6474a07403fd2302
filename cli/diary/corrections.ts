/** Corrections of a booking as they are typed on the screens, a field at a time. */
import { goodEdit, ownerEdit } from "../../src/capabilities/desk/owner-edit.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { ApiError } from "../../src/errors.ts";
import { coerceFields } from "../../src/schema/coerce.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { faultsInWords, readPrice } from "../booking/owner.ts";
import { Misuse } from "../failure.ts";

/** A field of a booking that the owner can correct. */
export type EditField =
  | ("customer_name" | "customer_phone" | "customer_email" | "special_requests" | "price")
  | ("vehicle_type" | "vehicle_year" | "vehicle_make" | "vehicle_model");

export interface Correction {
  fields: object;
  /** In cents; absent unless the price was typed. */
  price?: number;
}

/** @throws Misuse when the field does not take what was typed */
export function readCorrection(field: EditField, typed: string, catalog: Catalog): Correction {
  if (field === "price") return { fields: {}, price: readPrice(typed) };
  const fields = coerceFields([[field, [typed]]], jsonSchema(ownerEdit.input(catalog), "input"));
  try {
    goodEdit(fields, catalog);
    return { fields };
  } catch (error) {
    throw error instanceof ApiError ? new Misuse(faultsInWords(error).text) : error;
  }
}
