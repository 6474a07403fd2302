/** Every field of every request and answer is described, every word has its line, and answers may gain fields. Source: contract 16. */
import { expect, test } from "bun:test";
import { errorShape, nextAction, successShape, WARNINGS, warningShape } from "../../src/capabilities/core/envelope.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { manifestShape } from "../../src/discovery/manifest.ts";
import { type JsonSchema, jsonSchema } from "../../src/schema/json-schema.ts";
import { API, CATALOG, testApp } from "../helpers.ts";
import { CALIFORNIA } from "../shops.ts";

const SCHEMAS: [name: string, schema: JsonSchema][] = [
  ...[CATALOG, CALIFORNIA].flatMap((catalog) =>
    CAPABILITIES.filter(({ isOffered }) => isOffered?.(catalog) !== false).flatMap(
      ({ id, input, output, alsoGet }): [string, JsonSchema][] => [
        [`${id} asks`, jsonSchema(input(catalog), "input")],
        [`${id} answers`, jsonSchema(successShape(output(catalog)), "output")],
        ...(alsoGet
          ? [[`${id} answers GET`, jsonSchema(alsoGet.output(catalog), "output")] as [string, JsonSchema]]
          : []),
      ],
    ),
  ),
  ["an error", jsonSchema(errorShape, "output")],
  ["a next action", jsonSchema(nextAction, "output")],
  ["a warning", jsonSchema(warningShape, "output")],
  ["the manifest", jsonSchema(manifestShape(), "output")],
];

/** Every schema inside a schema, with its path. `isField` is false for alternatives and entries of lists. */
function* inside(schema: JsonSchema, path: string, isField = false): Generator<[path: string, JsonSchema, boolean]> {
  yield [path, schema, isField];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* inside(field, `${path}.${name}`, true);
  if (schema.items) yield* inside(schema.items, `${path}[]`);
  for (const [i, one] of (schema.anyOf ?? []).entries()) yield* inside(one, `${path}|${i}`);
  if (typeof schema.additionalProperties === "object") yield* inside(schema.additionalProperties, `${path}{}`);
}

/** Prices by the shop's own words need no description of each word. */
const isOfWords = (path: string) => /\.(price|rates_per_sqft)(\.\w+)+$|\.pricing\[\]\.\w+\.\w+$/.test(path);

test.each(SCHEMAS)("%s: every field is described", (_, schema) => {
  const all = [...inside(schema, "")];
  expect(all.length).toBeGreaterThan(0);
  const silent = all.filter(
    ([path, one, isField]) => isField && path !== ".data" && !isOfWords(path) && !one.description,
  );
  expect(silent.map(([path]) => path)).toEqual([]);
});

test.each(SCHEMAS)("%s: every word has a line", (_, schema) => {
  for (const [path, { enum: words = [], "x-values": lines = {} }] of inside(schema, "")) {
    if (words.length < 2) continue;
    const named = words.filter((word) => word !== null).map(String);
    expect([path, Object.keys(lines).toSorted()]).toEqual([path, named.toSorted()]);
    for (const line of Object.values(lines)) expect(line).toMatch(/^[A-Z$].*\.$/);
  }
});

test.each(SCHEMAS.filter(([name]) => !name.endsWith("asks")))("%s: may gain fields", (_, schema) => {
  for (const [path, { additionalProperties }] of inside(schema, ""))
    expect([path, additionalProperties]).not.toContain(false);
});

test("OpenAPI says the lines of words, codes and warnings", async () => {
  const { json } = await testApp().get(`${API}/openapi.json`);
  const { Warning, ErrorCode, SlotStatus } = json.components.schemas;
  for (const [code, line] of Object.entries(WARNINGS))
    expect(Warning.properties.code.description).toContain(`- \`${code}\`: ${line}`);
  expect(ErrorCode.description).toContain("- `SLOT_TAKEN`: ");
  expect(SlotStatus.description).toContain("- `too_soon`: The shop needs more notice.");
  expect(JSON.stringify(json)).not.toContain("x-values");
});
