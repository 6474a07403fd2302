/** The fields of an estimate, for a car and for a building, and the request that they make. */
import { beginsModel, modelIn } from "../../../src/catalog/models.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { coverageLabel, entryOf } from "../../../src/catalog/terms.ts";
import { CONCERNS } from "../../../src/constants.ts";
import { spaced } from "../../../src/lib/text.ts";
import { type Choice, type Field, type FormState, textIn } from "../kit/form.tsx";

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
