/** What a lead or a change of a booking triggers: the steps of `follow_up`, and news to the shop, by text and e-mail. */
import type { DepositNews, ShopNewsKind } from "../catalog/sections/messages.ts";
import { fillTemplate } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import { OWNER } from "../constants.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { newId } from "../lib/ids.ts";
import type { Range } from "../lib/money.ts";
import { withoutGaps } from "../lib/text.ts";
import type { LeadChange, NewJob, NewLead, ShopNews } from "../store/store.ts";
import {
  type AskedDeposit,
  cancellation,
  confirmationAndReminders,
  depositMessages,
  type MessagePlan,
  newTimeAndReminders,
  quoteMessage,
  type Recipient,
  settledAt,
} from "./customer-messages.ts";
import { type Appointment, appointmentWords, requestWords, toSms, type Words } from "./words.ts";

/** A lead before its messages are planned. */
interface Cause extends Omit<NewLead, "jobs" | "details"> {
  details: { square_footage?: number | undefined };
}

/** `alert` is the text to the owner about many bookings; null for a request, and for the owner's own booking. */
export function planLead(lead: Cause, appointment: Appointment | null, shop: Shop, range?: Range) {
  const words = appointment ? appointmentWords(appointment, shop) : requestWords({ ...lead, range }, shop);
  const jobs: NewJob[] = [];
  const notices = new Set<string>();
  let reminder: News | undefined;
  // The same words for every step.
  const remind = () => {
    reminder ??= appointment ? bookingReminder(lead.reference, words, shop) : shopNews("reminder", words, shop);
    return reminder;
  };
  for (const step of shop.follow_up) {
    // The shop needs no text and no reminder about its own bookings.
    if (lead.agentClass === OWNER && step.do !== "push_to_crm") continue;
    for (const job of stepJobs(step, lead, appointment, { words, remind }, shop, range)) {
      // Reminders of one night would come together when the shop opens: one says it all.
      const notice = job.kind === "remind_owner_notice" ? JSON.stringify(job) : undefined;
      if (notice !== undefined && notices.has(notice)) continue;
      if (notice !== undefined) notices.add(notice);
      jobs.push(job);
    }
  }
  if (!appointment) return { jobs, alert: null };
  jobs.push(...confirmationAndReminders(lead, appointment, lead.createdAt, shop, words));
  if (lead.agentClass === OWNER) return { jobs, alert: null };
  const above = shop.alerts.bookings_per_hour;
  const payload = { text: bookingsAlertText(words, shop) };
  const job = { kind: "bookings_alert_sms" as const, payload, dueAt: lead.createdAt, unless: null };
  return { jobs, alert: { above, windowMs: HOUR_MS, job } };
}

function stepJobs(
  { do: kind, to, after, unless, in_opening_hours: isByDay }: Shop["follow_up"][number],
  lead: Cause,
  appointment: Appointment | null,
  { words, remind }: { words: Words; remind: () => News },
  shop: Shop,
  range: Range | undefined,
): NewJob[] {
  const due = lead.createdAt + after * MINUTE_MS;
  const dueAt = isByDay ? nextOpenMoment(shop, due) : due;
  const when = { dueAt, unless: unless ?? null };
  const named = to && { receivers: [...to] };
  switch (kind) {
    case "notify_shop_sms":
      return [{ ...when, kind, payload: { ...shopNews(appointment ? "booking" : "quote", words, shop), ...named } }];
    case "push_to_crm":
      return [{ ...when, kind, payload: created(lead, appointment) }];
    case "reply_to_customer":
    case "nudge_customer": {
      if (appointment) return [];
      const quoted = { ...lead, range, sqft: lead.details.square_footage };
      return quoteMessage(kind === "nudge_customer" ? "nudge" : "reply", quoted, dueAt, shop);
    }
    case "remind_owner": {
      // The reminder is in the owner's lists until the lead is contacted. Whom the step names hears of it then, all
      // others when the shop is open.
      const notice = { dueAt: named ? dueAt : nextOpenMoment(shop, dueAt), unless: unless ?? ("contacted" as const) };
      return [
        { ...when, kind, payload: {} },
        { ...notice, kind: "remind_owner_notice", payload: { ...remind(), ...named } },
      ];
    }
  }
}

