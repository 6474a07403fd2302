/**
 * How bookings, their changes and requests are stored: with a lead and its messages, with codes that nobody has, and with an
 * answer where the store cannot write.
 */
import { STORE_RETRY_SECONDS } from "../../errors.ts";
import { newId, newReference } from "../../lib/ids.ts";
import type { Appointment } from "../../messages/words.ts";
import type { BookingsAlert, NewLead } from "../../store/store.ts";
import { OutcomeUnknown, StoreUnavailable } from "../../store/store-errors.ts";
import type { Context } from "../core/capability.ts";

type LeadFacts = Pick<NewLead, "kind" | "name" | "phone" | "email" | "serviceType"> & {
  details: object & { consent?: object | undefined };
};

/** References have 30 random bits: with a million leads, five in a row are in use once in 10^15 times. */
const CODE_TRIES = 5;

/**
 * Makes a record with new codes and stores it; does so again while one of the codes is in use.
 * @param attempt makes and stores one
 */
export async function storeWithNewCodes<Made, Stored extends { kind: string }>(
  attempt: () => Promise<{ made: Made; outcome: Stored }>,
): Promise<{ made: Made; outcome: Stored }> {
  for (let tries = 0; tries < CODE_TRIES; tries++) {
    const { made, outcome } = await attempt();
    if (outcome.kind !== "code_in_use") return { made, outcome };
  }
  throw new Error("every new code is in use");
}

/**
 * A lead with its messages, ready to be stored, and the text to the owner about many bookings, for a booking.
 * @param range the first figure for a quote request, in cents
 */
export async function newLead(
  { details: { consent, ...details }, ...facts }: LeadFacts,
  appointment: Appointment | null,
  { catalog, now, caller }: Context<never>,
  range?: { min: number; max: number },
): Promise<{ lead: NewLead; alert: BookingsAlert | null }> {
  // Loaded on first use: a quote on the command line needs no messages. Cached, because finding a module again takes time.
  plans ??= await import("../../messages/plan.ts");
  const cause = {
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
  const { jobs, alert } = plans.planLead(cause, appointment, catalog, range);
  return { lead: { ...cause, jobs }, alert };
}
let plans: typeof import("../../messages/plan.ts") | undefined;

/**
 * Stores a booking or a change of one.
 * @param messages of the error: when it is not known whether it was stored, and when nothing was stored
 * @throws ApiError BOOKING_FAILED when it could not be stored
 */
export async function storeBooking<Stored>(
  write: () => Promise<Stored>,
  ctx: Context<"BOOKING_FAILED">,
  messages: { unknown: string; notStored: string },
): Promise<Stored> {
  try {
    return await write();
  } catch (error) {
    const isUnknown = error instanceof OutcomeUnknown;
    if (!isUnknown && !(error instanceof StoreUnavailable)) throw error;
    const message = isUnknown ? messages.unknown : messages.notStored;
    return ctx.fail("BOOKING_FAILED", message, { retry_after_seconds: STORE_RETRY_SECONDS }, { cause: error });
  } finally {
    ctx.diary.forget();
  }
}
