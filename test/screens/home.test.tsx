/** The home screen: what is seen, what is live, and where it leads. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { screens } from "../../cli/screens/index.tsx";
import { CATALOG_TEXT, NOW } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";
import { apiOf } from "./shop.ts";

setDefaultTimeout(20_000);

const TODAY = "2026-11-21";

test("an empty shop says so, and offers every screen", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "home");
  const frame = await terminal.see("Nothing is booked for today.");
  expect(frame).toContain("Marlow Ridge Window Film");
  expect(frame).toContain("Sat 21 Nov 2026 10:00");
  expect(frame).toContain("Nobody waits for an answer.");
  expect(frame).toContain("Messages: none is stuck");
  expect(frame).toContain("Catalog: catalog.yaml is good");
  for (const { key, title } of screens.menu) expect(frame).toMatch(new RegExp(`${key}  ${title}`));
  expect(new Set(screens.menu.map(({ key }) => key)).size).toBe(screens.menu.length);
});

test("bookings by time and bay, leads with age and follow-up, stuck messages; at both sizes", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const long = "Wolfeschlegelsteinhausenbergerdorff 山田太郎山田太郎山田太郎山田太郎";
  await api.book({ date: TODAY, time: "10:00", customer_name: long });
  await api.book({ date: TODAY, time: "10:00", vehicle_type: "sedan", film_type: "standard" });
  await api.ask({ first_name: "Robin" });
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 120, rows: 40 },
  ]) {
    const terminal = await openOn(folder, "home", size);
    const frame = await terminal.see("Today: 2 bookings");
    expect(frame).toMatch(/10:00 +[12] +Wolfeschlegel.*… +suv +ceramic tint/);
    expect(frame).toMatch(/10:00 +[12] +Pat Example +sedan +standard tint/);
    expect(frame).toMatch(/Q-\w{6} +new +26 h +2\d h late +Robin +commercial quote/);
    expect(frame).toMatch(/Messages: \d+ stuck, the oldest for lead/);
    expect(frame.split("\n").length).toBe(size.rows);
  }
});

test("a booking made through the API appears within 2 seconds", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const terminal = await openOn(folder, "home");
  await terminal.see("Nothing is booked for today.");
  const code = await api.book({ date: TODAY, time: "10:00" });
  const start = performance.now();
  await terminal.see("Today: 1 booking");
  expect(performance.now() - start).toBeLessThan(2_000);
  // The selection went to the menu before; the booking now stands above it.
  for (let i = 0; i < 3; i++) terminal.press("up");
  await terminal.see("Enter open booking");
  terminal.press("enter");
  await terminal.see(`Booking ${code}`);
  terminal.press("esc");
  await terminal.see("Today: 1 booking");
});

test("a faulty catalog is told at once, and mended at once", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "home", { columns: 120, rows: 40 });
  await terminal.see("catalog.yaml is good");
  folder.write(CATALOG_TEXT.replace("version: 1", "version: 9"));
  const frame = await terminal.see("catalog.yaml has a mistake");
  expect(frame).toContain("version");
  folder.write(CATALOG_TEXT);
  await terminal.see("catalog.yaml is good");
});

test("without a good catalog at the start its faults are shown until they are mended", async () => {
  using folder = shopFolder();
  folder.write(CATALOG_TEXT.replace("version: 1", "version: 9"));
  const terminal = await openOn(folder, "home");
  const frame = await terminal.see("The catalog has a mistake");
  expect(frame).toContain("q quit");
  folder.write(CATALOG_TEXT);
  await terminal.see("Nothing is booked for today.");
});
