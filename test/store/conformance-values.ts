/** What the tests of every engine write into a store, and how they open one. */
import { afterEach, beforeEach, describe } from "bun:test";
import { JOB_KINDS, type JobKind } from "../../src/constants.ts";
import type {
  AttemptName,
  Cancellation,
  Claim,
  JobContent,
  LeadChange,
  MessageRules,
  NewApiKey,
  NewBooking,
  NewJob,
  NewLead,
  Quota,
  Rescheduling,
  Store,
} from "../../src/store/store.ts";

export interface OpenStore {
  store: Store;
  /** Waits for what starts in the background. */
  ready?: () => Promise<void>;
  /** Removes the files of the store. */
  dispose?: () => unknown;
}

export const MINUTE = 60_000;
export const EVER = Number.MAX_SAFE_INTEGER;
export const ALWAYS = [0, EVER] as const;
export const T0 = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
let serial = 0;

const SMS = { to: "+14045550142", text: "hello" };
export const NEWS = { text: "hello" };
const MAIL = { to: "pat@example.com", subject: "s", text: "t", calendar: "" };

/** A job with a payload of its kind. */
export function newJob(
  kind: JobKind = "notify_shop_sms",
  { dueAt = T0, unless = null, payload }: Partial<Pick<NewJob, "dueAt" | "unless">> & { payload?: object } = {},
): NewJob {
  // Safe, because a payload that a test gives is one of the kind.
  return { ...deliveryOf(kind), dueAt, unless, ...(payload && { payload }) } as NewJob;
}

function deliveryOf(kind: JobKind): JobContent {
  switch (kind) {
    case "remind_owner":
      return { kind, payload: {} };
    case "push_to_crm":
      return { kind, payload: leadChange() };
    case "shop_email":
    case "confirmation_email":
    case "reminder_email":
    case "rescheduled_email":
    case "cancelled_email":
    case "quote_reply_email":
    case "quote_nudge_email":
    case "deposit_link_email":
    case "deposit_expired_email":
    case "deposit_refunded_email":
    case "paper_email":
      return { kind, payload: MAIL };
    case "notify_shop_sms":
    case "bookings_alert_sms":
    case "digest_sms":
    case "text_limit_sms":
    case "late_messages_sms":
    case "remind_owner_notice":
      return { kind, payload: NEWS };
    default:
      return { kind, payload: SMS };
  }
}

/** A claim of what is due, for a minute. */
export function claimOf(kinds: readonly JobKind[], now: number, more: Partial<Claim> = {}): Claim {
  return { kinds, now, lastsMs: MINUTE, fresh: 9, retries: 9, running: [], ...more };
}

/** A move of a booking to an hour of the next day. */
export const movedTo = (
  confirmationCode: string,
  startAt: number,
  given: Partial<Rescheduling> = {},
): Rescheduling => ({
  ...{ confirmationCode, changes: 0, at: T0 - MINUTE, jobs: [] },
  ...{ date: "2026-11-25", time: "09:00", startAt, endAt: startAt + 60 * MINUTE, busyUntil: startAt + 75 * MINUTE },
  ...given,
});

export const cancelling = (confirmationCode: string, given: Partial<Cancellation> = {}): Cancellation => ({
  ...{ confirmationCode, changes: 0, at: T0 - MINUTE, jobs: [], reason: null },
  ...given,
});

type BookingEdit = Parameters<Store["editBooking"]>[0];
/** A correction of a booking that nobody changed before. */
export const correcting = (confirmationCode: string, given: Partial<BookingEdit> = {}): BookingEdit => ({
  ...{ confirmationCode, changes: 0, name: "Pat", phone: "+14045550111", extension: "7", email: "" },
  ...{ details: {}, answer: {}, ...given },
});

/** A job that was delivered. */
export const done = (job: { id: number } | undefined, messageSid: string | null = null) =>
  ({ id: job?.id ?? 0, kind: "done", messageSid }) as const;

/** The name of a claimed job's attempt; of no job's for undefined. */
export function attemptOf(job: AttemptName | undefined): AttemptName {
  const { id, attempts, dueAt } = job ?? { id: 0, attempts: 0, dueAt: 0 };
  return { id, attempts, dueAt };
}

/** The payload of a push. */
export function leadChange(given: Partial<LeadChange> = {}): LeadChange {
  const { jobs: _, userAgent: __, ...lead } = newLead();
  return {
    id: "evt_1",
    type: "lead.created",
    lead: { ...lead, status: "new" },
    note: null,
    at: lead.createdAt,
    ...given,
  };
}

export function newLead(given: Partial<NewLead> = {}): NewLead {
  serial += 1;
  return {
    id: `lead_${serial}`,
    reference: `B-${serial}`,
    kind: "booking",
    name: "Pat Example",
    phone: "+14045550111",
    extension: "",
    email: "pat@example.com",
    serviceType: "automotive",
    details: { note: "as asked" },
    consent: null,
    keyId: null,
    agentClass: null,
    userAgent: null,
    createdAt: T0,
    jobs: [],
    ...given,
  };
}

