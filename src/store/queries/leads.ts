/** Leads. Functions that write run inside the transaction of their caller. */
import { LEAD_KINDS } from "../../constants.ts";
import { type LeadStatus, OPEN_LEADS, WITH_BOOKING } from "../../domain/lifecycle.ts";
import type { Phone } from "../../lib/phone.ts";
import { insertJobs, type NewJob } from "./jobs.ts";
import type { JobContent } from "./payloads.ts";
import { type Payment, paymentsOf } from "./payments.ts";
import { withRequest } from "./request-in-words.ts";
import { all, allFor, get, run, type Steps, together } from "./steps.ts";

export const leadQueries = {
  reads: { leads: listLeads, referencesInUse, findEarlierLead, findLead },
  writes: { addLead, editLead },
};

export interface NewLead extends Phone {
  id: string;
  /** The name people use on the phone, like `Q-7F3A2B`. */
  reference: string;
  kind: (typeof LEAD_KINDS)[number];
  name: string;
  email: string;
  serviceType: string;
  /** The request after validation. */
  details: object;
  consent: object | null;
  keyId: string | null;
  /** The class of assistant that sent the request, as the catalog names it. */
  agentClass: string | null;
  userAgent: string | null;
  createdAt: number;
  jobs: NewJob[];
  /** Set for a quote request that has an id of the caller's own. Its answer is kept for replays. */
  request?: (Idempotency & { answer: object; network: string }) | null;
}

/** The lead that an earlier request made. */
export interface EarlierLead extends StoredAnswer {
  status: LeadStatus;
}

type AddOutcome =
  | { kind: "added" }
  | { kind: "earlier"; earlier: EarlierLead }
  /** Another lead has the same reference: try again with a new one. */
  | { kind: "code_in_use" };

/** What the customer of a lead was quoted, or pays once it is won. */
export interface WonAmount {
  cents: number;
  currency: string;
}

/** A lead as the list shows it. */
export interface Lead
  extends Pick<
    NewLead,
    "id" | "reference" | "kind" | "name" | "phone" | "extension" | "email" | "serviceType" | "agentClass" | "createdAt"
  > {
  status: LeadStatus;
  /** The next reminder to the owner; null when none waits. */
  nextFollowUpAt: number | null;
  /** Set when the lead came from a booking. */
  confirmationCode: string | null;
  /** Null unless the lead was won and its amount is known. */
  wonAmount: WonAmount | null;
  /** Null unless the lead was quoted at an amount. */
  quotedAmount: WonAmount | null;
  details: unknown;
}

/** The last lead of a page; the next page begins after it. */
type LeadCursor = Pick<Lead, "createdAt" | "id">;

export interface LeadInFull extends Lead, Pick<NewLead, "keyId" | "userAgent"> {
  /** The code of the booking that won the lead, which has its payments; null without one. */
  wonBy: string | null;
  consent: unknown;
  /** Oldest first. */
  history: { status: LeadStatus; note: string | null; at: number }[];
  /** In the order in which they were paid, with those that were taken back. */
  payments: Payment[];
}

/** `scope` separates callers, so that nobody can fetch another caller's answer by guessing the id. */
export interface Idempotency {
  scope: string;
  id: string;
  /** Hash of the canonical request body. */
  bodyHash: string;
}

/** With the hash of its request, and what became of it, in the same statement. */
export interface StoredAnswer {
  bodyHash: string;
  answer: unknown;
  /** The fields of that request, as far as they are kept. */
  details: object;
  /** The network that the request came from; null where that is not known. */
  network: string | null;
  /** The person was erased: of the request there is only a digest, and of the answer nothing. */
  isErased: boolean;
  /** Found by what it asks for, not by its id. */
  isSame?: boolean;
}

