/** The price of the form's request, from the same capabilities as the API, and the issues of the form. */
import { useEffect, useState } from "react";
import type { z } from "zod";
import { automotiveEstimate } from "../../../src/capabilities/automotive-estimate.ts";
import type { Capability } from "../../../src/capabilities/core/capability.ts";
import { invoke } from "../../../src/capabilities/core/invoke.ts";
import { wholeOf } from "../../../src/capabilities/core/price-shapes.ts";
import { flatGlassEstimate } from "../../../src/capabilities/flat-glass-estimate.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { ApiError } from "../../../src/errors.ts";
import { deskContext } from "../../estimates/desk.ts";
import { notesOf } from "../../estimates/quote-text.ts";
import { type TypedFields, typedRequest } from "../../typed/requests.ts";
import { useShop } from "../kit/screen.ts";
import type { Tab } from "./estimate-form.ts";

type Whole<Of extends Capability> = ReturnType<typeof wholeOf<z.output<ReturnType<Of["output"]>> & object>>;
export type VehicleQuote = Whole<typeof automotiveEstimate>;
export type BuildingQuote = Whole<typeof flatGlassEstimate>;

/** The issue of a field that the price needs and the form does not have. */
export const MISSING = "is missing";

type IssuesByField = Readonly<Record<string, string>>;

/** A field that is wrong is left out of the price, where there is one without it. */
export type Quote = { issues: IssuesByField } & (
  | { kind: "vehicle"; quote: VehicleQuote; warnings: string[] }
  | { kind: "building"; quote: BuildingQuote; warnings: string[] }
  | { kind: "none" }
);

async function quoteFor(
  tab: Tab,
  all: readonly (readonly [string, string[]])[],
  catalog: Shop,
  now: Temporal.Instant,
  issues: IssuesByField = {},
): Promise<Quote> {
  const fields = all.filter(([name]) => !Object.hasOwn(issues, name));
  try {
    return tab === "vehicle"
      ? { kind: "vehicle", issues, ...(await ask(automotiveEstimate, fields, catalog, now)) }
      : { kind: "building", issues, ...(await ask(flatGlassEstimate, fields, catalog, now)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const found = issuesOf(error);
    const isNew = fields.some(([name]) => Object.hasOwn(found, name));
    return isNew
      ? quoteFor(tab, fields, catalog, now, { ...found, ...issues })
      : { kind: "none", issues: { ...found, ...issues } };
  }
}

async function ask<Output extends z.ZodType<object>>(
  capability: Capability<z.ZodObject, Output>,
  fields: TypedFields,
  catalog: Shop,
  now: Temporal.Instant,
) {
  const raw = typedRequest(fields, capability.input(catalog), catalog);
  const { body } = await invoke(capability, raw, deskContext(catalog, now));
  return { quote: wholeOf(body.data), warnings: notesOf(body.warnings) };
}

function issuesOf({ details }: ApiError): Record<string, string> {
  return Object.fromEntries([
    ...(details.missing_fields ?? []).map((field) => [field, MISSING]),
    ...(details.invalid_fields ?? []).map(({ field, message }) => [field.replace(/[.[].*/, ""), message]),
  ]);
}

/** The price of a request, worked out anew after each change. @returns null until the first price is known */
export function useQuote(tab: Tab, fields: readonly (readonly [string, string[]])[], catalog: Shop): Quote | null {
  const { now } = useShop();
  const [quote, setQuote] = useState<Quote | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: moving about in the form changes no price
  useEffect(() => {
    let isWanted = true;
    // Any error but a refusal is a bug: left unhandled, it ends the program.
    void quoteFor(tab, fields, catalog, now()).then((priced) => isWanted && setQuote(priced));
    return () => {
      isWanted = false;
    };
  }, [tab, JSON.stringify(fields), catalog]);
  return quote;
}
