/** The capability manifest (contract 10), and the advice on use and limits that every document prints. */
import { z } from "zod";
import type { Capability } from "../capabilities/core/capability.ts";
import { httpMethod, sideEffect } from "../capabilities/core/envelope.ts";
import { countsKeys, requiresConsent } from "../capabilities/core/operations.ts";
import { aboutOf, offered } from "../capabilities/index.ts";
import { LIMITS } from "../catalog/limits.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { pick } from "../lib/fields.ts";
import { VERSION } from "../lib/version.ts";
import { type JsonSchema, jsonSchema, mapSchemas } from "../schema/json-schema.ts";
import type { SampleOf } from "./common.ts";

const hardField = () =>
  z
    .object({
      type: z.string().optional().describe("As in JSON Schema."),
      format: z.string().optional().describe("As in OpenAPI, like date."),
      enum: z.array(z.unknown()).optional().describe("Words that it may hold."),
      about: z.record(z.string(), z.string()).optional().describe("What the words mean, where they do not say it."),
    })
    .meta({ title: "HardField", description: "A field that a request must have." });

const requires = () =>
  z
    .object({
      hard: z.array(z.string()).describe("It fails without them."),
      soft: z.array(z.string()).describe("Ask for them: they make the answer more exact."),
      optional: z.array(z.string()).describe("All others."),
    })
    .describe("Its fields.");

const capabilityEntry = () =>
  z
    .object({
      id: z.string().describe("Its id, which next_actions name."),
      method: httpMethod(),
      path: z.string().describe("From the base URL."),
      also_accepts_get: z.boolean().optional().describe("GET with the same fields works too."),
      description: z.string().describe("What it does."),
      side_effect: sideEffect(),
      returns_price: z.boolean().describe("Whether the answer holds a price."),
      creates_lead: z.boolean().describe("Whether the shop gets a request."),
      requires_consent: z.boolean().describe("Ask the end user before you send it."),
      use_when: z.array(z.string()).describe("When it is the right one."),
      avoid_when: z.array(z.string()).describe("When another one is."),
      requires: requires(),
      hard_fields: z
        .record(z.string(), hardField())
        .optional()
        .describe("The hard fields with their types and the words that they may hold."),
      sample_request: z.record(z.string(), z.unknown()).describe("A request that succeeds."),
      auth: z
        .object({
          type: z.literal("api_key").describe("A key of the shop."),
          required: z.boolean().describe("Whether it is needed."),
          register_at: z.string().describe("Path that issues one."),
        })
        .optional()
        .meta({ description: "Present when an API key changes what the caller may do." }),
    })
    .meta({ title: "CapabilityEntry", description: "One thing that a caller can do." });

export const manifestShape = () =>
  z.object({
    success: z.literal(true).describe("Always true."),
    data: z.object({
      schema_version: z.string().describe("Version of this document's shape."),
      version: z.string().describe("Version of the API."),
      name: z.string().describe("The shop's name."),
      base_url: z.string().describe("Where the API is."),
      agent_proxy_url: z
        .string()
        .meta({ description: "The same API at a second address, for agents that the web host blocks." }),
      mcp_url: z.string().describe("The MCP server."),
      docs: z.string().describe("Path of the documentation."),
      docs_markdown: z.string().describe("The same in Markdown."),
      openapi: z.string().describe("Path of the OpenAPI document."),
      capabilities: z.array(capabilityEntry()).describe("What a caller can do."),
      extensions: z.array(capabilityEntry()).meta({ description: "Managing a booking: entries of the same shape." }),
    }),
  });

export const capabilityShape = () =>
  z.object({
    success: z.literal(true).describe("Always true."),
    data: capabilityEntry().extend({
      optional_fields: z
        .record(z.string(), z.record(z.string(), z.unknown()))
        .describe("All other fields with their types, bounds and the words that they may hold, as in JSON Schema."),
    }),
  });

type Manifest = z.output<ReturnType<typeof manifestShape>>["data"];

export function manifest(catalog: Shop, sampleOf: SampleOf): Manifest {
  const { site, business } = catalog;
  const toEntry = (capability: Capability) => entry(capability, catalog, sampleOf);
  return {
    schema_version: "1.0",
    version: VERSION,
    name: business.name,
    base_url: site.base_url,
    agent_proxy_url: site.agent_proxy_url,
    mcp_url: site.mcp_url,
    docs: `${API_PREFIX}/docs`,
    docs_markdown: `${API_PREFIX}/docs-md`,
    openapi: `${API_PREFIX}/openapi.json`,
    capabilities: offered(catalog)
      .filter(({ isExtension }) => !isExtension)
      .map(toEntry),
    extensions: offered(catalog)
      .filter(({ isExtension }) => isExtension)
      .map(toEntry),
  };
}

