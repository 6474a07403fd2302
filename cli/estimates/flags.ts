/** The flags of `tint estimate`: one for each field of the capability's input. */
import { Argument, Option } from "commander";
import { z } from "zod";
import type { Shop } from "../../src/catalog/shop.ts";
import type { CommonOptions } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { UsageError } from "../terminal/output.ts";
import { carMeant } from "../typed/cars.ts";
import { asWord, wordOption } from "../typed/enums.ts";
import { namedShades, typedRequest } from "../typed/requests.ts";
import { plainNumber } from "../typed/values.ts";

export type GivenFlags = Record<string, string | string[] | boolean | undefined>;

/** The options of every command among them. */
export function commonOf({ catalog, data, json }: GivenFlags): CommonOptions {
  const [file, place] = [textFlag(catalog), textFlag(data)];
  return {
    ...(file !== undefined && { catalog: file }),
    ...(place !== undefined && { data: place }),
    ...(json === true && { json }),
  };
}

/** The value of a flag that takes one text; undefined when it was not given. */
export function textFlag(value: GivenFlags[string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const SHORT_FLAGS: Record<string, string> = {
  film_type: "film",
  addons: "addon",
  add_addons: "add-addon",
  remove_addons: "remove-addon",
  vehicle_year: "year",
  vehicle_make: "make",
  vehicle_model: "model",
  total_sqft: "sqft",
  site_type: "site",
  primary_concern: "concern",
  film_goals: "goal",
  blocked_windows: "blocked",
  curtain_windows: "curtain",
  existing_film_sqft: "existing",
  windows: "window",
  customer_name: "name",
  first_name: "name",
  message: "note",
  customer_phone: "phone",
  customer_email: "email",
  special_requests: "note",
  service_type: "service",
};
/** How a value that is no single word is written. */
const HINTS: Record<string, string> = {
  shade: " Per position: 35/20 (front, rear), or front-side=35,rear-side=20,rear-window=5",
  windows: " In inches: 36x60x8 24x48",
};

export function flagOf(field: string): string {
  return SHORT_FLAGS[field] ?? field.replaceAll("_", "-");
}

/** Adds one flag for each field of the input. The capability validates the values, as it does for the API. */
export function addFlags(command: Command, input: z.ZodObject, without: string[]): void {
  for (const [field, schema] of Object.entries(input.shape)) {
    if (without.includes(field)) continue;
    const flag = `--${flagOf(field)}`;
    const type = givenType(schema);
    const about = inFlagWords(descriptionOf(schema), Object.keys(input.shape));
    const option = new Option(flag + placeholder(type), about + (HINTS[field] ?? ""));
    // Help and completion list these words.
    option.argChoices = choicesOf(type)?.map(String);
    command.addOption(option);
    if (type instanceof z.ZodBoolean)
      command.addOption(new Option(`--no-${flagOf(field)}`, "the opposite").default(undefined).hideHelp());
  }
}

/** A text of the API with flags in place of the fields' names: `--sqft` for `total_sqft`. Plain words stay. */
export function inFlagWords(description: string, fields: readonly string[]): string {
  const names = fields.filter((field) => field.includes("_"));
  return names.reduce(
    (text, field) => text.replace(new RegExp(`\\b${field}\\b`, "g"), `--${flagOf(field)}`),
    description,
  );
}

type Schema = z.core.$ZodType;

/** The schema inside one that lets a field be absent. */
function inside(schema: Schema): Schema | undefined {
  if (schema instanceof z.ZodPipe) return schema.in;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : undefined;
}

/** The schema of a field's value where one is given. JSON Schemas of all fields would take a tenth of a quote's time. */
function givenType(schema: Schema): Schema {
  const inner = inside(schema);
  return inner ? givenType(inner) : schema;
}

function descriptionOf(schema: Schema): string {
  const inner = inside(schema);
  return z.globalRegistry.get(schema)?.description ?? (inner ? descriptionOf(inner) : "");
}

function placeholder(type: Schema): string {
  if (type instanceof z.ZodBoolean) return "";
  if (type instanceof z.ZodArray) return type.element instanceof z.ZodObject ? " <sizes...>" : " <names...>";
  return type instanceof z.ZodNumber ? " <number>" : " <value>";
}

function choicesOf(type: Schema): readonly (string | number)[] | undefined {
  if (type instanceof z.ZodArray) return choicesOf(type.element);
  return type instanceof z.ZodEnum ? type.options : undefined;
}

/** The input that the flags make, not yet validated. @throws UsageError when --shade names an unknown position */
export function inputFrom(given: GivenFlags, input: z.ZodObject, catalog: Shop): object {
  const { jurisdiction, window: windows } = given;
  const state = String(jurisdiction).toLowerCase();
  // CA is US-CA.
  const key = Object.keys(catalog.tint_law.jurisdictions).find((one) =>
    [one, one.replace(/^\w+-/, "")].some((name) => name.toLowerCase() === state),
  );
  const read = {
    ...valuesOf(given, input, catalog),
    ...(Array.isArray(windows) && { windows: windows.flatMap((list) => list.split(",")).map(readWindow) }),
    ...(key && { jurisdiction: key }),
  };
  const { shade } = read;
  return typeof shade === "string" && shade.includes("=") ? { ...read, shade: namedShades(shade) } : read;
}

/** The values of the flags, by field. Commander names `--needs-ladder` needsLadder. */
function valuesOf(given: GivenFlags, { shape }: z.ZodObject, catalog: Shop): { shade?: unknown } {
  const byField = new Map<string, string[]>();
  for (const [field, schema] of Object.entries(shape)) {
    const flag = flagOf(field);
    const value = given[flag] ?? given[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (value === undefined) continue;
    const typed = Array.isArray(value) ? value : [String(value)];
    const tidy = typed.map((word) => tidied(word, givenType(schema)));
    byField.set(field, tidy);
  }
  const fields = z.object(Object.fromEntries([...byField.keys()].map((field) => [field, shape[field]])));
  return typedRequest(byField, fields, catalog);
}

function tidied(word: string, type: Schema): string {
  if (choicesOf(type)) return asWord(word);
  return type instanceof z.ZodNumber ? plainNumber(word) : word;
}

/** `36x60x8`: width and height in inches, and how many; one when no number is given. @throws UsageError */
function readWindow(typed: string): Record<string, number> {
  const [, width, height, quantity = "1"] = /^([\d.]+) ?[x×] ?([\d.]+)(?: ?[x×] ?(\d+))?$/i.exec(typed.trim()) ?? [];
  if (width === undefined || height === undefined)
    throw new UsageError(`--window takes width x height x number in inches, like 36x60x8, not ${typed}.`);
  return { width_in: Number(width), height_in: Number(height), quantity: Number(quantity) };
}

export function carOption(vehicleTypes: readonly string[] = []): Option {
  return wordOption("--vehicle <car>", 'the car as it is said, like "21 highlander", or its class', vehicleTypes);
}

/** The same in words behind the command, as in `tint book 21 highlander`; the help shows the option alone. */
export function carWords(): Argument {
  return new Argument("[vehicle...]").default("").argParser((word, before: string) => `${before} ${word}`.trim());
}

/**
 * The flags, with the car of `--vehicle`, or in its place the words behind the command: a model of the catalog has its class, and an
 * empty text is no car. In `--addon sunroof suv` commander takes suv for an add-on, because --addon takes several names.
 */
export function withVehicle(words: string, given: GivenFlags, catalog: Shop): GivenFlags {
  const { vehicleTypes } = catalog.terms;
  const typed = textFlag(given.vehicle) ?? words;
  if (typed !== "") {
    const known = carMeant(typed, catalog);
    if (!known) return { ...given, "vehicle-type": typed };
    if (known.understood !== "") process.stderr.write(`Note: ${known.understood}\n`);
    const { year, make, model } = known;
    return { make, model, ...(year && { year: String(year) }), ...given, "vehicle-type": known.vehicleType };
  }
  const { addon } = given;
  if (!Array.isArray(addon)) return given;
  const vehicle = addon.find((word) => vehicleTypes.some((type) => type === asWord(word)));
  if (vehicle === undefined) return given;
  return { ...given, addon: addon.filter((word) => word !== vehicle), "vehicle-type": vehicle };
}
