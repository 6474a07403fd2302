/** The lead that a booking or a quote request leaves, with the jobs that follow from it. */
import type { Appointment } from "../../jobs/message-texts.ts";
import { newId, newReference } from "../../lib/ids.ts";
import type { NewLead } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";

type LeadFacts = Pick<NewLead, "kind" | "name" | "phone" | "email" | "serviceType"> & {
  details: object & { consent?: object | undefined };
};

/** References have 30 random bits: with a million leads, five in a row are in use once in 10^15 times. */
const CODE_TRIES = 5;

/** Makes a record with new codes and stores it; does so again while one of the codes is in use. */
export async function storeWithNewCodes<Made, Stored>(
  make: () => Promise<Made>,
  store: (made: Made) => Promise<Stored>,
  isInUse: (outcome: Stored) => boolean,
): Promise<{ made: Made; outcome: Stored }> {
  for (let tries = 0; tries < CODE_TRIES; tries++) {
    const made = await make();
    const outcome = await store(made);
    if (!isInUse(outcome)) return { made, outcome };
  }
  throw new Error("every new code is in use");
}

/**
 * Loaded on first use: a quote on the command line needs no messages. Cached, because finding a module again takes
 * time.
 */
export async function jobPlans(): Promise<Plans> {
  plans ??= await import("../../jobs/plan.ts");
  return plans;
}
type Plans = typeof import("../../jobs/plan.ts");
let plans: Plans | undefined;

/** A lead with its jobs, ready to be stored. @param range the first figure for a quote request, in cents */
export async function newLead(
  { details: { consent, ...details }, ...facts }: LeadFacts,
  appointment: Appointment | null,
  { catalog, now, caller }: Context<never>,
  range?: { min: number; max: number },
): Promise<NewLead> {
  const { planJobs } = await jobPlans();
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
  return { ...lead, jobs: planJobs(lead, appointment, catalog, range) };
}
