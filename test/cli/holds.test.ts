/** Times that are held, and bookings that a change of hours, days or bays touches, at the desk. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { catalogText, catalogWith } from "../small-shop.ts";
import { booked, saying, tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(60_000);

/** A customer holds Tuesday, 9:00 AM, or that time of another day, for an hour from the fixed clock on. */
async function withHold(
  edits: Record<string, unknown> = {},
  date = BOOKING.date,
): Promise<{ folder: ShopFolder; code: string; [Symbol.dispose]: () => void }> {
  const folder = shopFolder(edits);
  const store = await openStore(locationOf(folder.data));
  const app = testApp({ store, catalog: catalogWith({ ...edits }) });
  const { json } = await app.post(`${API}/bookings`, {
    ...BOOKING,
    date,
    hold: true,
    consent: { confirmed_by_user: true, sms: true },
  });
  await store.close();
  return { folder, code: json.data.confirmation_code, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
const LATER = { now: NOW.add({ hours: 1 }) };
const DAY = ["--date", BOOKING.date];

describe("a time that is held", () => {
  test("is in the diary with the time left, in data with its end, and in no sum", async () => {
    using shop = await withHold();
    const { folder, code } = shop;
    const list = await tint(folder, ["bookings", ...DAY]);
    expect(list.stdout).toContain(`held 1 h`);
    expect((await tint(folder, ["bookings", "--held"])).stdout).toContain(code);
    // Money does not book it.
    const paid = (await tint(folder, ["pay", code, "50", "cash", "--as", "deposit"])).stderr;
    expect(paid).toContain(`Note: the booking is held. To book it: tint bookings confirm ${code}. To undo it:`);
    await tint(folder, ["pay", code, "--undo", "1"]);
    const [json] = await tintJson(folder, ["bookings", ...DAY]);
    expect(json).toMatchObject({ status: "held", held_until: "2026-11-21T11:00:00-05:00", bay: 1 });
    expect((await tintCsv(folder, ["bookings", ...DAY])).stdout).toContain(",held,");
    expect((await tint(folder, ["bookings", code])).stdout).toContain(`tint bookings confirm ${code}`);
    expect((await tint(folder, ["quote", code])).stdout).toMatch(/\nStatus +Held, not booked yet\n/);
    const sums = async () => await tintJson(folder, `report --date ${BOOKING.date}`);
    const whileHeld = await sums();
    expect(whileHeld).toMatchObject({ booked: { count: 0 }, to_come: { count: 0 }, bay_use: { used_minutes: 0 } });
    expect((await tint(folder, ["day", BOOKING.date])).stdout).toMatch(/0 bookings[\s\S]*\(held\)/);
    expect((await tint(folder, ["bookings", "cancel", code])).status).toBe(0);
    expect(await sums()).toEqual(whileHeld);
  });

  test("is listed on whatever day it is, unless days are named", async () => {
    using shop = await withHold({}, dateFromNow(31));
    expect((await tint(shop.folder, ["bookings", "--held"])).stdout).toContain(shop.code);
    expect((await tintJson(shop.folder, ["bookings", "--status", "held"])).length).toBe(1);
    expect((await tint(shop.folder, ["bookings", "--held", ...DAY])).stderr).toContain("No bookings on Tue Nov 24");
    const none = await tint(shop.folder, ["bookings", "--held"], LATER);
    expect([none.stdout, none.stderr]).toEqual(["", "No bookings are held.\n"]);
  });

  test("is over at its end for the desk, too, although nothing swept it", async () => {
    using shop = await withHold();
    const { folder, code } = shop;
    expect((await tint(folder, ["bookings", "--held"], LATER)).stdout).toBe("");
    const [json] = JSON.parse((await tint(folder, ["bookings", ...DAY, "--json"], LATER)).stdout);
    expect(json).toMatchObject({ confirmation_code: code, status: "expired", bay: null });
    expect((await tint(folder, ["day", BOOKING.date], LATER)).stdout).not.toContain(code);
  });

  test("is booked by the owner, with the customer's messages; once", async () => {
    using shop = await withHold({ "messages.confirmation_sms.enabled": true });
    const { folder, code } = shop;
    const done = await tint(folder, ["bookings", "confirm", code]);
    expect(done).toMatchObject(saying(0, "held → confirmed"));
    expect((await tint(folder, ["outbox", "--json"])).stdout).toContain("confirmation_sms");
    // Who confirmed it knows of it: nobody is reminded to contact the customer.
    expect((await tint(folder, ["outbox", "--json"])).stdout).not.toContain("remind_owner");
    expect(await tint(folder, ["bookings", "confirm", code])).toMatchObject(saying(1, "confirmed already"));
  });

  test("that is over is booked by the owner while a bay is free, by confirm and by reopen", async () => {
    for (const how of ["confirm", "reopen"]) {
      using shop = await withHold();
      const done = await tint(shop.folder, ["bookings", how, shop.code], LATER);
      expect([how, done.status, done.stderr]).toEqual([how, 0, expect.stringContaining("expired → confirmed")]);
    }
    using full = await withHold({ "scheduling.bays": 1 });
    const book = ["book", "suv", ...DAY, "--time", "9am", "--name", "Sam Other", "--phone", "404-555-0199"];
    expect((await tint(full.folder, book, LATER)).status).toBe(0);
    const refused = await tint(full.folder, ["bookings", "confirm", full.code], LATER);
    expect(refused).toMatchObject(saying(1, "its time is taken"));
  });

  test("is booked, and nobody told of it must be called: by confirm and by reopen, also when it was over or cancelled", async () => {
    for (const [how, ...before] of [["confirm"], ["confirm", "cancel"], ["reopen", "cancel"]] as const) {
      using shop = await withHold();
      for (const act of before)
        expect((await tint(shop.folder, ["bookings", act, shop.code])).stderr).not.toContain("call");
      const done = await tint(shop.folder, ["bookings", how, shop.code]);
      expect(done.stderr).toContain("Nobody is told (such messages are off): call (404) 555-0111.");
      expect((await tint(shop.folder, ["calls"])).stdout).toMatch(/9:00 AM, is confirmed$/m);
      // Cancelled or moved, and brought back, it is still not known to the customer.
      const moves = [dateFromNow(4), BOOKING.date].map((day) => ["move", shop.code, day, "--anyway"]);
      for (const act of [["cancel", shop.code], ["reopen", shop.code], ...moves]) {
        await tint(shop.folder, ["bookings", ...act]);
        expect((await tintJson(shop.folder, ["calls"])).length).toBe(1);
      }
      expect((await tint(shop.folder, ["calls"])).stdout).toMatch(/9:00 AM, is confirmed$/m);
      expect((await tint(shop.folder, ["calls", "done", shop.code])).status).toBe(0);
    }
    using quiet = await withHold();
    await tint(quiet.folder, ["bookings", "confirm", quiet.code, "--quiet"]);
    expect((await tint(quiet.folder, ["calls"])).stdout).toBe("");
  });

  test("is cancelled without a message, and neither completed nor reopened", async () => {
    using shop = await withHold({ "messages.cancelled_sms.enabled": true });
    const { folder, code } = shop;
    expect((await tint(folder, ["bookings", "complete", code])).status).toBe(1);
    const reopened = await tint(folder, ["bookings", "reopen", code, "--json"]);
    expect(reopened).toMatchObject(saying(1, "was only held"));
    expect(JSON.parse(reopened.stdout).not_reopened).toEqual([{ confirmation_code: code, reason: "it is held" }]);
    expect((await tint(folder, ["bookings", "cancel", code])).stderr).toContain("held → cancelled by the shop");
    expect((await tint(folder, ["outbox", "--json"])).stdout).not.toContain("cancelled_sms");
    // It was never booked, so reopening it books it.
    expect((await tint(folder, ["bookings", "reopen", code])).stderr).toContain("cancelled by the shop → confirmed");
    expect((await tint(folder, ["outbox", "--json"])).stdout).toContain("push_to_crm");
  });
});

const BOOKED_DAY = dateFromNow(3);
const WEEKDAY = Temporal.PlainDate.from(BOOKED_DAY).toLocaleString("en", { weekday: "long" }).toLowerCase();

test("hours, special hours, blocked hours and fewer bays name the bookings that no longer fit", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 2 });
  const early = await booked(folder);
  const late = await booked(folder, "--time", "1pm", "--name", "Robin Example");
  const note = async (...args: string[]) =>
    (await tint(folder, args)).stderr
      .split("\n")
      .filter((line) => line.startsWith("Note:"))
      .join("\n");
  expect(await note("hours", "set", WEEKDAY, "8am-1pm", "--dry-run")).toMatch(
    new RegExp(
      `^Note: 1 confirmed booking no longer fits and would stay: .*1:00 PM Robin Example \\(${late}\\)\\. To move`,
    ),
  );
  expect(await note("hours", "special", BOOKED_DAY, "closed", "--dry-run")).toMatch(
    new RegExp(`^Note: 2 confirmed bookings no longer fit and would stay: .*${early}\\); .*${late}\\)\\.`),
  );
  // One bay is enough for two jobs that follow each other.
  expect(await note("catalog", "set", "scheduling.bays", "1", "--dry-run")).toBe("");
  const beside = await booked(folder, "--time", "1pm");
  expect(await note("catalog", "set", "scheduling.bays", "1")).toMatch(
    new RegExp(`2 confirmed bookings no longer fit and stay: .*(${late}|${beside})`),
  );
  expect(await note("catalog", "undo")).toBe("");
  writeFileSync(`${folder.catalog}.new`, catalogText({ ...OPEN_DAILY, "scheduling.bays": 1 }));
  expect(await note("catalog", "import", `${folder.catalog}.new`, "--dry-run")).toContain(
    "2 confirmed bookings no longer",
  );
  expect(await note("block", BOOKED_DAY, "--from", "2pm")).toContain("2 confirmed bookings no longer fit and stay:");
  // What did not fit before is not named again.
  expect(await note("hours", "set", WEEKDAY, "9am-6:30pm")).toBe("");
});
