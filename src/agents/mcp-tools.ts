/** The tools as MCP lists them, made from the capabilities. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Capability } from "../capabilities/core/capability.ts";
import type { Operation } from "../capabilities/core/operations.ts";
import { aboutOf, offered, toolCapabilities } from "../capabilities/offer.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Catalog } from "../catalog/schema.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { sharersOf } from "./mcp.ts";
import { inToolNames } from "./mcp-names.ts";

/**
 * The tools, with the fields that this shop requires. Built once, because converting the zod schemas is slow. No tool has
 * an output schema: those of the usual six would take 30 kB of every conversation's context.
 */
export const toolsOf = perCatalog((catalog): Tool[] =>
  toolCapabilities(catalog).map((capability) => {
    const all = [capability, ...sharersOf(capability).filter((sharer) => offered(catalog).includes(sharer))];
    return {
      name: capability.operationId,
      title: capability.title,
      description: description(all, catalog),
      inputSchema: inputSchema(all, catalog),
      annotations: ANNOTATIONS[capability.sideEffect],
    };
  }),
);

/** A tool of several capabilities takes the fields of all; a field is required where all of them require it. */
function inputSchema(all: readonly Capability[], catalog: Catalog): Tool["inputSchema"] {
  const schemas = all.map((capability) => toolSchema(capability.input(catalog), catalog));
  const required = all
    .map((capability) => requiredFields(capability, catalog))
    .reduce((common, fields) => common.filter((field) => fields.includes(field)));
  return {
    type: "object",
    properties: Object.assign({}, ...[...schemas, ...schemas.toReversed()].map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
  };
}

function description(all: readonly Capability[], catalog: Catalog): string {
  return all.map((capability) => about(capability, all, catalog)).join("\n");
}

/** The description of one capability. Capabilities of one tool do not refer to each other. */
function about(capability: Capability, all: readonly Capability[], catalog: Catalog): string {
  const { description: what, useWhen, avoidWhen } = aboutOf(capability, catalog);
  const { sharesTool } = capability;
  const leadsAway = (text: string) => !all.some(({ id }) => text.includes(id));
  const lines = [
    sharesTool ? `With ${[sharesTool.field, ...eitherField(capability)].join(" and ")}: ${what}` : what,
    ...useWhen.map((use) => `Use when: ${use}`),
    ...avoidWhen.filter(leadsAway).map((avoid) => `Avoid when: ${avoid}`),
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
  // The old time is given up; the same change sent again finds it made.
  changes_appointment: { ...ADDS, destructiveHint: true, idempotentHint: true },
};

/** JSON Schema 2020-12 without `$schema`: MCP assumes this dialect, and older clients refuse its name. */
function toolSchema(schema: z.ZodObject, catalog: Catalog) {
  return z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema: node }) => {
      const { example, description: text } = node;
      if (text) node.description = inToolNames(text, catalog);
      delete node.example;
      delete node["x-soft"];
      delete node.title;
      // Null counts as absent everywhere; saying so of every field would take much room.
      const given = node.anyOf?.filter(({ type }) => type !== "null");
      if (node.anyOf && given?.length === 1) {
        delete node.anyOf;
        Object.assign(node, { ...given[0], ...node });
      }
      // An example of a word from a list tells nothing that the list does not tell.
      if (example !== undefined && !node.enum) node.examples = [example];
      // The server says what is wrong with a value; a model does not need the pattern beside the format or an example.
      delete node.pattern;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
    },
  });
}
