/** The state of the estimate form: the fields for a car and for a building, their values, and the request they make. */
import type { automotiveEstimate } from "../../../src/capabilities/automotive-estimate.ts";
import type { Capability } from "../../../src/capabilities/core/capability.ts";
import type { flatGlassEstimate } from "../../../src/capabilities/flat-glass-estimate.ts";
import { beginsModel, modelIn } from "../../../src/catalog/models.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { coverageLabel, entryOf } from "../../../src/catalog/terms.ts";
import { CONCERNS } from "../../../src/constants.ts";
import { spaced } from "../../../src/lib/text.ts";
import { shadesTyped } from "../../typed/shades.ts";

export type Tab = "vehicle" | "building";

/** A shop without work on buildings has one tab. */
export function tabsOf(catalog: Shop): Tab[] {
  return catalog.terms.siteTypes.length > 0 ? ["vehicle", "building"] : ["vehicle"];
}

interface Choice {
  value: string;
  label: string;
}

type Shape<Of extends Pick<Capability, "input">> = ReturnType<Of["input"]>["shape"];

export interface EstimateField {
  /** The field of the request; an add-on is one value of `addons`. "more" shows what is seldom asked. */
  name: keyof Shape<typeof automotiveEstimate> | keyof Shape<typeof flatGlassEstimate> | "more";
  label: string;
  /** Absent where the value is typed. */
  choices?: readonly Choice[];
  /** The choice that other words stand for: the class of a car. */
  find?: (typed: string) => string | undefined;
  /** Whether such words may go on like this. */
  begins?: (typed: string) => boolean;
  /** Present on a field that is on or off: the add-on, or the field itself. */
  toggle?: string;
  /** An example, shown while the field is empty; of a shade, those in which the chosen film comes. */
  hint?: string | ((form: EstimateForm) => string);
}

export interface EstimateForm {
  tab: Tab;
  /** The chosen row of each tab. */
  row: Record<Tab, number>;
  /** By add-on or field name; a field without a value is left out of the request. */
  values: Readonly<Record<string, string>>;
  /** Letters typed to find a choice. */
  search: string;
  /** The field that was typed in since it got the focus. */
  typedIn?: string | undefined;
}

/** The field that asks for old film to be taken off in the same visit. */
const REMOVAL = "remove_old_film";

export function newForm(catalog: Shop): EstimateForm {
  const { service, film_type, coverage } = catalog.automotive.defaults;
  const { vehicleTypes, siteTypes } = catalog.terms;
  return {
    tab: "vehicle",
    row: { vehicle: 0, building: 0 },
    values: {
      vehicle_type: vehicleTypes[0] ?? "",
      service,
      coverage,
      film_type,
      jurisdiction: catalog.tint_law.home,
      site_type: siteTypes[1] ?? siteTypes[0] ?? "",
      primary_concern: catalog.flat_glass?.default_concern ?? "",
      needs_ladder: "",
    },
    search: "",
  };
}

/** @param isWhole whether what is seldom asked stands there, too */
export function estimateFields(catalog: Shop, tab: Tab, isWhole = true): EstimateField[] {
  return tab === "vehicle" ? vehicleFields(catalog, isWhole) : buildingFields(catalog);
}

/** Whether what is seldom asked was asked for. */
export function isWhole({ values }: EstimateForm): boolean {
  return values[MORE.name] === "yes";
}

const MORE = { name: "more", toggle: "more", label: "more…" } as const;

