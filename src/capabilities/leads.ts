/** What bookings and quote requests have in common: both leave a lead. */
import type { Context } from "../capability.ts";
import { newId, newReference } from "../ids.ts";
import type { NewLead } from "../store/store.ts";

type LeadFacts = Pick<NewLead, "kind" | "name" | "phone" | "email" | "serviceType"> & {
  details: object & { consent?: object | undefined };
};

/** A lead with the jobs of the catalog's `follow_up`, ready to be stored. */
export function newLead(
  { details: { consent, ...details }, ...facts }: LeadFacts,
  { catalog, now, caller }: Context,
): NewLead {
  const createdAt = now.epochMilliseconds;
  return {
    ...facts,
    id: newId("lead"),
    reference: newReference(facts.kind),
    details,
    consent: consent ?? null,
    keyId: caller.keyId,
    agentClass: caller.agentClass,
    userAgent: caller.userAgent,
    createdAt,
    jobs: catalog.follow_up.map((step) => ({
      kind: step.do,
      dueAt: createdAt + step.after * 60_000,
      unless: step.unless ?? null,
    })),
  };
}
