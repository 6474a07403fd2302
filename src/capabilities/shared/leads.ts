/** The lead that a booking or a quote request leaves, with the jobs that follow from it. */

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
  // Loaded on first use: a quote on the command line needs no messages.
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
