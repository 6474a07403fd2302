/** The diary in the owner's phone: who can read it, and what it tells. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mintCalendarToken } from "../../src/lib/ids.ts";
import { API, BOOKING, catalogWith, NOW, testApp } from "../helpers.ts";

setDefaultTimeout(60_000);

const TODAY = NOW.epochMilliseconds;

async function published(edits: Record<string, unknown> = {}) {
  const app = testApp({ catalog: catalogWith(edits) });
  const { token, hash } = mintCalendarToken();
  await app.store.setCalendarHash(hash, TODAY);
  const read = async (name = `${token}.ics`) => await app.get(`/calendar/${name}`);
  const booked = async () =>
    (await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: `${BOOKING.customer_phone} x12` })).json.data
      .confirmation_code as string;
  return { app, token, read, booked };
}

/** An entry's lines, unfolded. */
function eventOf(text: string, code: string): string[] {
  const entries = text.replace(/\r\n /g, "").split("BEGIN:VEVENT");
  return entries.find((entry) => entry.includes(`UID:${code}@`))?.split("\r\n") ?? [];
}

test("tells who comes, with a UID that stays, a SEQUENCE that rises, and cancelled bookings as such", async () => {
  const { app, read, booked } = await published();
  const code = await booked();
  const first = await read();
  expect(first.status).toBe(200);
  expect(first.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
  expect(first.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(first.headers.get("Cache-Control")).toBe("private, no-store");
  const entry = eventOf(first.text, code);
  expect(entry).toContain("SEQUENCE:0");
  expect(entry).toContain("STATUS:CONFIRMED");
  expect(entry.find((line) => line.startsWith("SUMMARY:"))).toContain(BOOKING.customer_name);
  expect(entry.join()).toContain("+14045550111 x12");
  expect(entry.find((line) => line.startsWith("DTSTART"))).toMatch(/^DTSTART:\d{8}T\d{6}Z$/);
  await app.store.changeBookingStatus(code, "cancelled_by_shop", TODAY);
  const cancelled = eventOf((await read()).text, code);
  expect(cancelled).toContain("SEQUENCE:1");
  expect(cancelled).toContain("STATUS:CANCELLED");
  const times = (lines: string[]) => lines.filter((line) => /^DT(START|END)/.test(line));
  expect(times(cancelled)).toEqual(times(entry));
  await app.store.reopenBookings([code], 2, TODAY);
  const again = eventOf((await read()).text, code);
  expect(again).toContain("SEQUENCE:2");
  expect(again).toContain("STATUS:CONFIRMED");
});

test("tells shade, extras, old film and bay; who did not come is cancelled; the last line ends too", async () => {
  const { app, read } = await published();
  const work = { film_type: "ceramic", shade: 35, addons: ["sunroof"], remove_old_film: true };
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, ...work });
  const { confirmation_code: code, date } = json.data;
  const { text } = await read();
  const entry = eventOf(text, code).find((line) => line.startsWith("DESCRIPTION:")) ?? "";
  for (const part of ["Film removal", "Sunroof", "shade 35", "\\nBay 1\\n"]) expect(entry).toContain(part);
  expect(text).toEndWith("END:VCALENDAR\r\n");
  await app.store.changeBookingStatus(code, "no_show", Temporal.Instant.from(`${date}T23:59:00Z`).epochMilliseconds);
  expect(eventOf((await read()).text, code)).toContain("STATUS:CANCELLED");
});

test("what is blocked is at its time, with bay and reason", async () => {
  const { read } = await published({
    "scheduling.blocked_dates": [{ date: "2026-11-25" }],
    "scheduling.blocked_hours": [{ date: "2026-11-24", from: "13:00", to: "15:00", bay: 2, reason: "Sam is ill" }],
  });
  const { text } = await read();
  const hours = eventOf(text, "blocked-2026-11-24-1300-2");
  for (const line of ["DTSTART:20261124T180000Z", "DTEND:20261124T200000Z", "SUMMARY:Blocked: Sam is ill"])
    expect(hours).toContain(line);
  expect(hours.join()).toContain("DESCRIPTION:Bay 2 is closed from 1:00 PM to 3:00 PM");
  expect(eventOf(text, "blocked-2026-11-25-0900-all")).toContain("DTSTART:20261125T140000Z");
});

test("initials: neither name nor phone nor price", async () => {
  const { read, booked } = await published({ "calendar.details": "initials" });
  await booked();
  const text = (await read()).text.replace(/\r\n /g, "");
  expect(text).toMatch(/SUMMARY:[A-Z]\. [A-Z]\./);
  for (const secret of [BOOKING.customer_name, "+1404", "$"]) expect(text).not.toContain(secret);
});

test("without the right address there is nothing, as for any unknown path", async () => {
  const { app, token, read } = await published();
  for (const name of ["", token, "x.ics", `${token}.ics.ics`, `${"a".repeat(32)}.ics`]) {
    const { status, json } = await read(name);
    expect([name, status, json.error_code]).toEqual([name, 404, "NOT_FOUND"]);
  }
  await app.store.setCalendarHash(null, TODAY);
  expect((await read()).status).toBe(404);
});
