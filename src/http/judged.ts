/** Requests judged lately are kept by their text, because programs send the same request many times. */
import type { Capability } from "../capabilities/core/capability.ts";
import { type Judged, judge } from "../capabilities/core/judge.ts";
import { derivedBy } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { deepFreeze } from "../lib/deep-freeze.ts";

/** Requests kept for each catalog. */
const MOST = 500;
/** Characters of the longest one. */
const MAX_LENGTH = 500;

/** @param parse reads a body or a query; what it throws is passed on */
export function judgeBy(
  capability: Capability,
  parse: (text: string, catalog: Catalog) => object,
): (catalog: Catalog, text: string) => Judged {
  const read = (catalog: Catalog, text: string) => judge(capability, parse(text, catalog), catalog);
  if (!capability.isAnonymous) return read;
  const kept = derivedBy(MOST, (catalog, text) => {
    const judged = read(catalog, text);
    if (judged.input) deepFreeze(judged.input);
    return judged;
  });
  return (catalog, text) => (text.length > MAX_LENGTH ? read : kept)(catalog, text);
}
