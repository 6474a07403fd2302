/** What waits, and why, in the owner's words: one wording for outbox, doctor, log, home and whoever must be called. */
import type { NotSent } from "../../src/capabilities/desk/owner.ts";
import type { CUSTOMER_MESSAGES } from "../../src/constants.ts";
import { counted } from "../../src/lib/text.ts";
import type { WaitingJob } from "../../src/store/store.ts";
import { clean } from "../terminal/output.ts";
import { age } from "../terminal/wording.ts";

/** Why no message tells a customer of a change. */
export const UNTOLD = {
  off: "such messages are off",
  nowhere: "no phone, no e-mail",
  unwanted: "no consent, or no address for it",
  stopped: "texts are stopped",
};

/** `Nothing was sent: …`, with what helps. */
export function notSentInWords(reason: NotSent, kind: (typeof CUSTOMER_MESSAGES)[number]): string {
  const what = kind.endsWith("_sms") ? "text" : "e-mail";
  const why: Record<NotSent, string> = {
    off: `the ${what} is switched off. Switch it on: tint catalog set messages.${kind}.enabled true`,
    no_consent: `the customer did not agree to ${what}s`,
    no_address: `there is no ${what === "text" ? "phone" : "e-mail address"}`,
    number: "texts do not go to this number (messages.sms_countries in the catalog)",
    stopped: "this customer wants no more texts; see tint outbox allow",
    no_link: "links are switched off (site.book_url in the catalog), and a text is too short for all of it",
    waits: `the same ${what} waits already, see tint outbox`,
    unknown: "the customer is gone",
  };
  return `Nothing was sent: ${why[reason]}.`;
}

/** The server and the settings have names of their own for some channels. */
const CHANNELS: Record<string, string> = {
  sms: "texts",
  twilio: "texts",
  crm: "CRM",
  email: "e-mails",
  mail: "e-mails",
};

/** `texts, e-mails`; short, for a line of 60 columns. */
export function channelsInWords(channels: readonly string[]): string {
  return channels.map((one) => CHANNELS[one] ?? one).join(", ");
}

/** `texts are off: see tint setup`, and between them how many messages wait, where that is known. */
export function offInWords(channels: readonly string[], waiting?: number): string {
  const what = channels.length === 1 && channels[0] === "crm" ? "the CRM is" : `${channelsInWords(channels)} are`;
  const many = waiting === undefined ? "" : `, ${waiting === 0 ? "none waits" : counted(waiting, "waits", "wait")}`;
  return `${what} off${many}: see tint setup`;
}

/** `3 stuck, for up to 2 h (lead Q-7F3A2B: Twilio answered 500)`, or `none is stuck`. @param now epoch milliseconds */
export function stuckInWords(jobs: readonly WaitingJob[], now: number): string {
  const [first] = jobs;
  if (!first) return "none is stuck";
  const why = clean(first.lastError ?? "not sent yet");
  return `${jobs.length} stuck, for up to ${age(now - first.dueAt)} (lead ${first.lead.reference}: ${why})`;
}
