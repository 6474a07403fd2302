/** Walks the policies: the same wish has one price, length, end and bay, whoever books it and by whichever way. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readStanding } from "../../cli/diary/entries.ts";
import { ownerContext } from "../../cli/diary/owner.ts";
import { change } from "../../src/capabilities/booking/change.ts";
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { bookForOwner } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { bookUrl, withStart } from "../../src/job/forms.ts";
import { API, catalogWith, NOW, PAT, type TestApp, testApp } from "../helpers.ts";
import { filled, send } from "../pages/form.ts";

// Whether a shade is legal is asked of customers alone.
const BAYS = { "scheduling.bays": 3, "tint_law.not_legal": "warn" };
const SHOPS = [
  catalogWith(BAYS),
  catalogWith({
    ...BAYS,
    tax: { status: "added", rate_pct: 6, label: "Sales tax", note: "Sales tax of 6% is added." },
  }),
  catalogWith({ ...BAYS, "services.0.over_night": true, "scheduling.buffer_minutes": 30 }),
];
const OWNER = { anyway: false, evenIllegal: true, isQuiet: true };
/** What is booked first where the wish comes as a change. */
const BEFORE = { vehicle_type: "sedan", film_type: "standard", coverage: "front2", ...PAT };

interface Wish {
  vehicle_type: string;
  film_type: string;
  coverage: string;
  addons: string[];
  remove_old_film: boolean;
  shade: { front_side: number; rear_side?: number; rear_window?: number };
}
type Start = { date: string; time: string };

/** The ways to the same booking. Each answers its confirmation code. */
const WAYS: Record<string, (app: TestApp, shop: Shop, wish: Wish, start: Start) => Promise<string>> = {
  async customer(app, _, wish, start) {
    return (await app.post(`${API}/bookings`, { ...wish, ...start, ...PAT })).json.data.confirmation_code;
  },
  async "after a dry run"(app, _, wish, start) {
    const { data } = (await app.post(`${API}/bookings`, { ...wish, ...start, ...PAT, dry_run: true })).json;
    const { confirmation_code, ...made } = (await app.post(`${API}/bookings`, { ...wish, ...start, ...PAT })).json.data;
    const same = ["estimate", "duration_minutes", "start", "end", "split", "tint_law", "messages"];
    for (const field of same) expect([field, data[field]]).toEqual([field, made[field]]);
    return confirmation_code;
  },
  async MCP(app, _, wish, start) {
    const call = { name: "book_appointment", arguments: { ...wish, ...start, ...PAT, consent: CONSENT } };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const { text } = await app.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }, { headers });
    return codeIn(text);
  },
  async A2A(app, _, wish, start) {
    const data = { capability: "book_appointment", input: { ...wish, ...start, ...PAT, consent: CONSENT } };
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ data }] };
    const sent = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
    return codeIn((await app.post("/a2a", sent, { headers: { "a2a-version": "1.0" } })).text);
  },
  async "moved by the customer"(app, _, wish, start) {
    const elsewhere = await startBeside(app, wish, start);
    const { confirmation_code } = (await app.post(`${API}/bookings`, { ...wish, ...elsewhere, ...PAT })).json.data;
    await app.post(`${API}/bookings/reschedule`, { confirmation_code, phone: PAT.customer_phone, ...start });
    return confirmation_code;
  },
  async "moved by the owner"(app, shop, wish, start) {
    const elsewhere = await startBeside(app, wish, start);
    const { confirmation } = await bookForOwner({ ...wish, ...elsewhere, ...PAT }, desk(app, shop), OWNER);
    const booking = await app.store.findBooking(confirmation.confirmation_code);
    if (!booking) throw new Error("not booked");
    await change(booking, { start }, ownerPolicy(OWNER), desk(app, shop));
    return booking.confirmationCode;
  },
  async page(app, shop, wish, start) {
    const url = new URL(withStart(bookUrl(wish, shop), start) ?? "");
    const { fields, action } = await filled(app, url.pathname + url.search);
    const { headers, text } = await send(app, action, fields);
    return /\/book\/booked\/(\w{8})/.exec(headers.get("location") ?? "")?.[1] ?? text;
  },
  async phone(app, shop, wish, start) {
    const { confirmation } = await bookForOwner({ ...wish, ...start, ...PAT }, desk(app, shop), OWNER);
    return confirmation.confirmation_code;
  },
  async "edited by the owner"(app, shop, wish, start) {
    const { confirmation } = await bookForOwner({ ...BEFORE, ...start }, desk(app, shop), OWNER);
    const booking = await app.store.findBooking(confirmation.confirmation_code);
    if (!booking) throw new Error("not booked");
    await change(booking, { work: wish }, ownerPolicy(OWNER), desk(app, shop));
    return booking.confirmationCode;
  },
  async "changed by the customer"(app, _, wish, start) {
    const { confirmation_code } = (await app.post(`${API}/bookings`, { ...BEFORE, ...start })).json.data;
    const proof = { confirmation_code, phone: PAT.customer_phone };
    const { add, ...others } = { ...wish, add: wish.addons, addons: undefined };
    await app.post(`${API}/bookings/reschedule`, { ...proof, ...others, add_addons: add });
    return confirmation_code;
  },
};

