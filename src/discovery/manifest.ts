/** The capability manifest (contract 10): every capability with its fields, side effect and a sample request. */
import { z } from "zod";
import type { Capability } from "../capabilities/core/capability.ts";
import { requiresConsent, SIDE_EFFECTS } from "../capabilities/core/operations.ts";
import { aboutOf, offered } from "../capabilities/offer.ts";
import type { Catalog } from "../catalog/schema.ts";
import { API_PREFIX } from "../constants.ts";
import { VERSION } from "../lib/version.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import type { SampleOf } from "./sampled.ts";

const requires = () =>
  z.object({ hard: z.array(z.string()), soft: z.array(z.string()), optional: z.array(z.string()) });

const capabilityEntry = () =>
  z
    .object({
      id: z.string(),
      method: z.enum(["GET", "POST"]),
      path: z.string(),
      also_accepts_get: z.boolean().optional(),
      description: z.string(),
      side_effect: z.enum(SIDE_EFFECTS).meta({ title: "SideEffect" }),
      returns_price: z.boolean(),
      creates_lead: z.boolean(),
      requires_consent: z.boolean(),
      use_when: z.array(z.string()),
      avoid_when: z.array(z.string()),
      requires: requires(),
      sample_request: z.record(z.string(), z.unknown()),
      auth: z
        .object({ type: z.literal("api_key"), required: z.boolean(), register_at: z.string() })
        .optional()
        .meta({ description: "Present when an API key changes what the caller may do." }),
    })
    .meta({ title: "CapabilityEntry" });

/** The answer of `GET /capabilities`. */
export const manifestShape = () =>
  z.object({
    success: z.literal(true),
    data: z.object({
      schema_version: z.string(),
      version: z.string(),
      name: z.string(),
      base_url: z.string(),
      agent_proxy_url: z
        .string()
        .meta({ description: "The same API at a second address, for agents that the web host blocks." }),
      mcp_url: z.string(),
      docs: z.string(),
      docs_markdown: z.string(),
      openapi: z.string(),
      capabilities: z.array(capabilityEntry()),
      extensions: z.array(capabilityEntry()).meta({ description: "Managing a booking: entries of the same shape." }),
    }),
  });
type Manifest = z.output<ReturnType<typeof manifestShape>>["data"];

export function manifest(catalog: Catalog, sampleOf: SampleOf): Manifest {
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

function entry(capability: Capability, catalog: Catalog, sampleOf: SampleOf): Manifest["capabilities"][number] {
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
    sample_request: sampleOf(capability),
    ...(capability.acceptsKey && {
      auth: {
        type: "api_key" as const,
        required: catalog.bookings.require_api_key,
        register_at: `${API_PREFIX}/register`,
      },
    }),
  };
}

/** The fields that a request must have: those the schema requires, and those this shop's catalog requires. */
export function requiredFields({ input, checks = {} }: Capability, catalog: Catalog): string[] {
  const { required = [] } = jsonSchema(input(catalog), "input");
  const missed = Object.keys(checks).filter((field) => checks[field]?.(undefined, catalog)?.missing !== undefined);
  return [...new Set([...required, ...missed])];
}

/** The fields in three groups: `hard` are required, `soft` make the answer more exact, the others are optional. */
export function requirements(capability: Capability, catalog: Catalog): z.output<ReturnType<typeof requires>> {
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  const hard = requiredFields(capability, catalog);
  const rest = Object.keys(properties).filter((field) => !hard.includes(field));
  const isSoft = (field: string) => properties[field]?.["x-soft"] === true;
  return { hard, soft: rest.filter(isSoft), optional: rest.filter((field) => !isSoft(field)) };
}
