/**
 * Requests that the shop stores: checked against catalog and samples, answered by `dry_run`, stored with new codes; and how a customer is reached.
 */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { STORE_RETRY_SECONDS } from "../../errors.ts";
import { defined } from "../../lib/fields.ts";
import { newId, newReference } from "../../lib/ids.ts";
import { isUnheardOf, type Phone, phoneInWords, readPhone } from "../../lib/phone.ts";
import { domainOf } from "../../lib/text.ts";
import type { Appointment } from "../../messages/words.ts";
import { postalForm } from "../../schema/contact.ts";
import { isOneSlip } from "../../schema/explain.ts";
import { inTool, LIMITS, optional } from "../../schema/fields.ts";
import { isNothing } from "../../schema/quantities.ts";
import type { BookingsAlert, NewLead } from "../../store/store.ts";
import { OutcomeUnknown, StoreUnavailable } from "../../store/store-errors.ts";
import type { Answer, Context, FieldIssue } from "./capability.ts";
import type { Warning } from "./envelope.ts";
import type { CapabilityId } from "./operations.ts";
import { SAMPLE_PERSON, toFillIn } from "./samples.ts";

type Body = Readonly<Record<string, unknown>>;

/** A dry run stores nothing, so it needs no consent. */
export function consentIssue(consent: object | undefined, { bookings }: Shop, body?: Body): FieldIssue | undefined {
  return bookings.require_consent && consent === undefined && body?.dry_run !== true
    ? { missing: "consent.confirmed_by_user", message: "is missing" }
    : undefined;
}

/** Nothing is stored for the person of the samples. `emailField` tells whether a request is about that person. */
export function ownData(emailField: string) {
  /** @param sample the values of the samples in this field */
  return (value: unknown, body: Body | undefined, ...sample: string[]): FieldIssue | undefined => {
    if (body === undefined || body.dry_run === true || plainValue(body[emailField]) !== SAMPLE_EMAIL) return undefined;
    const given = plainValue(value);
    return sample.some((one) => plainValue(one) === given)
      ? { message: "is the sample's; put in the customer's own" }
      : undefined;
  };
}

/** Without letter case and punctuation, in which phone numbers differ; undefined for what is no text. */
function plainValue(value: unknown): string | undefined {
  return typeof value === "string" ? value.toLowerCase().replace(/[\s().+/-]/g, "") : undefined;
}
const SAMPLE_EMAIL = plainValue(SAMPLE_PERSON.email);

/** Whoever sends a request fills the shop's disk, so its texts are bounded together too, as JSON without the windows. */
export function freeTextIssue(value: unknown, body: Body | undefined): FieldIssue | undefined {
  if (value === undefined || !body) return undefined;
  const { estimate_id: _, windows: __, ...texts } = body;
  return Buffer.byteLength(JSON.stringify(texts)) > LIMITS.freeTexts
    ? { message: `is too long: all texts of a request together are at most ${LIMITS.freeTexts} bytes; shorten one` }
    : undefined;
}

// `dry_run`: the same checks in the same order, and nothing written, sent or counted. Source: contract 1.

export const dryRun = () =>
  optional(z.boolean()).meta({
    description: "true checks and prices everything, and stores nothing.",
    ...inTool("Checks all, stores nothing."),
  });

export const dryRunStatus = () =>
  z.literal("dry_run").optional().meta({ description: "Present when nothing was stored, because of dry_run." });

/** The field with the caller's id, of the requests that have one. */
const ID_FIELDS: Partial<Record<CapabilityId, string>> = {
  book_appointment: "booking_request_id",
  quote_request: "quote_request_id",
};

/** With the same request made real as the next step. @param id the caller's own, also from a header; else the step has a fresh one */
export function asDryRun<Data>(
  action: CapabilityId,
  { dry_run: _, consent: __, ...real }: { dry_run?: boolean; consent?: object | undefined },
  data: Data,
  { id, bookUrl }: { id?: string | null; bookUrl?: string | undefined } = {},
): Answer<Data> {
  const idField = ID_FIELDS[action];
  return {
    data,
    suggestions: [
      {
        action,
        description: "Do it for real, once the end user has seen this and agrees.",
        ...toFillIn({ ...(idField && { [idField]: id ?? newId("try") }), ...defined(real) }),
        ...(bookUrl && { bookUrl }),
      },
    ],
    isDryRun: true,
  };
}

// Storing.

type LeadFacts = Pick<NewLead, "kind" | "name" | "email" | "serviceType" | keyof Phone> & {
  details: object & { consent?: object | undefined };
};

/** References have 30 random bits: with a million leads, five in a row are in use once in 10^15 times. */
const CODE_TRIES = 5;

