/** A quote or receipt goes to the customer: an e-mail has it whole, a text its link. Source: contract 22. */
import { OWNER } from "../../constants.ts";
import { whyNoTexts } from "../../lib/phone.ts";
import { mayBeTexted, paperMail, paperSms } from "../../messages/customer-messages.ts";
import type { Booking, LeadInFull, NewJob } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { CONSENT } from "./owner-booking.ts";
import type { NotSent } from "./owner-changes.ts";
import { type Paper, paperText, paperUrl } from "./paper.ts";

/** By which it can be sent. */
export const PAPER_WAYS = ["email", "text"] as const;
export type PaperWay = (typeof PAPER_WAYS)[number];

interface Sending {
  paper: Paper;
  lead: LeadInFull;
  /** Null for the quote of a lead. */
  booking: Booking | null;
}

/** @returns why not; null when the message is on its way @throws StoreUnavailable */
export async function sendPaper(way: PaperWay, sending: Sending, ctx: Context<never>): Promise<NotSent | null> {
  const job = way === "email" ? await paperByMail(sending, ctx) : await paperByText(sending, ctx);
  if (typeof job === "string") return job;
  const outcome = await ctx.store.addMessage(sending.lead.id, job, ctx.now.epochMilliseconds);
  return outcome === "added" ? null : outcome;
}

async function paperByMail({ paper, lead, booking }: Sending, ctx: Context<never>): Promise<NewJob | NotSent> {
  const { catalog, now } = ctx;
  if (!catalog.messages.paper_email.enabled) return "off";
  if (lead.email === "") return "no_address";
  if (consentToPaper(lead) === null) return "no_consent";
  const url = (await paperUrl(paper.kind, booking?.confirmationCode ?? lead.reference, ctx)) ?? "";
  return paperMail(lead, { kind: paper.kind, whole: paperText(paper), url }, now.epochMilliseconds, catalog);
}

async function paperByText({ paper, lead, booking }: Sending, ctx: Context<never>): Promise<NewJob | NotSent> {
  const { catalog, now, store } = ctx;
  if (!catalog.messages.paper_sms.enabled) return "off";
  if (lead.phone === "") return "no_address";
  if (!mayBeTexted({ consent: consentToPaper(lead) }, "paper_sms", catalog)) return "no_consent";
  if (whyNoTexts(lead.phone, catalog.messaging.textCountries) !== undefined) return "number";
  if (await store.optOutOf(lead.phone)) return "stopped";
  const url = await paperUrl(paper.kind, booking?.confirmationCode ?? lead.reference, ctx);
  return url === undefined ? "no_link" : paperSms(lead, { kind: paper.kind, url }, now.epochMilliseconds, catalog);
}

/** Whom the desk wrote down asked the desk for it. */
function consentToPaper({ consent, agentClass }: LeadInFull): object | null {
  if (consent !== null) return Object(consent);
  return agentClass === OWNER ? CONSENT : null;
}
