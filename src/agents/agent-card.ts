/** The card by which clients of Agent2Agent find the shop, for versions 1.0 and 0.3 alike. */
import type { Capability } from "../capabilities/core/capability.ts";
import { needsKey } from "../capabilities/core/operations.ts";
import { aboutOf, offered } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import {
  docsUrl,
  KEY_SCHEMES,
  KEYS,
  keyRule,
  type SampleOf,
  sampledDocument,
  siteUrl,
  summaryOf,
} from "../discovery/common.ts";
import { VERSION } from "../lib/version.ts";
import { A2A, JSON_MODE, TEXT_MODE } from "./a2a.ts";

/** Clients of A2A 1.0 read `supportedInterfaces`, those of 0.3 `url`, `preferredTransport` and `protocolVersion`: one address. */
function agentCard(catalog: Shop, sampleOf: SampleOf) {
  const { business } = catalog;
  const url = siteUrl(catalog, A2A.path);
  return {
    name: business.name,
    description: `${summaryOf(catalog)} Send a data part {"capability": …, "input": {…}} naming one of the skills, or the same as text; any other text is read as a wish for a price, times or a booking, or answered from the shop's questions and answers. ${keyRule(catalog)}`,
    version: VERSION,
    provider: { organization: business.name, url: catalog.site.url },
    documentationUrl: docsUrl(catalog),
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    url,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
    supportsAuthenticatedExtendedCard: false,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    ...(catalog.bookings.require_api_key && { securitySchemes: CARD_SCHEMES }),
    defaultInputModes: [JSON_MODE, TEXT_MODE],
    defaultOutputModes: [JSON_MODE, TEXT_MODE],
    skills: offered(catalog).map((capability) => skill(capability, catalog, sampleOf)),
  };
}

function skill(capability: Capability, catalog: Shop, sampleOf: SampleOf) {
  const { id, title, sideEffect, returnsPrice } = capability;
  return {
    id,
    name: title,
    description: aboutOf(capability, catalog).description,
    tags: [
      "window-tint",
      sideEffect === "none" ? "read-only" : sideEffect.replace("_", "-"),
      ...(returnsPrice ? ["price"] : []),
    ],
    examples: [JSON.stringify({ capability: id, input: sampleOf(capability) })],
    ...(needsKey(capability, catalog) && { security: KEYS, securityRequirements: KEY_REQUIREMENTS }),
  };
}

/** Each in the forms of both versions. */
const CARD_SCHEMES = {
  bearerKey: { ...KEY_SCHEMES.bearerKey, httpAuthSecurityScheme: { scheme: "Bearer" } },
  headerKey: {
    ...KEY_SCHEMES.headerKey,
    apiKeySecurityScheme: { location: KEY_SCHEMES.headerKey.in, name: KEY_SCHEMES.headerKey.name },
  },
};
const KEY_REQUIREMENTS = Object.keys(KEY_SCHEMES).map((name) => ({ schemes: { [name]: { list: [] } } }));

/** The same card twice: A2A 0.3 and later read the first path, older clients the second. */
export const AGENT_CARDS = ["/.well-known/agent-card.json", "/.well-known/agent.json"].map((path) =>
  sampledDocument(path, agentCard),
);
