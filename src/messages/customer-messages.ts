/** Messages to customers: only if they agreed, and only those that the owner switched on. Source: contract 22. */
import type { DepositNews } from "../catalog/sections/messages.ts";
import { fillTemplate, type TemplateFields } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import {
  type CUSTOMER_EMAILS,
  type CUSTOMER_TEXTS,
  JOBS,
  type JobKind,
  jobsThatAre,
  MESSAGES_TO_COME,
} from "../constants.ts";
import { dateAndTime } from "../domain/dates-in-words.ts";
import { nextOpenMoment, rfc3339 } from "../domain/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { fieldsOf } from "../lib/fields.ts";
import { formatMoney } from "../lib/money.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { Deposit, Mail, NewJob, NewLead } from "../store/store.ts";
import { calendarFile } from "./calendar-file.ts";
import { quietUntil } from "./message-rules.ts";
import {
  type Appointment,
  afterWorkFields,
  appointmentWords,
  plainName,
  quoteFields,
  toGsm7,
  toSms,
  type Words,
} from "./words.ts";

export interface Recipient {
  /** E.164; empty for a walk-in who left none. */
  phone: string;
  /** Empty where the shop asked for none. */
  email: string;
  /** Null when they agreed to nothing. */
  consent: object | null;
  /** Of their lead, for the shop's own messages about it. */
  reference?: string;
}

/** @param at when it happened @param words of the appointment, where they are known already */
export type MessagePlan = (
  customer: Recipient,
  appointment: Appointment,
  at: number,
  shop: Shop,
  words?: Words,
) => NewJob[];

type TextKind = Exclude<(typeof CUSTOMER_TEXTS)[number], `${"quote" | "paper" | "deposit"}_${string}`>;
type MailKind = Exclude<(typeof CUSTOMER_EMAILS)[number], `${"quote" | "paper" | "deposit"}_${string}`>;

/** The messages of a new booking. @param at when it was made */
export const confirmationAndReminders = messagePlan((appointment, at, shop) => [
  ...newsOf("booked", at),
  ...reminders(appointment, shop),
]);

export const newTimeAndReminders = messagePlan((appointment, at, shop) => [
  ...(appointment.previousStartAt === appointment.startAt ? [] : newsOf("rescheduled", settledAt(at, shop))),
  ...reminders(appointment, shop),
]);

export const cancellation = messagePlan((_, at, shop) => newsOf("cancelled", settledAt(at, shop)));

/** A booking that stands again, for a customer who was told that it was cancelled. @param at when it was reopened */
export const reopening = messagePlan((_, at) => newsOf("booked", at));

/** When the message about a change goes out; until then a later change replaces it. */
export function settledAt(at: number, { messages }: Shop): number {
  return at + messages.settle_minutes * MINUTE_MS;
}

/** The text that the vehicle can be picked up. @param at when it is sent; epoch milliseconds */
export const ready = messagePlan((_, at) => [{ kind: "ready_sms", dueAt: at }]);

/** Advice and the wish for a review. @param at when the booking was completed; epoch milliseconds */
export const afterWork = messagePlan((_, at, shop) => {
  const { aftercare_sms: aftercare, review_sms: review } = shop.messages;
  const more = afterWorkFields(shop);
  const wanted: Wanted[] = [];
  if (aftercare) wanted.push({ kind: "aftercare_sms", dueAt: at + aftercare.hours_after * HOUR_MS, more });
  if (review) wanted.push({ kind: "review_sms", dueAt: nextOpenMoment(shop, at + review.days_after * DAY_MS), more });
  return wanted;
});

/** The changes that customers are told of, with the messages of each. */
const NEWS = {
  booked: jobsThatAre({ to: "customer", event: "booked" }),
  rescheduled: jobsThatAre({ to: "customer", event: "rescheduled" }),
  cancelled: jobsThatAre({ to: "customer", event: "cancelled" }),
  completed: jobsThatAre({ to: "customer", event: "completed" }),
};
export type News = keyof typeof NEWS;

function newsOf(what: News, dueAt: number): Wanted[] {
  return NEWS[what].map((kind) => ({ kind, dueAt }));
}

/** Whether a message is the news of a change, which an owner may keep from the customer. */
export function isNewsOf(what: News, kind: JobKind): boolean {
  return JOBS[kind].to === "customer" && JOBS[kind].event === what;
}

/** Whether a change may be told to a customer: the shop tells of it, and has their phone or e-mail. */
export function tellsCustomers(what: News, { phone, email }: Omit<Recipient, "consent">, shop: Shop): boolean {
  return NEWS[what].some((kind) => shop.messaging.customerMessages.has(kind) && (isText(kind) ? phone : email) !== "");
}

/** Texts need a consent of their own (contract 22), which may be implied where nobody was asked. */
export function mayBeTexted(
  { consent }: Pick<Recipient, "consent">,
  kind: (typeof CUSTOMER_TEXTS)[number],
  { messages }: Shop,
): boolean {
  const { sms } = fieldsOf(consent);
  if (typeof sms === "boolean") return sms;
  return messages.sms_consent === "implied" && kind === "confirmation_sms" && consent !== null;
}