/** Two customer texts that are due, of which the limit lets one go. @param rules with a limit of one an hour */
export async function holdOneText(store: Store, rules: MessageRules, now: number): Promise<void> {
  for (const phone of ["+14045550111", "+14045550112"])
    await store.addLead(newLead({ phone, createdAt: now, jobs: [newJob("confirmation_sms", { dueAt: now })] }));
  const claim = claimOf(["confirmation_sms"], now, { limits: rules });
  await store.settleJobs((await store.claimJobs(claim)).map((job) => done(job)));
}

/** The error that a write ends with. `expect().rejects` stops the event loop, which then hears nothing of the thread. */
export function issueOf(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => null,
    (error: unknown) => error,
  );
}

/** A booking of one hour, with a lead. */
export function newBooking(given: Partial<Omit<NewBooking, "lead">> & { lead?: Partial<NewLead> } = {}): NewBooking {
  const { lead, ...rest } = given;
  serial += 1;
  const startAt = rest.startAt ?? T0;
  const endAt = rest.endAt ?? startAt + 60 * MINUTE;
  const createdAt = rest.createdAt ?? T0 - 24 * 60 * MINUTE;
  const keyId = rest.keyId ?? null;
  return {
    id: `bk_${serial}`,
    confirmationCode: `CODE${serial}`,
    service: "automotive",
    date: "2026-11-24",
    time: "09:00",
    startAt,
    endAt,
    busyUntil: endAt,
    network: "192.0.2.1",
    keyId,
    idempotency: null,
    alert: null,
    answer: { confirmation: serial, list: [1, "två", null] },
    createdAt,
    ...rest,
    lead: newLead({ createdAt, keyId, ...lead }),
  };
}

/** A key with an address of its own. */
export function newKey(given: Partial<NewApiKey> = {}): NewApiKey {
  serial += 1;
  return {
    id: `key_${serial}`,
    hash: `hash ${serial}`,
    prefix: "tint_live_ab",
    name: "An Agent",
    email: `agent${serial}@example.com`,
    useCase: null,
    ratePerMinute: null,
    network: null,
    createdAt: T0,
    ...given,
  };
}

/** A quote request with reminders to the owner 4 and 24 hours after it. @param createdAt epoch milliseconds */
export function quoteLead(createdAt: number, given: Partial<NewLead> = {}): NewLead {
  const reminder = (hours: number): NewJob => ({
    ...{ kind: "remind_owner", unless: "contacted", payload: {} },
    dueAt: createdAt + hours * 60 * MINUTE,
  });
  return newLead({
    id: "lead_a",
    reference: "Q-7F3A1B",
    kind: "quote_request",
    name: "Jordan Sample",
    serviceType: "commercial",
    details: { message: "line one\nline two", square_footage: 350.5 },
    createdAt,
    jobs: [reminder(4), reminder(24)],
    ...given,
  });
}

/** Bookings of a store, as its tests make them. */
export function bookingsIn(store: Store) {
  const book = (booking: NewBooking, bays = 1, quotas: Quota[] = []) => store.book(booking, bays, quotas);
  return {
    book,
    kindOf: async (...args: Parameters<typeof book>) => (await book(...args)).kind,
    /** Everything that the interface shows of bookings and jobs. */
    traces: async (quotas: Quota[] = [], request = { scope: "", id: "r" }) => ({
      busy: await store.busyBetween(...ALWAYS),
      use: await store.quotaUse(quotas),
      jobs: await store.waitingJobs(100),
      count: await store.countDueJobs(JOB_KINDS, EVER),
      earlier: await store.findEarlier(request.scope, request.id),
    }),
  };
}

export type Open = () => OpenStore | Promise<OpenStore>;

/** Tests for any engine. Each gets an empty store, which is closed after it. */
export const conformance = (subject: string, tests: (store: Store) => void) => (name: string, open: Open) =>
  describe(`${subject}: ${name}`, () => {
    let opened: OpenStore;
    beforeEach(async () => {
      opened = await open();
      await opened.ready?.();
    });
    afterEach(async () => {
      await opened.store.close();
      await opened.dispose?.();
    });
    // Safe, because every call goes to the store that is open.
    tests(new Proxy({} as Store, { get: (_, name) => opened.store[name as keyof Store] }));
  });

/** A store whose calls go to each of these in turn, like those of a shop with several servers. */
export function inTurn(stores: readonly Store[]): Store {
  const [first] = stores;
  if (!first) throw new Error("no store");
  let calls = 0;
  const names = Object.keys(first) as (keyof Store)[];
  const methods = names.map((name) => [
    name,
    (...args: unknown[]) => {
      const store = stores[calls++ % stores.length] ?? first;
      // Safe, because the arguments are those of the method of this name.
      return (store[name] as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  // Safe, because each method has the arguments and the result of the method of the same name.
  return {
    ...(Object.fromEntries(methods) as Store),
    close: async () => void (await Promise.all(stores.map((store) => store.close()))),
  };
}
