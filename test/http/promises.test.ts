/** What answers promise beyond their prices: the next steps that are open, a site visit, when the shop answers. */
import { expect, test } from "bun:test";
import { API, catalogWith, QUOTE, testApp } from "../helpers.ts";

const BY_PHONE = { action: "business_location" };
const ONLINE = [{ action: "check_availability" }, { action: "book_appointment" }];

test.each([
  ["automotive", {}, ONLINE],
  ["film_removal", {}, ONLINE],
  // Priced, and done by appointment on the phone.
  ["film_removal", { "services.4.bookable": false }, [BY_PHONE]],
  ["clearplex", { "services.5.bookable": false }, [BY_PHONE]],
])("an estimate of %s with %j leads to %j", async (service, edits, steps) => {
  const app = testApp({ catalog: catalogWith(edits) });
  const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv", service });
  expect(json.next_actions).toMatchObject(steps);
});

test.each([
  [undefined, false, false],
  [1, false, false],
  [2, true, false],
  [3, true, false],
  [4, true, true],
  [5, true, true],
])("%p floors: ladder %p, site visit %p", async (floors, ladder, visit) => {
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, {
    total_sqft: 200,
    site_type: "commercial",
    ...(floors && { floors }),
  });
  expect(json.data).toMatchObject({ ladder_required: ladder, site_visit_required: visit });
  expect(json.data.notes.some((note: string) => note.includes("site visit"))).toBe(visit);
});

test.each([
  [{}, ["primary_concern", "needs_ladder", "floors"]],
  [{ primary_concern: "heat", floors: 1 }, ["needs_ladder"]],
  [{ film_goals: ["privacy"], needs_ladder: false }, []],
  // Security film is for security.
  [{ site_type: "security", needs_ladder: true }, []],
])("flat glass with %j assumes %j", async (given, assumed) => {
  const body = { total_sqft: 200, site_type: "commercial", ...given };
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, body);
  expect(json.data.assumed).toEqual(assumed);
});

test("only film that is attached to the frame is said to be", async () => {
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, { total_sqft: 200, site_type: "security" });
  expect(json.data.options.map(({ why }: { why: string }) => why)).toEqual([
    expect.stringMatching(/is 4 mil thick\.$/),
    expect.stringMatching(/is 8 mil thick\.$/),
    expect.stringMatching(/is 8 mil thick and attached to the frame\.$/),
  ]);
});

const REMINDERS = (...hours: string[]) => ({
  follow_up: [{ after: "0m", do: "push_to_crm" }, ...hours.map((after) => ({ after, do: "remind_owner" }))],
});

test.each([
  // The shop is open Monday to Friday from 9 to 18 and on Saturday from 9 to 15, not on Thanksgiving, November 26.
  ["2026-11-24T10:00:00-05:00", {}, "2026-11-25T10:00:00-05:00"],
  ["2026-11-21T10:00:00-05:00", {}, "2026-11-23T09:00:00-05:00"],
  ["2026-11-24T20:00:00-05:00", {}, "2026-11-27T09:00:00-05:00"],
  ["2026-11-25T17:59:59-05:00", {}, "2026-11-27T09:00:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS("30m"), "2026-11-24T10:30:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS("30m", "2h"), "2026-11-24T12:00:00-05:00"],
  ["2026-11-24T17:30:00-05:00", REMINDERS("30m"), "2026-11-25T09:00:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS(), "2026-11-24T10:00:00-05:00"],
  ["2026-11-24T07:00:00-05:00", REMINDERS(), "2026-11-24T09:00:00-05:00"],
  // The day after is blocked.
  [
    "2026-11-24T20:00:00-05:00",
    { ...REMINDERS(), "scheduling.blocked_dates": [{ date: "2026-11-25" }] },
    "2026-11-27T09:00:00-05:00",
  ],
])("a quote request of %s with %j is answered by %s", async (at, edits, by) => {
  const app = testApp({ catalog: catalogWith(edits), now: Temporal.Instant.from(at) });
  const { json } = await app.post(`${API}/quote-request`, QUOTE);
  expect(json.data.follow_up).toEqual({ expected_by: by, channel: "phone" });
});