/** Writes a lead with the jobs it triggers. The reference must not be in use. */
export function* insertLead(lead: NewLead): Steps<void> {
  const add = run(
    `INSERT INTO leads (id, reference, kind, name, phone, phone_extension, email, service_type, details, consent, key_id, agent_class, user_agent, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      lead.id,
      lead.reference,
      lead.kind,
      lead.name,
      lead.phone,
      lead.extension,
      lead.email,
      lead.serviceType,
      JSON.stringify(lead.details),
      lead.consent && JSON.stringify(lead.consent),
      lead.keyId,
      lead.agentClass,
      lead.userAgent,
      lead.createdAt,
    ],
  );
  yield* together(
    add,
    insertJobs(lead.id, lead.kind === "quote_request" ? lead.jobs.map(withoutBody) : lead.jobs, lead.createdAt),
  );
}

/** A push of a quote request leaves out what its lead holds, so that the body is stored once. `withBody` puts it in again. */
function withoutBody(job: NewJob): NewJob {
  if (job.kind !== "push_to_crm") return job;
  const { details: _, consent: __, ...lead } = job.payload.lead;
  return { ...job, payload: { ...job.payload, lead } };
}

/** The content of a job, with the body of its lead where it was stored without. */
export function* withBody(content: JobContent, leadId: string): Steps<JobContent> {
  if (content.kind === "shop_email" && content.payload.lacksRequest) {
    const row = yield* get<{ details: string }>("SELECT details FROM leads WHERE id = ?", [leadId]);
    return {
      ...content,
      payload: { ...content.payload, ...withRequest(content.payload, JSON.parse(row?.details ?? "{}")) },
    };
  }
  if (content.kind !== "push_to_crm" || content.payload.lead.details !== undefined) return content;
  const { lead } = content.payload;
  const row = yield* get<{ details: string; consent: string | null }>(
    "SELECT details, consent FROM leads WHERE id = ?",
    [lead.id],
  );
  const details: unknown = JSON.parse(row?.details ?? "{}");
  const consent: unknown = row?.consent ? JSON.parse(row.consent) : null;
  return { ...content, payload: { ...content.payload, lead: { ...lead, details, consent } } };
}

// A request that a caller sends again. Of people who were erased there is only a digest of the whole request.
type Named = Pick<Idempotency, "scope" | "id" | "bodyHash">;

const ERASED = "erased";

/** @param table whose requests are meant; the parameters are scope, id and `requestDigest` */
export const sameRequest = (table: "bookings" | "leads") =>
  `((${table}.request_scope = ? AND ${table}.request_id = ?) OR (${table}.request_scope = '${ERASED}' AND ${table}.request_id = ?))`;

/** The columns of a request. */
export interface RequestRow {
  request_scope: string | null;
  request_id: string | null;
  request_hash: string | null;
}

/** What stays of a request after its person was erased: scope, id and hash for the columns. */
export function erased({ request_scope: scope, request_id: id, request_hash: bodyHash }: RequestRow) {
  return scope === null || id === null || bodyHash === null
    ? [null, null, null]
    : [ERASED, requestDigest({ scope, id, bodyHash }), ""];
}

export function requestDigest({ scope, id, bodyHash }: Named): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify([scope, id, bodyHash])).digest("hex");
}

/** Writes a lead of its own with the jobs it triggers, unless its request was answered before. */
function* addLead(lead: NewLead): Steps<AddOutcome> {
  const { request } = lead;
  const earlier = request && (yield* findEarlierLead(request.scope, request.id, request.bodyHash));
  if (earlier) return { kind: "earlier", earlier };
  if (yield* get("SELECT 1 FROM leads WHERE reference = ?", [lead.reference])) return { kind: "code_in_use" };
  yield* insertLead(lead);
  if (request) {
    yield* run(
      "UPDATE leads SET request_scope = ?, request_id = ?, request_hash = ?, request_answer = ?, request_network = ? WHERE id = ?",
      [request.scope, request.id, request.bodyHash, JSON.stringify(request.answer), request.network, lead.id],
    );
  }
  return { kind: "added" };
}

/** The quote request with the same scope and id. @param bodyHash as in `findEarlier` */
function* findEarlierLead(scope: string, id: string, bodyHash = ""): Steps<EarlierLead | null> {
  const row = yield* get<EarlierRow>(
    `SELECT request_hash AS requestHash, request_answer AS answer, details, request_network AS network, status,
       forgotten_at AS forgottenAt
     FROM leads WHERE ${SAME_REQUEST}`,
    [scope, id, requestDigest({ scope, id, bodyHash })],
  );
  if (!row) return null;
  const { requestHash, answer, details, forgottenAt, ...rest } = row;
  const isErased = forgottenAt !== null;
  return {
    ...rest,
    bodyHash: isErased ? bodyHash : requestHash,
    answer: answer === null ? null : (JSON.parse(answer) as unknown),
    details: Object(JSON.parse(details)),
    isErased,
  };
}

const SAME_REQUEST = sameRequest("leads");

interface EarlierRow extends Pick<EarlierLead, "network" | "status"> {
  requestHash: string;
  /** Null once the person was erased. */
  answer: string | null;
  details: string;
  forgottenAt: number | null;
}

function* referencesInUse(references: readonly string[]): Steps<string[]> {
  return (yield* all<{ reference: string }>(
    "SELECT reference FROM leads WHERE reference IN (SELECT value FROM json_each(?))",
    [JSON.stringify(references)],
  )).map(({ reference }) => reference);
}

// INDEXED BY: SQLite would read all waiting reminders for each lead.
const LEAD = `leads.id, reference, kind, leads.status, name, leads.phone, phone_extension AS extension, email, service_type AS serviceType, leads.created_at AS createdAt,
  (SELECT min(due_at) FROM jobs INDEXED BY jobs_by_lead
     WHERE lead_id = leads.id AND jobs.status = 'waiting' AND jobs.kind = 'remind_owner') AS nextFollowUpAt,
  confirmation_code AS confirmationCode, agent_class AS agentClass, won_cents AS wonCents, won_currency AS wonCurrency,
  quoted_cents AS quotedCents, quoted_currency AS quotedCurrency, details`;
interface Columns {
  details: string;
  wonCents: number | null;
  wonCurrency: string | null;
  quotedCents: number | null;
  quotedCurrency: string | null;
}
type Row<Shape extends Lead> = Omit<Shape, "wonAmount" | "quotedAmount" | "details"> & Columns;

function toLead<Rest extends Columns>({ wonCents, wonCurrency, quotedCents, quotedCurrency, ...lead }: Rest) {
  const amount = (cents: number | null, currency: string | null) =>
    cents === null || currency === null ? null : { cents, currency };
  return {
    ...lead,
    details: JSON.parse(lead.details) as unknown,
    wonAmount: amount(wonCents, wonCurrency),
    quotedAmount: amount(quotedCents, quotedCurrency),
  };
}

const LEADS = "leads LEFT JOIN bookings ON lead_id = leads.id";

/** A page, newest first. @param after the last lead of the page before */
function* listLeads(
  statuses: readonly LeadStatus[],
  limit: number,
  after: LeadCursor = { createdAt: Number.MAX_SAFE_INTEGER, id: "" },
  kinds: readonly NewLead["kind"][] = LEAD_KINDS,
): Steps<Lead[]> {
  // One query per state and kind follows the index in order; one query for all would sort every lead.
  const pages = yield* allFor<Row<Lead>>(
    `SELECT ${LEAD} FROM ${LEADS}
     WHERE leads.status = ?1 AND kind = ?2 AND leads.created_at <= ?3 AND (leads.created_at < ?3 OR leads.id > ?4)
     ORDER BY leads.created_at DESC, leads.id LIMIT ?5`,
    statuses.flatMap((status) => kinds.map((kind) => [status, kind, after.createdAt, after.id, limit])),
  );
  return pages
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(toLead);
}

type LeadRow = Omit<Row<LeadInFull>, "consent" | "history" | "payments"> & { consent: string | null };

export function* findLead(name: string): Steps<LeadInFull | null> {
  const row = yield* get<LeadRow>(
    `SELECT ${LEAD}, consent, leads.key_id AS keyId, user_agent AS userAgent, won_by AS wonBy
       FROM ${LEADS} WHERE leads.id = ? OR reference = ?`,
    [name, name],
  );
  if (!row) return null;
  const [history, paid] = yield* together(
    all<LeadInFull["history"][number]>("SELECT status, note, at FROM lead_events WHERE lead_id = ? ORDER BY id", [
      row.id,
    ]),
    paymentsOf([row.id]),
  );
  return {
    ...toLead(row),
    consent: row.consent === null ? null : (JSON.parse(row.consent) as unknown),
    history,
    payments: paid(row.id),
  };
}

type LeadEdit = Pick<LeadInFull, "id" | "name" | "phone" | "extension" | "email" | "serviceType"> & {
  details: object;
};

/** @returns null when there is no such lead, or its person was erased */
function* editLead({ id, name, phone, extension, email, serviceType, details }: LeadEdit): Steps<LeadInFull | null> {
  const edited = yield* run(
    `UPDATE leads SET name = ?, phone = ?, phone_extension = ?, email = ?, service_type = ?, details = ?
     WHERE id = ? AND forgotten_at IS NULL`,
    [name, phone, extension, email, serviceType, JSON.stringify(details), id],
  );
  return edited === 0 ? null : yield* findLead(id);
}

export function* setStatus(id: string, to: LeadStatus, note: string | null, at: number): Steps<void> {
  yield* run("UPDATE leads SET status = ? WHERE id = ?", [to, id]);
  yield* run("INSERT INTO lead_events (lead_id, status, note, at) VALUES (?, ?, ?, ?)", [id, to, note, at]);
}

/** Whether the CRM was told of this lead. Only then is it told of changes. */
export function* isPushed(leadId: string): Steps<boolean> {
  return (yield* get("SELECT 1 FROM jobs WHERE lead_id = ? AND kind = 'push_to_crm' LIMIT 1", [leadId])) !== null;
}

export function* followBooking(leadId: string, to: LeadStatus, at: number): Steps<void> {
  const from = (yield* findLead(leadId))?.status;
  // A lead that the owner ended stays.
  if (from === undefined || !OPEN_LEADS.includes(from)) return;
  yield* setStatus(leadId, to, WITH_BOOKING, at);
}
