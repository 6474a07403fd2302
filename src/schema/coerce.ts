import type { JsonSchema } from "./json-schema.ts";

/**
 * Input that arrives as text (a query string, command-line flags) as values of the schema's types, where the text has
 * their form: plain decimal digits, true or false, lists repeated or separated by commas. What does not fit stays text,
 * for validation to judge.
 * @param given every value of each field, in order
 */
export function coerceFields(given: Iterable<readonly [string, readonly string[]]>, schema: JsonSchema): object {
  return Object.fromEntries([...given].map(([name, values]) => [name, coerce(values, schema.properties?.[name])]));
}

function coerce(values: readonly string[], schema: JsonSchema | undefined): unknown {
  if (schema?.type === "array") {
    const items = values.flatMap((value) => value.split(",")).map((item) => item.trim());
    return items.filter((item) => item !== "");
  }
  // A scalar given twice stays a list, which no scalar field accepts.
  const [value = ""] = values;
  return values.length > 1 ? values : coerceScalar(value.trim(), schema?.type);
}

function coerceScalar(text: string, type: JsonSchema["type"]): unknown {
  switch (type) {
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case "number":
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    default:
      return text;
  }
}