function vehicleFields(catalog: Shop, isWhole: boolean): EstimateField[] {
  const { automotive, tint_law: law } = catalog;
  const { vehicleTypes, services, films, addons, removal } = catalog.terms;
  const seldom: EstimateField[] = [
    { name: "windshield_shade", label: "Windshield shade", hint: "70" },
    {
      name: "jurisdiction",
      label: "Tint law of",
      choices: Object.entries(law.jurisdictions).map(([value, { name }]) => ({ value, label: name })),
    },
  ];
  return [
    {
      name: "vehicle_type",
      label: "Vehicle",
      choices: vehicleTypes.map(choiceOf),
      find: (typed) => modelIn(typed, catalog)?.vehicleType,
      begins: (typed) => beginsModel(typed, catalog),
    },
    { name: "service", label: "Service", choices: services.map(choiceOf) },
    {
      name: "coverage",
      label: "Coverage",
      choices: catalog.terms.coverages.map((value) => ({ value, label: coverageLabel(value, catalog) })),
    },
    { name: "film_type", label: "Film", choices: films.map(choiceOf) },
    ...addons.map(
      (addon): EstimateField => ({ name: "addons", toggle: addon, label: entryOf(automotive.addons, addon).name }),
    ),
    ...(removal ? [{ name: REMOVAL, toggle: REMOVAL, label: "Old film off" } as const] : []),
    { name: "shade", label: "Shade", hint: ({ values }) => stockedShades(values.film_type, catalog) },
    ...(isWhole ? seldom : [MORE]),
  ];
}

function stockedShades(film = "", { automotive }: Shop): string {
  return (automotive.films[film]?.shades ?? []).map(({ label }) => label).join(" ");
}

/** The example that an empty field shows. */
export function hintOf(form: EstimateForm, { hint = "" }: EstimateField): string {
  return typeof hint === "string" ? hint : hint(form);
}

function buildingFields(catalog: Shop): EstimateField[] {
  return [
    { name: "total_sqft", label: "Glass, sq ft", hint: "350.5" },
    { name: "site_type", label: "Site", choices: catalog.terms.siteTypes.map(choiceOf) },
    { name: "primary_concern", label: "Worry", choices: CONCERNS.map(choiceOf) },
    { name: "floors", label: "Floors", hint: "1" },
    {
      name: "needs_ladder",
      label: "Ladder",
      choices: [
        { value: "", label: "by the floors" },
        { value: "true", label: "yes" },
        { value: "false", label: "no" },
      ],
    },
    { name: "blocked_windows", label: "Blocked windows", hint: "0" },
    { name: "curtain_windows", label: "With curtains", hint: "0" },
    { name: "existing_film_sqft", label: "Old film, sq ft", hint: "0" },
  ];
}

function choiceOf(value: string): Choice {
  return { value, label: spaced(value) };
}

function keyOf({ name, toggle }: EstimateField): string {
  return toggle ?? name;
}

/** Empty when nothing is chosen or typed. */
export function fieldValue({ values }: EstimateForm, field: EstimateField): string {
  return values[keyOf(field)] ?? "";
}

export function selectedField(form: EstimateForm, fields: readonly EstimateField[]): EstimateField | undefined {
  return fields[form.row[form.tab]];
}

/** From the last field to the first, and back. */
export function moveBy(form: EstimateForm, fields: readonly EstimateField[], by: number): EstimateForm {
  const row = (form.row[form.tab] + by + fields.length) % fields.length;
  return { ...unfocused(form), row: { ...form.row, [form.tab]: row } };
}

export function otherTab(form: EstimateForm, tabs: readonly Tab[]): EstimateForm {
  return { ...unfocused(form), tab: tabs.find((tab) => tab !== form.tab) ?? form.tab };
}

/** The form when the focus goes elsewhere. */
export function unfocused(form: EstimateForm): EstimateForm {
  return { ...form, search: "", typedIn: undefined };
}

/** Whether typing replaces the value of the field that has the focus: nothing was typed in it yet. */
export function isSelected(form: EstimateForm, field: EstimateField): boolean {
  return !field.choices && !field.toggle && fieldValue(form, field) !== "" && form.typedIn !== keyOf(field);
}

/** The form when a selected value is edited in place. */
export function editField(form: EstimateForm, field: EstimateField): EstimateForm {
  return { ...form, typedIn: keyOf(field) };
}

/** The next choice, or the one before; an add-on goes on or off. */
export function turn(form: EstimateForm, field: EstimateField, by: number): EstimateForm {
  if (field.toggle) return put(form, field, fieldValue(form, field) === "" ? "yes" : "");
  const { choices } = field;
  if (!choices) return form;
  const at = choices.findIndex(({ value }) => value === fieldValue(form, field));
  return put(form, field, choices[(at + by + choices.length) % choices.length]?.value ?? "");
}

