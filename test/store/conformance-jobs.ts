/** Jobs: their order, claims, ends: tests that every engine behind `Store` must pass. */
import { beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import { JOB_KINDS, type JobKind } from "../../src/constants.ts";
import type { Claim, DueJob, NewJob, Store } from "../../src/store/store.ts";
import {
  attemptOf,
  bookingsIn,
  claimOf,
  conformance,
  issueOf,
  MINUTE,
  NEWS,
  newBooking,
  newJob,
  newLead,
  T0,
} from "./conformance-values.ts";

export const jobsConformance = conformance("jobs", (store) => {
  const { book } = bookingsIn(store);

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
    const expected = { count: 5, oldestDueAt: T0 - 5 * MINUTE };
    expect(await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).toEqual(expected);
  });

  test("a lead and its jobs are written together or not at all", async () => {
    const lead = newLead({ jobs: [newJob("push_to_crm", { unless: "contacted" })] });
    await store.addLead(lead);
    expect(await issueOf(store.addLead({ ...newLead({ jobs: lead.jobs }), id: lead.id }))).toBeInstanceOf(Error);
    expect((await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).count).toBe(1);
  });

  describe("claims", () => {
    const TEXTS = ["notify_shop_sms"] as const;
    const job = ({ kind, ...given }: Parameters<typeof newJob>[1] & { kind?: JobKind } = {}) => newJob(kind, given);
    let latest = new Map<number, DueJob>();
    beforeEach(() => {
      latest = new Map();
    });
    const claim = async (now: number, given: Partial<Claim> = {}) => {
      const jobs = await store.claimJobs(claimOf(TEXTS, now, given));
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

    test("news is replaced by its copies, once, in doubt where its attempt was", async () => {
      const [id = 0] = await addJobs(job());
      await claim(T0);
      const copies = [
        { kind: "shop_sms" as const, payload: { to: "+14045550142", text: "hello", isOnly: true } },
        { kind: "shop_push" as const, payload: { to: "https://ntfy.example/a", text: "hello" } },
      ];
      const ends = { kind: "spread", copies, at: T0 + 1, doubtfulSince: T0 - 5 } as const;
      const spread = { ...attemptOf(latest.get(id)), ...ends };
      expect(await store.settleJobs([spread, spread])).toEqual([true, false]);
      expect(await due(T0 + 9)).toBe(0);
      const claimed = await claim(T0 + 9, { kinds: ["shop_sms", "shop_push"] });
      expect(claimed.map(({ kind, payload }) => ({ kind, payload }))).toEqual(copies);
      expect(claimed.map(({ doubtful, firstTriedAt, dueAt }) => [doubtful, firstTriedAt, dueAt])).toEqual(
        copies.map(() => [true, T0 - 5, T0 + 1]),
      );
    });

    test("take due jobs of the given kinds, longest due first, up to the limit", async () => {
      await addJobs(...[2, 1, 9].map((after) => job({ dueAt: T0 + after })), job({ kind: "push_to_crm" }));
      const claimed = await claim(T0 + 5, { fresh: 1 });
      expect(claimed).toEqual([
        {
          id: expect.any(Number),
          kind: "notify_shop_sms",
          payload: NEWS,
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
        const failed = { ...first, kind: "failed" as const, reason: "late" };
        expect(await store.settleJobs([failed, { ...first, ...busy }])).toEqual([false, false]);
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
      const busy = { kind: "postponed", reason: "busy", pauseMs: 9 * MINUTE, doubtful: false, triedMs: 0 } as const;
      expect(await store.settleJobs([{ ...attempt, ...busy }])).toEqual([true]);
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
        const given = { startAt: T0, lead: { jobs: [job({ kind: "reminder_sms", dueAt: T0 - MINUTE })] } };
        const booking = newBooking(given);
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
      await store.moveLead({ id: lead.id, to: "contacted", at: T0 });
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
      await store.changeBookingStatus(cancelled.confirmationCode, "cancelled_by_shop", T0);
      const claimed = await claim(T0, { kinds });
      expect(claimed.map(({ kind }) => kind).sort()).toEqual([...Array(2).fill("notify_shop_sms"), "reminder_sms"]);
      const rest = await store.waitingJobs(99);
      expect(rest.filter(({ kind }) => kind === "reminder_sms").map(({ lead }) => lead.id)).toEqual([kept.lead.id]);
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
    await store.moveLead({ id: lead.id, to: "contacted", at: T0 });
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
});