/** A message that goes out where the owner and the customer want it. */
interface Wanted {
  kind: TextKind | MailKind;
  dueAt: number;
  more?: Partial<TemplateFields>;
}

function isText(kind: Wanted["kind"]): kind is TextKind {
  return JOBS[kind].by === "twilio";
}

function reminders({ startAt }: Appointment, { messaging }: Shop): Wanted[] {
  const wanted: Wanted[] = [];
  for (const { by, hours_before } of messaging.reminders)
    wanted.push({ kind: by === "sms" ? "reminder_sms" : "reminder_email", dueAt: startAt - hours_before * HOUR_MS });
  return wanted;
}

function messagePlan(wantedOf: (appointment: Appointment, at: number, shop: Shop) => Wanted[]): MessagePlan {
  return (customer, appointment, at, shop, words) => {
    if (customer.consent === null) return [];
    const jobs: NewJob[] = [];
    let told: Told | undefined;
    for (const { kind, dueAt, more } of wantedOf(appointment, at, shop)) {
      // A reminder that was due before the booking was made or moved is not needed: the customer got a message a moment ago.
      if (dueAt < at || !shop.messaging.customerMessages.has(kind)) continue;
      told ??= { customer, appointment, at, shop, words: words ?? appointmentWords(appointment, shop) };
      const job = isText(kind) ? textJob(kind, dueAt, told, more) : mailJob(kind, dueAt, told);
      if (job) jobs.push(job);
    }
    return jobs;
  };
}

interface Told {
  customer: Recipient;
  appointment: Appointment;
  words: Words;
  at: number;
  shop: Shop;
}

function textJob(kind: TextKind, dueAt: number, told: Told, more?: Partial<TemplateFields>): NewJob | undefined {
  const { customer, words, shop } = told;
  const template = shop.messages[kind]?.text;
  if (template === undefined || !mayBeTexted(customer, kind, shop)) return undefined;
  if (whyNoTexts(customer.phone, shop.messaging.textCountries) !== undefined) return undefined;
  const instead = mailInstead(kind, template, dueAt, told);
  const text = toSms(withMore(kind, template, " ", told), { ...words.text, ...more });
  const payload = { to: customer.phone, text, ...(instead && { instead }), ...movedFrom(kind, told) };
  return { kind, payload, dueAt, unless: null };
}

function mailJob(kind: MailKind, dueAt: number, told: Told): NewJob | undefined {
  const message = told.shop.messages[kind];
  if (!message || told.customer.email === "") return undefined;
  return { kind, payload: { ...mailOf(kind, message, told), ...movedFrom(kind, told) }, dueAt, unless: null };
}

function mailOf(kind: MailKind, { subject, text }: { subject: string; text: string }, told: Told): Mail {
  const { customer, appointment, words, at, shop } = told;
  const method = kind === "cancelled_email" ? "CANCEL" : "PUBLISH";
  return {
    to: customer.email,
    subject: fillTemplate(subject, words.mail),
    text: withMore(kind, fillTemplate(text, words.mail), "\n", told),
    calendar: calendarFile(appointment, at, shop, method, words),
    method,
  };
}

/** The e-mail that takes the place of a text that cannot be delivered. */
const INSTEAD: Partial<Record<TextKind, MailKind>> = {
  confirmation_sms: "confirmation_email",
  reminder_sms: "reminder_email",
};

/** The e-mail in place of a text that cannot be delivered, unless the customer gets that e-mail at that time anyway. */
function mailInstead(kind: TextKind, text: string, dueAt: number, told: Told): Mail | undefined {
  const { customer, appointment, shop } = told;
  const mailKind = INSTEAD[kind];
  if (!mailKind || customer.email === "") return undefined;
  const message = shop.messages[mailKind];
  const isMailed =
    mailKind !== "reminder_email" ||
    reminders(appointment, shop).some((one) => one.kind === mailKind && one.dueAt === dueAt);
  if (message?.enabled === true && isMailed) return undefined;
  return mailOf(mailKind, message ?? { subject: "{shop}", text }, told);
}

/**
 * A text that says when to come, with the owner's sentence about work that pauses over night behind it, where there is such
 * work: until when the vehicle stays. News of a booking whose deposit was paid has the sentence about that there.
 * @param between stands before the sentence
 */
function withMore(
  kind: TextKind | MailKind,
  text: string,
  between: string,
  { appointment, words, shop }: Told,
): string {
  const isNews = isNewsOf("booked", kind) || isNewsOf("cancelled", kind);
  const stays = words.mail.ready_date !== undefined && MESSAGES_TO_COME.includes(kind);
  const night = stays ? fillTemplate(shop.messages.over_night_text, words.mail) : "";
  return [text, night, (isNews && appointment.deposit) || ""].filter((part) => part !== "").join(between);
}