function created(lead: Cause, appointment: Appointment | null): LeadChange {
  const event = { id: newId("evt"), lead: { ...lead, status: "new" as const }, note: null, at: lead.createdAt };
  if (!appointment) return { ...event, type: "lead.created" };
  const { code: confirmationCode, startAt, endAt } = appointment;
  const booking = {
    ...{ confirmationCode, status: "confirmed" as const, startAt, endAt },
    ...{ previousStartAt: null, reason: null },
  };
  return { ...event, type: "booking.created", booking };
}

export const planRescheduling = changePlan("rescheduled", newTimeAndReminders);

/** Other work at the same time: shop and customer get the booking as it now is. @param at when it was changed */
export const planNewWork = changePlan("changed", confirmationAndReminders);

export const planCancellation = changePlan("cancelled", cancellation);

function changePlan(kind: "changed" | "rescheduled" | "cancelled", toCustomer: MessagePlan): MessagePlan {
  return (customer, appointment, at, shop) => {
    const words = appointmentWords(appointment, shop);
    const { previousStartAt: movedFrom, startAt } = appointment;
    const jobs = toCustomer(customer, appointment, at, shop, words);
    // A booking that was moved back before any message about the move went out needs no message.
    if (kind === "rescheduled" && movedFrom === startAt) return jobs;
    const payload = { ...shopNews(kind, words, shop), ...(movedFrom !== undefined && { movedFrom }) };
    return [{ kind: "notify_shop_sms", payload, dueAt: settledAt(at, shop), unless: null }, ...jobs];
  };
}

/** The messages of a new booking again, in words for the booking after a change, in place of those that still wait. */
export const rewordedMessages: MessagePlan = (customer, appointment, at, shop) => {
  const words = appointmentWords(appointment, shop);
  const when = { dueAt: at, unless: null };
  const jobs: NewJob[] = [{ ...when, kind: "notify_shop_sms", payload: shopNews("booking", words, shop) }];
  if (customer.reference !== undefined) {
    const payload = bookingReminder(customer.reference, words, shop);
    jobs.push({ ...when, kind: "remind_owner_notice", payload });
  }
  return [...jobs, ...confirmationAndReminders(customer, appointment, at, shop, words)];
};

/** About the deposit of a booking. The shop hears of a payment that goes back. @param at when it happened */
export function planDepositNews(
  what: DepositNews,
  customer: Recipient,
  appointment: Appointment,
  deposit: AskedDeposit | null,
  at: number,
  shop: Shop,
): NewJob[] {
  const toCustomer = depositMessages(what, customer, appointment, deposit, at, shop);
  if (what !== "refunded") return toCustomer;
  const payload = shopNews("refunded", appointmentWords(appointment, shop), shop);
  return [{ kind: "notify_shop_sms", payload, dueAt: at, unless: null }, ...toCustomer];
}

type News = Pick<ShopNews, "text" | "mail">;

/** What the shop is told, in the words of the catalog. A reminder comes after hours or days in which nobody contacted the customer. */
export function shopNews(kind: ShopNewsKind, { mail, text }: Words, { messaging }: Shop): News {
  const words = messaging.shopNews[kind];
  const letter = { subject: fillTemplate(words.subject, mail), text: withoutGaps(fillTemplate(words.text, mail)) };
  // What a request says is stored once, with its lead.
  const isOpen = mail.note === undefined;
  return { text: toSms(words.sms, text), mail: { ...letter, ...(isOpen && { lacksRequest: true }) } };
}

/** The reminder of somebody who booked. @param reference of their lead */
function bookingReminder(reference: string, { mail, text }: Words, shop: Shop): News {
  const { service: request = "", price: range = "", film = "" } = mail;
  const lead = { ...{ reference, request, range }, note: "", details: "" };
  return shopNews("reminder", { mail: { ...mail, ...lead }, text: { ...text, film, ...lead } }, shop);
}

/** About more bookings than `alerts.bookings_per_hour`. The last one's code makes it unique, so that Twilio can be asked about it. */
export function bookingsAlertText({ text }: Words, { alerts, messages }: Shop): string {
  return toSms(messages.shop_many_bookings_sms, { ...text, count: String(alerts.bookings_per_hour) });
}
