import { type Command, Option } from "commander";
import { z } from "zod";
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { type Envelope, invoke } from "../../src/capabilities/core/invoke.ts";
import { loadCachedCatalog } from "../../src/catalog/load/load-cached.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { catalogFile, catalogMemory } from "../../src/env/env.ts";
import { ApiError } from "../../src/errors.ts";
import { coerceFields } from "../../src/schema/coerce.ts";
import { didYouMean, oneOf } from "../../src/schema/explain.ts";
import { type JsonSchema, jsonSchema } from "../../src/schema/json-schema.ts";
import { VEHICLE_TYPES } from "../../src/vocabulary.ts";
import { deskContext } from "../estimates/desk.ts";
import { automotiveQuote, flatGlassQuote } from "../estimates/quote-text.ts";
import { Misuse } from "../failure.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { plainNumber } from "../typed/numbers.ts";
import { oneOfWords, wordArgument } from "../typed/words.ts";

// Every schema is used once here, so compiling it would cost more than it saves.
z.config({ jitless: true });

/** Flags that are shorter than the field they set. */
const FLAGS: Record<string, string> = {
  film_type: "film",
  addons: "addon",
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
};
/** The glass whose shade can be given by itself; the windshield has a flag of its own. */
const SIDE_POSITIONS = ["front_side", "rear_side", "rear_window"] as const;
const flagOf = (field: string) => FLAGS[field] ?? field.replaceAll("_", "-");

type Options = Record<string, string | string[] | boolean | undefined>;

/** Only the capability that is asked for is loaded: defining its shapes is a good part of a quote's time. */
const automotive = () => import("../../src/capabilities/automotive-estimate.ts");
const flatGlass = () => import("../../src/capabilities/flat-glass-estimate.ts");

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  command
    .description(
      "A quick quote: for a vehicle both films side by side, with the tint law; for flat glass Good, Better, Best.",
    )
    .addArgument(wordArgument("[vehicle_type]", VEHICLE_TYPES))
    .option("--json", "print the same object as POST /estimates")
    .addHelpText(
      "after",
      examples(
        "tint estimate suv --film ceramic --shade 35",
        "tint estimate sedan --coverage front2 --addon windshield_strip sunroof",
        "tint estimate suv --shade front_side=35,rear_side=5 --jurisdiction US-CA",
        "tint estimate flat --sqft 350.5 --site residential --floors 2",
      ),
    )
    .action(async (vehicleType: string | undefined, options: Options) => {
      const isBare = vehicleType === undefined && Object.keys(options).every((name) => COMMON.includes(name));
      if (isBare && (await openForm(options))) return;
      const { automotiveEstimate } = await automotive();
      await quote(automotiveEstimate, withVehicle(vehicleType, options), options, automotiveQuote);
    });
  const isFlat = firstOperand(args) === "flat";
  if (!isFlat) addFlags(command, (await automotive()).automotiveEstimate, ["vehicle_type"]);

  const flat = command
    .command("flat")
    .description("Good, Better and Best for the windows of a building.")
    .option("--json", "print the same object as POST /flat-glass/estimate")
    .addHelpText("after", examples("tint estimate flat --sqft 350.5 --site residential --floors 2 --curtain 3"))
    .action(async (_options: Options, self: Command) => {
      const { flatGlassEstimate } = await flatGlass();
      const options = self.optsWithGlobals<Options>();
      await quote(flatGlassEstimate, self.opts<Options>(), options, flatGlassQuote);
    });
  if (isFlat) addFlags(flat, (await flatGlass()).flatGlassEstimate, []);
}

/** The first word that is neither a flag nor the value of one. Most flags take a value. */
function firstOperand(args: readonly string[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] ?? "";
    if (!word.startsWith("-")) return word;
    const isAlone = word.includes("=") || word.startsWith("--no-") || ALONE.includes(word);
    if (!isAlone) i++;
  }
  return undefined;
}
const ALONE = ["--json", "--needs-ladder", "--help", "-h"];

/** `--addon sunroof suv`: a flag that takes several names has swallowed the vehicle type. */
function withVehicle(typed: string | undefined, options: Options): Options {
  const { addon } = options;
  if (typed !== undefined) return { ...options, "vehicle-type": typed };
  const swallowed = Array.isArray(addon)
    ? addon.find((word) => VEHICLE_TYPES.some((type) => type === asChoice(word)))
    : undefined;
  if (swallowed === undefined || !Array.isArray(addon)) return options;
  return { ...options, addon: addon.filter((word) => word !== swallowed), "vehicle-type": swallowed };
}

/** A word of a fixed list, in any case, with dashes for underscores. */
function asChoice(word: string): string {
  return word.toLowerCase().replaceAll("-", "_");
}

/** Options that say where things are, and nothing about the job. */
const COMMON = ["catalog", "data"];

/** @returns false where there is no terminal to show the form on */
async function openForm({ catalog, data }: Options): Promise<boolean> {
  const { isInteractive, openScreen } = await import("../screens/open.ts");
  if (!isInteractive()) return false;
  process.exitCode = await openScreen("estimate", {
    ...(typeof catalog === "string" && { catalog }),
    ...(typeof data === "string" && { data }),
  });
  return true;
}

