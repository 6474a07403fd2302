/** The request of what was typed, field by field, in form and command alike. */
import type { z } from "zod";
import type { Shop } from "../../src/catalog/shop.ts";
import { wordsMeant } from "../../src/catalog/words.ts";
import { coerceFields } from "../../src/schema/coerce.ts";
import { jsonSchema } from "../../src/schema/json-schema.ts";
import { asWord } from "./enums.ts";
import { shadesTyped, withShades } from "./shades.ts";

/** Texts by the field of the request. */
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
