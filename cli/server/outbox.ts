/** The outbox: everything that is not yet delivered, and why, in the owner's words and as `--json` prints it. */
import type { NotSent } from "../../src/capabilities/desk/owner.ts";
import { type CUSTOMER_MESSAGES, JOBS, type JobKind, MESSAGES } from "../../src/constants.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { KEYS_OF, rawSettings } from "../../src/env/env.ts";
import { phoneInWords } from "../../src/lib/phone.ts";
import { counted } from "../../src/lib/text.ts";
import { CHANNEL_NAMES, type Channels, channelOf } from "../../src/messages/channels.ts";
import type { DropOutcome, RetryOutcome, Store, WaitingJob } from "../../src/store/store.ts";
import { countryOf, type ShopLocale } from "../shop/clock.ts";
import { type Column, LEAST } from "../terminal/columns.ts";
import { csv } from "../terminal/lists.ts";
import { CliError, clean } from "../terminal/output.ts";
import { age, momentInWords } from "../terminal/wording.ts";
import type { ServerSeen } from "./listening.ts";

export type OutboxJob = WaitingJob & { status: "failed" | "waiting" | "lapsed" };
type OutboxJobs = { jobs: OutboxJob[]; more: boolean };

/** Each group has its own limit, so that many pushes or reminders cannot crowd out a message. */
const GROUPS: readonly (readonly JobKind[])[] = [MESSAGES, ["push_to_crm"], ["remind_owner"]];

/** The messages that were never sent because their reason went away, the newest first. */
export async function readLapsed(store: Store, limit: number): Promise<OutboxJobs> {
  return first([{ status: "lapsed", jobs: await store.lapsedJobs(MESSAGES, limit + 1) }], limit);
}

/** @param limit the most jobs of each group, and of the failed ones */
export async function readOutbox(store: Store, limit: number): Promise<OutboxJobs> {
  const failed = { status: "failed" as const, jobs: await store.failedJobs(limit + 1) };
  const waiting = GROUPS.map(async (kinds) => ({
    ...{ status: "waiting" as const, jobs: await store.waitingJobs(limit + 1, { kinds }) },
  }));
  return first([failed, ...(await Promise.all(waiting))], limit);
}

function first(groups: { status: OutboxJob["status"]; jobs: WaitingJob[] }[], limit: number): OutboxJobs {
  return {
    jobs: groups.flatMap(({ status, jobs }) => jobs.slice(0, limit).map((job) => ({ ...job, status }))),
    more: groups.some(({ jobs }) => jobs.length > limit),
  };
}

/** @param shop who is told of the shop's news now; null while the catalog is faulty */
export function outboxColumns(catalog: ShopLocale, shop: readonly string[] | null): Column<OutboxJob>[] {
  const fact = (name: keyof ReturnType<typeof messageFacts>) => (job: OutboxJob) =>
    messageFacts(job, catalog, shop)[name];
  return [
    { name: "id", value: ({ id }) => String(id) },
    { name: "state", value: fact("state"), drop: 7 },
    { name: "what", value: fact("what"), min: LEAST },
    { name: "due", value: fact("due"), drop: 5 },
    { name: "lead", value: ({ lead }) => lead.reference, drop: 3 },
    { name: "name", value: fact("name"), min: LEAST },
    { name: "tries", value: ({ attempts }) => String(attempts), drop: 1 },
    { name: "reason", value: fact("reason"), min: LEAST, drop: 6 },
    { name: "to", value: fact("to"), min: LEAST, drop: 4 },
    { name: "text", value: fact("text"), min: LEAST, drop: 2 },
  ];
}

export function outboxCsv(jobs: readonly OutboxJob[], catalog: ShopLocale, shop: readonly string[] | null): string {
  const columns = outboxColumns(catalog, shop);
  const rows = jobs.map((job) => {
    const [, state = "", what = "", , ...rest] = columns.map(({ value }) => value(job));
    return [job.id, state, what, rfc3339(catalog, job.dueAt), ...rest];
  });
  const heads = columns.map(({ name }) => name);
  return csv(heads, rows);
}

/** A message as an owner reads it: for whom, its state, and why it was not delivered. */
export function messageFacts(job: OutboxJob, catalog: ShopLocale, shop: readonly string[] | null) {
  const { to, text } = contentOf(job, shop);
  return {
    // A text that Twilio took, and that did not arrive, has failed, too.
    state: job.deliveryStatus === "undelivered" ? job.deliveryStatus : job.status,
    what: KIND_WORDS[job.kind],
    due: momentInWords(catalog, job.dueAt),
    name: clean(job.lead.name),
    reason: clean(job.lastError ?? (job.status === "lapsed" ? "" : (whyOff(job, shop) ?? ""))),
    to: clean((to ?? "").replace(/\+\d+/g, (number) => phoneInWords(number, countryOf(catalog)))),
    text: clean(text ?? ""),
  };
}

