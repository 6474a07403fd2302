/** The tools as MCP lists them, made from the capabilities. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Capability } from "../capabilities/core/capability.ts";
import { successShape } from "../capabilities/core/envelope.ts";
import { requiresConsent } from "../capabilities/core/operations.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Catalog } from "../catalog/schema.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { API_PREFIX } from "../vocabulary.ts";

/** Made once: the schemas of the zod schemas take their time. */
const TOOLS = CAPABILITIES.filter(({ tool }) => tool).map((capability) => ({
  capability,
  tool: {
    name: capability.operationId,
    title: capability.title,
    description: description(capability),
    inputSchema: toolSchema(capability.input, "input"),
    // What comes back is the envelope of the REST API, next actions and warnings included.
    outputSchema: toolSchema(successShape(capability.output), "output"),
    annotations: annotations(capability),
  },
}));

/** The tools, with the fields that this shop requires. */
export function toolsOf(catalog: Catalog): Tool[] {
  return TOOLS.map(({ capability, tool }) => {
    const required = requiredFields(capability, catalog);
    return { ...tool, inputSchema: { ...tool.inputSchema, ...(required.length > 0 && { required }) } };
  });
}

function description({ description: what, useWhen, avoidWhen }: Capability): string {
  const lines = [
    what,
    ...useWhen.map((use) => `Use when: ${use}`),
    ...avoidWhen.map((avoid) => `Avoid when: ${avoid}`),
  ];
  return lines.map(inToolNames).join("\n");
}

/** The definitions name one another by id; a model knows only the names of tools, and of the rest the path. */
function inToolNames(text: string): string {
  return CAPABILITIES.reduce(
    (words, { id, tool, operationId, method, path }) =>
      words.replace(new RegExp(`\\b${id}\\b`, "g"), tool ? operationId : `${method} ${API_PREFIX}${path}`),
    text,
  );
}

function annotations(capability: Capability): ToolAnnotations {
  if (!requiresConsent(capability)) return { readOnlyHint: true, openWorldHint: false };
  // It adds to the shop's book and undoes nothing; twice sent, it stands there twice; and a person will act on it.
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
}

/** JSON Schema 2020-12, which MCP assumes when no dialect is named; older clients refuse the name of this one. */
function toolSchema(schema: z.ZodObject, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: node }) => {
      const { example } = node;
      if (example !== undefined) node.examples = [example];
      delete node.example;
      delete node["x-soft"];
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
    },
  });
  // Zod types the keywords of JSON Schema, MCP any JSON: the same thing.
  return { ...rest, type: "object" } as Tool["inputSchema"];
}
