/** The price of the form's request, from the same capabilities as the API; or the issues of the form. */
import { useEffect, useState } from "react";
import type { z } from "zod";
import { automotiveEstimate } from "../../../src/capabilities/automotive-estimate.ts";
import type { Capability } from "../../../src/capabilities/core/capability.ts";
import { invoke } from "../../../src/capabilities/core/invoke.ts";
import { wholeOf } from "../../../src/capabilities/core/price-shapes.ts";
import { flatGlassEstimate } from "../../../src/capabilities/flat-glass-estimate.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { ApiError } from "../../../src/errors.ts";
import { coerceFields } from "../../../src/schema/coerce.ts";
import { jsonSchema } from "../../../src/schema/json-schema.ts";
import { deskContext } from "../../estimates/desk.ts";
import { notesOf } from "../../estimates/quote-text.ts";
import { withShades } from "../../typed/shades.ts";
import { useShop } from "../kit/shop.ts";
import { type EstimateForm, estimateFields, requestFields } from "./estimate-form.ts";

type Whole<Of extends Capability> = ReturnType<typeof wholeOf<z.output<ReturnType<Of["output"]>> & object>>;
export type VehicleQuote = Whole<typeof automotiveEstimate>;
export type BuildingQuote = Whole<typeof flatGlassEstimate>;

export type Quote =
  | { kind: "vehicle"; quote: VehicleQuote; warnings: string[] }
  | { kind: "building"; quote: BuildingQuote; warnings: string[] }
  /** By field of the request. */
  | { kind: "issues"; issues: Record<string, string> };

async function quoteFor(form: EstimateForm, catalog: Shop, now: Temporal.Instant): Promise<Quote> {
  try {
    return form.tab === "vehicle"
      ? { kind: "vehicle", ...(await ask(automotiveEstimate, form, catalog, now)) }
      : { kind: "building", ...(await ask(flatGlassEstimate, form, catalog, now)) };
  } catch (error) {
    if (error instanceof ApiError) return { kind: "issues", issues: issuesOf(error) };
    throw error;
  }
}

async function ask<Output extends z.ZodType<object>>(
  capability: Capability<z.ZodObject, Output>,
  form: EstimateForm,
  catalog: Shop,
  now: Temporal.Instant,
) {
  const fields = requestFields(form, estimateFields(catalog, form.tab));
  const raw = withShades(coerceFields(fields, jsonSchema(capability.input(catalog), "input")), catalog);
  const { body } = await invoke(capability, raw, deskContext(catalog, now));
  return { quote: wholeOf(body.data), warnings: notesOf(body.warnings) };
}

function issuesOf({ details }: ApiError): Record<string, string> {
  return Object.fromEntries([
    ...(details.missing_fields ?? []).map((field) => [field, "is missing"]),
    ...(details.invalid_fields ?? []).map(({ field, message }) => [field.replace(/[.[].*/, ""), message]),
  ]);
}

/** The price of a form, worked out anew after each change. @returns null until the first price is known */
export function useQuote(form: EstimateForm, catalog: Shop): Quote | null {
  const { now } = useShop();
  const [quote, setQuote] = useState<Quote | null>(null);
  const { tab, values } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving about in the form changes no price
  useEffect(() => {
    let isWanted = true;
    // Any error but a refusal is a bug: left unhandled, it ends the program.
    void quoteFor(form, catalog, now()).then((priced) => isWanted && setQuote(priced));
    return () => {
      isWanted = false;
    };
  }, [tab, values, catalog]);
  return quote;
}
