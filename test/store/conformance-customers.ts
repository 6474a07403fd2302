/** Finding and forgetting customers: tests that every engine behind `Store` must pass. */
import { expect, test } from "bun:test";
import type { Contact } from "../../src/store/store.ts";
import { bookingsIn, conformance, MINUTE, newBooking, newJob, newKey, newLead, T0 } from "./conformance-values.ts";

export const customersConformance = conformance("customers", (store) => {
  const camry = { vehicle_year: 2019, vehicle_make: "Toyota", vehicle_model: "Camry", message: "secret" };
  async function fill(): Promise<void> {
    const jose = { name: "José García", phone: "+14045550101", email: "Jose.G@example.com" };
    await store.addLead(newLead({ ...jose, createdAt: 1, details: camry }));
    await store.addLead(newLead({ name: "Ann O'Neil", phone: "+14045550102", email: "", createdAt: 3 }));
    await store.addLead(newLead({ name: "ЖАННА [A*]", phone: "+14045550103", createdAt: 2 }));
    await store.book(newBooking({ lead: { ...jose, name: "J. Garcia", createdAt: 4 } }), 9, []);
  }

  const CASES: [texts: string[], last: string][] = [
    [["jose"], "1"],
    [["GARCÍA", "jos"], "1"],
    [["jose.g@EXAMPLE"], "1"],
    [["5550102"], "2"],
    [["o'neil"], "2"],
    [["camry", "2019"], "1"],
    [["жанна"], "3"],
    [["[a*]"], "3"],
    [["555"], "123"],
    [["*"], "3"],
    [["secret"], ""],
    [["jose", "ann"], ""],
  ];
  test.each(CASES)("%p", async (texts, last) => {
    await fill();
    const found = await store.findCustomers(texts, 9);
    const ends = found.map((phone) => phone.at(-1));
    expect(ends.sort().join("")).toBe(last);
  });

  const FOREIGN: [name: string, typed: string[]][] = [
    ["Łoś", ["los", "ŁOŚ", "ｌｏｓ"]],
    ["Þór Guðmundsson", ["thor", "þór", "gudmund"]],
    ["Åsa Ærø", ["asa", "aasa", "aero"]],
    ["Müller-Weiß", ["muller", "mueller", "weiss", "WEISS"]],
    ["ＪＯＨＮ Ｓｍｉｔｈ ２", ["john", "smith"]],
    ["Nguyễn Đức", ["nguyen", "duc"]],
    ["Ελένη Γιάννης", ["ελενη", "γιαννησ"]],
    ["Фёдор", ["федор", "фёдор"]],
    ["Pat O’Hara-Smith", ["o'hara-smith", "O’Hara‑Smith", "a-s"]],
    ["Pat O'Hara‑Smith", ["o'hara-smith", "O’Hara‑Smith", "’h"]],
    ["İsmail Işık", ["ismail", "isik"]],
  ];
  test.each(FOREIGN)("%s is found by the letters that people type", async (name, typed) => {
    await store.addLead(newLead({ name, phone: "+14045550104", email: "", createdAt: 5 }));
    await store.addLead(newLead({ name: "Ann Other", phone: "+14045550105", email: "", createdAt: 6 }));
    for (const text of typed) expect([text, await store.findCustomers([text], 9)]).toEqual([text, ["+14045550104"]]);
  });

  test("the newest first, each once, and no more than asked for", async () => {
    await fill();
    expect(await store.findCustomers(["+1404"], 9)).toEqual(["+14045550101", "+14045550102", "+14045550103"]);
    expect(await store.findCustomers(["+1404"], 2)).toEqual(["+14045550101", "+14045550102"]);
  });

  test("a walk-in without a phone is found by the reference, and alone", async () => {
    await fill();
    const walkIn = newBooking({ lead: { name: "Walk Garcia", phone: "", email: "", createdAt: 9 } });
    await store.book(walkIn, 9, []);
    await store.book(newBooking({ lead: { name: "Walk Another", phone: "", email: "", createdAt: 8 } }), 9, []);
    const { reference } = walkIn.lead;
    expect(await store.findCustomers(["garcia"], 9)).toEqual(["+14045550101", reference]);
    expect(await store.findCustomers(["walk", "garc"], 1)).toEqual([reference]);
    expect(await store.customer(reference)).toMatchObject({
      id: reference,
      phone: "",
      leads: [{ name: "Walk Garcia" }],
      bookings: [{ confirmationCode: walkIn.confirmationCode }],
    });
  });

  test("a customer with leads, notes and bookings; nobody once forgotten", async () => {
    await fill();
    const found = await store.customer("+14045550101");
    expect(found?.leads.map(({ name }) => name)).toEqual(["J. Garcia", "José García"]);
    expect(found?.bookings.map(({ lead }) => lead.name)).toEqual(["J. Garcia"]);
    expect(await store.customer("+14045550109")).toBeNull();
    await store.forget({ by: "phone", value: "+14045550101" }, 5, true);
    expect(await store.findCustomers(["garc"], 9)).toEqual([]);
    expect(await store.customer("+14045550101")).toBeNull();
    expect(await store.customer("")).toBeNull();
  });
});

