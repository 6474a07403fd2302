/**
 * The A2A agent card. Clients of A2A 1.0 read `supportedInterfaces`; clients of 0.3 read `url`, `preferredTransport` and
 * `protocolVersion`. Both use the same address.
 */
import type { Capability } from "../capabilities/core/capability.ts";
import { aboutOf, offered } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { type SampleOf, sampledDocument } from "../discovery/sampled.ts";
import { docsUrl, keyRule, siteUrl, summaryOf } from "../discovery/site.ts";
import { VERSION } from "../lib/version.ts";
import { A2A_PATH } from "./a2a.ts";

const JSON_MODE = "application/json";
const TEXT_MODE = "text/plain";

function agentCard(catalog: Shop, sampleOf: SampleOf) {
  const { business } = catalog;
  const url = siteUrl(catalog, A2A_PATH);
  return {
    name: business.name,
    description: `${summaryOf(catalog)} Send a data part {"capability": …, "input": {…}} naming one of the skills, or the same as text; any other text is answered from the shop's questions and answers, with the list of skills. ${keyRule(catalog)}`,
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
