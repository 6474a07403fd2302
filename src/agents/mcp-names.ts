/** The names by which an MCP client knows the capabilities. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { NextAction } from "../capabilities/core/envelope.ts";
import { OPERATIONS } from "../capabilities/core/operations.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Catalog } from "../catalog/schema.ts";
import { API_PREFIX } from "../vocabulary.ts";

/** Replaces capability ids by names that an MCP client can use: tool names, or method and path where there is no tool. */
export function inToolNames(text: string): string {
  return CAPABILITIES.reduce(
    (words, capability) => words.replace(new RegExp(`\\b${capability.id}\\b`, "g"), nameOf(capability)),
    text,
  );
}

function nameOf({ tool, operationId, sharesTool, method, path }: Capability): string {
  if (sharesTool) return `${OPERATIONS[sharesTool.of].operationId} with ${sharesTool.field}`;
  return tool ? operationId : `${method} ${API_PREFIX}${path}`;
}

/** The tool of a capability; undefined where it has none. */
function toolOf({ tool, operationId, sharesTool }: Capability): string | undefined {
  return tool ? operationId : sharesTool && OPERATIONS[sharesTool.of].operationId;
}

/** A next step as a tool call; in words where there is no tool. Source: contract section 16. */
export function nextCall({ action, description, requires_consent, sample_request }: NextAction, catalog: Catalog) {
  const capability = CAPABILITIES.find(({ id }) => id === action);
  const tool = capability && toolOf(capability);
  const { site, business } = catalog;
  if (!capability || !tool) {
    const elsewhere = capability ? `${capability.method} ${site.base_url}${capability.path}` : site.base_url;
    return { description: `${inToolNames(description)} No tool does this: ${elsewhere}, or call ${business.phone}.` };
  }
  return {
    tool,
    description: inToolNames(description),
    ...(requires_consent && { requires_consent }),
    arguments: sample_request,
  };
}