export const forgettingConformance = conformance("forgetting", (store) => {
  const { book, kindOf } = bookingsIn(store);
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
    await store.moveLead({ id: booking.lead.id, to: "contacted", note: "Pat called", at: T0 });
    const other = newLead({ name: "Sam Rivera", phone: "+14045550199", email: "sam@example.com" });
    await store.addLead(other);
    const others = await store.findLead(other.id);
    const { reference } = booking.lead;
    const traces = {
      contacts: [PAT, { by: "email", value: "pat@example.com" } as const],
      people: [{ of: reference, name: "Pat Example", phone: PAT.value, extension: "", email: "pat@example.com" }],
      ...{ leads: 1, bookings: 1, upcoming: [], messages: 3, keys: 0 },
    };
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
    expect(JSON.stringify([lead, stored])).not.toMatch(/Pat |pat@|5550111/);
    expect(await store.findEarlier("", "pats-order")).toBeNull();
    expect(await store.waitingJobs(9)).toEqual([]);
    expect(await store.tracesOf(PAT, LATER)).toMatchObject({ leads: 0, messages: 0 });
    expect(await store.forget(PAT, LATER, false)).toEqual({ kind: "unknown" });
    expect(await store.findLead(other.id)).toEqual(others);
  });

  test("of a request that is sent again only whether it is the same is known, and it writes nothing anew", async () => {
    const idempotency = { scope: "+14045550111", id: "pats-order", bodyHash: "h" };
    const request = { ...idempotency, answer: { reference: "Q-1" }, network: "192.0.2.1" };
    const booking = newBooking({ idempotency });
    await book(booking);
    await store.addLead(newLead({ request }));
    await store.forget(PAT, LATER, true);
    const gone = { isErased: true, bodyHash: "h" };
    const asked = ["+14045550111", "pats-order", "h"] as const;
    expect(await store.findEarlier(...asked)).toMatchObject({ ...gone, network: "" });
    expect(await store.findEarlierLead(...asked)).toMatchObject({ ...gone, answer: null, network: null });
    expect(await book(newBooking({ idempotency }))).toMatchObject({ kind: "earlier", earlier: gone });
    expect(await store.addLead(newLead({ request }))).toMatchObject({ kind: "earlier", earlier: gone });
    for (const [scope, id, bodyHash] of [
      ["+14045550111", "pats-order", undefined],
      ["+14045550111", "pats-order", "another"],
      ["+14045550112", "pats-order", "h"],
      ["+14045550111", "order-2", "h"],
    ] as const) {
      expect(await store.findEarlier(scope, id, bodyHash)).toBeNull();
      expect(await store.findEarlierLead(scope, id, bodyHash)).toBeNull();
    }
    expect((await store.addLead(newLead({ request: { ...request, bodyHash: "another" } }))).kind).toBe("added");
  });

  test("waits for bookings to come, unless told otherwise; their bays stay taken", async () => {
    const booking = newBooking({ startAt: LATER });
    await book(booking);
    const upcoming = await store.findBooking(booking.confirmationCode);
    const refused = await store.forget(PAT, T0, false);
    expect(refused).toMatchObject({ kind: "booked", traces: { upcoming: [upcoming] } });
    expect(await store.findBooking(booking.confirmationCode)).toEqual(upcoming);
    expect((await store.forget(PAT, T0, true)).kind).toBe("forgotten");
    const expected = { ...{ status: "confirmed", startAt: LATER }, lead: { name: "(forgotten)", phone: "" } };
    expect(await store.findBooking(booking.confirmationCode)).toMatchObject(expected);
    expect(await kindOf(newBooking({ startAt: LATER }))).toBe("taken");
  });

  test("a cancelled booking to come does not hold it up", async () => {
    const booking = newBooking({ startAt: LATER });
    await book(booking);
    await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_customer", T0);
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

  test("what is under a contact beside the given one is found, and left out on request", async () => {
    const shared = { phone: PAT.value, email: "Work@Example.com" };
    await store.addLead(newLead({ ...shared, reference: "Q-SHARED", createdAt: 1 }));
    await store.addLead(
      newLead({ phone: "+14045550122", email: "work@example.com", reference: "Q-WORK", createdAt: 2 }),
    );
    // Two steps away: somebody else's phone leads to their addresses no more.
    await store.addLead(newLead({ phone: "+14045550122", email: "far@example.com", reference: "Q-FAR", createdAt: 3 }));
    // Without one, nothing is under the empty contact.
    await store.addLead(newLead({ phone: PAT.value, email: "", reference: "Q-NONE", createdAt: 4 }));
    await store.addLead(newLead({ phone: "+14045550133", email: "", reference: "Q-OTHER", createdAt: 5 }));
    const key = newKey({ email: "WORK@example.com", name: "Pat's agent" });
    await store.addKey(key);
    const found = async (contact: Contact) => (await store.tracesOf(contact, LATER)).people.map(({ of }) => of);
    expect(await found(PAT)).toEqual(["Q-SHARED", "Q-WORK", "Q-NONE", key.prefix]);
    expect(await found({ ...PAT, isAlone: true })).toEqual(["Q-SHARED", "Q-NONE"]);
    const work = { by: "email", value: "work@example.com" } as const;
    expect(await found(work)).toEqual(["Q-SHARED", "Q-WORK", "Q-FAR", "Q-NONE", key.prefix]);
    expect(await found({ ...work, isAlone: true })).toEqual(["Q-SHARED", "Q-WORK", key.prefix]);

    const expected = { kind: "forgotten", traces: { leads: 3, keys: 1 } };
    expect(await store.forget(PAT, LATER, false)).toMatchObject(expected);
    expect((await store.leads(["new"], 9)).map(({ reference, name }) => [reference, name]).sort()).toEqual([
      ["Q-FAR", "Pat Example"],
      ["Q-NONE", "(forgotten)"],
      ["Q-OTHER", "Pat Example"],
      ["Q-SHARED", "(forgotten)"],
      ["Q-WORK", "(forgotten)"],
    ]);
    expect(await store.findKey(key.hash)).toMatchObject({ isRevoked: true });
  });

  test("of old leads: in batches, the oldest first, and not before their booking is past", async () => {
    const leads = [3, 1, 2].map((day) => newLead({ createdAt: day }));
    for (const lead of leads) await store.addLead(lead);
    const booking = newBooking({ createdAt: 1, startAt: T0 });
    await book(booking);
    const named = async () =>
      (await store.leads(["new"], 9)).filter(({ name }) => name === "Pat Example").map(({ createdAt }) => createdAt);
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