export const KIND_WORDS: Record<JobKind, string> = {
  notify_shop_sms: "news for the shop",
  bookings_alert_sms: "warning to the shop",
  digest_sms: "news for the shop",
  text_limit_sms: "warning to the shop",
  late_messages_sms: "warning to the shop",
  remind_owner_notice: "reminder to the shop",
  shop_sms: "text to the shop",
  shop_email: "e-mail to the shop",
  shop_push: "message to the shop",
  push_to_crm: "lead to your CRM",
  remind_owner: "reminder to call",
  confirmation_sms: "confirmation text",
  confirmation_email: "confirmation e-mail",
  deposit_link_sms: "text with the link to pay",
  deposit_expired_sms: "text about an unpaid deposit",
  deposit_refunded_sms: "text about a deposit that goes back",
  deposit_link_email: "e-mail with the link to pay",
  deposit_expired_email: "e-mail about an unpaid deposit",
  deposit_refunded_email: "e-mail about a deposit that goes back",
  reminder_sms: "reminder text",
  reminder_email: "reminder e-mail",
  rescheduled_sms: "text about a new time",
  rescheduled_email: "e-mail about a new time",
  cancelled_sms: "text about a cancelled booking",
  ready_sms: "text that the vehicle is ready",
  aftercare_sms: "text with advice",
  review_sms: "text that asks for a review",
  cancelled_email: "e-mail about a cancelled booking",
  quote_reply_sms: "text about a quote request",
  quote_nudge_sms: "text that asks after a quote",
  quote_reply_email: "e-mail about a quote request",
  quote_nudge_email: "e-mail that asks after a quote",
  paper_sms: "text with a quote or receipt",
  paper_email: "e-mail with a quote or receipt",
};

export function jobJson(job: OutboxJob, catalog: ShopClock, shop: readonly string[] | null) {
  const { id, status, kind, dueAt, attempts, lastError, lead } = job;
  return {
    id,
    status,
    kind,
    due: rfc3339(catalog, dueAt),
    lead: lead.reference,
    name: lead.name,
    attempts,
    last_error: lastError,
    arrival: job.deliveryStatus,
    ...contentOf(job, shop),
  };
}

/** Why a message is not sent, by the settings of this terminal; or null. @param shop who is told of its news now */
export function whyOff(
  { kind, content }: Pick<OutboxJob, "kind"> & Partial<Pick<OutboxJob, "content">>,
  shop: readonly string[] | null = null,
): string | null {
  const channel = JOBS[kind].by;
  if (channel === null) return "it waits for you: see tint leads";
  if (channel !== "owner") return isOff(channel) ? offInWords([channel]) : null;
  const channels = [...new Set((receiversOf(content) ?? shop ?? []).map(channelOf))];
  return channels.length > 0 && channels.every(isOff) ? offInWords(channels) : null;
}

/** `texts` or `e-mails`, where a message would go out that way and it is off. @param server null: the settings of this terminal say it */
export function offWayOf(kind: JobKind, server: ServerSeen | null): string | null {
  const channel = JOBS[kind].by;
  if (channel !== "twilio" && channel !== "mail") return null;
  const off = server?.says?.jobs?.off;
  return (off ? off.includes(CHANNEL_NAMES[channel]) : isOff(channel)) ? channelsInWords([channel]) : null;
}

/** Whether leads go to another program, too. Without one the leads of bookings are of no use. */
export function hasCrm(): boolean {
  return !isOff("crm");
}

function isOff(channel: keyof Channels): boolean {
  return channel !== "push" && KEYS_OF[channel].some((key) => !rawSettings()[key]);
}

/** Whom a step of `follow_up` names. */
function receiversOf(content: OutboxJob["content"] | undefined): readonly string[] | undefined {
  const payload = content?.payload;
  return payload && "receivers" in payload ? payload.receivers : undefined;
}

/** True for reminders, which the owner reads in `tint leads`, and for pushes while no CRM is set up. */
export function isNeverSent({ kind, attempts }: OutboxJob): boolean {
  return kind === "remind_owner" || (kind === "push_to_crm" && attempts === 0 && whyOff({ kind }) !== null);
}

/** The receiver and the text of a message; null for jobs that have none. */
function contentOf({ kind, content }: OutboxJob, shop: readonly string[] | null) {
  const payload = content?.payload;
  if (!payload || !("text" in payload)) return { to: null, text: null };
  const { text } = payload;
  if (JOBS[kind].by === "owner") return { to: (receiversOf(content) ?? shop)?.join(", ") ?? null, text };
  return { to: "to" in payload ? payload.to : null, text };
}

/** Jobs searched for the one that is tried again. */
const SEARCHED = 500;

/** Makes a message due now. @param shop who is told of the shop's news now @returns what happens next @throws CliError when it waits no longer */
export async function retryMessage(store: Store, id: number, now: number, shop: readonly string[] | null) {
  const { jobs } = await readOutbox(store, SEARCHED);
  const job = jobs.find((one) => one.id === id);
  const off = job ? whyOff(job, shop) : null;
  const outcome = await store.retryJob(id, now);
  refuse(id, outcome);
  if (outcome.kind === "reminder") return `Reminder ${id} is due now: see tint leads. It is never sent.`;
  return `Message ${id} is due now${off === null ? "" : `, but stays until it can be sent (${off})`}.`;
}

export async function dropMessage(store: Store, id: number): Promise<string> {
  refuse(id, await store.dropJob(id));
  return `Message ${id} is dropped; it is never sent.`;
}

export async function dropFailed(store: Store): Promise<number[]> {
  const dropped: number[] = [];
  for (;;) {
    const failed = await store.failedJobs(SEARCHED);
    for (const { id } of failed) if ((await store.dropJob(id)).kind === "dropped") dropped.push(id);
    if (failed.length < SEARCHED) return dropped;
  }
}

export function droppedInWords(count: number): string {
  if (count === 0) return "No message has failed; nothing was dropped.";
  return `${counted(count, "failed message is", "failed messages are")} dropped.`;
}

function refuse(id: number, outcome: RetryOutcome | DropOutcome): void {
  if (outcome.kind === "unknown") throw new CliError(`There is no message ${id}. See tint outbox.`);
  if (outcome.kind === "refused")
    throw new CliError(
      outcome.status === "done"
        ? `Message ${id} was delivered already.`
        : `Message ${id} lapsed before it was due: its lead was contacted, its booking ended or began, another text took its place, or it was dropped.`,
    );
}

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
