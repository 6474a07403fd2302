/** The capability manifest (spec section 2.8): what a caller can do, what it takes, and what it sets going. */
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Capability } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { requiresConsent } from "../invoke.ts";
import { jsonSchema } from "../json-schema.ts";
import { API_PREFIX } from "../vocabulary.ts";

export function manifest(catalog: Catalog, now: Temporal.Instant) {
  const { site, business } = catalog;
  return {
    schema_version: "1.0",
    version: "1.0.0",
    name: business.name,
    base_url: site.base_url,
    agent_proxy_url: site.agent_proxy_url,
    mcp_url: site.mcp_url,
    docs: `${API_PREFIX}/docs`,
    docs_markdown: `${API_PREFIX}/docs-md`,
    openapi: `${API_PREFIX}/openapi.json`,
    capabilities: CAPABILITIES.map((capability) => entry(capability, catalog, now)),
  };
}

function entry(capability: Capability, catalog: Catalog, now: Temporal.Instant) {
  return {
    id: capability.id,
    method: capability.method,
    path: API_PREFIX + capability.path,
    ...(capability.alsoGet && { also_accepts_get: true }),
    description: capability.description,
    side_effect: capability.sideEffect,
    returns_price: capability.returnsPrice,
    creates_lead: capability.sideEffect !== "none",
    requires_consent: requiresConsent(capability),
    use_when: capability.useWhen,
    avoid_when: capability.avoidWhen,
    requires: requirements(capability),
    sample_request: capability.sample(catalog, now),
    ...(capability.acceptsKey && {
      auth: { type: "api_key", required: catalog.bookings.require_api_key, register_at: `${API_PREFIX}/register` },
    }),
  };
}

/** The fields of a capability by how much they are wanted. */
export function requirements({ input }: Pick<Capability, "input">): {
  hard: string[];
  soft: string[];
  optional: string[];
} {
  const { properties = {}, required: hard = [] } = jsonSchema(input, "input");
  const rest = Object.keys(properties).filter((field) => !hard.includes(field));
  const isSoft = (field: string) => properties[field]?.["x-soft"] === true;
  return { hard, soft: rest.filter(isSoft), optional: rest.filter((field) => !isSoft(field)) };
}