const CONSENT = { confirmed_by_user: true };

function codeIn(text: string): string {
  return /confirmation_code\W+(\w{8})\b/.exec(text)?.[1] ?? text;
}

/** Another open start for the same work. */
async function startBeside(app: TestApp, wish: Wish, { date, time }: Start): Promise<Start> {
  const open = await openStarts(app, wish);
  return open.find((one) => one.date !== date || one.time !== time) ?? { date, time };
}

async function openStarts(app: TestApp, wish: Wish): Promise<Start[]> {
  const query = new URLSearchParams({ days: "20", view: "compact", ...pickText(wish) });
  for (const addon of wish.addons) query.append("addons", addon);
  const { days } = (await app.get(`${API}/availability?${query}`)).json.data;
  return days.flatMap(({ date, open }: { date: string; open: string[] }) => open.map((time) => ({ date, time })));
}

function desk(app: TestApp, catalog: Shop) {
  return ownerContext({ store: app.store, catalog, now: NOW });
}

/** The facts that no policy changes. */
async function factsOf(app: TestApp, shop: Shop, code: string) {
  const booking = await app.store.findBooking(code);
  if (!booking) throw new Error(`no booking ${code}`);
  const { estimate, tint_law, end, split, addons, remove_old_film, ...answer } = storedConfirmation.parse(
    booking.answer,
  );
  const { date } = booking;
  const standing = await readStanding(app.store, { from: date, to: date }, shop);
  return {
    price: [estimate?.total, estimate?.total_with_tax, estimate?.line_items],
    length: [answer.duration_minutes, booking.startAt, booking.endAt, booking.busyUntil],
    bay: standing.find((one) => one.booking.confirmationCode === code)?.bay,
    work: [answer.vehicle.type, answer.film_type, answer.coverage, addons, remove_old_film, tint_law],
  };
}

const wishIn = (shop: Shop) => {
  const { vehicleTypes, coverages, addons, films } = shop.terms;
  return fc
    .record({
      vehicle_type: fc.constantFrom(...vehicleTypes),
      film_type: fc.constantFrom(...films),
      coverage: fc.constantFrom(...coverages),
      addons: fc.subarray([...addons]),
      remove_old_film: fc.boolean(),
      shades: fc.tuple(fc.nat(), fc.nat()),
    })
    .map(({ shades: [front, rear], ...wish }): Wish => {
      const sold = shop.automotive.films[wish.film_type]?.shades.map(({ vlt }) => vlt) ?? [];
      const [front_side = 50, behind = 50] = [front, rear].map((at) => sold[at % sold.length]);
      const isFront = wish.coverage === "front2";
      return { ...wish, shade: isFront ? { front_side } : { front_side, rear_side: behind, rear_window: behind } };
    });
};

test("the same wish as customer, by page, agent or phone, and as a change or move by either has one price, length, end and bay", async () => {
  for (const shop of SHOPS) {
    const cases = fc.record({ wish: wishIn(shop), nth: fc.nat(40), others: fc.integer({ min: 0, max: 2 }) });
    const isSame = fc.asyncProperty(cases, async ({ wish, nth, others }) => {
      const empty = testApp({ catalog: shop });
      const starts = await openStarts(empty, wish);
      const start = starts[nth % starts.length];
      if (!start) return;
      const told: Record<string, unknown> = {};
      for (const [way, book] of Object.entries(WAYS)) {
        const app = testApp({ catalog: shop });
        for (let i = 0; i < others; i++)
          await bookForOwner({ ...BEFORE, ...start, customer_phone: `404555012${i}` }, desk(app, shop), OWNER);
        told[way] = await factsOf(app, shop, await book(app, shop, wish, start));
        await app.store.close();
      }
      for (const way of Object.keys(WAYS)) expect([way, told[way]]).toEqual([way, told.customer]);
    });
    await fc.assert(isSame, { seed: 45, numRuns: 1 });
  }
}, 180_000);

/** The wish as a query of open times. */
function pickText({ vehicle_type, film_type, coverage, remove_old_film }: Wish): Record<string, string> {
  return { vehicle_type, film_type, coverage, ...(remove_old_film && { remove_old_film: "true" }) };
}

test("where the policy says otherwise: the owner names price and length, needs no notice, and begins at any time", async () => {
  const [shop = catalogWith(BAYS)] = SHOPS;
  const app = testApp({ catalog: shop });
  const wish = { ...BEFORE, date: "2026-11-21", time: "10:35" };
  const customer = await app.post(`${API}/bookings`, wish);
  expect([customer.status, customer.json.error_code]).toEqual([400, "BAD_REQUEST"]);
  const named = { ...OWNER, price: 12_345, minutes: 200 };
  const { confirmation } = await bookForOwner(wish, desk(app, shop), named);
  expect(confirmation.estimate?.total).toBe(123.45);
  expect(confirmation.duration_minutes).toBe(200);
  expect(confirmation.time).toBe("10:35");
});
