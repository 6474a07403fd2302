/** The fields of an estimate, for a car and for a building, the request that they make, and its price with the issues. */
import { useEffect, useState } from "react";
import type { z } from "zod";
import { automotiveEstimate } from "../../../src/capabilities/automotive-estimate.ts";
import type { Capability } from "../../../src/capabilities/core/capability.ts";
import { invoke } from "../../../src/capabilities/core/invoke.ts";
import { wholeOf } from "../../../src/capabilities/core/price-shapes.ts";
import { flatGlassEstimate } from "../../../src/capabilities/flat-glass-estimate.ts";
import { beginsModel, modelIn } from "../../../src/catalog/models.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { coverageLabel, entryOf } from "../../../src/catalog/terms.ts";
import { CONCERNS } from "../../../src/constants.ts";
import { ApiError } from "../../../src/errors.ts";
import { spaced } from "../../../src/lib/text.ts";
import { deskContext } from "../../estimates/desk.ts";
import { notesOf } from "../../estimates/quote-text.ts";
import { type TypedFields, typedRequest } from "../../typed/requests.ts";
import { type Choice, type Field, type FormState, textIn } from "../kit/form.tsx";
import { useShop } from "../kit/screen.ts";

export type Tab = "vehicle" | "building";

/** A shop without work on buildings has one tab. */
export function tabsOf(catalog: Shop): Tab[] {
  return catalog.terms.siteTypes.length > 0 ? ["vehicle", "building"] : ["vehicle"];
}

interface JobField extends Field {
  /** An add-on is one value of the request's `addons`; of any other field the name is that in the request. */
  isAddon?: true;
  /** Asked for with "more…". */
  isSeldom?: true;
}

/** The field that asks for old film to be taken off in the same visit. */
const REMOVAL = "remove_old_film";
const MORE = { name: "more", label: "more…", isToggle: true } as const;

/** @param state the form so far, in which what is seldom asked may be folded away; all fields without it */
export function jobFields(catalog: Shop, tab: Tab, state?: FormState): JobField[] {
  if (tab === "building") return buildingFields(catalog);
  const all = vehicleFields(catalog);
  return state && textIn(state, MORE.name) === "" ? [...all.filter(({ isSeldom }) => !isSeldom), MORE] : all;
}

function vehicleFields(catalog: Shop): JobField[] {
  const { automotive, tint_law: law } = catalog;
  const { service, film_type, coverage } = automotive.defaults;
  const { vehicleTypes, services, films, coverages, addons, removal } = catalog.terms;
  const jurisdictions = Object.entries(law.jurisdictions).map(([value, { name }]) => ({ value, label: name }));
  return [
    {
      name: "vehicle_type",
      label: "Vehicle",
      choices: vehicleTypes.map(choiceOf),
      // In a booking a car that is not known has no class until one is said.
      hint: "which class?",
      find: (typed) => modelIn(typed, catalog)?.vehicleType,
      begins: (typed) => beginsModel(typed, catalog),
    },
    { name: "service", label: "Service", choices: services.map(choiceOf), initial: service },
    {
      ...{ name: "coverage", label: "Coverage", initial: coverage },
      choices: coverages.map((value) => ({ value, label: coverageLabel(value, catalog) })),
    },
    { name: "film_type", label: "Film", choices: films.map(choiceOf), initial: film_type },
    ...addons.map((name) => {
      return { name, label: entryOf(automotive.addons, name).name, isToggle: true, isAddon: true } as const;
    }),
    ...(removal ? [{ name: REMOVAL, label: "Old film off", isToggle: true } as const] : []),
    {
      ...{ name: "shade", label: "Shade" },
      hint: (state) => automotive.films[textIn(state, "film_type")]?.shades?.map(({ label }) => label).join(" ") ?? "",
    },
    { name: "windshield_shade", label: "Windshield shade", hint: "70", isSeldom: true },
    { name: "jurisdiction", label: "Tint law of", choices: jurisdictions, initial: law.home, isSeldom: true },
  ];
}

function buildingFields({ terms: { siteTypes }, flat_glass: glass }: Shop): JobField[] {
  const ladder = { "": "by the floors", true: "yes", false: "no" };
  return [
    { name: "total_sqft", label: "Glass, sq ft", hint: "350.5" },
    { name: "site_type", label: "Site", choices: siteTypes.map(choiceOf), initial: siteTypes[1] },
    { name: "primary_concern", label: "Worry", choices: CONCERNS.map(choiceOf), initial: glass?.default_concern },
    { name: "floors", label: "Floors", hint: "1" },
    {
      ...{ name: "needs_ladder", label: "Ladder" },
      choices: Object.entries(ladder).map(([value, label]) => ({ value, label })),
    },
    { name: "blocked_windows", label: "Blocked windows", hint: "0" },
    { name: "curtain_windows", label: "With curtains", hint: "0" },
    { name: "existing_film_sqft", label: "Old film, sq ft", hint: "0" },
  ];
}

function choiceOf(value: string): Choice {
  return { value, label: spaced(value) };
}

/** The request that the form makes: texts by field. */
export function requestFields(state: FormState, fields: readonly JobField[]): [string, string[]][] {
  const on = fields.filter(({ name, isToggle }) => isToggle && textIn(state, name) !== "");
  const addons = on.filter(({ isAddon }) => isAddon).map(({ name }) => name);
  const typed = fields.flatMap(({ name, isToggle }): [string, string[]][] =>
    isToggle || textIn(state, name) === "" ? [] : [[name, [textIn(state, name)]]],
  );
  return [
    ...typed,
    ...(on.some(({ name }) => name === REMOVAL) ? [[REMOVAL, ["true"]] satisfies [string, string[]]] : []),
    ...(addons.length > 0 ? [["addons", addons] satisfies [string, string[]]] : []),
  ];
}

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
