/** The capabilities that this shop offers, and their descriptions. */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { type Capability, type Text, textOf } from "./core/capability.ts";
import { type CapabilityId, OPERATIONS } from "./core/operations.ts";
import { CAPABILITIES } from "./index.ts";

/** The capabilities of work that the shop does, in the order in which documents list them. */
export const offered = perCatalog((catalog): readonly Capability[] =>
  CAPABILITIES.filter((capability) => capability.isOffered?.(catalog) ?? true),
);

export function offers(catalog: Shop, id: CapabilityId): boolean {
  return offered(catalog).some((capability) => capability.id === id);
}

/** The capabilities that callers can use; what this shop does by phone is left out. */
export const usable = perCatalog((catalog): readonly Capability[] =>
  offered(catalog).filter(({ isByPhone }) => !isByPhone?.(catalog)),
);

/** The tool that offers a capability; undefined where the catalog lists none, and for what is done by phone. */
export function toolOf(capability: Capability, catalog: Shop): string | undefined {
  if (capability.isByPhone?.(catalog)) return undefined;
  const { operationId } = capability.sharesTool ? OPERATIONS[capability.sharesTool.of] : capability;
  return catalog.mcp.tools.some((name) => name === operationId) ? operationId : undefined;
}

/** The capabilities with a tool of their own, without the ones that share it. */
export function toolCapabilities(catalog: Shop): Capability[] {
  return offered(catalog).filter((capability) => !capability.sharesTool && toolOf(capability, catalog));
}

/**
 * The description and advice of a capability, without sentences about capabilities that the shop does not offer, or offers
 * by phone.
 */
export function aboutOf({ description, useWhen, avoidWhen, isByPhone }: Capability, catalog: Shop): About {
  if (isByPhone?.(catalog)) return { description: byPhone(catalog), useWhen: [], avoidWhen: [] };
  const can = usable(catalog);
  const others = CAPABILITIES.filter((one) => !can.includes(one)).map(({ id }) => new RegExp(`\\b${id}\\b`));
  const said = (texts: readonly Text[]) =>
    texts.map((text) => textOf(text, catalog)).filter((text) => !others.some((id) => id.test(text)));
  return { description: textOf(description, catalog), useWhen: said(useWhen), avoidWhen: said(avoidWhen) };
}

interface About {
  description: string;
  useWhen: string[];
  avoidWhen: string[];
}

function byPhone({ business }: Shop): string {
  return `By phone only at this shop: every request is answered 403 FORBIDDEN. Call the shop (${business.phone}).`;
}

/** The instruction of an error, with the shop's phone. */
export function instructionFor(instruction: string, { business }: Shop): string {
  return instruction.replace(/\bcall (?:to )?the shop\b/g, `$& (${business.phone})`);
}
