/** A price that the owner agreed is for the work of that booking alone, and no price is below zero. Contract 13. */
import { describe, expect, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { change as changeBooking } from "../../src/capabilities/booking/change.ts";
import { ownerPolicy, PriceToAgree } from "../../src/capabilities/booking/policy.ts";
import { editForOwner } from "../../src/capabilities/desk/owner.ts";
import type { Booking } from "../../src/store/store.ts";
import { API, BOOKING, CATALOG, catalogWith, type FileApp, fileApp, freshPhone, NOW } from "../helpers.ts";
import { send } from "../pages/form.ts";

const FULL_CAR = { vehicle_type: "suv", film_type: "ceramic", coverage: "full" };

/** A ceramic SUV from the list, $599, that the owner gives for less. */
async function bookedFor(cents: number, app: FileApp = fileApp()) {
  const phone = freshPhone();
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, ...FULL_CAR, customer_phone: phone });
  const code: string = json.data.confirmation_code;
  const booking = async () => (await app.store.findBooking(code)) as Booking;
  const ctx = ownerContext({ store: app.store, catalog: CATALOG, now: NOW });
  await editForOwner(await booking(), {}, cents, ctx);
  const proof = { confirmation_code: code, phone };
  const change = (asked: object) => app.post(`${API}/bookings/reschedule`, { ...proof, ...asked });
  const look = async () => (await app.post(`${API}/bookings/lookup`, proof)).json.data;
  return { app, code, proof, booking, ctx, change, look };
}

describe("online, a booking with an agreed price", () => {
  test("keeps its work: every other work is refused with the number to call", async () => {
    const { app, change, look } = await bookedFor(36_900);
    const before = await look();
    const { json: quoted } = await app.post(`${API}/estimates`, { ...FULL_CAR, coverage: "front2" });
    for (const asked of [
      ...[{ film_type: "standard" }, { coverage: "front2" }, { vehicle_type: "sedan" }, { addons: ["sunroof"] }],
      ...[{ remove_old_film: true }, { estimate_id: quoted.data.estimate_id }, { coverage: "front2", dry_run: true }],
      { coverage: "front2", date: "2026-11-25", time: "11:00" },
    ]) {
      const { status, json } = await change(asked);
      expect([asked, status, json.error_code, json.recoverable]).toEqual([asked, 409, "PRICE_AGREED", false]);
      expect(json.message).toContain(`call the shop at ${CATALOG.business.phone}`);
    }
    expect(await look()).toEqual(before);
    expect(before.estimate.total).toBe(369);
  });

  test("is refused by MCP and A2A alike", async () => {
    const { app, proof } = await bookedFor(36_900);
    const input = { ...proof, coverage: "front2" };
    const tool = { name: "reschedule_booking", arguments: input };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const mcp = await app.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }, { headers });
    const parts = [{ data: { capability: "reschedule_booking", input } }];
    const message = { messageId: "m", role: "ROLE_USER", parts };
    const a2a = await app.post(
      "/a2a",
      { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
      { headers: { "a2a-version": "1.0" } },
    );
    for (const { text } of [mcp, a2a]) {
      expect(text).toContain("PRICE_AGREED");
      expect(text).toContain(CATALOG.business.phone);
    }
  });

  test("moves at its price, also with its own work named again; a shade costs nothing", async () => {
    const { app, proof, change, look } = await bookedFor(36_900);
    const moved = await change({ date: "2026-11-25", time: "11:00", ...FULL_CAR, addons: [] });
    expect([moved.status, moved.json.data.estimate.total, moved.json.data.date]).toEqual([200, 369, "2026-11-25"]);
    expect((await change({ shade: 50, vehicle_model: "Highlander" })).json.data.estimate.total).toBe(369);
    const form = new URLSearchParams({ confirmation_code: proof.confirmation_code, contact: proof.phone });
    form.set("start", "2026-11-24T10:00");
    expect((await send(app, "/book/manage/move", form)).status).toBe(303);
    expect(await look()).toMatchObject({ date: "2026-11-24", estimate: { total: 369 } });
  });
});

describe("the owner's other work", () => {
  test("needs a new price or the list's, where one was agreed", async () => {
    const { booking, ctx, look } = await bookedFor(36_900);
    const front = { coverage: "front2" };
    const owner = ownerPolicy({ anyway: false, isQuiet: true });
    const changeTo = async (work: object, price?: number | "list") =>
      changeBooking(await booking(), { work, price }, owner, ctx);
    const refusal = await changeTo(front).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PriceToAgree);
    expect(refusal).toMatchObject({ before: { total: 369 }, listed: { total: 239 } });
    expect((await look()).coverage).toBe("full");
    await changeTo(front, 20_000);
    expect((await look()).estimate).toMatchObject({ total: 200, line_items: [{ amount: 239 }, { amount: -39 }] });
    await changeTo({ coverage: "full" }, "list");
    expect((await look()).estimate).toMatchObject({ total: 599, line_items: [{ amount: 599 }] });
  });
});

describe("a price below zero", () => {
  test("is never stored", async () => {
    const { booking, ctx, look } = await bookedFor(36_900);
    await expect(editForOwner(await booking(), {}, -1, ctx)).rejects.toThrow("below zero");
    expect((await look()).estimate.total).toBe(369);
  });

  test("of an earlier version is read as nothing, by customers, on the page and in messages", async () => {
    const messages = { "messages.rescheduled_email.enabled": true };
    const catalog = catalogWith(messages);
    const { app, code, change, look, proof } = await bookedFor(36_900, fileApp({ catalog }));
    const [{ answer = "" } = {}] = app.db.query<{ answer: string }, []>("SELECT answer FROM bookings").all();
    const stored = JSON.parse(answer);
    const line = { ...stored.estimate.line_items[0], unit_price: 239, amount: 239 };
    const agreed = { code: "agreed_price", label: "Agreed price", quantity: 1, unit_price: -469, amount: -469 };
    const tax = { status: "added", rate_pct: 6, amount: -13.8, note: "Sales tax is added." };
    const estimate = { ...stored.estimate, total: -230, tax, total_with_tax: -243.8, line_items: [line, agreed] };
    app.db.run("UPDATE bookings SET answer = ?", [JSON.stringify({ ...stored, estimate })]);

    const shown = (await look()).estimate;
    expect(shown).toMatchObject({ total: 0, total_with_tax: 0, tax: { amount: 0 } });
    expect(shown.line_items.map(({ amount }: { amount: number }) => amount)).toEqual([239, -239]);
    const form = new URLSearchParams({ confirmation_code: code, contact: proof.phone });
    const { headers } = await send(app, "/book/manage", form);
    const page = await app.get(headers.get("location") ?? "");
    expect(page.text).toContain("$0");
    expect(page.text).not.toMatch(/[-−]\$/);
    const moved = await change({ date: "2026-11-25", time: "11:00" });
    expect(moved.json.data.estimate.total).toBe(0);
    const jobs = app.db.query<{ payload: string }, []>("SELECT payload FROM jobs WHERE status = 'waiting'").all();
    for (const { payload } of jobs) expect(payload).not.toMatch(/[-−]\$/);
  });
});