/** Characters go into a typed field; letters on a choice select the first choice that begins with them. */
export function typeInField(form: EstimateForm, field: EstimateField, text: string): EstimateForm {
  if (field.toggle) return text === " " ? turn(form, field, 1) : form;
  if (!field.choices) {
    const before = isSelected(form, field) ? "" : fieldValue(form, field);
    return editField(put(form, field, (before + text).slice(0, MAX_TYPED)), field);
  }
  if (text === " " && searchOn(form, field) === "") return turn(form, field, 1);
  const whole = searchOn(form, field) + text;
  const found = choiceNamed(field.choices, whole) ?? field.find?.(whole);
  const typedIn = keyOf(field);
  if (found !== undefined) return { ...put(form, field, found), search: whole, typedIn };
  // More of a name is to come.
  if (field.begins?.(whole)) return { ...form, search: whole, typedIn };
  const other = choiceNamed(field.choices, text);
  return other === undefined ? form : { ...put(form, field, other), search: text, typedIn };
}

/** What was typed in this field; what was typed in another one does not count. */
function searchOn({ search, typedIn }: EstimateForm, field: EstimateField): string {
  return typedIn === keyOf(field) ? search : "";
}

function choiceNamed(choices: readonly Choice[], typed: string): string | undefined {
  const isNamed = (word: string) => word.toLowerCase().startsWith(typed.toLowerCase());
  return choices.find(({ value, label }) => [label, value, value.replace(/^US-/, "")].some(isNamed))?.value;
}

/** The choice, and what was typed so far of a name that is not found yet: `sedan: highl`. */
export function withSearch(label: string, form: EstimateForm, field: EstimateField): string {
  const { choices = [], find } = field;
  const search = searchOn(form, field);
  const isFound = search === "" || choiceNamed(choices, search) !== undefined || find?.(search) !== undefined;
  return isFound ? label : `${label}: ${search}`;
}

/** Whether `q` is a letter of a name there, and not the key that leaves. */
export function takesQ(form: EstimateForm, field: EstimateField): boolean {
  const search = searchOn(form, field);
  return search !== "" && field.begins?.(`${search}q`) === true;
}

/** Longer than any number, and than shades with the glass for each. */
const MAX_TYPED = 60;

export function eraseTyped(form: EstimateForm, field: EstimateField): EstimateForm {
  const search = searchOn(form, field);
  if (field.choices && search !== "") return { ...form, search: search.slice(0, -1) };
  return field.choices || field.toggle
    ? form
    : editField(put(form, field, fieldValue(form, field).slice(0, -1)), field);
}

function put(form: EstimateForm, field: EstimateField, value: string): EstimateForm {
  return { ...form, values: { ...form.values, [keyOf(field)]: value }, search: "" };
}

/** The request that the form makes: texts by field. */
export function requestFields(form: EstimateForm, fields: readonly EstimateField[]): [string, string[]][] {
  const addons = fields.flatMap(({ name, toggle }) =>
    toggle && name === "addons" && form.values[toggle] ? [toggle] : [],
  );
  const given = fields.flatMap((field): [string, string[]][] => {
    if (field.toggle) return field.name === REMOVAL && fieldValue(form, field) ? [[REMOVAL, ["true"]]] : [];
    const value = fieldValue(form, field).trim();
    return value === "" ? [] : [[field.name, [value]]];
  });
  return addons.length > 0 ? [...given, ["addons", addons]] : given;
}

/** The fields of a booking that are known already, as the text with which its form opens. @param known values by field of the request */
export function startingWith(known: readonly (readonly [string, readonly string[]])[]): string {
  return JSON.stringify(Object.fromEntries(known.map(([name, values]) => [name, values.join(" ")])));
}

/** Fields of a booking as `startingWith` takes them. Lists of windows have no row in the form. */
export function knownOf(fields: Record<string, unknown>): (readonly [string, readonly string[]])[] {
  return Object.entries(fields).flatMap(([name, value]): (readonly [string, readonly string[]])[] => {
    if (typeof value !== "object" || Array.isArray(value))
      return [[name === "service_type" ? "service" : name, [value].flat().map(String)]];
    return name === "shade" && value !== null ? [[name, [shadesTyped(value)]]] : [];
  });
}
