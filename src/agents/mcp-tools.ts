/** The tools as MCP lists them, made from the capabilities. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Capability } from "../capabilities/core/capability.ts";
import { successShape } from "../capabilities/core/envelope.ts";
import { requiresConsent } from "../capabilities/core/operations.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import { aboutOf, offered } from "../capabilities/offer.ts";
import { derived } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { API_PREFIX } from "../vocabulary.ts";

/** The tools, with the fields that this shop requires. Built once, because converting the zod schemas is slow. */
export const toolsOf = derived((catalog): Tool[] =>
  offered(catalog)
    .filter(({ tool }) => tool)
    .map((capability) => {
      const required = requiredFields(capability, catalog);
      return {
        name: capability.operationId,
        title: capability.title,
        description: description(capability, catalog),
        inputSchema: {
          ...toolSchema(capability.input(catalog), "input"),
          ...(required.length > 0 && { required }),
        },
        // A tool answers with the envelope of the REST API, including next actions and warnings.
        outputSchema: toolSchema(successShape(capability.output(catalog)), "output"),
        annotations: annotations(capability),
      };
    }),
);

function description(capability: Capability, catalog: Catalog): string {
  const { description: what, useWhen, avoidWhen } = aboutOf(capability, catalog);
  const lines = [
    what,
    ...useWhen.map((use) => `Use when: ${use}`),
    ...avoidWhen.map((avoid) => `Avoid when: ${avoid}`),
  ];
  return lines.map(inToolNames).join("\n");
}

/** Replaces capability ids by names that an MCP client can use: tool names, or method and path where there is no tool. */
function inToolNames(text: string): string {
  return CAPABILITIES.reduce(
    (words, { id, tool, operationId, method, path }) =>
      words.replace(new RegExp(`\\b${id}\\b`, "g"), tool ? operationId : `${method} ${API_PREFIX}${path}`),
    text,
  );
}

function annotations(capability: Capability): ToolAnnotations {
  if (!requiresConsent(capability)) return { readOnlyHint: true, openWorldHint: false };
  // A quote request adds a lead and removes nothing, a repeated one adds a second lead, and a person acts on it.
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
}

/** JSON Schema 2020-12 without `$schema`: MCP assumes this dialect, and older clients refuse its name. */
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
  // Safe: zod's type lists the keywords of JSON Schema, MCP's type allows any JSON.
  return { ...rest, type: "object" } as Tool["inputSchema"];
}
