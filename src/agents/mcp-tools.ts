/** The tools as MCP lists them, made from the capabilities. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import type { Capability } from "../capabilities/core/capability.ts";
import type { Operation } from "../capabilities/core/operations.ts";
import { aboutOf, offered, toolCapabilities } from "../capabilities/index.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { type JsonSchema, jsonSchema } from "../schema/json-schema.ts";
import { sharersOf } from "./mcp.ts";
import { inToolNames } from "./mcp-names.ts";

/**
 * The tools, with the fields that this shop requires. Built once, because converting the zod schemas is slow. No tool has
 * an output schema: those of the usual six would take 30 kB of every conversation's context.
 */
export const toolsOf = perCatalog((catalog): Tool[] => {
  const seen = new Set<string>();
  return toolCapabilities(catalog).map((capability) => {
    const all = [capability, ...sharersOf(capability).filter((sharer) => offered(catalog).includes(sharer))];
    return {
      name: capability.operationId,
      title: capability.title,
      description: description(all, catalog),
      inputSchema: describedOnce(inputSchema(all, catalog), seen),
      annotations: ANNOTATIONS[capability.sideEffect],
    };
  });
});

/** A model reads all tools together: what one says of a field, the next need not say again in the same words. */
function describedOnce({ properties = {}, ...schema }: Tool["inputSchema"], seen: Set<string>): Tool["inputSchema"] {
  const fields = Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = field as JsonSchema;
    const words = `${name}: ${description}`;
    const isSeen = seen.has(words);
    seen.add(words);
    return [name, isSeen ? rest : field];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** A tool of several capabilities takes the fields of all; a field is required where all of them require it. */
function inputSchema(all: readonly Capability[], catalog: Shop): Tool["inputSchema"] {
  const schemas = all.map((capability) => toolSchema(jsonSchema(capability.input(catalog), "input"), catalog));
  const required = all
    .map((capability) => requiredFields(capability, catalog))
    .reduce((common, fields) => common.filter((field) => fields.includes(field)));
  return {
    type: "object",
    properties: Object.assign({}, ...[...schemas, ...schemas.toReversed()].map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
  };
}

function description(all: readonly Capability[], catalog: Shop): string {
  return all.map((capability) => about(capability, all, catalog)).join("\n");
}

/** The description of one capability. Capabilities of one tool do not refer to each other. */
function about(capability: Capability, all: readonly Capability[], catalog: Shop): string {
  const { description: what, useWhen, avoidWhen } = aboutOf(capability, catalog);
  const { sharesTool } = capability;
  const leadsAway = (text: string) => !all.some(({ id }) => text.includes(id));
  const lines = [
    sharesTool ? `With ${[sharesTool.field, ...eitherField(capability)].join(" and ")}: ${what}` : what,
    ...useWhen.map((use) => `Use when: ${use}`),
    ...avoidWhen.filter(leadsAway).map((avoid) => `Avoid when: ${avoid}`),
    ...(capability.asksFirst
      ? [`Needs: ${[...capability.asksFirst, ...requiredFields(capability, catalog)].join(", ")}.`]
      : []),
  ];
  return lines.map((line) => inToolNames(line, catalog)).join("\n");
}

/** `total_sqft or windows`. */
function eitherField({ insteadOf = {} }: Capability): string[] {
  return Object.entries(insteadOf).map(([field, other]) => `${field} or ${other}`);
}

/** For tools that store something. A repeated quote request or booking is a second one, unless it has the same id. */
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const ANNOTATIONS: Record<Operation["sideEffect"], ToolAnnotations> = {
  none: { readOnlyHint: true, openWorldHint: false },
  creates_lead: ADDS,
  books_appointment: ADDS,
  // Destructive, because the old time is given up; idempotent, because the same change sent again changes nothing.
  changes_appointment: { ...ADDS, destructiveHint: true, idempotentHint: true },
};

const FORMS: Record<string, string> = { date: "YYYY-MM-DD.", "date-time": "RFC 3339." };

/** An alternative without descriptions of its fields, because tools take room in every conversation. */
function withoutWords({ properties, ...schema }: JsonSchema): JsonSchema {
  const fields = Object.entries(properties ?? {}).map(([name, { description: _, ...field }]) => [name, field]);
  return { ...schema, ...(properties && { properties: Object.fromEntries(fields) }) };
}

/**
 * A schema in the words that the hosts of models know: OpenAI, Gemini and Claude each refuse some of the others. So
 * there is no const, format or pattern, no alternative inside an alternative, no object without fields. Lengths and
 * wide bounds would only take room, because the server says what is wrong with a value.
 */
function toolSchema(schema: JsonSchema, catalog: Shop, depth = 0): JsonSchema {
  const inner = (one: JsonSchema) => toolSchema(one, catalog, depth + 1);
  const { type, properties, items, required, enum: words, anyOf = [], description, format = "" } = schema;
  const { minimum, maximum = Number.POSITIVE_INFINITY } = schema;
  // The first form, and an object where a value may be one. The server takes the others too.
  const [first, ...others] = anyOf;
  const objects = others.filter((one) => one.properties);
  if (first && objects.length > 0)
    return {
      ...toolSchema({ description }, catalog),
      anyOf: [first, ...objects].map((one) => withoutWords(inner(one))),
    };
  const about = [description && inToolNames(description, catalog), FORMS[format]].filter(Boolean).join(" ");
  return {
    ...(first && inner(first)),
    ...(about && { description: about }),
    ...(type && { type }),
    ...(words && type === "string" && { enum: words }),
    ...(maximum < 1000 && depth < 3 && { minimum, maximum }),
    ...(items && { items: inner(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, inner(field)])),
    }),
    ...(required && { required }),
  };
}