/** Makes a record with new codes and stores it; again while one of the codes is in use. */
export async function storeWithNewCodes<Made, Stored extends { kind: string }>(
  attempt: () => Promise<{ made: Made; outcome: Stored }>,
): Promise<{ made: Made; outcome: Stored }> {
  for (let tries = 0; tries < CODE_TRIES; tries++) {
    const { made, outcome } = await attempt();
    if (outcome.kind !== "code_in_use") return { made, outcome };
  }
  throw new Error("every new code is in use");
}

/** A lead with its messages, ready to be stored; `range` is the first figure for a quote request, in cents. */
export async function newLead(
  { details: { consent, ...details }, ...facts }: LeadFacts,
  appointment: Appointment | null,
  { catalog, now, caller }: Context<never>,
  range?: { min: number; max: number },
): Promise<{ lead: NewLead; alert: BookingsAlert | null }> {
  const { planLead } = await messagePlans();
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
  const { jobs, alert } = planLead(cause, appointment, catalog, range);
  return { lead: { ...cause, jobs }, alert };
}

/** Loaded on first use: a quote on the command line needs no messages. Cached, because finding a module again takes time. */
export async function messagePlans(): Promise<typeof import("../../messages/plan.ts")> {
  plans ??= await import("../../messages/plan.ts");
  return plans;
}
let plans: typeof import("../../messages/plan.ts") | undefined;

/**
 * Stores a booking or a change of one.
 * @param failures whether the caller gets an answer where it could not be stored, and not the store's own error
 * @param messages of the error: when it is not known whether it was stored, and when nothing was stored
 * @throws ApiError BOOKING_FAILED when it could not be stored
 */
export async function storeBooking<Stored>(
  write: () => Promise<Stored>,
  { failures }: { failures: boolean },
  ctx: Context<"BOOKING_FAILED">,
  messages: { unknown: string; notStored: string },
): Promise<Stored> {
  try {
    return await write();
  } catch (error) {
    const isUnknown = error instanceof OutcomeUnknown;
    if (!failures || (!isUnknown && !(error instanceof StoreUnavailable))) throw error;
    const message = isUnknown ? messages.unknown : messages.notStored;
    return ctx.fail("BOOKING_FAILED", message, { retry_after_seconds: STORE_RETRY_SECONDS }, { cause: error });
  } finally {
    ctx.diary.forget();
  }
}

export function phoneIssue(text: string | undefined, { business }: Shop): FieldIssue | undefined {
  return text !== undefined && readPhone(text, business.address.country) === undefined
    ? { message: "must be a phone number that can be dialled, with area code" }
    : undefined;
}

/** A word that stands for no name. */
export function nameIssue(name: string | undefined, { words }: Shop): FieldIssue | undefined {
  return name !== undefined && (isNothing(name) || words.noName.test(name))
    ? { message: "must be the name of the customer: ask for it" }
    : undefined;
}

/** @throws Error for a number in which `phoneIssue` finds an issue */
export function phoneOf(text: string, { business }: Shop): Phone {
  const number = readPhone(text, business.address.country);
  if (!number) throw new Error("the phone number was not checked");
  return number;
}

export const NO_PHONE: Phone = { phone: "", extension: "" };

export function postalIssue(code: string | undefined, { business }: Shop): FieldIssue | undefined {
  const { country, postal_code: own } = business.address;
  const { form, name } = postalForm(country);
  return code === undefined || form.test(code) ? undefined : { message: `must be ${name}, like ${own}` };
}

/** The well-known mail domain that is one slip of the keys away. @param domain in small letters */
export function likelyDomain(domain: string, { mail_domains: known }: Shop): string | undefined {
  return known.includes(domain) ? undefined : known.find((one) => isOneSlip(domain, one));
}

/** Doubted, and taken all the same: a number that nobody can have, a slip in a well-known mail domain. @param prefix of the fields */
export function contactDoubts({ phone, email }: { phone: string; email: string }, shop: Shop, prefix = ""): Warning[] {
  const found: Warning[] = [];
  const doubt = (field: string, message: string) =>
    found.push({ code: "CONTACT_CHECK", field: prefix + field, message });
  if (phone !== "" && isUnheardOf(phone)) {
    const number = phoneInWords(phone, shop.business.address.country);
    doubt("phone", `Nobody can have the phone number ${number}: ask for it again.`);
  }
  const domain = domainOf(email).toLowerCase();
  const meant = likelyDomain(domain, shop);
  if (meant !== undefined) doubt("email", `The e-mail address ends in ${domain}: ask whether ${meant} is meant.`);
  return found;
}
