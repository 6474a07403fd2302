/** The card by which clients of A2A find the agent. */
import type { Capability } from "../capabilities/core/capability.ts";
import { aboutOf, offered } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { docsUrl, keyRule, type SampleOf, sampledDocument, siteUrl, summaryOf } from "../discovery/common.ts";
import { VERSION } from "../lib/version.ts";

export const A2A_PATH = "/a2a";
export const JSON_MODE = "application/json";
export const TEXT_MODE = "text/plain";

/** Clients of A2A 1.0 read `supportedInterfaces`, those of 0.3 `url`, `preferredTransport` and `protocolVersion`: one address. */
function agentCard(catalog: Shop, sampleOf: SampleOf) {
  const { business } = catalog;
  const url = siteUrl(catalog, A2A_PATH);
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
  };
}

/** The same card twice: A2A 0.3 and later read the first path, older clients the second. */
export const AGENT_CARDS = ["/.well-known/agent-card.json", "/.well-known/agent.json"].map((path) =>
  sampledDocument(path, agentCard),
);
