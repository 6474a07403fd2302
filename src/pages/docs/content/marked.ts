import { offered } from "../../../capabilities/offer.ts";
import { derived } from "../../../catalog/derived.ts";
import type { Catalog } from "../../../catalog/schema.ts";

const capabilityIds = derived((catalog) => new Set<string>(offered(catalog).map(({ id }) => id)));

/** A wire name that is not marked up yet, like `dry_run`, `usage.sample_request` or `invalid_fields[].allowed`. */
const WIRE_NAME = /(?<![`\w[/#.])(?:[a-z]+\.)?[a-z]+(?:_[a-z0-9]+)+(?:\[\])?(?:\.[a-z_]+)?(?![`\w\]])/g;

/** Plain sentences as Markdown: names of capabilities become links to their sections, other wire names code. */
export function marked(text: string, catalog: Catalog): string {
  return text.replace(WIRE_NAME, (name) => (capabilityIds(catalog).has(name) ? `[${name}](#${name})` : `\`${name}\``));
}
