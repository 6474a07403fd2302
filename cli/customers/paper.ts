/** A quote or receipt by what an owner typed, and its way to the customer. One wording for command and screen. */
import {
  bookingPaper,
  leadQuote,
  type Paper,
  type PaperKind,
  type PaperWay,
  sendPaper,
} from "../../src/capabilities/desk/paper.ts";
import type { Booking, LeadInFull } from "../../src/store/store.ts";
import { requireBooking } from "../diary/entries.ts";
import { type Desk, ownerContext } from "../diary/owner.ts";
import { notSentInWords, offInWords, offWayOf } from "../server/outbox.ts";
import { shopPhone } from "../shop/clock.ts";
import { CliError, clean } from "../terminal/output.ts";
import { isReference, readReference } from "../typed/values.ts";
import { bookingCodeOf } from "./lead-text.ts";
import { requireLead } from "./leads.ts";

export interface CustomerPaper {
  paper: Paper;
  lead: LeadInFull;
  /** Null for the quote of a lead. */
  booking: Booking | null;
}

/** @param typed the code of a booking, or for a quote also the reference of a lead @throws CliError */
export async function requirePaper(kind: PaperKind, typed: string, desk: Desk): Promise<CustomerPaper> {
  const { store, catalog, now } = desk;
  if (kind === "quote" && isReference(readReference(typed))) {
    const lead = await requireLead(store, typed);
    // A lead that booked gets the paper of its booking, which has the final job and price.
    const code = bookingCodeOf(lead);
    if (code === null) return { paper: await leadQuote(lead, catalog, now), lead, booking: null };
    return requirePaper(kind, code, desk);
  }
  const booking = await requireBooking(store, typed);
  return { paper: bookingPaper(kind, booking, catalog), lead: await requireLead(store, booking.lead.id), booking };
}

/** Puts it into the outbox. @returns the sentence that says so @throws CliError with the reason why it is not sent */
export async function sendToCustomer(way: PaperWay, given: CustomerPaper, desk: Desk): Promise<string> {
  const { paper, lead } = given;
  const kind = way === "email" ? "paper_email" : "paper_sms";
  const to = clean(way === "email" ? lead.email : shopPhone(lead, desk.catalog));
  const reason = await sendPaper(way, given, ownerContext(desk));
  if (reason !== null) throw new CliError(notSentInWords(reason, kind));
  const off = offWayOf(kind, null);
  const waits = off ? `: ${offInWords([off])}` : " for the server, which sends it at once";
  return `The ${paper.kind} to ${clean(lead.name)}, ${to}, waits${waits}.`;
}
