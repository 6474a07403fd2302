/** The outbox: everything that is not yet delivered, as the owner reads it and as `--json` prints it. */

import { CUSTOMER_MESSAGES, type JobKind, SHOP_TEXTS } from "../../src/constants.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { KEYS_OF } from "../../src/env/channel-keys.ts";
import { rawSettings } from "../../src/env/env.ts";
import { CHANNEL_OF } from "../../src/jobs/channels.ts";
import type { Store, WaitingJob } from "../../src/store/store.ts";
import { type ShopLocale, shopPhone } from "../shop/clock.ts";
import { clean, table } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";

export type OutboxJob = WaitingJob & { status: "failed" | "waiting" | "lapsed" };

/** Each group has its own limit, so that many pushes or reminders cannot crowd out a message. */
const GROUPS: readonly (readonly JobKind[])[] = [
  [...SHOP_TEXTS, ...CUSTOMER_MESSAGES],
  ["push_to_crm"],
  ["remind_owner"],
];

/** The messages that were never sent because their reason went away, the newest first. */
export async function readLapsed(store: Store, limit: number): Promise<{ jobs: OutboxJob[]; more: boolean }> {
  const lapsed = await store.lapsedJobs([...SHOP_TEXTS, ...CUSTOMER_MESSAGES], limit + 1);
  return {
    jobs: lapsed.slice(0, limit).map((job) => ({ ...job, status: "lapsed" as const })),
    more: lapsed.length > limit,
  };
}

/** @param limit the most jobs of each group, and of the failed ones */
export async function readOutbox(store: Store, limit: number): Promise<{ jobs: OutboxJob[]; more: boolean }> {
  const failed = await store.failedJobs(limit + 1);
  const waiting = await Promise.all(GROUPS.map((kinds) => store.waitingJobs(limit + 1, { kinds })));
  return {
    jobs: [
      ...failed.slice(0, limit).map((job) => ({ ...job, status: "failed" as const })),
      ...waiting.flatMap((group) => group.slice(0, limit).map((job) => ({ ...job, status: "waiting" as const }))),
    ],
    more: [failed, ...waiting].some((group) => group.length > limit),
  };
}

const HEAD = ["id", "state", "what", "due", "lead", "name", "tries", "reason", "to", "text"];

/** The columns that a narrow terminal does without, the least needed first. */
const LEAST_NEEDED = ["tries", "text", "lead", "to", "due", "reason", "state"];

/** @param shop where texts to the shop go now; null while the catalog is faulty */
export function outboxTable(jobs: readonly OutboxJob[], catalog: ShopLocale, shop: string | null): string {
  const rows = jobs.map((job) => jobRow(job, catalog, shop));
  return table(HEAD, rows, ["what", "name", "reason", "to", "text"], undefined, LEAST_NEEDED);
}

function jobRow(job: OutboxJob, catalog: ShopLocale, shop: string | null): string[] {
  const { state, what, due, name, reason, to, text } = messageFacts(job, catalog, shop);
  return [String(job.id), state, what, due, job.lead.reference, name, String(job.attempts), reason, to, text];
}

/** A message as an owner reads it: for whom, how it stands, and why it was not delivered. */
export function messageFacts(job: OutboxJob, catalog: ShopLocale, shop: string | null) {
  const { to, text } = contentOf(job, shop);
  return {
    state: stateOf(job),
    what: KIND_WORDS[job.kind],
    due: momentInWords(catalog, job.dueAt),
    name: clean(job.lead.name),
    reason: clean(job.lastError ?? (job.status === "lapsed" ? "" : (whyOff(job.kind) ?? ""))),
    to: clean(to?.startsWith("+") ? shopPhone(to, catalog) : (to ?? "")),
    text: clean(text ?? ""),
  };
}

/** The owner's word for each kind of message. */
export const KIND_WORDS: Record<JobKind, string> = {
  notify_shop_sms: "text to the shop",
  bookings_alert_sms: "warning to the shop",
  digest_sms: "text to the shop",
  text_limit_sms: "warning to the shop",
  late_messages_sms: "warning to the shop",
  push_to_crm: "lead to your CRM",
  remind_owner: "reminder to call",
  confirmation_sms: "confirmation text",
  confirmation_email: "confirmation e-mail",
  reminder_sms: "reminder text",
  reminder_email: "reminder e-mail",
  rescheduled_sms: "text about a new time",
  rescheduled_email: "e-mail about a new time",
  cancelled_sms: "text about a cancelled booking",
  ready_sms: "text that the vehicle is ready",
  aftercare_sms: "text with advice",
  review_sms: "text that asks for a review",
  cancelled_email: "e-mail about a cancelled booking",
};

/** A text that Twilio took, and that did not arrive, has failed, too. */
function stateOf({ status, arrival }: OutboxJob): string {
  return arrival === "undelivered" ? arrival : status;
}

export function jobJson(job: OutboxJob, catalog: ShopClock, shop: string | null) {
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
    arrival: job.arrival,
    ...contentOf(job, shop),
  };
}

/** Why messages of a kind are not sent, or null. It reads the settings of this terminal; a server may have others. */
export function whyOff(kind: JobKind): string | null {
  const channel = CHANNEL_OF[kind];
  if (channel === null) return "it waits for you: see tint leads";
  const missing = KEYS_OF[channel].filter((key) => !rawSettings()[key]);
  return missing.length === 0
    ? null
    : `${channel === "crm" ? "the CRM is" : `${channelsInWords([channel])} are`} off: see tint setup`;
}

/** True for reminders, which the owner reads in `tint leads`, and for pushes while no CRM is set up. */
export function isNeverSent({ kind, attempts }: OutboxJob): boolean {
  return kind === "remind_owner" || (kind === "push_to_crm" && attempts === 0 && whyOff(kind) !== null);
}

/** The receiver and the text of a message; null for jobs that have none. */
function contentOf({ kind, delivery }: OutboxJob, shop: string | null): { to: string | null; text: string | null } {
  const payload = delivery?.payload;
  if (!payload || !("to" in payload)) return { to: null, text: null };
  const isToShop = SHOP_TEXTS.some((one) => one === kind);
  return { to: (isToShop && shop) || payload.to, text: payload.text };
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
