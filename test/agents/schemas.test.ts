/** The schemas: each field and word is described, answers may gain fields, hosts of models take those of the tools; and wrong ones are errors. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { toolsOf } from "../../src/agents/mcp-server.ts";
import { businessLocation } from "../../src/capabilities/business-location.ts";
import { type Capability, type Context, defineCapability } from "../../src/capabilities/core/capability.ts";
import { errorShape, nextAction, successShape, WARNINGS, warningShape } from "../../src/capabilities/core/envelope.ts";
import { invoke } from "../../src/capabilities/core/invoke.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { manifestShape } from "../../src/discovery/manifest.ts";
import { ApiError, ERRORS, fail } from "../../src/errors.ts";
import { type JsonSchema, jsonSchema } from "../../src/schema/json-schema.ts";
import { API, CATALOG, NOW, testApp } from "../helpers.ts";
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

/** Keywords that all three take; a host makes `additionalProperties` and nullable fields itself where it needs them. */
const KEYWORDS = ["type", "description", "properties", "required", "items", "enum", "anyOf", "minimum", "maximum"];
const TYPES = ["string", "number", "integer", "boolean", "array", "object"];

/** Of a tool and of a field: OpenAI takes no dots, Google no dash in a field. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** OpenAI: levels of nesting, fields in all, words of an enum. */
const MOST = { depth: 10, fields: 5_000, words: 1_000 };

type Schema = Record<string, unknown>;

/** What a host would refuse, by the place in the schema. */
function issuesIn(schema: Schema, place: string, depth = 0, inAnyOf = false): string[] {
  const {
    type,
    properties,
    required = [],
    items,
    enum: words,
    anyOf,
  } = schema as {
    type?: string;
    properties?: Record<string, Schema>;
    required?: string[];
    items?: Schema;
    enum?: unknown[];
    anyOf?: Schema[];
  };
  const fields = Object.entries(properties ?? {});
  const names = fields.map(([name]) => name);
  return [
    ...Object.keys(schema).filter((key) => !KEYWORDS.includes(key)),
    ...(depth > MOST.depth ? ["is nested too deep"] : []),
    ...(anyOf === undefined && !TYPES.includes(String(type)) ? [`has the type ${type}`] : []),
    ...(anyOf !== undefined && (depth === 0 || inAnyOf) ? ["has alternatives at the root or inside others"] : []),
    ...(anyOf !== undefined && Object.keys(schema).some((key) => !["anyOf", "description"].includes(key))
      ? ["has alternatives beside other keywords"]
      : []),
    ...(type === "array" && !items ? ["has no items"] : []),
    ...(type === "object" && depth > 0 && fields.length === 0 ? ["is an object without fields"] : []),
    ...(words && (type !== "string" || words.length > MOST.words || words.some((word) => typeof word !== "string"))
      ? ["has words that are no texts"]
      : []),
    ...names.filter((name) => !NAME.test(name)).map((name) => `has the field ${name}`),
    ...required.filter((name) => !names.includes(name)).map((name) => `requires ${name}, which it lacks`),
  ]
    .map((issue) => `${place}: ${issue}`)
    .concat(
      fields.flatMap(([name, field]) => issuesIn(field, `${place}.${name}`, depth + 1, inAnyOf)),
      items ? issuesIn(items, `${place}[]`, depth + 1, inAnyOf) : [],
      (anyOf ?? []).flatMap((one, i) => issuesIn(one, `${place}|${i}`, depth + 1, true)),
    );
}

test.each([
  ["the stock shop", CATALOG],
  ["a shop of its own words", CALIFORNIA],
])("tools of %s: OpenAI, Google and Anthropic take their schemas", (_, catalog) => {
  const tools = toolsOf(catalog);
  expect(tools.length).toBeGreaterThan(5);
  expect(tools.filter(({ name }) => !NAME.test(name))).toEqual([]);
  expect(tools.flatMap(({ name, inputSchema }) => issuesIn(inputSchema as Schema, name))).toEqual([]);
  const count = JSON.stringify(tools).match(/"type":/g)?.length ?? 0;
  expect(count).toBeLessThan(MOST.fields);
});

const ctx = { fail } as Context;

const broken = defineCapability({
  id: "list_faq",
  title: "",
  description: "",
  returnsPrice: false,
  useWhen: [],
  avoidWhen: [],
  input: () => z.object({ code: z.string() }),
  output: () => z.object({}),
  status: 200,
  errors: ["SLOT_TAKEN"],
  // @ts-expect-error an unknown value may only have a code that is declared
  unknownValue: { code: "KEY_EXISTS" },
  sample: () => ({ code: "" }),
  checks: {
    // @ts-expect-error a check may only answer a code that is declared
    code: (value) => (value === "" ? { code: "KEY_EXISTS", message: "" } : undefined),
  },
  run({ code }, { fail }) {
    if (code === "declared") return fail("SLOT_TAKEN", code);
    if (code === "common") return fail("RATE_LIMITED", code);
    // @ts-expect-error a handler may only fail with a code that is declared, or that every endpoint can answer
    return fail("KEY_EXISTS", code);
  },
});

test.each(["declared", "common", "other"])("fail throws the error: %s", (code) => {
  expect(() => broken.run({ code }, ctx)).toThrow(ApiError);
});

const SRC = join(import.meta.dir, "../../src");

/** The table, the order of codes in one error, and examples for readers. */
const MAY = ["errors.ts", "capabilities/core/validate.ts", "discovery/openapi/document.ts", "pages/docs/guides.ts"];

test("no code is asked for by its name, which a new code would miss", async () => {
  const codes = Object.keys(ERRORS).join("|");
  const asked = new RegExp(`[!=]==? "(${codes})"|case "(${codes})"|^\\s+(${codes}): (?!\\{ code: -)`, "m");
  const found: string[] = [];
  for await (const file of new Bun.Glob("**/*.ts").scan(SRC))
    if (asked.test(await Bun.file(join(SRC, file)).text())) found.push(file);
  expect(found.filter((file) => !MAY.includes(file))).toEqual([]);
});

test("a page says of a wrong method that there is nothing, not that something broke", async () => {
  const { status, text } = await testApp().send("PUT", "/book");
  expect([status, text.match(/<h1>([^<]*)/)?.[1]]).toEqual([405, "There is no such page"]);
});

const { links, ...others } = businessLocation.output(CATALOG).shape;

test.each([
  ["leaves a key out", z.object(others)],
  ["wants another type", z.object({ ...others, links: z.number() })],
  ["has another order", z.object({ links, ...others })],
])("a schema that %s is an error, when answers are checked", async (_, output: z.ZodType) => {
  const capability: Capability = { ...businessLocation, output: () => output };
  const ctx = { catalog: CATALOG, now: NOW } as Context;
  const checked = { ...ctx, checkAnswers: true };
  expect(invoke(capability, {}, checked)).rejects.toThrow();
  const { body } = await invoke(capability, {}, ctx);
  expect(body.data).toEqual((await invoke(businessLocation, {}, checked)).body.data);
});