function movedFrom(kind: TextKind | MailKind, { appointment }: Told): { movedFrom?: number } {
  const { previousStartAt } = appointment;
  return JOBS[kind].event === "rescheduled" && previousStartAt !== undefined ? { movedFrom: previousStartAt } : {};
}

export type AskedDeposit = Pick<Deposit, "amount" | "currency" | "payUntil" | "url">;

/** What a customer is told of a deposit: amount and time in words, and the page to pay on. @param at epoch milliseconds */
export function depositFields({ amount, currency, payUntil, url }: AskedDeposit, at: number, shop: Shop) {
  const until = dateAndTime(rfc3339(shop, payUntil));
  const isToday = until.date === dateAndTime(rfc3339(shop, at)).date;
  return {
    deposit: formatMoney(amount, currency),
    pay_url: url,
    pay_until: `${isToday ? "" : `${until.date}, `}${until.time}`,
  };
}

/** About the deposit of a booking, by every way in which bookings are confirmed. @param at epoch milliseconds */
export function depositMessages(
  what: DepositNews,
  { phone, email: to, consent }: Recipient,
  appointment: Appointment,
  deposit: AskedDeposit | null,
  at: number,
  shop: Shop,
): NewJob[] {
  const { messages, messaging } = shop;
  if (consent === null) return [];
  const words = appointmentWords(appointment, shop);
  const more = deposit && depositFields(deposit, at, shop);
  const when = { dueAt: at, unless: null };
  const jobs: NewJob[] = [];
  const mail = `deposit_${what}_email` as const;
  if (messaging.customerMessages.has(mail) && to !== "")
    jobs.push({ ...when, kind: mail, payload: letter(messages[mail], to, { ...words.mail, ...more }) });
  const kind = `deposit_${what}_sms` as const;
  const isTexted = messaging.customerMessages.has(kind) && mayBeTexted({ consent }, kind, shop);
  if (isTexted && whyNoTexts(phone, messaging.textCountries) === undefined)
    jobs.push({ ...when, kind, payload: { to: phone, text: toSms(messages[kind].text, { ...words.text, ...more }) } });
  return jobs;
}

/** What was asked, and the first figure that the customer got, in cents. */
interface Quoted extends Pick<NewLead, "reference" | "name" | "phone" | "email" | "serviceType" | "consent"> {
  sqft: number | undefined;
  range: { min: number; max: number } | undefined;
}

/** A receipt, and one question later, by e-mail, else by text; neither at night. Lapses once the lead is contacted. */
export function quoteMessage(step: "reply" | "nudge", quoted: Quoted, dueAt: number, shop: Shop): NewJob[] {
  if (quoted.consent === null) return [];
  const when = { dueAt: quietUntil(shop, dueAt) ?? dueAt, unless: "contacted" as const };
  const { [`quote_${step}_email` as const]: mail, [`quote_${step}_sms` as const]: text } = shop.messages;
  const fields = quoteFields(quoted, shop);
  const { email: to, phone } = quoted;
  if (mail?.enabled && to !== "") return [{ ...when, kind: `quote_${step}_email`, payload: letter(mail, to, fields) }];
  const kind = `quote_${step}_sms` as const;
  if (!text?.enabled || !mayBeTexted(quoted, kind, shop)) return [];
  if (whyNoTexts(phone, shop.messaging.textCountries) !== undefined) return [];
  const words = fillTemplate(text.text, { ...fields, name: plainName(toGsm7(quoted.name)) });
  return [{ ...when, kind, payload: { to: phone, text: toGsm7(words, quoted.reference) } }];
}

interface SentPaper {
  kind: string;
  /** All of it as text; left out where there is no room. */
  whole?: string;
  url: string;
}

export function paperMail(
  { name, email: to }: Pick<NewLead, "name" | "email">,
  paper: SentPaper,
  at: number,
  { messages: { paper_email: mail }, messaging }: Shop,
): NewJob {
  const fields = { ...messaging.fields, ...paperFields(paper), name: plainName(name) };
  return { kind: "paper_email", payload: letter(mail, to, fields), dueAt: at, unless: null };
}

export function paperSms(
  { name, phone: to }: Pick<NewLead, "name" | "phone">,
  paper: SentPaper,
  at: number,
  { messages: { paper_sms: sms }, messaging }: Shop,
): NewJob {
  const fields = { ...messaging.fields, ...paperFields(paper), name: plainName(toGsm7(name)) };
  return { kind: "paper_sms", payload: { to, text: toSms(sms.text, fields) }, dueAt: at, unless: null };
}

export function paperFields({ kind, whole = "", url }: SentPaper) {
  return { paper: kind, paper_text: whole, paper_url: url };
}

function letter({ subject, text }: Pick<Mail, "subject" | "text">, to: string, fields: Partial<TemplateFields>) {
  return { to, subject: fillTemplate(subject, fields), text: fillTemplate(text, fields) };
}
