/** Leads, their reminders, and what the CRM is told: tests that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import type { NewJob, Store } from "../../src/store/store.ts";
import { bookingsIn, conformance, MINUTE, newBooking, newJob, newLead, T0 } from "./conformance-values.ts";

export const leadsConformance = conformance("leads", (store) => {
  const { book } = bookingsIn(store);
  const reminder = (hours: number) => newJob("remind_owner", { dueAt: T0 + hours * 60 * MINUTE, unless: "contacted" });

  test("are listed by state, newest first, and found by id or reference", async () => {
    const old = newLead({ createdAt: T0, jobs: [reminder(24), reminder(4)] });
    const young = newLead({ createdAt: T0 + 1, kind: "quote_request", consent: { confirmed_by_user: true } });
    const booking = newBooking({ lead: { createdAt: T0 + 2 } });
    await store.addLead(old);
    await store.addLead(young);
    await book(booking);
    await store.moveLead({ id: young.id, to: "contacted", at: T0 + 9 });

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
      if (i % 2) await store.moveLead({ id: lead.id, to: "contacted", at: T0 + 9 });
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
    const added = newLead();
    const { id } = added;
    await store.addLead(added);
    const kind = async (to: Parameters<Store["moveLead"]>[0]["to"], note: string | null = null) =>
      (await store.moveLead({ id, to, note, at: T0 })).kind;
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
    expect(await store.moveLead({ id: "nobody", to: "won", at: T0 })).toEqual({ kind: "unknown" });
  });

  test("the last step is undone, step by step, and its reminders wait again", async () => {
    const lead = newLead({ jobs: [reminder(4)] });
    await store.addLead(lead);
    const undo = async (from: Parameters<Store["undoLeadMove"]>[1]) => {
      const outcome = await store.undoLeadMove(lead.id, from, T0);
      return outcome.kind === "moved" ? outcome.lead.status : outcome.kind;
    };
    const isReminded = async () => (await store.findLead(lead.id))?.nextFollowUpAt !== null;
    expect(await undo("new")).toBe("refused");
    await store.moveLead({ id: lead.id, to: "contacted", note: "called", at: T0 });
    await store.moveLead({ id: lead.id, to: "lost", at: T0 });
    await store.moveLead({ id: lead.id, to: "won", at: T0, amount: { cents: 129_900, currency: "USD" } });
    const amount = async () => (await store.findLead(lead.id))?.wonAmount;
    expect(await amount()).toEqual({ cents: 129_900, currency: "USD" });
    // Somebody else has moved it meanwhile.
    expect(await undo("lost")).toBe("refused");
    expect(await undo("won")).toBe("lost");
    expect(await amount()).toBeNull();
    expect(await undo("lost")).toBe("contacted");
    expect(await isReminded()).toBe(false);
    expect(await undo("contacted")).toBe("new");
    expect(await isReminded()).toBe(true);
    expect(await undo("new")).toBe("refused");
    expect(await store.undoLeadMove("nobody", "won", T0)).toEqual({ kind: "unknown" });
    expect(await store.callLeadAt("nobody", T0, T0)).toEqual({ kind: "unknown" });
  });

  test("jobs lapse when the lead reaches or skips their `unless` state; others stay", async () => {
    const sms = newJob();
    const lead = newLead({ jobs: [sms, reminder(4), reminder(24)] });
    const other = newLead({ jobs: [reminder(4)] });
    await store.addLead(lead);
    await store.addLead(other);
    expect(await store.moveLead({ id: lead.id, to: "new", note: "a note", at: T0 })).toMatchObject({
      kind: "moved",
      lapsed: 0,
    });
    expect(await store.moveLead({ id: lead.id, to: "quoted", at: T0 })).toMatchObject({ kind: "moved", lapsed: 2 });
    expect((await store.waitingJobs(9)).map((job) => [job.lead.id, job.kind])).toEqual([
      [lead.id, "notify_shop_sms"],
      [other.id, "remind_owner"],
    ]);
    expect((await store.findLead(lead.id))?.nextFollowUpAt).toBeNull();
  });

  describe("reminders", () => {
    const remind = (unless: NewJob["unless"]) => newJob("remind_owner", { unless });
    const waiting = async () => (await store.waitingJobs(9)).length;

    test("without an `unless` state lapse once the lead is contacted or further", async () => {
      for (const to of ["contacted", "quoted", "won", "lost"] as const) {
        const lead = newLead({ jobs: [remind(null)] });
        await store.addLead(lead);
        await store.moveLead({ id: lead.id, to: "new", note: "no answer", at: T0 });
        expect(await waiting()).toBe(1);
        expect(await store.moveLead({ id: lead.id, to, at: T0 })).toMatchObject({ lapsed: 1 });
        expect(await waiting()).toBe(0);
      }
    });

    test("with an `unless` state wait for that state or for the end", async () => {
      const lead = newLead({ jobs: [remind("quoted"), remind("won")] });
      await store.addLead(lead);
      expect(await store.moveLead({ id: lead.id, to: "contacted", at: T0 })).toMatchObject({ lapsed: 0 });
      expect(await store.moveLead({ id: lead.id, to: "quoted", at: T0 })).toMatchObject({ lapsed: 1 });
      expect(await store.moveLead({ id: lead.id, to: "lost", at: T0 })).toMatchObject({ lapsed: 1 });
    });
  });

  test("a lead that the CRM knows of has every change pushed, as the lead was then", async () => {
    const push = newJob("push_to_crm");
    const pushed = newLead({ jobs: [push] });
    const other = newLead();
    for (const lead of [pushed, other]) {
      await store.addLead(lead);
      await store.moveLead({ id: lead.id, to: "contacted", note: "calls back", at: T0 + 1 });
    }
    const [made, changed, ...rest] = await store.waitingJobs(9, { kinds: ["push_to_crm"] });
    expect(made?.content?.payload).toEqual(push.payload);
    expect(rest).toEqual([]);
    const { jobs: _jobs, userAgent: _agent, ...facts } = pushed;
    expect(changed?.content?.payload).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: "lead.updated",
      lead: { ...facts, status: "contacted" },
      note: "calls back",
      at: T0 + 1,
    });
  });
});