function entry(capability: Capability, catalog: Shop, sampleOf: SampleOf): Manifest["capabilities"][number] {
  const { description, useWhen, avoidWhen } = aboutOf(capability, catalog);
  return {
    id: capability.id,
    method: capability.method,
    path: API_PREFIX + capability.path,
    ...(capability.alsoGet && { also_accepts_get: true }),
    description,
    side_effect: capability.sideEffect,
    returns_price: capability.returnsPrice,
    creates_lead: capability.sideEffect === "creates_lead" || capability.sideEffect === "books_appointment",
    requires_consent: requiresConsent(capability),
    use_when: useWhen,
    avoid_when: avoidWhen,
    requires: requirements(capability, catalog),
    ...hardFields(capability, catalog),
    sample_request: sampleOf(capability),
    ...(countsKeys(capability) && {
      auth: {
        type: "api_key" as const,
        required: catalog.bookings.require_api_key,
        register_at: `${API_PREFIX}/register`,
      },
    }),
  };
}

/** A capability as in the manifest, with what each of its optional fields may hold: at most 4 kB (contract 15). */
export function inDetail(capability: Capability, catalog: Shop, sampleOf: SampleOf) {
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  const hard = requiredFields(capability, catalog);
  const others = Object.entries(properties).filter(([field]) => !hard.includes(field));
  return {
    ...entry(capability, catalog, sampleOf),
    optional_fields: Object.fromEntries(others.map(([field, schema]) => [field, shortSchema(schema)])),
  };
}

function shortSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(
    pick(schema, "type", "format", "enum", "minimum", "maximum", "items", "properties", "anyOf"),
    shortSchema,
  );
}

/** The fields that a request must have: those the schema requires, and those this shop's catalog requires. */
export function requiredFields({ input, checks = {} }: Capability, catalog: Shop): string[] {
  const { required = [] } = jsonSchema(input(catalog), "input");
  const missed = Object.keys(checks).filter((field) => checks[field]?.(undefined, catalog)?.missing !== undefined);
  return [...new Set([...required, ...missed])];
}

/** The fields in three groups: `hard` are required, `soft` make the answer more exact, the others are optional. */
export function requirements(capability: Capability, catalog: Shop): z.output<ReturnType<typeof requires>> {
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  const hard = requiredFields(capability, catalog);
  const rest = Object.keys(properties).filter((field) => !hard.includes(field));
  const isSoft = (field: string) => properties[field]?.["x-soft"] === true;
  return { hard, soft: rest.filter(isSoft), optional: rest.filter((field) => !isSoft(field)) };
}

function hardFields(capability: Capability, catalog: Shop): Pick<Manifest["capabilities"][number], "hard_fields"> {
  const hard = requiredFields(capability, catalog);
  if (hard.length === 0) return {};
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  return {
    hard_fields: Object.fromEntries(
      hard.map((name) => {
        const about = name === "vehicle_type" ? vehicleLines(catalog) : undefined;
        return [name, { ...pick(properties[name] ?? {}, "type", "format", "enum"), ...(about && { about }) }];
      }),
    ),
  };
}

/** Bytes for the lines about all vehicle types together; longer ones are cut (contract 15). */
const MOST_LINES = 500;

function vehicleLines({ automotive }: Shop): Record<string, string> | undefined {
  const lines = Object.keys(automotive.vehicle_types).flatMap((type): [string, string][] => {
    const about = automotive.vehicle_facts[type]?.about;
    return about === undefined ? [] : [[type, about]];
  });
  if (lines.length === 0) return undefined;
  const isShort = Buffer.byteLength(JSON.stringify(Object.fromEntries(lines))) <= MOST_LINES;
  const share = MOST_LINES / lines.length;
  return Object.fromEntries(lines.map(([type, line]) => [type, isShort ? line : cut(line, share - type.length)]));
}

/** @param most bytes as JSON */
function cut(line: string, most: number): string {
  const fits = (text: string) => Buffer.byteLength(JSON.stringify(text)) <= most - MARKS;
  let text = line;
  while (text !== "" && !fits(text)) text = text.replace(/.$/su, "");
  return text === line ? line : `${text.trimEnd()}…`;
}
/** Quotes, colon, comma and the mark of what was cut. */
const MARKS = 7;

/** The capability's own limit as a sentence; undefined when only the caller's general limit applies. */
export function limitOf(capability: Capability, catalog: Shop): string | undefined {
  const kind = capability.limit ?? (countsKeys(capability) ? "network" : undefined);
  return kind && `Limit: ${LIMITS[kind].counts(catalog)[1]}.`;
}
