/** What bookings and quote requests have in common: both leave a lead, and a lead sets jobs going. */

import type { Appointment } from "../../jobs/messages.ts";
import { newId, newReference } from "../../lib/ids.ts";
import type { NewLead } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";

type LeadFacts = Pick<NewLead, "kind" | "name" | "phone" | "email" | "serviceType"> & {
  details: object & { consent?: object | undefined };
};

/** A lead with its jobs, ready to be stored. */
export async function newLead(
  { details: { consent, ...details }, ...facts }: LeadFacts,
  appointment: Appointment | null,
  { catalog, now, caller }: Context<never>,
): Promise<NewLead> {
  // Loaded here, so that a quote on the command line does not wait for what messages are made with.
  const { planJobs } = await import("../../jobs/plan.ts");
  const lead = {
    ...facts,
    id: newId("lead"),
    reference: newReference(facts.kind),
    details,
    consent: consent ?? null,
    keyId: caller.keyId,
    agentClass: caller.agentClass,
    userAgent: caller.userAgent,
    createdAt: now.epochMilliseconds,
  };
  return { ...lead, jobs: planJobs(lead, appointment, catalog) };
}
