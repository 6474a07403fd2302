/** A lead by the reference or id that an owner typed. */
import type { LeadInFull, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { didYouMeanCode, readReference } from "../typed/codes.ts";

/** @throws Failure that suggests the nearest reference there is */
export async function findLead(store: Store, typed: string): Promise<LeadInFull> {
  const name = readReference(typed);
  const lead = await store.findLead(name);
  if (lead) return lead;
  throw new Failure(noSuchLead(name, await didYouMeanCode(name, store.referencesInUse)));
}

/** @param hint a sentence that names the reference that was probably meant */
export function noSuchLead(name: string, hint = ""): string {
  return `There is no lead ${clean(name)}.${hint} See tint leads --status all.`;
}
