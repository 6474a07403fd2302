/** The home screen: its facts, kept up to date, and the screens it opens. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { screens } from "../../cli/screens/index.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { inStore } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { NO_LIMITS, shopFolder } from "../process/server.ts";
import { CATALOG_TEXT, catalogWith } from "../small-shop.ts";
import { holdOneText, newLead } from "../store/conformance-values.ts";
import { openOn, SIZES } from "./render.tsx";
import { apiOf, OPEN_DAILY, openShop } from "./shop.ts";

setDefaultTimeout(90_000);

const TODAY = "2026-11-21";

function serverWithout(...off: string[]) {
  return { at: "127.0.0.1:9000", says: { status: "ready", jobs: { off } } };
}

test("an empty shop says so, and offers every screen", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "home");
  const frame = await terminal.see("Nothing is booked for today.");
  expect(frame).toContain("Marlow Ridge Window Film");
  expect(frame).toContain("Sat Nov 21, 10:00 AM");
  expect(frame).toContain("Nobody waits for an answer.");
  expect(frame).toContain("Messages: none is stuck");
  expect(frame).toContain("Catalog: catalog.yaml is good");
  expect(frame).not.toContain("Esc back");
  for (const { key, title } of screens.menu) expect(frame).toMatch(new RegExp(`${key}  ${title}`));
  expect(new Set(screens.menu.map(({ key }) => key)).size).toBe(screens.menu.length);
  terminal.press("?");
  // On home k opens the API keys.
  await terminal.see("Go up or down.");
});

test("bookings by time and bay, leads with age and follow-up, stuck messages; at both sizes", async () => {
  await using api = openShop();
  const long = "Wolfeschlegelsteinhausenbergerdorff 山田太郎山田太郎山田太郎山田太郎";
  await api.book({ date: TODAY, time: "10:00", customer_name: long });
  await api.book({ date: TODAY, time: "10:00", vehicle_type: "sedan", film_type: "standard" });
  await api.ask({ first_name: "Robin" });
  for (const size of SIZES) {
    const terminal = await openOn(api.folder, "home", size);
    const frame = await terminal.see("Today: 2 bookings");
    expect(frame).toMatch(/10:00 AM +Wolfe.*… +(\(\d{3}\) \d{3}-\d{4} +)?SUV +ceramic tint/);
    expect(frame).toContain(": not sent yet)");
    expect(frame).toMatch(/10:00 AM +Pat Example +(\(\d{3}\) \d{3}-\d{4} +)?sedan +standard tint/);
    expect(frame).toMatch(/Q-\w{6} +new +26 h +(\w{3} 12:00 PM, )?2\d h late +Robin +commercial quote/);
    expect(frame).toMatch(/Messages: \d+ stuck, for up to \d+ h \(lead/);
    expect(frame.split("\n").length).toBe(size.rows);
  }
});

test("a booking made through the API appears within 2 seconds", async () => {
  await using api = openShop();
  const terminal = await openOn(api.folder, "home", { sees: "Nothing is booked for today." });
  const code = await api.book({ date: TODAY, time: "10:00" });
  const start = performance.now();
  await terminal.see("Today: 1 booking");
  expect(performance.now() - start).toBeLessThan(2_000);
  // The selection was in the menu; the booking now is above it.
  for (let i = 0; i < 3; i++) terminal.press("up");
  await terminal.see("Enter open booking");
  await terminal.press("enter").see(`Booking ${code}`);
  await terminal.press("esc").see("Today: 1 booking");
});

test("a cancelled booking is not counted, nor a text that waits for settings as stuck", async () => {
  await using api = openShop();
  await api.book({ date: TODAY, time: "10:00" });
  const code = await api.book({ date: TODAY, time: "11:00" });
  await api.store.changeBookingStatus(code, "cancelled_by_customer", NOW.epochMilliseconds);
  const terminal = await openOn(api.folder, "home", { server: serverWithout("sms") });
  const frame = await terminal.see("Today: 1 booking, 1 cancelled");
  expect(frame).toMatch(/Messages: texts are off, \d+ waits?: see tint setup/);
  expect(frame).not.toContain("stuck");
});

test("a customer who never came is counted apart, today as in the week", async () => {
  await using api = openShop();
  await api.book({ date: TODAY, time: "10:00" });
  const code = await api.book({ date: TODAY, time: "11:00" });
  await api.store.changeBookingStatus(code, "no_show", NOW.add({ hours: 3 }).epochMilliseconds);
  await openOn(api.folder, "home", { sees: "Today: 1 booking, 1 no-show · this week: 1," });
});

test("customer texts over a limit are told", async () => {
  await using api = openShop({}, NOW);
  const now = NOW.epochMilliseconds;
  await holdOneText(api.store, deliveryRules(catalogWith({ "messages.sms_per_hour": 1 }), now), now);
  await openOn(api.folder, "home", {
    sees: "Messages: 1 text to customers waits: the hourly limit of texts is reached",
  });
});

test("new leads are counted, however many there are", async () => {
  using folder = shopFolder();
  await inStore(folder, async (store) => {
    for (let i = 0; i < 230; i++)
      await store.addLead(newLead({ kind: "quote_request", reference: `Q-${i}`, createdAt: NOW.epochMilliseconds }));
  });
  await openOn(folder, "home", { sees: "Open quote requests: 230" });
});

test("a catalog of another name has its own name on the screens", async () => {
  using folder = shopFolder();
  const file = join(folder.path, "my-shop.yaml");
  writeFileSync(file, folder.read());
  const catalogSource = fileSource(file, folder.data);
  const home = await openOn(folder, "home", { catalogSource, sees: "Catalog: my-shop.yaml is good" });
  writeFileSync(file, "business: []\n");
  await home.see("my-shop.yaml has a mistake");
});

test("a mistake in the catalog is shown at once, in full, and its fix too", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "home", { sees: "catalog.yaml is good" });
  folder.write(CATALOG_TEXT.replace("{standard: {full: 289, front2: 129}", "{standard: {full: 289, front2: 129"));
  const frame = await terminal.see("catalog.yaml has a mistake");
  expect(frame.replace(/\s+/g, " ")).toMatch(/Catalog: \S+catalog\.yaml:\d+:\d+: [^…]+ is not closed\./);
  expect(await terminal.press("p").see(/^Prices/)).toMatch(/catalog\.yaml has a mistake\n/);
  terminal.press("esc");
  folder.write(CATALOG_TEXT);
  await terminal.see("catalog.yaml is good");
});

test("without a good catalog at the start its mistake is shown, and screens that do not need it can be opened", async () => {
  await using api = openShop();
  const code = await api.book({ date: TODAY, time: "10:00", customer_name: "Jordan Sample" });
  api.folder.write(CATALOG_TEXT.replace("version: 1", "version: 9"));
  const terminal = await openOn(api.folder, "home");
  const frame = await terminal.see("The catalog has a mistake");
  expect(frame).toMatch(/catalog\.yaml:\d+:\d+: version must be 1/);
  expect(frame).not.toContain("Prices");
  const diary = await terminal.press("d").see("Jordan Sample");
  expect(diary).toMatch(/Sat Nov 21, today +catalog\.yaml has a mistake · 1 booking/);
  expect(diary).not.toContain("block day");
  await terminal.press("v").see("10:00 AM Jordan Sample");
  await terminal.press("v").see("Enter open  c done");
  await terminal.press("enter").see(`Booking ${code}`);
  await terminal.press("esc").see("Diary: ");
  await terminal.press("esc").see("The catalog has a mistake");
  await terminal.press("l").see("No leads here (open).");
  // The leads of bookings are for a CRM, and there is none.
  await terminal.press("left").see("No leads here (all).");
  await terminal.press("esc").see("The catalog has a mistake");
  await terminal.press("k").see("No keys yet.");
  terminal.press("esc");
  api.folder.write(CATALOG_TEXT);
  await terminal.see("Today: 1 booking");
});

test("where there is no catalog yet, a screen says how to make one", async () => {
  using folder = shopFolder();
  rmSync(folder.catalog);
  const terminal = await openOn(folder, "prices");
  const frame = await terminal.see("There is no catalog yet");
  expect(frame).toContain("leave with q and type: tint init");
  expect(frame).not.toContain("mistake");
  folder.write(CATALOG_TEXT);
  await terminal.lose("There is no catalog yet");
});

test("what now: the server's own answer, the next car with its phone, the week's amount, and what a request was told", async () => {
  await using api = openShop();
  await api.book({ date: TODAY, time: "10:00", customer_name: "Jordan Sample", customer_phone: "404-555-0142" });
  await api.ask({ first_name: "Robin", square_footage: 350 });
  const { at, says } = serverWithout("email");
  const warned = { at, says: { ...says, warnings: ["the last nightly backup is 3 days old"] } };
  const terminal = await openOn(api.folder, "home", { server: warned });
  const frame = await terminal.see("the last nightly backup is 3");
  expect(frame).toContain("Server: up, on 127.0.0.1:9000, off: e-mails; the last nightly backup is 3");
  expect(frame).toMatch(/Today: 1 booking · this week: 1, \$\d+\.00/);
  expect(frame).toMatch(/10:00 AM +Jordan Sample +\(404\) 555-0142/);
  expect(frame).toMatch(/Q-\w{6} +new +26 h .* \$\d,\d{3}\.00–\$\d,\d{3}/);
});

test("today is in the order of the day, and on 24 rows who comes next is selected; after the last one the next day's is named", async () => {
  const edits = { ...OPEN_DAILY, "scheduling.bays": 9, "rate_limits.bookings_per_10_minutes": 99 };
  await using api = openShop(edits, NOW.subtract({ hours: 48 }));
  const day = "2026-11-23";
  for (let i = 1; i <= 5; i++) await api.book({ date: day, time: "09:00", customer_name: `Over ${i}` });
  await api.book({ date: day, time: "12:00", customer_name: "Running Guest" });
  await api.book({ date: day, time: "15:00", customer_name: "Next Guest", customer_phone: "404-555-0143" });
  await api.book({ date: "2026-11-25", time: "09:00", customer_name: "Later Guest" });
  for (let i = 0; i < 3; i++) await api.ask();
  let now = "2026-11-23T19:00:00Z";
  const terminal = await openOn(api.folder, "home", { now: () => Temporal.Instant.from(now), columns: 80, rows: 24 });
  await terminal.see(/› +3:00 PM +Next Guest +\(404\) 555-0143/);
  const tall = await openOn(api.folder, "home", { now: () => Temporal.Instant.from(now), columns: 120, rows: 40 });
  await tall.see(/Over 1[\s\S]*Over 5[\s\S]*12:00 PM +Running Guest[\s\S]*› +3:00 PM +Next Guest/);
  now = "2026-11-24T00:30:00Z";
  const evening = await openOn(api.folder, "home", { now: () => Temporal.Instant.from(now), columns: 80, rows: 24 });
  await evening.see(/Today: 7 bookings · next: Wed Nov 25, 9:00 AM Later Guest/);
});

test("jobs of past days that are still open are named, and one key leads to the first", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, NO_LIMITS, NOW.subtract({ hours: 99 }));
  const codes = [
    await api.book({ date: "2026-11-18", time: "14:00", customer_name: "Past Guest" }),
    await api.book({ date: "2026-11-19", time: "09:00" }),
    await api.book({ date: TODAY, time: "09:00" }),
  ];
  const closed = await api.book({ date: "2026-11-18", time: "09:00" });
  await api.store.changeBookingStatus(closed, "completed", NOW.epochMilliseconds);
  const terminal = await openOn(folder, "home", { sees: "Open: 2 jobs of past days are still open" });
  await terminal.press("g").see(/Diary: Wed Nov 18[\s\S]*completed\n› +2:00 PM .*Past Guest/);
  for (const code of codes.slice(0, 2)) await api.store.changeBookingStatus(code, "completed", NOW.epochMilliseconds);
  await terminal.press("esc").lose("still open");
  expect(terminal.frame()).not.toContain("open jobs");
});

test("nothing today: the next car is named; a server that does not answer is told", async () => {
  await using api = openShop();
  await api.book({ date: "2026-11-24", time: "09:00", customer_name: "Next Guest", customer_phone: "404-555-0143" });
  const terminal = await openOn(api.folder, "home", {
    columns: 120,
    rows: 40,
    server: { at: "127.0.0.1:8080", says: undefined },
  });
  await terminal.see("Next: Tue Nov 24, 9:00 AM Next Guest, (404) 555-0143");
  await terminal.see("Server: nothing answers on 127.0.0.1:8080, so no messages go out: start it with tint serve");
});
