/** The request of what was typed, field by field, in form and command alike. */
import type { z } from "zod";
import type { Shop } from "../../src/catalog/shop.ts";
import { wordsMeant } from "../../src/catalog/words.ts";
import { SIDE_POSITIONS, type Side } from "../../src/domain/work.ts";
import { readShades } from "../../src/job/shades-said.ts";
import { spaced } from "../../src/lib/text.ts";
import { coerceFields } from "../../src/schema/coerce.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { asWord, readWord } from "./enums.ts";

export type TypedFields = Iterable<readonly [field: string, texts: readonly string[]]>;

/** A shade for each glass where several were named, and the whole of a word that was begun: `carb` is carbon. */
export function typedRequest(typed: TypedFields, input: z.ZodObject, catalog: Shop): object {
  const schema = jsonSchema(input, "input");
  const fields = Object.entries(coerceFields(typed, schema)).map(([name, value]) => {
    const words = schema.properties?.[name]?.enum ?? schema.properties?.[name]?.items?.enum ?? [];
    const whole = (one: unknown) => typedWord(one, words, name, catalog);
    return [name, Array.isArray(value) ? value.map(whole) : whole(value)];
  });
  return withShades(Object.fromEntries(fields), catalog);
}

/** Fewer letters begin too many words. */
const LEAST_LETTERS = 3;

function typedWord(typed: unknown, words: readonly unknown[], field: string, catalog: Shop): unknown {
  if (typeof typed !== "string" || typed.trim().length < LEAST_LETTERS || wordsMeant(typed, field, catalog).length > 0)
    return typed;
  const begun = asWord(typed);
  const [one, other] = words.filter((word) => String(word).startsWith(begun));
  return other === undefined ? (one ?? typed) : typed;
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

/** A request whose shade is as it was typed, with a shade for each glass where several were named */
export function withShades<Request extends object>(request: Request, catalog: Shop): Request {
  const { shade }: { shade?: unknown } = request;
  return typeof shade === "string" ? { ...request, shade: readShades(shade, catalog) } : request;
}

/** Shades by glass as they can be typed again: `35/20`, or `35 front side, 20 rear window`. */
export function shadesTyped(shades: object): string {
  const { front_side: front, rear_side: rear, rear_window: back }: Partial<Record<Side, unknown>> = shades;
  const isGiven = (shade: unknown) => shade !== undefined && shade !== null;
  if ([front, rear, back].every(isGiven)) return rear === back ? `${front}/${rear}` : `${front}/${rear}/${back}`;
  const sides = SIDE_POSITIONS.filter((side) => isGiven(Object(shades)[side]));
  return sides.map((side) => `${Object(shades)[side]} ${spaced(side)}`).join(", ");
}

/** `front_side=35,rear_side=5` in the exact names. @throws UsageError for unknown glass */
export function namedShades(typed: string): Partial<Record<Side, string>> {
  return Object.fromEntries(
    typed.split(",").map((part) => {
      const [name = "", shade = ""] = part.split("=");
      return [readWord("a position of --shade", name.trim(), SIDE_POSITIONS), shade.trim()];
    }),
  );
}
