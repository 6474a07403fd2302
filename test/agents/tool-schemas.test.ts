/**
 * The input schemas of the tools, against what the hosts of models take. Sources: OpenAI, "Structured outputs", supported
 * schemas; Google, Vertex AI reference, FunctionDeclaration and Schema; Anthropic, "Tool use", input_schema.
 */
import { expect, test } from "bun:test";
import { toolsOf } from "../../src/agents/mcp-server.ts";
import { CATALOG } from "../helpers.ts";
import { CALIFORNIA } from "../shops.ts";

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

test("what a host refuses is found", () => {
  const bad = {
    type: "object",
    properties: { a: { const: 1 }, b: { type: ["string", "null"] }, c: { type: "object" } },
  };
  expect(issuesIn(bad, "tool")).toEqual([
    "tool.a: const",
    "tool.a: has the type undefined",
    "tool.b: has the type string,null",
    "tool.c: is an object without fields",
  ]);
});
