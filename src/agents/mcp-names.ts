/** The names by which an MCP client knows the capabilities. Contract 16. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody, NextAction, Warning } from "../capabilities/core/envelope.ts";
import type { Envelope } from "../capabilities/core/invoke.ts";
import { CAPABILITIES, toolOf } from "../capabilities/index.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { docsUrl } from "../discovery/site.ts";

/**
 * Replaces what only callers of the REST API know: ids and paths of capabilities become names of tools, or words where
 * there is no tool.
 */
export function inToolNames(text: string, catalog: Shop): string {
  const { mentions, names } = namesOf(catalog);
  return text.replace(mentions, (mention) => names.get(mention) ?? mention);
}

const namesOf = perCatalog((catalog) => {
  const names = new Map([["the Retry-After header", "retry_after_seconds"]]);
  for (const capability of CAPABILITIES) {
    const { id, method, path, alsoGet } = capability;
    const name = nameOf(capability, catalog);
    names.set(id, name).set(`${method} ${API_PREFIX}${path}`, name);
    if (alsoGet) names.set(`GET ${API_PREFIX}${path}`, name);
  }
  // The longest first, because some paths begin with another one.
  const mentions = [...names.keys()].sort((a, b) => b.length - a.length).map((one) => RegExp.escape(one));
  return { names, mentions: new RegExp(`\\b(?:${mentions.join("|")})\\b`, "g") };
});

function nameOf(capability: Capability, catalog: Shop): string {
  const tool = toolOf(capability, catalog);
  if (!tool) return `"${capability.title}" (no tool: call ${catalog.business.phone})`;
  return capability.sharesTool ? `${tool} with ${capability.sharesTool.field}` : tool;
}

/** An answer or error as a tool gives it. */
export function toolAnswer(answer: Envelope | ErrorBody, catalog: Shop): object {
  if (!answer.success) return toolError(answer, catalog);
  const { next_actions: next, warnings, ...rest } = answer;
  const said = (one: Warning) => ({ ...one, message: inToolNames(one.message, catalog) });
  return {
    ...rest,
    ...(next && { next_actions: next.map((action) => nextCall(action, catalog)) }),
    ...(warnings && { warnings: warnings.map(said) }),
  };
}

/** An error in the names of the tools, and with the whole address of the documentation. */
export function toolError({ openapi: _, invalid_fields: invalid, usage, ...error }: ErrorBody, catalog: Shop) {
  const say = (text: string) => inToolNames(text, catalog);
  return {
    ...error,
    message: say(error.message),
    ...(usage && { usage: { sample_request: usage.sample_request, fill_in: usage.fill_in } }),
    ...(invalid && { invalid_fields: invalid.map((one) => ({ ...one, message: say(one.message) })) }),
    agent_instruction: say(error.agent_instruction),
    docs: docsUrl(catalog),
  };
}

/** A next step as a tool call; in words where there is no tool. */
function nextCall(
  { action, description, requires_consent, sample_request, fill_in, book_url }: NextAction,
  catalog: Shop,
) {
  const capability = CAPABILITIES.find(({ id }) => id === action);
  const tool = capability && toolOf(capability, catalog);
  const words = inToolNames(description, catalog);
  if (!tool) {
    const { phone } = catalog.business;
    const instead = book_url ? `open ${book_url}` : `see ${docsUrl(catalog, action)}`;
    return { description: `${words} No tool does this: call ${phone}, or ${instead}.` };
  }
  return {
    tool,
    description: words,
    ...(requires_consent && { requires_consent }),
    arguments: sample_request,
    ...(fill_in && { fill_in }),
    ...(book_url && { book_url }),
  };
}
