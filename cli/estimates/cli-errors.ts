/** Refusals of the API, in the words of the command line. */
import type { z } from "zod";
import { type Capability, insteadOf } from "../../src/capabilities/core/capability.ts";
import { checked } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { ApiError } from "../../src/errors.ts";
import { didYouMean, oneOf } from "../../src/schema/explain.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { flagOf, type GivenFlags, inFlagWords } from "./flags.ts";

/** A refused request, with flags for field names. @param command the one whose help is named; usually that of the capability */
export function inFlags(
  { message, details }: ApiError,
  { id, input, checks }: Capability,
  given: GivenFlags,
  catalog: Shop,
  command = HELP[id] ?? "tint estimate",
): UsageError {
  const { properties = {} } = jsonSchema(input(catalog), "input");
  const choices = (field: string) => (properties[field]?.enum ? `: ${oneOf(properties[field].enum)}` : "");
  const issues = [
    ...(details.missing_fields ?? []).map((field) => {
      const other = insteadOf(field, { checks }, catalog);
      return `${flagName(field)}${other ? ` or ${flagName(other)}` : ""} is missing${choices(field)}.`;
    }),
    ...(details.invalid_fields ?? []).map((issue) => {
      const car = issue.field === "vehicle_type" ? unknownCar(given, catalog, command, issue.did_you_mean) : null;
      if (car !== null) return car;
      const meant = issue.field === "jurisdiction" ? jurisdictionMeantBy(given.jurisdiction, catalog) : undefined;
      const message = inFlagWords(issue.message, Object.keys(properties)).replace(
        STATE,
        "a state of the catalog, like TX",
      );
      return `${flagName(issue.field)} ${message}${meant ? `; did you mean ${meant}?` : "."}`;
    }),
  ];
  return new UsageError(`${issues.length > 0 ? issues.join("\n") : message}\nSee ${command} --help.`);
}

/** A request as the API checks it. @param command as of `inFlags` @throws UsageError in the words of the flags */
export function checkedInFlags<Input extends z.ZodObject>(
  capability: Omit<Capability, "input"> & { input: (catalog: Shop) => Input },
  raw: object,
  given: GivenFlags,
  catalog: Shop,
  command?: string,
): z.output<Input> {
  try {
    return checked(capability, raw, catalog);
  } catch (error) {
    throw error instanceof ApiError ? inFlags(error, capability, given, catalog, command) : error;
  }
}

/** A car that the catalog does not know, with the command that says its class; null for what is nearly a class. @param meant that class */
function unknownCar(given: GivenFlags, catalog: Shop, command: string, meant?: string): string | null {
  const typed = given["vehicle-type"];
  const { vehicleTypes, example } = catalog.terms;
  if (typeof typed !== "string" || didYouMean(typed, vehicleTypes) !== undefined) return null;
  const car = clean(typed).replaceAll('"', "");
  const guess = meant ? `; did you mean ${meant}?` : ".";
  return `${car} is no car that the catalog knows${guess} Say which class it is (${oneOf(vehicleTypes)}), like: ${command} --vehicle ${meant ?? example.vehicle_type} --model "${car}" …`;
}

/** As the API refuses a state. */
const STATE = "a jurisdiction this shop knows";

const HELP: Record<string, string> = { flat_glass_estimate: "tint estimate flat", book_appointment: "tint book" };

function flagName(field: string): string {
  return `--${field === "vehicle_type" ? "vehicle" : flagOf(field.replace(/[.[].*/, ""))}`;
}

/** The key of a jurisdiction that was written by its name. */
function jurisdictionMeantBy(typed: GivenFlags[string], { tint_law: { jurisdictions } }: Shop): string | undefined {
  if (typeof typed !== "string") return undefined;
  const wanted = typed.toLowerCase();
  const keys = Object.keys(jurisdictions);
  // Keys are not compared by likeness: two letters are a typo away from half of the states.
  const names = keys.map((key) => jurisdictions[key]?.name.toLowerCase() ?? "");
  const name = didYouMean(wanted, names);
  return name && keys.find((key) => jurisdictions[key]?.name.toLowerCase() === name);
}
