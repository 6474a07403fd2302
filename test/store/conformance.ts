/** The tests that every engine behind `Store` must pass. */
import { afterEach, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { JOB_KINDS, type JobKind } from "../../src/constants.ts";
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import type {
  AttemptName,
  Claim,
  Delivery,
  DueJob,
  LeadChange,
  MessageRules,
  NewApiKey,
  NewBooking,
  NewJob,
  NewLead,
  Quota,
  Store,
} from "../../src/store/store.ts";

export interface OpenStore {
  store: Store;
  /** Waits for what starts in the background. */
  ready?: () => Promise<void>;
  /** Removes the files of the store. */
  dispose?: () => unknown;
}

const MINUTE = 60_000;
const EVER = Number.MAX_SAFE_INTEGER;
const T0 = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
let serial = 0;

const SMS = { to: "+14045550142", text: "hello" };
const MAIL = { to: "pat@example.com", subject: "s", text: "t", calendar: "" };

/** A job with a payload of its kind. */
export function newJob(
  kind: JobKind = "notify_shop_sms",
  { dueAt = T0, unless = null }: Partial<Pick<NewJob, "dueAt" | "unless">> = {},
): NewJob {
  return { ...deliveryOf(kind), dueAt, unless };
}

function deliveryOf(kind: JobKind): Delivery {
  switch (kind) {
    case "remind_owner":
      return { kind, payload: {} };
    case "push_to_crm":
      return { kind, payload: leadChange() };
    case "confirmation_email":
    case "reminder_email":
    case "rescheduled_email":
    case "cancelled_email":
      return { kind, payload: MAIL };
    default:
      return { kind, payload: SMS };
  }
}

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
  const kinds = ["confirmation_sms"] as const;
  const claim = { kinds, now, lastsMs: MINUTE, fresh: 9, retries: 9, running: [], limits: rules };
  await store.settleJobs((await store.claimJobs(claim)).map(({ id }) => ({ id, kind: "done", messageSid: null })));
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

function newKey(given: Partial<NewApiKey> = {}): NewApiKey {
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

export type Open = () => OpenStore | Promise<OpenStore>;

/** Gives each test an empty store, which is closed after it. */
export function openForEach(open: Open, use: (store: Store) => void): void {
  let opened: OpenStore;
  beforeEach(async () => {
    opened = await open();
    use(opened.store);
    await opened.ready?.();
  });
  afterEach(async () => {
    await opened.store.close();
    await opened.dispose?.();
  });
}

/** @param open opens an empty store; it is closed after each test */
export function storeConformance(name: string, open: Open): void {
  describe(`store: ${name}`, () => {
    let store: Store;
    openForEach(open, (opened) => (store = opened));

    const ALWAYS = [0, Number.MAX_SAFE_INTEGER] as const;
    const book = (booking: NewBooking, bays = 1, quotas: Quota[] = []) => store.book(booking, bays, quotas);
    const kindOf = async (...args: Parameters<typeof book>) => (await book(...args)).kind;

    /** Everything that the interface shows of bookings and jobs. */
    const traces = async (quotas: Quota[] = [], request = { scope: "", id: "r" }) => ({
      busy: await store.busyBetween(...ALWAYS),
      use: await store.quotaUse(quotas),
      jobs: await store.waitingJobs(100),
      count: await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER),
      earlier: await store.findEarlier(request.scope, request.id),
    });

    describe("booking", () => {
      test("fills every bay and no more; a bay is free from the end of a booking", async () => {
        expect(await kindOf(newBooking(), 2)).toBe("booked");
        expect(await kindOf(newBooking(), 2)).toBe("booked");
        expect(await kindOf(newBooking(), 2)).toBe("taken");
        expect(await kindOf(newBooking({ startAt: T0 + 59 * MINUTE }), 2)).toBe("taken");
        expect(await kindOf(newBooking({ startAt: T0 - 59 * MINUTE }), 2)).toBe("taken");
        expect(await kindOf(newBooking({ startAt: T0 + 60 * MINUTE }), 2)).toBe("booked");
        expect(await kindOf(newBooking({ startAt: T0 - 60 * MINUTE }), 2)).toBe("booked");
      });

      test("keeps the bay until busyUntil, after the end", async () => {
        const buffered = newBooking({ busyUntil: T0 + 75 * MINUTE });
        expect(await kindOf(buffered)).toBe("booked");
        expect(await kindOf(newBooking({ startAt: T0 + 60 * MINUTE }))).toBe("taken");
        expect(await kindOf(newBooking({ startAt: T0 + 75 * MINUTE }))).toBe("booked");
        // The buffer of the new booking counts too.
        const before = { startAt: T0 - 60 * MINUTE, endAt: T0, busyUntil: T0 + 15 * MINUTE };
        expect(await kindOf(newBooking(before))).toBe("taken");
      });

      test("counts the most bookings at one moment, not all overlaps", async () => {
        // Two short bookings in a row share one bay, so a long one fits into the second bay.
        expect(await kindOf(newBooking({ startAt: T0 }), 2)).toBe("booked");
        expect(await kindOf(newBooking({ startAt: T0 + 60 * MINUTE }), 2)).toBe("booked");
        expect(await kindOf(newBooking({ startAt: T0, endAt: T0 + 120 * MINUTE }), 2)).toBe("booked");
        expect(await kindOf(newBooking({ startAt: T0 + 90 * MINUTE }), 2)).toBe("taken");
      });

      test("gives the last bay to one of many simultaneous requests", async () => {
        const outcomes = await Promise.all(Array.from({ length: 64 }, () => kindOf(newBooking())));
        expect(outcomes.filter((kind) => kind === "booked")).toHaveLength(1);
        expect(outcomes.filter((kind) => kind === "taken")).toHaveLength(63);
        expect(await store.busyBetween(...ALWAYS)).toHaveLength(1);
      });

      test("fills exactly the bays with many simultaneous requests", async () => {
        const outcomes = await Promise.all(Array.from({ length: 64 }, () => kindOf(newBooking(), 3)));
        expect(outcomes.filter((kind) => kind === "booked")).toHaveLength(3);
        expect(outcomes.filter((kind) => kind === "taken")).toHaveLength(61);
      });

      for (const by of ["cancelled_by_shop", "cancelled_by_customer"] as const) {
        test(`${by}: the time is free again, and the booking still counts in the quotas`, async () => {
          const booking = newBooking({ idempotency: { scope: "", id: "r", bodyHash: "h" } });
          const quotas: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 9 }];
          await book(booking, 1, quotas);
          expect(await kindOf(newBooking())).toBe("taken");
          expect((await store.moveBooking(booking.confirmationCode, by, T0)).kind).toBe("moved");
          expect(await store.busyBetween(...ALWAYS)).toEqual([]);
          expect((await store.quotaUse(quotas))[0]?.used).toBe(1);
          expect(await store.findEarlier("", "r")).toMatchObject({ bodyHash: "h", answer: booking.answer });
          expect(await kindOf(newBooking())).toBe("booked");
          expect(await kindOf(newBooking())).toBe("taken");
        });
      }
    });

    describe("replay", () => {
      const request = (bodyHash = "h", scope = "", id = "r") => ({ idempotency: { scope, id, bodyHash } });

      test("returns the earlier answer for any body, before quotas and bays are checked", async () => {
        const first = newBooking(request());
        expect(await kindOf(first)).toBe("booked");
        const full: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 1 }];
        const before = await traces(full);
        for (const bodyHash of ["h", "another"]) {
          const outcome = await book(newBooking(request(bodyHash)), 1, full);
          expect(outcome).toMatchObject({ kind: "earlier", earlier: { bodyHash: "h", answer: first.answer } });
        }
        expect(await traces(full)).toEqual(before);
      });

      test("of a quote request returns the earlier answer, and adds no second lead", async () => {
        const request = { scope: "+14045550111", id: "q", bodyHash: "h", answer: { reference: "Q-1" } };
        const earlier = { bodyHash: "h", answer: request.answer };
        expect(await store.findEarlierLead(request.scope, request.id)).toBeNull();
        const add = (more: object = {}) => store.addLead(newLead({ request: { ...request, ...more } }));
        expect(await add()).toEqual({ kind: "added" });
        expect(await add({ bodyHash: "another" })).toMatchObject({ kind: "earlier", earlier });
        expect(await store.findEarlierLead(request.scope, request.id)).toMatchObject(earlier);
        expect(await add({ scope: "+14045550112" })).toEqual({ kind: "added" });
        expect(await store.leads(["new"], 9)).toHaveLength(2);
      });

      test("compares scopes and ids exactly", async () => {
        await book(newBooking(request("h", "key_1", "Order 1")));
        expect(await store.findEarlier("key_1", "Order 1")).not.toBeNull();
        for (const [scope, id] of [
          ["", "Order 1"],
          ["key_2", "Order 1"],
          ["key_1", "order 1"],
          ["key_1", "Order 1 "],
          ["KEY_1", "Order 1"],
          ["key_1", ""],
          ["key_1", "%"],
        ] as const)
          expect(await store.findEarlier(scope, id)).toBeNull();
        const later = { startAt: T0 + 120 * MINUTE };
        expect(await kindOf(newBooking({ ...request("h", "key_2", "Order 1"), ...later }))).toBe("booked");
      });

      test("a failed booking leaves the id free", async () => {
        await book(newBooking());
        expect(await kindOf(newBooking(request()))).toBe("taken");
        expect(await store.findEarlier("", "r")).toBeNull();
        expect(await kindOf(newBooking({ ...request(), startAt: T0 + 60 * MINUTE }))).toBe("booked");
      });

      test("two bookings without an id are both made", async () => {
        expect(await kindOf(newBooking(), 3)).toBe("booked");
        expect(await kindOf(newBooking(), 3)).toBe("booked");
      });

      test("one of many simultaneous copies books; the others get the same answer", async () => {
        const outcomes = await Promise.all(Array.from({ length: 64 }, () => book(newBooking(request()), 99)));
        expect(outcomes.filter(({ kind }) => kind === "booked")).toHaveLength(1);
        expect(outcomes.filter(({ kind }) => kind === "earlier")).toHaveLength(63);
        expect(await store.busyBetween(...ALWAYS)).toHaveLength(1);
      });
    });

    describe("quotas", () => {
      const at = (minute: number, given: Parameters<typeof newBooking>[0] = {}) =>
        newBooking({ startAt: T0 + minute * 60 * MINUTE, createdAt: T0 + minute * MINUTE, ...given });
      const used = async (quota: Omit<Quota, "limit">) => {
        const [use] = await store.quotaUse([{ ...quota, limit: 3 }]);
        return [use?.used, use?.oldestAt ?? null];
      };

      test("count bookings made after a moment, by network, phone or key", async () => {
        await store.addKey(newKey({ id: "key_a" }));
        await store.addKey(newKey({ id: "key_b" }));
        await book(at(0));
        await book(at(1, { network: "192.0.2.2", lead: { phone: "+14045550112" } }));
        await book(at(2, { network: "192.0.2.2" }));
        await book(at(3, { keyId: "key_a" }));
        await book(at(4, { keyId: "key_a" }));

        expect(await used({ by: "network", value: "192.0.2.1", since: 0, until: EVER })).toEqual([1, T0]);
        expect(await used({ by: "network", value: "192.0.2.2", since: 0, until: EVER })).toEqual([2, T0 + MINUTE]);
        expect(await used({ by: "network", value: "192.0.2.2", since: T0 + MINUTE, until: EVER })).toEqual([
          1,
          T0 + 2 * MINUTE,
        ]);
        expect(await used({ by: "network", value: "192.0.2.2", since: T0 + MINUTE - 1, until: EVER })).toEqual([
          2,
          T0 + MINUTE,
        ]);
        expect(await used({ by: "network", value: "192.0.2.3", since: 0, until: EVER })).toEqual([0, null]);
        expect(await used({ by: "phone", value: "+14045550111", since: 0, until: EVER })).toEqual([2, T0]);
        expect(await used({ by: "phone", value: "+14045550112", since: 0, until: EVER })).toEqual([1, T0 + MINUTE]);
        // A booking with a key counts only for that key, not for the network or the phone.
        expect(await used({ by: "key", value: "key_a", since: 0, until: EVER })).toEqual([2, T0 + 3 * MINUTE]);
        expect(await used({ by: "key", value: "key_b", since: 0, until: EVER })).toEqual([0, null]);
      });

      test("come back in the order of the question, with the question", async () => {
        await book(at(0));
        const quotas: Quota[] = [
          { by: "phone", value: "+14045550111", since: 5, until: EVER, limit: 2 },
          { by: "network", value: "192.0.2.9", since: 6, until: EVER, limit: 3 },
        ];
        expect(await store.quotaUse(quotas)).toEqual([
          { by: "phone", value: "+14045550111", since: 5, until: EVER, limit: 2, used: 1, oldestAt: T0 },
          { by: "network", value: "192.0.2.9", since: 6, until: EVER, limit: 3, used: 0, oldestAt: null },
        ]);
        expect(await store.quotaUse([])).toEqual([]);
      });

      test("leave out bookings dated after `until`, which show that the clock went back", async () => {
        await book(at(0));
        await book(at(70));
        const quota = { by: "network", value: "192.0.2.1", since: 0 } as const;
        expect(await used({ ...quota, until: T0 })).toEqual([1, T0]);
        expect(await used({ ...quota, until: T0 + 69 * MINUTE })).toEqual([1, T0]);
        expect(await used({ ...quota, until: T0 + 70 * MINUTE })).toEqual([2, T0]);
      });

      test("refuse one booking too many, and say how much is used", async () => {
        const quotas: Quota[] = [
          { by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 2 },
          { by: "phone", value: "+14045550111", since: 0, until: EVER, limit: 9 },
        ];
        for (const minute of [0, 1]) expect(await kindOf(at(minute), 1, quotas)).toBe("booked");
        const before = await traces(quotas);
        const outcome = await book(at(2), 1, quotas);
        expect(outcome).toEqual({ kind: "quota", quotas: before.use });
        expect(before.use.map((use) => use.used)).toEqual([2, 2]);
        expect(await traces(quotas)).toEqual(before);
      });

      test("are checked before the bays, so that a caller over quota learns nothing of the diary", async () => {
        await book(newBooking());
        const quotas: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 1 }];
        expect(await kindOf(newBooking(), 1, quotas)).toBe("quota");
      });

      test("include the booking just made in the answer", async () => {
        const quotas: Quota[] = [
          { by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 3 },
          { by: "phone", value: "+14045550111", since: 0, until: EVER, limit: 3 },
        ];
        for (const minute of [0, 1]) {
          const outcome = await book(at(minute), 1, quotas);
          expect(outcome).toEqual({ kind: "booked", used: (await store.quotaUse(quotas)).map(({ used }) => used) });
        }
      });

      test("hold for many simultaneous bookings", async () => {
        const quotas: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 3 }];
        const outcomes = await Promise.all(Array.from({ length: 64 }, (_, i) => kindOf(at(i), 1, quotas)));
        expect(outcomes.filter((kind) => kind === "booked")).toHaveLength(3);
        expect(outcomes.filter((kind) => kind === "quota")).toHaveLength(61);
      });

      describe("of what a customer holds", () => {
        const held = (limit: number, since = T0 - MINUTE): Quota[] => [
          { by: "held_by_phone", value: "+14045550111", since, until: EVER, limit },
          { by: "held_by_email", value: "Pat@Example.COM", within: "192.0.2.1", since, until: EVER, limit },
        ];
        const holding = async (since?: number) => (await store.quotaUse(held(9, since))).map(({ used }) => used);
        const other = { phone: "+14045550112", email: "other@example.com" };

        test("count it by phone, whoever booked, and by e-mail address in any letter case within a network", async () => {
          await store.addKey(newKey({ id: "key_a" }));
          await book(at(0, { keyId: "key_a" }));
          expect(await holding()).toEqual([1, 0]);
          await book(at(1, { network: "192.0.2.1", lead: { ...other, email: "PAT@example.com" } }));
          expect(await holding()).toEqual([1, 1]);
          await book(at(2, { network: "192.0.2.8", lead: { ...other, email: "pat@example.com" } }));
          expect(await holding()).toEqual([1, 1]);
          await book(at(3, { lead: { ...other, phone: "+14045550111" } }));
          expect(await holding()).toEqual([2, 1]);
        });

        test("count the bookings of wider networks and of keys that registered themselves", async () => {
          await store.addKey(newKey({ id: "key_own", email: "own@example.com", network: "2001:db8:1:1::/64" }));
          await store.addKey(newKey({ id: "key_issued", email: "issued@example.com" }));
          await book(at(0, { network: "2001:db8:1:100::/64" }));
          await book(at(1, { network: "2001:db8:1:1ff::/64" }));
          await book(at(2, { network: "2001:db8:1:200::/64", keyId: "key_own" }));
          await book(at(3, { network: "2001:db8:1:200::/64", keyId: "key_issued" }));
          await book(at(4, { network: "192.0.2.1" }));
          const used = async (value: string) =>
            (await store.quotaUse([{ by: "networks", value, since: 0, until: EVER, limit: 9 }]))[0]?.used;
          expect(await used("56 20010db8000101")).toBe(2);
          expect(await used("48 20010db80001")).toBe(3);
          expect(await used("2001:db8:1:200::/64")).toBe(1);
          expect(await used("192.0.2.1")).toBe(1);
        });

        test("count what is not over: cancelled, completed and past bookings make room", async () => {
          const three = [at(0), at(1), at(2)];
          for (const one of three) await book(one);
          expect(await holding()).toEqual([3, 3]);
          // The first is an hour long: it counts up to its very end.
          expect(await holding(T0 + 60 * MINUTE - 1)).toEqual([3, 3]);
          expect(await holding(T0 + 60 * MINUTE)).toEqual([2, 2]);
          await store.moveBooking(three[2]?.confirmationCode ?? "", "cancelled_by_customer", T0);
          expect(await holding()).toEqual([2, 2]);
          await store.moveBooking(three[0]?.confirmationCode ?? "", "completed", T0);
          expect(await holding()).toEqual([1, 1]);
        });

        test("refuse one too many, and say when the earliest ends", async () => {
          for (const minute of [1, 0]) expect(await kindOf(at(minute), 1, held(2))).toBe("booked");
          const refused = await book(at(2), 1, held(2));
          expect(refused).toMatchObject({ kind: "quota", quotas: [{ used: 2, oldestAt: T0 + 60 * MINUTE }, {}] });
          // Who holds more than a limit that was lowered waits for the second to end.
          expect(await book(at(2), 1, held(1))).toMatchObject({ quotas: [{ oldestAt: T0 + 120 * MINUTE }, {}] });
          expect(await kindOf(at(2, { lead: other }), 1, [])).toBe("booked");
        });

        test("hold when many bookings come at once from everywhere", async () => {
          const from = (i: number) => at(i, { network: `192.0.2.${i}`, lead: { email: `p${i}@example.com` } });
          const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => kindOf(from(i), 1, held(4))));
          expect(outcomes.filter((kind) => kind === "booked")).toHaveLength(4);
          expect(outcomes.filter((kind) => kind === "quota")).toHaveLength(6);
        });
      });
    });

    describe("the alert of many bookings", () => {
      const HOUR = 60 * MINUTE;
      let made = 0;
      /** Books at these minutes after T0. @returns the minutes at which a warning was written */
      const warnings = async (minutes: readonly number[], above = 2): Promise<number[]> => {
        const before = (await store.waitingJobs(99, { kinds: ["bookings_alert_sms"] })).length;
        for (const minute of minutes) {
          made += 1;
          const createdAt = T0 + minute * MINUTE;
          const job = newJob("bookings_alert_sms", { dueAt: createdAt });
          const booking = newBooking({
            startAt: T0 + made * 24 * HOUR,
            createdAt,
            alert: { above, windowMs: HOUR, job },
          });
          expect(await kindOf(booking, 1)).toBe("booked");
        }
        const jobs = await store.waitingJobs(99, { kinds: ["bookings_alert_sms"] });
        return jobs.slice(before).map(({ dueAt }) => (dueAt - T0) / MINUTE);
      };

      test("is written once, with the booking that passes the rate", async () => {
        expect(await warnings([0, 1, 2, 3, 4])).toEqual([2]);
      });

      test("counts an hour back, and no further", async () => {
        expect(await warnings([0, 30, 60, 90, 120])).toEqual([]);
        expect(await warnings([149])).toEqual([149]);
      });

      test("comes again once the rate has been below for an hour, and not before", async () => {
        // The rate falls to the limit at minute 60, so a new warning is due from minute 120 on.
        expect(await warnings([0, 1, 2, 117, 118, 119])).toEqual([2]);
        // The rate was passed again at minute 119, until minute 177.
        expect(await warnings([234, 235, 236])).toEqual([]);
        expect(await warnings([400, 401, 402])).toEqual([402]);
      });

      test("comes once from machines whose clocks are 4 s apart", async () => {
        const seconds = [4, 5, 6, 0, 1, 2, 7, 3];
        expect(await warnings(seconds.map((second) => second / 60))).toEqual([6 / 60]);
      });

      test("does not stay away after the clock went back by a day", async () => {
        expect(await warnings([0, 1, 2])).toEqual([2]);
        const day = 24 * 60;
        const back = [0, 1, 2].map((minute) => minute - day);
        expect((await warnings(back)).length).toBe(1);
      });

      test("is not written for a booking that is refused, nor for the owner's own", async () => {
        const job = newJob("bookings_alert_sms");
        const alert = { above: 1, windowMs: HOUR, job };
        await book(newBooking({ createdAt: T0 }));
        expect(await kindOf(newBooking({ createdAt: T0, alert }))).toBe("taken");
        expect(await kindOf(newBooking({ createdAt: T0, startAt: T0 + HOUR }))).toBe("booked");
        expect(await store.waitingJobs(9)).toEqual([]);
        expect(await kindOf(newBooking({ createdAt: T0, startAt: T0 + 2 * HOUR, alert }))).toBe("booked");
        expect(await store.waitingJobs(9)).toHaveLength(1);
      });
    });

    test("a refused booking writes nothing: no lead, no job, no occupied time, no replay record", async () => {
      const jobs = [newJob()];
      const quotas: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 1 }];
      const idempotency = { scope: "", id: "r", bodyHash: "h" };
      await book(newBooking({ lead: { jobs } }));
      const before = await traces(quotas);
      expect(before.count.count).toBe(1);

      const taken = newBooking({ idempotency, lead: { jobs } });
      expect(await kindOf(taken)).toBe("taken");
      const overQuota = newBooking({ idempotency, startAt: T0 + 90 * MINUTE, lead: { jobs } });
      expect(await kindOf(overQuota, 1, quotas)).toBe("quota");
      expect(await traces(quotas)).toEqual(before);
      // No lead was written, so the same lead can be written now.
      await store.addLead(taken.lead);
      await store.addLead(overQuota.lead);
      expect((await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).count).toBe(3);
    });

    test("a code or reference that is in use is refused, and nothing is written", async () => {
      const first = newBooking();
      await book(first);
      const before = await traces();
      const startAt = T0 + 90 * MINUTE;
      const idempotency = { scope: "", id: "r", bodyHash: "h" };
      const lead = { jobs: [newJob()] };
      const { confirmationCode } = first;
      expect(await kindOf(newBooking({ confirmationCode, startAt, idempotency, lead }))).toBe("code_in_use");
      const sameReference = { ...lead, reference: first.lead.reference };
      expect(await kindOf(newBooking({ startAt, idempotency, lead: sameReference }))).toBe("code_in_use");
      expect(await store.addLead(newLead(sameReference))).toEqual({ kind: "code_in_use" });
      expect(await traces()).toEqual(before);
      expect(await store.addLead(newLead(lead))).toEqual({ kind: "added" });
    });

    test("says which codes and references are in use", async () => {
      const booking = newBooking();
      await book(booking);
      const { confirmationCode, lead } = booking;
      expect(await store.codesInUse(["NOSUCH", confirmationCode, lead.reference])).toEqual([confirmationCode]);
      expect(await store.referencesInUse(["NOSUCH", confirmationCode, lead.reference])).toEqual([lead.reference]);
      expect(await store.codesInUse([])).toEqual([]);
    });

    test("a booking that fails half-way is undone completely", async () => {
      const jobs = [newJob("push_to_crm")];
      const first = newBooking();
      await book(first);
      const before = await traces();
      const clash = newBooking({
        startAt: T0 + 90 * MINUTE,
        id: first.id,
        idempotency: { scope: "", id: "r", bodyHash: "h" },
        lead: { jobs },
      });
      expect(await issueOf(book(clash))).toBeInstanceOf(Error);
      expect(await traces()).toEqual(before);
    });

    test("writes that come together do not touch one another: refusals, faults and bookings", async () => {
      const full = [{ by: "phone" as const, value: "+14045550111", since: 0, until: EVER, limit: 0 }];
      const jobs = [newJob("push_to_crm")];
      const later = (hours: number, given: Partial<NewBooking> = {}) =>
        newBooking({ startAt: T0 + hours * 60 * MINUTE, ...given, lead: { ...newLead({ jobs }), ...given.lead } });
      const first = later(0);
      await book(first);
      const ends = await Promise.allSettled([
        kindOf(later(0)),
        kindOf(later(1, { id: first.id })),
        kindOf(later(2)),
        kindOf(later(3), 1, full),
        kindOf(later(4, { confirmationCode: first.confirmationCode })),
        store.addLead(newLead({ jobs, keyId: "key_of_nobody" })),
        store.addLead(newLead({ jobs })).then(({ kind }) => kind),
        kindOf(later(5)),
      ]);
      const kinds = ends.map((end) => (end.status === "fulfilled" ? String(end.value) : "fault"));
      expect(kinds).toEqual(["taken", "fault", "booked", "quota", "code_in_use", "fault", "added", "booked"]);
      const busy = await store.busyBetween(...ALWAYS);
      expect(busy.map(({ startAt }) => (startAt - T0) / (60 * MINUTE)).sort()).toEqual([0, 2, 5]);
      expect(await store.waitingJobs(99)).toHaveLength(4);
      expect(await store.leads(["new"], 99)).toHaveLength(4);
    });

    test("busyBetween leaves out bookings that only touch the stretch", async () => {
      const busyUntil = T0 + 75 * MINUTE;
      await book(newBooking({ busyUntil }));
      const found = async (from: number, until: number) => (await store.busyBetween(from, until)).length;
      expect(await store.busyBetween(T0, busyUntil)).toEqual([{ startAt: T0, busyUntil }]);
      expect(await found(busyUntil - 1, busyUntil)).toBe(1);
      expect(await found(busyUntil, busyUntil + 1)).toBe(0);
      expect(await found(T0 - 1, T0)).toBe(0);
      expect(await found(T0 - 1, T0 + 1)).toBe(1);
      expect(await found(T0 + 1, T0 + 2)).toBe(1);
      expect(await found(0, Number.MAX_SAFE_INTEGER)).toBe(1);
    });

    test("busyBetween finds a long booking that began long before, beside many short ones", async () => {
      const long = newBooking({ startAt: T0 - 600 * MINUTE, endAt: T0 + MINUTE });
      await book(long, 9);
      for (let i = 1; i < 20; i++) await book(newBooking({ startAt: T0 - 60 * i * MINUTE }), 9);
      expect(await store.busyBetween(T0, T0 + MINUTE)).toEqual([{ startAt: long.startAt, busyUntil: long.busyUntil }]);
      await store.moveBooking(long.confirmationCode, "cancelled_by_shop", T0);
      expect(await store.busyBetween(T0, T0 + MINUTE)).toEqual([]);
    });

    describe("jobs", () => {
      test("wait in the order of due time, then of arrival", async () => {
        const job = (kind: JobKind, minute: number) => newJob(kind, { dueAt: T0 + minute * MINUTE });
        const lead = newLead({
          kind: "quote_request",
          reference: "Q-FIRST",
          name: "Kim Sample",
          jobs: [job("remind_owner", 240), job("notify_shop_sms", 0), job("push_to_crm", 0)],
        });
        await store.addLead(lead);
        await book(newBooking({ lead: { jobs: [job("notify_shop_sms", 0), job("push_to_crm", -5)] } }));

        const waiting = await store.waitingJobs(10);
        expect(waiting.map(({ kind, dueAt }) => [kind, (dueAt - T0) / MINUTE])).toEqual([
          ["push_to_crm", -5],
          ["notify_shop_sms", 0],
          ["push_to_crm", 0],
          ["notify_shop_sms", 0],
          ["remind_owner", 240],
        ]);
        expect(waiting[1]).toMatchObject({
          attempts: 0,
          lastError: null,
          lead: { id: lead.id, reference: "Q-FIRST", kind: "quote_request", name: "Kim Sample" },
        });
        expect(await store.waitingJobs(2)).toEqual(waiting.slice(0, 2));
        expect(await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).toEqual({
          count: 5,
          oldestDueAt: T0 - 5 * MINUTE,
        });
      });

      test("are none in an empty store", async () => {
        expect(await store.waitingJobs(10)).toEqual([]);
        expect(await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).toEqual({ count: 0, oldestDueAt: null });
      });

      test("a lead and its jobs are written together or not at all", async () => {
        const lead = newLead({ jobs: [newJob("push_to_crm", { unless: "contacted" })] });
        await store.addLead(lead);
        expect(await issueOf(store.addLead({ ...newLead({ jobs: lead.jobs }), id: lead.id }))).toBeInstanceOf(Error);
        expect((await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).count).toBe(1);
      });
    });

    describe("claims", () => {
      const TEXTS = ["notify_shop_sms"] as const;
      const job = ({ kind, ...given }: Parameters<typeof newJob>[1] & { kind?: JobKind } = {}) => newJob(kind, given);
      let latest = new Map<number, DueJob>();
      beforeEach(() => {
        latest = new Map();
      });
      const claim = async (now: number, given: Partial<Claim> = {}) => {
        const jobs = await store.claimJobs({
          ...{ kinds: TEXTS, now, lastsMs: MINUTE, fresh: 9, retries: 9, running: [] },
          ...given,
        });
        for (const job of jobs) latest.set(job.id, job);
        return jobs;
      };
      const done = (id: number, messageSid: string | null = null) => ({ id, kind: "done", messageSid }) as const;
      const failed = (id: number, reason = "no such number") =>
        ({ ...attemptOf(latest.get(id)), kind: "failed", reason }) as const;
      const postponed = (id: number, { at = T0, nextAt = T0, doubtful = false, triedMs = 0 } = {}) => {
        const attempt = attemptOf(latest.get(id));
        return { ...attempt, kind: "postponed", reason: "busy", at, pauseMs: nextAt - at, doubtful, triedMs } as const;
      };
      const addJobs = async (...jobs: NewJob[]) => {
        await store.addLead(newLead({ jobs }));
        return (await store.waitingJobs(99)).map(({ id }) => id);
      };
      const due = async (now: number) => (await store.countDueJobs(TEXTS, now)).count;

      test("take due jobs of the given kinds, longest due first, up to the limit", async () => {
        await addJobs(
          job({ dueAt: T0 + 2 }),
          job({ dueAt: T0 + 1 }),
          job({ kind: "push_to_crm" }),
          job({ dueAt: T0 + 9 }),
        );
        const claimed = await claim(T0 + 5, { fresh: 1 });
        expect(claimed).toEqual([
          {
            id: expect.any(Number),
            kind: "notify_shop_sms",
            payload: SMS,
            attempts: 1,
            doubtful: false,
            firstTriedAt: T0 + 5,
            triedMs: 0,
            dueAt: T0 + 1,
            createdAt: T0,
          },
        ]);
        expect((await claim(T0 + 5)).map(({ dueAt }) => dueAt)).toEqual([T0 + 2]);
        expect(await claim(T0 + 5)).toEqual([]);
        expect(await claim(T0 + 5, { kinds: [] })).toEqual([]);
        expect((await claim(T0 + 5, { kinds: ["push_to_crm"] })).map(({ kind }) => kind)).toEqual(["push_to_crm"]);
      });

      test("give each job to one of many simultaneous claims", async () => {
        await addJobs(...Array.from({ length: 10 }, () => job()));
        const claimed = await Promise.all(Array.from({ length: 8 }, () => claim(T0, { fresh: 3 })));
        const ids = claimed.flat().map(({ id }) => id);
        expect(ids).toHaveLength(10);
        expect(new Set(ids).size).toBe(10);
      });

      test("expire when they are not settled, and the job comes back as doubtful", async () => {
        await addJobs(job());
        expect(await claim(T0)).toMatchObject([{ attempts: 1, doubtful: false }]);
        expect(await claim(T0 + MINUTE - 1)).toEqual([]);
        expect(await claim(T0 + MINUTE)).toMatchObject([{ attempts: 2, doubtful: true }]);
      });

      test("a job that runs in this process is not claimed again, even when the clock jumps past the claim", async () => {
        const [id = 0] = await addJobs(job());
        await claim(T0);
        expect(await claim(T0 + 24 * 60 * MINUTE, { running: [id] })).toEqual([]);
        await store.settleJobs([done(id)]);
        expect(await claim(T0 + 24 * 60 * MINUTE)).toEqual([]);
      });

      describe("settled late, by a process that slept past its claim", () => {
        /** The first attempt is taken over by a second one. @returns the first */
        const overtaken = async () => {
          await addJobs(job());
          const [first] = await claim(T0);
          expect(await claim(T0 + MINUTE)).toMatchObject([{ id: first?.id, attempts: 2, doubtful: true }]);
          return attemptOf(first);
        };
        const busy = { kind: "postponed", reason: "late", at: T0, pauseMs: 0, doubtful: false, triedMs: 0 } as const;

        test("a failure or a pause changes nothing", async () => {
          const first = await overtaken();
          expect(
            await store.settleJobs([
              { ...first, kind: "failed", reason: "late" },
              { ...first, ...busy },
            ]),
          ).toEqual([false, false]);
          expect(await store.failedJobs(9)).toEqual([]);
          expect(await claim(T0 + 2 * MINUTE - 1)).toEqual([]);
          expect(await store.waitingJobs(9)).toMatchObject([{ attempts: 2, lastError: null }]);
          expect(await claim(T0 + 2 * MINUTE)).toMatchObject([{ attempts: 3, doubtful: true }]);
        });

        test("a delivery ends the job; the second attempt may find the message, and settles nothing", async () => {
          const { id } = await overtaken();
          expect(await store.settleJobs([done(id, "SM1")])).toEqual([true]);
          expect(await store.settledMessages(["SM1"], id)).toEqual([]);
          expect(await store.settledMessages(["SM1"], id + 1)).toEqual(["SM1"]);
          expect(await store.settleJobs([done(id, "SM1"), done(id, "SM2"), failed(id), postponed(id)])).toEqual(
            Array(4).fill(false),
          );
          expect(await store.settledMessages(["SM1", "SM2"], 0)).toEqual(["SM1"]);
          expect(await claim(T0 + 9 * MINUTE)).toEqual([]);
        });

        test("a delivery ends the job, even after it was given up", async () => {
          const { id } = await overtaken();
          expect(await store.settleJobs([failed(id)])).toEqual([true]);
          expect(await store.settleJobs([done(id)])).toEqual([true]);
          expect(await store.retryJob(id, T0)).toEqual({ kind: "refused", status: "done" });
        });

        test("an attempt from before a retry by hand has the number of one after it, and settles nothing", async () => {
          const first = await overtaken();
          await store.settleJobs([failed(first.id)]);
          await store.retryJob(first.id, T0 + 2 * MINUTE);
          expect(await claim(T0 + 2 * MINUTE)).toMatchObject([{ attempts: first.attempts }]);
          expect(await store.settleJobs([{ ...first, ...busy }])).toEqual([false]);
          expect(await claim(T0 + 3 * MINUTE - 1)).toEqual([]);
          expect(await store.settleJobs([failed(first.id)])).toEqual([true]);
        });

        test("a retry by hand during an attempt outlasts it", async () => {
          const [id = 0] = await addJobs(job());
          await claim(T0);
          await store.retryJob(id, T0 + 5);
          expect(await store.settleJobs([postponed(id, { nextAt: T0 + 60 * MINUTE })])).toEqual([false]);
          expect(await claim(T0 + MINUTE)).toMatchObject([{ id, attempts: 1, doubtful: true, dueAt: T0 + 5 }]);
        });
      });

      test("go by the clock of the store when no time is given", async () => {
        // The machine that wrote the job has a clock that is ahead.
        const createdAt = Date.now() + 30_000;
        await store.addLead(
          newLead({ createdAt, jobs: [job({ dueAt: createdAt }), job({ dueAt: createdAt + 60 * MINUTE })] }),
        );
        const now = Date.now();
        // So has the machine that claims it.
        setSystemTime(now + 60 * MINUTE);
        const [claimed, ...others] = await claim(0, { now: undefined }).finally(() => setSystemTime());
        expect(others).toEqual([]);
        expect(claimed?.firstTriedAt).toBeWithin(now - 2_000, Date.now() + 2_000);
        const attempt = attemptOf(claimed);
        expect(
          await store.settleJobs([
            { ...attempt, kind: "postponed", reason: "busy", pauseMs: 9 * MINUTE, doubtful: false, triedMs: 0 },
          ]),
        ).toEqual([true]);
        expect(await claim(0, { now: undefined })).toEqual([]);
        expect(await claim(createdAt + 8 * MINUTE)).toEqual([]);
        expect(await claim(createdAt + 10 * MINUTE)).toMatchObject([{ id: attempt.id, attempts: 2 }]);
      });

      describe("when the clock goes back by an hour", () => {
        const HOUR = 60 * MINUTE;

        test("a postponed job waits only for its pause", async () => {
          const [id = 0] = await addJobs(job());
          await claim(T0 + HOUR);
          await store.settleJobs([postponed(id, { at: T0 + HOUR, nextAt: T0 + HOUR + 4_000 })]);
          expect(await claim(T0)).toEqual([]);
          expect(await claim(T0 + 3_999)).toEqual([]);
          expect(await claim(T0 + 4_000)).toMatchObject([{ id, firstTriedAt: T0 }]);
        });

        test("the claim of a process that died ends after its length", async () => {
          await addJobs(job());
          await claim(T0 + HOUR);
          expect(await claim(T0)).toEqual([]);
          expect(await claim(T0 + MINUTE - 1)).toEqual([]);
          expect(await claim(T0 + MINUTE)).toMatchObject([{ attempts: 2, doubtful: true, firstTriedAt: T0 }]);
        });

        test("an attempt that runs is settled", async () => {
          const createdAt = T0 + HOUR;
          await store.addLead(newLead({ createdAt, jobs: [job({ dueAt: createdAt }), job({ dueAt: createdAt })] }));
          const [busy, refused] = await claim(createdAt);
          expect(await claim(T0)).toEqual([]);
          expect(
            await store.settleJobs([postponed(busy?.id ?? 0, { at: T0, nextAt: T0 + 9 }), failed(refused?.id ?? 0)]),
          ).toEqual([true, true]);
          expect(await claim(T0 + 9)).toMatchObject([{ id: busy?.id, dueAt: T0 }]);
        });

        test("a new job that is due at once is tried at once; one for a later moment keeps the moment", async () => {
          const later = job({ dueAt: T0 + HOUR + 1 });
          await store.addLead(newLead({ createdAt: T0 + HOUR, jobs: [job({ dueAt: T0 + HOUR }), later] }));
          expect(await claim(T0)).toMatchObject([{ attempts: 1, dueAt: T0 }]);
          expect(await claim(T0 + HOUR)).toEqual([expect.objectContaining({ attempts: 2 })]);
          expect(await claim(T0 + HOUR + 1)).toMatchObject([{ attempts: 1, dueAt: T0 + HOUR + 1 }]);
        });

        test("a job retried by hand is due at once", async () => {
          const [id = 0] = await addJobs(job());
          await store.retryJob(id, T0 + HOUR);
          expect(await claim(T0)).toMatchObject([{ id }]);
        });
      });

      test("many jobs that lapse do not hide the one that is due", async () => {
        const kinds = ["reminder_sms"] as const;
        for (let i = 0; i < 30; i++) {
          const booking = newBooking({
            startAt: T0,
            lead: { jobs: [job({ kind: "reminder_sms", dueAt: T0 - MINUTE })] },
          });
          await book(booking, 99);
        }
        const kept = newBooking({ startAt: T0 + 60 * MINUTE, lead: { jobs: [job({ kind: "reminder_sms" })] } });
        await book(kept, 99);
        expect(await claim(T0, { kinds, fresh: 4 })).toHaveLength(1);
        expect(await store.waitingJobs(99, { kinds })).toMatchObject([{ lead: { id: kept.lead.id }, attempts: 1 }]);
      });

      test("a finished job is not claimed again; a failed job keeps the reason", async () => {
        const [sent = 0, refused = 0] = await addJobs(job(), job());
        expect(await due(T0)).toBe(2);
        await claim(T0);
        // A claimed job is not done yet, so it still counts as due.
        expect(await due(T0)).toBe(2);
        await store.settleJobs([done(sent), failed(refused)]);
        expect(await due(T0)).toBe(0);
        expect(await claim(Number.MAX_SAFE_INTEGER - MINUTE)).toEqual([]);
        expect(await store.failedJobs(9)).toMatchObject([{ id: refused, attempts: 1, lastError: "no such number" }]);
        expect(await store.retryJob(sent, T0)).toEqual({ kind: "refused", status: "done" });

        // A retry by hand starts again, but an earlier attempt may have arrived.
        expect(await store.retryJob(refused, T0 + 5)).toEqual({ kind: "due" });
        expect(await claim(T0 + 5)).toMatchObject([{ id: refused, attempts: 1, doubtful: true, dueAt: T0 + 5 }]);
      });

      test("a postponed job waits for nextAt, counts as due meanwhile, and keeps the reason", async () => {
        const [id = 0] = await addJobs(job());
        for (const doubtful of [true, false]) {
          const [claimed] = await claim(T0 + 9 * MINUTE);
          expect(claimed?.id).toBe(id);
          await store.settleJobs([postponed(id, { nextAt: T0 + 9 * MINUTE, doubtful })]);
          expect(await claim(T0 + 9 * MINUTE - 1)).toEqual([]);
          expect(await store.countDueJobs(TEXTS, T0 + 1)).toEqual({ count: 1, oldestDueAt: T0 });
          expect(await store.waitingJobs(9)).toMatchObject([{ lastError: "busy", dueAt: T0 }]);
          expect(await claim(T0 + 9 * MINUTE)).toMatchObject([{ doubtful }]);
          await store.settleJobs([postponed(id, { nextAt: 0 })]);
        }
      });

      test("count new jobs and retries separately", async () => {
        const ids = await addJobs(job(), job(), job());
        await claim(T0);
        await store.settleJobs(ids.map((id) => postponed(id, { nextAt: T0 })));
        await addJobs(job(), job(), job());
        const rooms = async (fresh: number, retries: number) =>
          (await claim(T0, { fresh, retries })).map(({ attempts }) => attempts).sort();
        expect(await rooms(0, 0)).toEqual([]);
        expect(await rooms(0, 2)).toEqual([2, 2]);
        expect(await rooms(2, 0)).toEqual([1, 1]);
        expect(await rooms(9, 9)).toEqual([1, 2]);
      });

      test("keep the time of the first attempt and the time spent; a retry by hand resets the time spent", async () => {
        const [id = 0] = await addJobs(job());
        expect(await claim(T0 + 5)).toMatchObject([{ firstTriedAt: T0 + 5, triedMs: 0 }]);
        await store.settleJobs([postponed(id, { nextAt: T0 + 9, triedMs: 4 })]);
        expect(await claim(T0 + 10)).toMatchObject([{ firstTriedAt: T0 + 5, triedMs: 4 }]);
        await store.settleJobs([failed(id, "busy")]);
        await store.retryJob(id, T0 + 20);
        expect(await claim(T0 + 20)).toMatchObject([{ firstTriedAt: T0 + 5, triedMs: 0, attempts: 1 }]);
      });

      test("of two jobs with the same message, one is done; the other comes back as doubtful", async () => {
        const [first = 0, second = 0, third = 0] = await addJobs(job(), job(), job());
        await claim(T0);
        expect(await store.settledMessages(["SM1"], 0)).toEqual([]);
        await store.settleJobs([done(first, "SM1"), done(second, "SM1"), done(third, "SM3")]);
        expect(await store.settledMessages(["SM1", "SM2"], 0)).toEqual(["SM1"]);
        expect(await store.settledMessages(["SM1"], first)).toEqual([]);
        expect((await store.waitingJobs(9)).map(({ id }) => id)).toEqual([second]);
        expect(await claim(T0 + MINUTE)).toMatchObject([{ id: second, doubtful: true }]);
        await store.settleJobs([done(second, "SM2")]);
        expect((await store.settledMessages(["SM1", "SM2", "SM3"], 0)).sort()).toEqual(["SM1", "SM2", "SM3"]);
      });

      test("a job that lapses during an attempt is done if the attempt succeeds, else stays lapsed", async () => {
        const lead = newLead({ jobs: ["sent", "refused", "busy"].map(() => job({ unless: "contacted" })) });
        await store.addLead(lead);
        const [sent = 0, refused = 0, busy = 0] = (await claim(T0)).map(({ id }) => id);
        await store.moveLead(lead.id, "contacted", null, T0);
        await store.settleJobs([done(sent), failed(refused), postponed(busy)]);
        expect(await store.failedJobs(9)).toEqual([]);
        expect(await claim(T0 + MINUTE)).toEqual([]);
        expect(await store.retryJob(sent, T0)).toEqual({ kind: "refused", status: "done" });
        for (const id of [refused, busy]) expect(await store.retryJob(id, T0)).toMatchObject({ status: "lapsed" });
      });

      test("are listed by kind, by when they are due, and by whether they were tried", async () => {
        const [first = 0, , second = 0] = await addJobs(job(), job({ dueAt: T0 + 5 }), job({ kind: "push_to_crm" }));
        await claim(T0);
        await store.settleJobs([postponed(first, { nextAt: T0 + MINUTE })]);
        const ids = async (filter: Parameters<Store["waitingJobs"]>[1]) =>
          (await store.waitingJobs(9, filter)).map(({ id }) => id);
        expect(await ids({ kinds: TEXTS })).toEqual([first, second]);
        expect(await ids({ kinds: TEXTS, dueBefore: T0 + 5 })).toEqual([first]);
        expect(await ids({ tried: true })).toEqual([first]);
        expect(await ids({ tried: true, dueBefore: T0 })).toEqual([]);
      });

      test("count only the kinds asked for", async () => {
        await addJobs(job(), job({ kind: "push_to_crm", dueAt: T0 - 5 }), job({ kind: "remind_owner", dueAt: T0 - 9 }));
        const count = (...kinds: JobKind[]) => store.countDueJobs(kinds, T0);
        expect(await count("push_to_crm", "notify_shop_sms")).toEqual({ count: 2, oldestDueAt: T0 - 5 });
        expect(await count()).toEqual({ count: 0, oldestDueAt: null });
        expect(await store.waitingJobs(9, { kinds: ["push_to_crm"] })).toHaveLength(1);
        expect(await store.waitingJobs(9, { kinds: [] })).toEqual([]);
      });

      test("messages to a customer lapse when the booking has begun or ended; those to the shop only when it ended", async () => {
        const kinds = ["notify_shop_sms", "reminder_sms"] as const;
        const jobs = [job({ dueAt: T0 - MINUTE }), job({ kind: "reminder_sms", dueAt: T0 - MINUTE })];
        const cancelled = newBooking({ startAt: T0 + MINUTE, lead: { jobs } });
        const kept = newBooking({ startAt: T0 + MINUTE, lead: { jobs } });
        const begun = newBooking({ startAt: T0, lead: { jobs } });
        for (const booking of [cancelled, kept, begun]) await book(booking, 9);
        await store.moveBooking(cancelled.confirmationCode, "cancelled_by_shop", T0);
        const claimed = await claim(T0, { kinds });
        expect(claimed.map(({ kind }) => kind).sort()).toEqual([...Array(2).fill("notify_shop_sms"), "reminder_sms"]);
        const rest = await store.waitingJobs(99);
        expect(rest.filter(({ kind }) => kind === "reminder_sms").map(({ lead }) => lead.id)).toEqual([kept.lead.id]);
      });
    });

    describe("keys", () => {
      test("are found by the exact hash", async () => {
        const key = newKey({ ratePerMinute: 42 });
        expect(await store.addKey(key)).toBe(true);
        expect(await store.findKey(key.hash)).toMatchObject({ id: key.id, ratePerMinute: 42, isRevoked: false });
        expect(await store.findKey(key.hash.toUpperCase())).toBeNull();
        expect(await store.findKey("")).toBeNull();
        const plain = newKey();
        await store.addKey(plain);
        expect(await store.findKey(plain.hash)).toMatchObject({ id: plain.id, ratePerMinute: null, isRevoked: false });
      });

      test("are one per e-mail address in any letter case; a second leaves the first unchanged", async () => {
        const first = newKey({ email: "Agent@Example.com" });
        expect(await store.addKey(first)).toBe(true);
        for (const email of ["Agent@Example.com", "agent@example.com", "AGENT@EXAMPLE.COM"]) {
          const second = newKey({ email });
          expect(await store.addKey(second)).toBe(false);
          expect(await store.findKey(second.hash)).toBeNull();
        }
        expect(await store.findKey(first.hash)).not.toBeNull();
        expect(await store.addKey(newKey({ email: "agent2@example.com" }))).toBe(true);
      });

      test("one of many simultaneous registrations with one address succeeds", async () => {
        const results = await Promise.all(
          Array.from({ length: 6 }, () => store.addKey(newKey({ email: "rush@example.com" }))),
        );
        expect(results.filter(Boolean)).toHaveLength(1);
      });
    });

    describe("the diary", () => {
      test("lists the bookings of some dates by start, and finds one by code", async () => {
        const later = newBooking({ startAt: T0 + 120 * MINUTE, time: "11:00", lead: { name: "Second" } });
        const sooner = newBooking({ lead: { name: "First" } });
        const nextDay = newBooking({ startAt: T0 + 24 * 60 * MINUTE, date: "2026-11-25" });
        for (const booking of [later, sooner, nextDay]) await book(booking);
        const codes = async (from: string, to: string) =>
          (await store.bookings({ from, to }, 99)).map(({ confirmationCode }) => confirmationCode);
        expect(await codes("2026-11-24", "2026-11-24")).toEqual([sooner.confirmationCode, later.confirmationCode]);
        expect(await codes("2026-11-24", "2026-11-25")).toHaveLength(3);
        expect(await codes("2026-11-25", "2026-11-30")).toEqual([nextDay.confirmationCode]);
        expect(await codes("2026-11-26", "2026-11-30")).toEqual([]);
        expect(await codes("2026-11-25", "2026-11-24")).toEqual([]);

        const { id, confirmationCode, service, date, time, startAt, endAt, busyUntil, answer, createdAt, lead } =
          sooner;
        expect(await store.findBooking(confirmationCode)).toEqual({
          ...{ id, confirmationCode, service, date, time, startAt, endAt, busyUntil, answer, createdAt },
          status: "confirmed",
          ...{ endedAt: null, changes: 0, changedOn: null, changedTimes: 0, cancelReason: null, paid: null },
          ...{ network: sooner.network, keyId: null, agentClass: null },
          lead: { id: lead.id, reference: lead.reference, name: "First", phone: lead.phone, email: lead.email },
        });
        expect(await store.findBooking("NOSUCH00")).toBeNull();
      });

      test("says of a booking which key, network and agent made it", async () => {
        await store.addKey(newKey({ id: "key_a" }));
        const by = { keyId: "key_a", network: "2001:db8::/64" };
        const booking = newBooking({ ...by, lead: { agentClass: "openai" } });
        await book(booking);
        expect(await store.findBooking(booking.confirmationCode)).toMatchObject({ ...by, agentClass: "openai" });
      });

      test("comes in pages, even when bookings begin at the same moment", async () => {
        for (let i = 0; i < 7; i++) await book(newBooking({ createdAt: T0 - (i % 2) }), 9);
        await book(newBooking({ startAt: T0 + MINUTE }), 9);
        await book(newBooking({ startAt: T0 + 24 * 60 * MINUTE, date: "2026-11-25" }), 9);
        const dates = { from: "2026-11-24", to: "2026-11-25" };
        const all = await store.bookings(dates, 99);
        expect(all).toHaveLength(9);
        const pages: string[] = [];
        let page = await store.bookings(dates, 2);
        while (page.length > 0) {
          expect(page.length).toBeLessThanOrEqual(2);
          pages.push(...page.map(({ id }) => id));
          page = await store.bookings(dates, 2, page.at(-1));
        }
        expect(pages).toEqual(all.map(({ id }) => id));
      });

      const ENDS = ["completed", "no_show", "cancelled_by_shop", "cancelled_by_customer"] as const;
      for (const end of ENDS) {
        test(`a confirmed booking becomes ${end}, and then nothing else`, async () => {
          const { confirmationCode: code } = await (async (booking) => {
            await book(booking);
            return booking;
          })(newBooking());
          const before = await store.findBooking(code);
          expect(await store.moveBooking(code, "confirmed", T0)).toMatchObject({ kind: "refused" });
          const moved = await store.moveBooking(code, end, T0 + 5);
          // A cancellation counts, because the calendar entry that it corrects needs a higher number.
          const changes = end.startsWith("cancelled") ? 1 : 0;
          expect(moved).toEqual({
            kind: "moved",
            booking: { ...before, status: end, endedAt: T0 + 5, changes } as never,
          });
          for (const other of ["confirmed", ...ENDS] as const) {
            expect(await store.moveBooking(code, other, T0 + 9)).toMatchObject({
              kind: "refused",
              booking: { status: end, endedAt: T0 + 5 },
            });
          }
          expect(await store.findBooking(code)).toEqual({
            ...{ ...before, status: end, endedAt: T0 + 5, changes },
          } as never);
          // Only cancelling frees the bay.
          expect(await kindOf(newBooking())).toBe(end.startsWith("cancelled") ? "booked" : "taken");
        });
      }

      for (const end of ["completed", "no_show"] as const) {
        test(`a booking that has not begun is not yet ${end}; it can be cancelled`, async () => {
          const booking = newBooking();
          await book(booking);
          const before = await store.findBooking(booking.confirmationCode);
          const moved = await store.moveBooking(booking.confirmationCode, end, T0 - 1);
          expect(moved).toEqual({ kind: "too_early", booking: before as never });
          expect(await store.findBooking(booking.confirmationCode)).toEqual(before);
          expect(await store.moveBooking(booking.confirmationCode, "cancelled_by_shop", T0 - 1)).toMatchObject({
            kind: "moved",
          });
          expect(await store.moveBooking(booking.confirmationCode, end, T0 - 1)).toMatchObject({ kind: "refused" });
        });
      }

      describe("several at once", () => {
        const three = async () => {
          const bookings = [0, 60, 120].map((minute) =>
            newBooking({ startAt: T0 + minute * MINUTE, lead: { jobs: [newJob("remind_owner")] } }),
          );
          for (const booking of bookings) await book(booking);
          return bookings.map(({ confirmationCode }) => confirmationCode) as [string, string, string];
        };
        const codes = async (after: number, ...statuses: BookingStatus[]) =>
          (await store.upcoming(after, statuses)).map(({ confirmationCode }) => confirmationCode);
        const kinds = (outcomes: readonly { kind: string }[]) => outcomes.map(({ kind }) => kind);

        test("those to come are listed by state and start", async () => {
          const [first, second, third] = await three();
          expect(await codes(T0 - 1, "confirmed")).toEqual([first, second, third]);
          expect(await codes(T0, "confirmed")).toEqual([second, third]);
          await store.moveBooking(second, "cancelled_by_shop", T0);
          expect(await codes(T0 - 1, "confirmed")).toEqual([first, third]);
          expect(await codes(T0 - 1, "cancelled_by_shop")).toEqual([second]);
          expect(await codes(T0 - 1, "cancelled_by_shop", "confirmed")).toEqual([first, second, third]);
          expect(await codes(T0 - 1)).toEqual([]);
        });

        test("are cancelled and reopened, each with its own outcome", async () => {
          const [first, second, third] = await three();
          const cancelled = await store.moveBookings([first, "NOSUCH00", first, third], "cancelled_by_shop", T0);
          expect(kinds(cancelled)).toEqual(["moved", "unknown", "refused", "moved"]);
          expect((await store.waitingJobs(9)).length).toBe(1);
          expect(kinds(await store.reopenBookings([third, second, "NOSUCH00", first], 1, T0))).toEqual([
            ...["reopened", "refused", "unknown", "reopened"],
          ]);
          expect(await codes(T0 - 1, "confirmed")).toEqual([first, second, third]);
          expect(await store.findBooking(first)).toMatchObject({ status: "confirmed", endedAt: null });
          // The reminders that lapsed wait again.
          expect((await store.waitingJobs(9)).length).toBe(3);
        });

        test("are reopened only while a bay is free, counting those reopened before", async () => {
          const [first, second, third] = await three();
          await store.moveBookings([first, second, third], "cancelled_by_shop", T0);
          expect(await kindOf(newBooking({ startAt: T0 + 30 * MINUTE, endAt: T0 + 90 * MINUTE }))).toBe("booked");
          expect(kinds(await store.reopenBookings([first, second, third], 1, T0))).toEqual([
            "taken",
            "taken",
            "reopened",
          ]);
          expect(await codes(T0 - 1, "cancelled_by_shop")).toEqual([first, second]);
          expect(kinds(await store.reopenBookings([first], 2, T0))).toEqual(["reopened"]);
        });

        test("a completed or missed one is reopened in the bay it kept, and its lead's own end stays", async () => {
          const [first, second] = await three();
          const lead = (await store.findBooking(second))?.lead.id ?? "";
          await store.moveLead(lead, "contacted", null, T0);
          await store.moveBookings([first], "completed", T0 + 300 * MINUTE);
          await store.moveBookings([second], "no_show", T0 + 300 * MINUTE);
          expect(kinds(await store.reopenBookings([first, second], 1, T0))).toEqual(["reopened", "reopened"]);
          // The second customer was reached, so only the first and the third want a reminder.
          expect((await store.waitingJobs(9)).length).toBe(2);
        });
      });

      test("an unknown booking cannot be moved", async () => {
        expect(await store.moveBooking("NOSUCH00", "completed", T0)).toEqual({ kind: "unknown" });
      });
    });

    describe("leads", () => {
      const reminder = (hours: number) =>
        newJob("remind_owner", { dueAt: T0 + hours * 60 * MINUTE, unless: "contacted" });

      test("are listed by state, newest first, and found by id or reference", async () => {
        const old = newLead({ createdAt: T0, jobs: [reminder(24), reminder(4)] });
        const young = newLead({ createdAt: T0 + 1, kind: "quote_request", consent: { confirmed_by_user: true } });
        const booking = newBooking({ lead: { createdAt: T0 + 2 } });
        await store.addLead(old);
        await store.addLead(young);
        await book(booking);
        await store.moveLead(young.id, "contacted", null, T0 + 9);

        const ids = async (...args: Parameters<Store["leads"]>) => (await store.leads(...args)).map(({ id }) => id);
        expect(await ids(["new", "contacted"], 9)).toEqual([booking.lead.id, young.id, old.id]);
        expect(await ids(["new", "contacted"], 2)).toEqual([booking.lead.id, young.id]);
        expect(await ids(["contacted"], 9)).toEqual([young.id]);
        expect(await ids(["won"], 9)).toEqual([]);
        expect(await ids([], 9)).toEqual([]);

        const listed = await store.leads(["new"], 9);
        expect(listed.map((lead) => [lead.nextFollowUpAt, lead.confirmationCode])).toEqual([
          [null, booking.confirmationCode],
          [T0 + 240 * MINUTE, null],
        ]);
        expect(await store.findLead(young.id)).toMatchObject({
          reference: young.reference,
          status: "contacted",
          details: young.details,
          consent: young.consent,
          history: [{ status: "contacted", note: null, at: T0 + 9 }],
        });
        expect((await store.findLead(young.reference))?.id).toBe(young.id);
        expect(await store.findLead("L-NONE")).toBeNull();
      });

      test("come in pages, even when leads of several states have the same time", async () => {
        for (let i = 0; i < 9; i++) {
          const lead = newLead({ createdAt: T0 + (i % 3) });
          await store.addLead(lead);
          if (i % 2) await store.moveLead(lead.id, "contacted", null, T0 + 9);
        }
        const states = ["new", "contacted"] as const;
        const all = await store.leads(states, 99);
        expect(all).toHaveLength(9);
        const pages: string[] = [];
        let page = await store.leads(states, 2);
        while (page.length > 0) {
          pages.push(...page.map(({ id }) => id));
          page = await store.leads(states, 2, page.at(-1));
        }
        expect(pages).toEqual(all.map(({ id }) => id));
      });

      test("move forward only; a note can be added without a move", async () => {
        const { id } = await (async (lead) => {
          await store.addLead(lead);
          return lead;
        })(newLead());
        const kind = async (to: Parameters<Store["moveLead"]>[1], note: string | null = null) =>
          (await store.moveLead(id, to, note, T0)).kind;
        expect(await kind("new")).toBe("refused");
        expect(await kind("new", "called, no answer")).toBe("moved");
        expect(await kind("quoted")).toBe("moved");
        expect(await kind("contacted", "too late")).toBe("refused");
        expect(await kind("won", "booked by phone")).toBe("moved");
        expect(await kind("lost")).toBe("refused");
        const lead = await store.findLead(id);
        expect(lead?.status).toBe("won");
        expect(lead?.history.map(({ status, note }) => [status, note])).toEqual([
          ["new", "called, no answer"],
          ["quoted", null],
          ["won", "booked by phone"],
        ]);
        expect(await store.moveLead("nobody", "won", null, T0)).toEqual({ kind: "unknown" });
      });

      test("jobs lapse when the lead reaches or skips their `unless` state; others stay", async () => {
        const sms = newJob();
        const lead = newLead({ jobs: [sms, reminder(4), reminder(24)] });
        const other = newLead({ jobs: [reminder(4)] });
        await store.addLead(lead);
        await store.addLead(other);
        expect(await store.moveLead(lead.id, "new", "a note", T0)).toMatchObject({ kind: "moved", lapsed: 0 });
        expect(await store.moveLead(lead.id, "quoted", null, T0)).toMatchObject({ kind: "moved", lapsed: 2 });
        expect((await store.waitingJobs(9)).map((job) => [job.lead.id, job.kind])).toEqual([
          [lead.id, "notify_shop_sms"],
          [other.id, "remind_owner"],
        ]);
        expect((await store.findLead(lead.id))?.nextFollowUpAt).toBeNull();
      });
    });

    describe("reminders", () => {
      const remind = (unless: NewJob["unless"]) => newJob("remind_owner", { unless });
      const waiting = async () => (await store.waitingJobs(9)).length;

      test("without an `unless` state lapse once the lead is contacted or further", async () => {
        for (const to of ["contacted", "quoted", "won", "lost"] as const) {
          const lead = newLead({ jobs: [remind(null)] });
          await store.addLead(lead);
          await store.moveLead(lead.id, "new", "no answer", T0);
          expect(await waiting()).toBe(1);
          expect(await store.moveLead(lead.id, to, null, T0)).toMatchObject({ lapsed: 1 });
          expect(await waiting()).toBe(0);
        }
      });

      test("with an `unless` state wait for that state or for the end", async () => {
        const lead = newLead({ jobs: [remind("quoted"), remind("won")] });
        await store.addLead(lead);
        expect(await store.moveLead(lead.id, "contacted", null, T0)).toMatchObject({ lapsed: 0 });
        expect(await store.moveLead(lead.id, "quoted", null, T0)).toMatchObject({ lapsed: 1 });
        expect(await store.moveLead(lead.id, "lost", null, T0)).toMatchObject({ lapsed: 1 });
      });
    });

    test("a lead that the CRM knows of has every change pushed, as the lead was then", async () => {
      const push = newJob("push_to_crm");
      const pushed = newLead({ jobs: [push] });
      const other = newLead();
      for (const lead of [pushed, other]) {
        await store.addLead(lead);
        await store.moveLead(lead.id, "contacted", "calls back", T0 + 1);
      }
      const [made, changed, ...rest] = await store.waitingJobs(9, { kinds: ["push_to_crm"] });
      expect(made?.delivery?.payload).toEqual(push.payload);
      expect(rest).toEqual([]);
      const { jobs: _jobs, userAgent: _agent, ...facts } = pushed;
      expect(changed?.delivery?.payload).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        type: "lead.updated",
        lead: { ...facts, status: "contacted" },
        note: "calls back",
        at: T0 + 1,
      });
    });

    describe("keys, as the owner sees them", () => {
      test("are listed newest first, without the secret", async () => {
        const old = newKey({ createdAt: T0, useCase: "tests" });
        const young = newKey({ createdAt: T0 + 1, ratePerMinute: 9, network: "2001:db8::/64" });
        for (const key of [old, young]) await store.addKey(key);
        const shown = ({ hash: _, ...key }: NewApiKey) => ({ ...key, revokedAt: null });
        expect(await store.keys()).toEqual([shown(young), shown(old)]);
      });

      test("stay revoked, with the time of the first revocation", async () => {
        const key = newKey();
        await store.addKey(key);
        expect(await store.revokeKey(key.id, T0 + 5)).toBe(true);
        expect(await store.revokeKey(key.id, T0 + 9)).toBe(true);
        expect(await store.revokeKey("key_none", T0)).toBe(false);
        expect(await store.findKey(key.hash)).toMatchObject({ id: key.id, ratePerMinute: null, isRevoked: true });
        expect((await store.keys())[0]?.revokedAt).toBe(T0 + 5);
        // The address of a revoked key is free for another one.
        expect(await store.addKey(newKey({ email: key.email }))).toBe(true);
      });

      test("that registered themselves end when they are not used, and free their address", async () => {
        const key = newKey({ network: "203.0.113.9", createdAt: T0 });
        await store.addKey(key);
        expect(await store.findKey(key.hash)).toMatchObject({ isSelfRegistered: true, lastUsedAt: T0 });
        expect(await store.touchKey(key.id, T0 + 50)).toBe(true);
        expect(await store.touchKey("key_none", T0)).toBe(false);
        expect(await store.findKey(key.hash)).toMatchObject({ lastUsedAt: T0 + 50 });
        expect(await store.addKey(newKey({ email: key.email.toUpperCase() }), T0 + 50)).toBe(false);
        expect(await store.addKey(newKey({ email: key.email.toUpperCase() }), T0 + 51)).toBe(true);
        const issued = newKey();
        await store.addKey(issued);
        expect(await store.findKey(issued.hash)).toMatchObject({ isSelfRegistered: false });
        expect(await store.addKey(newKey({ email: issued.email }), T0 * 2)).toBe(false);
      });

      test("are rotated: the old secret is unknown, the id and the bookings stay", async () => {
        const key = newKey({ ratePerMinute: 7 });
        await store.addKey(key);
        await book(newBooking({ keyId: key.id }));
        expect(await store.rotateKey(key.id, { hash: "new hash", prefix: "tint_live_zz" })).toBe(true);
        expect(await store.rotateKey("key_none", { hash: "x", prefix: "y" })).toBe(false);
        expect(await store.findKey(key.hash)).toBeNull();
        expect(await store.findKey("new hash")).toMatchObject({ id: key.id, ratePerMinute: 7, isRevoked: false });
        const [use] = await store.quotaUse([{ by: "key", value: key.id, since: 0, until: EVER, limit: 3 }]);
        expect(use?.used).toBe(1);
      });
    });

    describe("forgetting", () => {
      const PAT = { by: "phone", value: "+14045550111" } as const;
      const LATER = T0 + 24 * 60 * MINUTE;
      const answer = {
        confirmation_code: "CODE",
        estimate: { total: 549 },
        customer: { name: "Pat Example" },
        special_requests: "ask for Pat",
      };

      test("erases the person everywhere and keeps times, amounts and other people", async () => {
        const idempotency = { scope: "", id: "pats-order", bodyHash: "h" };
        const jobs = [newJob("confirmation_email"), newJob("push_to_crm")];
        const details = { customer_name: "Pat Example", film_type: "ceramic", address: "1 Pat Street" };
        const consent = { text: "Pat agrees" };
        const booking = newBooking({ answer, idempotency, lead: { jobs, details, consent, userAgent: "Pat's phone" } });
        await book(booking);
        await store.moveLead(booking.lead.id, "contacted", "Pat called", T0);
        const other = newLead({ name: "Sam Rivera", phone: "+14045550199", email: "sam@example.com" });
        await store.addLead(other);
        const others = await store.findLead(other.id);

        const traces = { names: ["Pat Example"], leads: 1, bookings: 1, upcoming: [], messages: 3, keys: 0 };
        expect(await store.tracesOf(PAT, LATER)).toEqual(traces);
        expect(await store.forget(PAT, LATER, false)).toEqual({ kind: "forgotten", traces });
        expect(await store.cleanFile()).toBe(true);

        const lead = await store.findLead(booking.lead.id);
        expect(lead).toMatchObject({
          ...{ name: "(forgotten)", phone: "", email: "", consent: null, userAgent: null },
          ...{ details: { film_type: "ceramic" }, createdAt: booking.createdAt, status: "contacted" },
        });
        expect(lead?.history).toEqual([{ status: "contacted", note: null, at: T0 }]);
        const stored = await store.findBooking(booking.confirmationCode);
        expect(stored).toMatchObject({ startAt: T0, answer: { estimate: { total: 549 } } });
        expect(JSON.stringify([lead, stored])).not.toMatch(/Pat|pat@|5550111/);
        expect(await store.findEarlier("", "pats-order")).toBeNull();
        expect(await store.waitingJobs(9)).toEqual([]);
        expect(await store.tracesOf(PAT, LATER)).toMatchObject({ leads: 0, messages: 0 });
        expect(await store.forget(PAT, LATER, false)).toEqual({ kind: "unknown" });
        expect(await store.findLead(other.id)).toEqual(others);
      });

      test("waits for bookings to come, unless told otherwise; their bays stay taken", async () => {
        const booking = newBooking({ startAt: LATER });
        await book(booking);
        const upcoming = await store.findBooking(booking.confirmationCode);
        const refused = await store.forget(PAT, T0, false);
        expect(refused).toMatchObject({ kind: "booked", traces: { upcoming: [upcoming] } });
        expect(await store.findBooking(booking.confirmationCode)).toEqual(upcoming);
        expect((await store.forget(PAT, T0, true)).kind).toBe("forgotten");
        expect(await store.findBooking(booking.confirmationCode)).toMatchObject({
          ...{ status: "confirmed", startAt: LATER },
          lead: { name: "(forgotten)", phone: "" },
        });
        expect(await kindOf(newBooking({ startAt: LATER }))).toBe("taken");
      });

      test("a cancelled booking to come does not hold it up", async () => {
        const booking = newBooking({ startAt: LATER });
        await book(booking);
        await store.moveBooking(booking.confirmationCode, "cancelled_by_customer", T0);
        expect((await store.forget(PAT, T0, false)).kind).toBe("forgotten");
      });

      test("by e-mail address, in any letter case: leads under every phone, and the key, which is revoked", async () => {
        await store.addLead(newLead({ email: "Pat@Example.com" }));
        await store.addLead(newLead({ phone: "+14045550122", email: "pat@example.com" }));
        const key = newKey({ name: "Pat Example", email: "PAT@example.com", useCase: "Pat's agent" });
        await store.addKey(key);
        const outcome = await store.forget({ by: "email", value: "pAt@example.COM" }, LATER, false);
        expect(outcome).toMatchObject({ kind: "forgotten", traces: { leads: 2, keys: 1 } });
        expect(await store.findKey(key.hash)).toMatchObject({ id: key.id, isRevoked: true });
        expect(await store.keys()).toMatchObject([{ name: "(forgotten)", email: "", useCase: null, revokedAt: LATER }]);
        // The address is free again.
        expect(await store.addKey(newKey({ email: "pat@example.com" }))).toBe(true);
      });

      test("of old leads: in batches, the oldest first, and not before their booking is past", async () => {
        const leads = [3, 1, 2].map((day) => newLead({ createdAt: day }));
        for (const lead of leads) await store.addLead(lead);
        const booking = newBooking({ createdAt: 1, startAt: T0 });
        await book(booking);
        const named = async () =>
          (await store.leads(["new"], 9))
            .filter(({ name }) => name === "Pat Example")
            .map(({ createdAt }) => createdAt);
        expect(await store.forgetOld(3, 1, LATER)).toBe(1);
        expect(await named()).toEqual([3, 2, 1]);
        expect(await store.forgetOld(3, 9, LATER)).toBe(1);
        expect(await named()).toEqual([3, 1]);
        expect(await store.forgetOld(3, 9, LATER)).toBe(0);
        expect(await store.forgetOld(booking.endAt, 9, LATER)).toBe(1);
        expect(await store.forgetOld(booking.endAt + 1, 9, LATER)).toBe(1);
        expect(await named()).toEqual([]);
      });
    });

    test("a waiting job can be made due at once; a lapsed job cannot", async () => {
      const lead = newLead({ jobs: [newJob("remind_owner", { dueAt: T0 + 9, unless: "contacted" })] });
      await store.addLead(lead);
      const [job] = await store.waitingJobs(1);
      const id = job?.id ?? -1;
      // A reminder is only shown, never sent.
      expect(await store.retryJob(id, T0)).toEqual({ kind: "reminder" });
      expect((await store.waitingJobs(1))[0]?.dueAt).toBe(T0);
      await store.moveLead(lead.id, "contacted", null, T0);
      expect(await store.retryJob(id, T0)).toEqual({ kind: "refused", status: "lapsed" });
      expect(await store.retryJob(id + 1000, T0)).toEqual({ kind: "unknown" });
      expect(await store.failedJobs(9)).toEqual([]);
    });

    test("a dropped job is never claimed, and neither tried nor dropped again", async () => {
      await store.addLead(newLead({ jobs: [newJob()] }));
      const [{ id } = { id: 0 }] = await store.waitingJobs(1);
      expect(await store.dropJob(id)).toEqual({ kind: "dropped" });
      expect(await store.waitingJobs(9)).toEqual([]);
      expect(await store.dropJob(id)).toEqual({ kind: "refused", status: "lapsed" });
      expect(await store.retryJob(id, T0)).toEqual({ kind: "refused", status: "lapsed" });
      expect(await store.dropJob(id + 1000)).toEqual({ kind: "unknown" });
    });

    test("can be written", async () => {
      await store.checkWritable();
      await store.checkWritable();
      expect(await store.busyBetween(...ALWAYS)).toEqual([]);
    });

    test("stores any text unchanged", async () => {
      const text = 'O\'Brien; DROP TABLE leads; -- 日本 😀 "q" \\ %_';
      const answer = { text, deep: { list: [text, 1.5, true, null] } };
      const booking = newBooking({
        answer,
        idempotency: { scope: text, id: text, bodyHash: text },
        lead: { name: text },
      });
      expect(await kindOf(booking)).toBe("booked");
      expect(await store.findEarlier(text, text)).toMatchObject({ bodyHash: text, answer });
    });
  });
}