/** One flag per field of the capability's input. */
function addFlags(command: Command, { input }: Capability, without: string[]): void {
  const { properties = {} } = jsonSchema(input, "input");
  for (const [field, schema] of Object.entries(properties)) {
    if (without.includes(field)) continue;
    const flag = `--${flagOf(field)}`;
    const hint = field === "shade" ? " Per position: front_side=35,rear_side=20,rear_window=5" : "";
    const option = new Option(flag + placeholder(schema), (schema.description ?? "") + hint);
    // For help and completion; the capability judges, as for the API.
    option.argChoices = choicesOf(schema)?.map(String);
    command.addOption(option);
    if (schema.type === "boolean")
      command.addOption(new Option(`--no-${flagOf(field)}`, "the opposite").default(undefined).hideHelp());
  }
}

function placeholder(schema: JsonSchema): string {
  if (schema.type === "boolean") return "";
  if (schema.type === "array") return " <names...>";
  return schema.type === "integer" || schema.type === "number" ? " <number>" : " <value>";
}

function choicesOf(schema: JsonSchema | undefined): readonly unknown[] | undefined {
  return schema?.enum ?? schema?.items?.enum;
}

async function quote<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  given: Options,
  { json, catalog: file }: Options,
  inWords: (envelope: Envelope<z.output<Output>>) => string,
): Promise<void> {
  const catalog = await loadCachedCatalog(catalogFile(typeof file === "string" ? file : undefined), catalogMemory());
  const schema = jsonSchema(capability.input, "input");
  const fields = coerceFields(valuesOf(given, schema), schema);
  const raw = readByHand(fields, given, catalog);
  try {
    const { body } = await invoke(capability, raw, deskContext(catalog, Temporal.Now.instant()));
    await print(json ? jsonLine(body) : inWords(body));
  } catch (error) {
    throw error instanceof ApiError ? inFlags(error, capability, meantBy(given.jurisdiction, catalog)) : error;
  }
}

/** The values of the flags, by field. Commander names `--needs-ladder` needsLadder. */
function valuesOf(given: Options, { properties = {} }: JsonSchema): [string, string[]][] {
  return Object.keys(properties).flatMap((field): [string, string[]][] => {
    const flag = flagOf(field);
    const value = given[flag] ?? given[flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (value === undefined) return [];
    const words = Array.isArray(value) ? value : [String(value)];
    return [[field, words.map((word) => tidied(word, properties[field]))]];
  });
}

function tidied(word: string, schema: JsonSchema | undefined): string {
  if (choicesOf(schema)) return asChoice(word);
  return schema?.type === "integer" || schema?.type === "number" ? plainNumber(word) : word;
}

/** Fields whose form on the command line is shorter than the API's. */
function readByHand(fields: object, { shade, jurisdiction }: Options, catalog: Catalog): object {
  const keys = Object.keys(catalog.tint_law.jurisdictions);
  const key = typeof jurisdiction === "string" && keys.find((one) => one.toLowerCase() === jurisdiction.toLowerCase());
  return {
    ...fields,
    ...(typeof shade === "string" && shade.includes("=") && { shade: readShades(shade) }),
    ...(key && { jurisdiction: key }),
  };
}

/** `front_side=35,rear_side=5`. @throws Misuse */
function readShades(typed: string): Record<string, string> {
  return Object.fromEntries(
    typed.split(",").map((part) => {
      const [name = "", shade = ""] = part.split("=");
      return [oneOfWords("a position of --shade", name.trim(), SIDE_POSITIONS), shade.trim()];
    }),
  );
}

/** The key of a jurisdiction that was written by its name, or without its country. */
function meantBy(typed: Options[string], { tint_law: { jurisdictions } }: Catalog): string {
  if (typeof typed !== "string") return "";
  const wanted = typed.toLowerCase();
  const all = Object.entries(jurisdictions).map(([key, { name }]) => ({ key, name: name.toLowerCase() }));
  // Of two letters half are a slip away from another state.
  const name = didYouMean(
    wanted,
    all.map((one) => one.name),
  );
  const meant =
    all.find(({ key }) => key.toLowerCase().replace(/^[a-z]+-/, "") === wanted) ?? all.find((one) => one.name === name);
  return meant ? `; did you mean ${meant.key}?` : "";
}

/** The API's complaint, with flags for field names. */
function inFlags({ message, details }: ApiError, { id, input }: Capability, jurisdictionMeant: string): Misuse {
  const { properties = {} } = jsonSchema(input, "input");
  const name = (field: string) =>
    field === "vehicle_type" ? "The vehicle type" : `--${flagOf(field.replace(/[.[].*/, ""))}`;
  const choices = (field: string) => (properties[field]?.enum ? `: ${oneOf(properties[field].enum)}` : "");
  const faults = [
    ...(details.missing_fields ?? []).map((field) => `${name(field)} is missing${choices(field)}.`),
    ...(details.invalid_fields ?? []).map((fault) =>
      fault.field === "jurisdiction" && jurisdictionMeant
        ? `${name(fault.field)} ${fault.message}${jurisdictionMeant}`
        : `${name(fault.field)} ${fault.message}.`,
    ),
  ];
  const help = id === "flat_glass_estimate" ? "tint estimate flat --help" : "tint estimate --help";
  return new Misuse(`${faults.length > 0 ? faults.join("\n") : message}\nSee ${help}.`);
}
