import { expect, setDefaultTimeout, test } from "bun:test";
import { tint } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG, CATALOG_TEXT } from "../small-shop.ts";
import { catalogStoreWith } from "../store/fake-catalogs.ts";
import { openOn, saveChange, type Terminal } from "./render.tsx";
import { OPEN_DAILY, openShop } from "./shop.ts";

setDefaultTimeout(90_000);

/** Asks for a value by its path; what is typed then replaces the old one. */
async function askFor(terminal: Terminal, path: string, value: string): Promise<void> {
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press(path, "enter").see(`${path}: [${value}]`);
}

test("a value is found by its path, changed, and saved with the difference", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog");
  const menu = await terminal.see("Any value");
  for (const title of ["Prices", "Add-ons", "Opening hours", "Questions"]) expect(menu).toContain(title);
  await askFor(terminal, "scheduling.bays", "2");
  expect(await terminal.press("3", "enter").see("scheduling.bays: 2 → 3")).toContain("1 unsaved change");
  expect(folder.read()).toBe(CATALOG_TEXT);
  expect(await terminal.press("s").see("Write this to catalog.yaml?")).toMatch(/scheduling\.bays +2 +→ +3/);
  await terminal.press("y").see("✓ Saved 1 change.");
  expect(folder.read()).toBe(CATALOG_TEXT.replace("bays: 2 ", "bays: 3 "));
});

test("Enter on the last line asks for a path; on the others it opens their screens", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("end", "enter").see("Path, like scheduling.bays:");
  await terminal.press("esc").see("q quit");
  await terminal.press("home", "enter").see("sedan, standard, full: 289");
  await terminal.press("esc").see("Any value");
  await terminal.press("down", "down", "enter").see(/monday +9:00 AM–6:00 PM/);
});

test("a bad value is refused with the reason, and nothing waits to be saved", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await askFor(terminal, "scheduling.bays", "2");
  expect(await terminal.press("many", "enter").see("✗ scheduling.bays must be a whole number")).not.toContain(
    "unsaved",
  );
  // What was typed is still there.
  expect(terminal.frame()).toContain("scheduling.bays: many▏");
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("a wrong path and a group are explained in full", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press("schedulin", "enter").see(/✗ .*schedulin/);
  await terminal.press("g", ".", "job_minutes", "enter").see("scheduling.job_minutes is a group: it has full, front2,");
  expect(await terminal.see("ceramic_extra")).not.toContain("…");
});

test("another screen is not opened over changes that are not saved", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await askFor(terminal, "scheduling.bays", "2");
  await terminal.press("3", "enter").see("1 unsaved change");
  await terminal.press("enter").see("✗ Save the changes made here first (s), or take them back (u).");
  await terminal.press("u", "enter").see("sedan, standard, full: 289");
});

test("Ctrl+C in the middle of a path asks, and the path is still there", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press("business", "ctrl+c").see("Leave? What is being typed is lost.");
  await terminal.press("esc").see("Path, like scheduling.bays: business▏");
});

test("while the file has a mistake nothing can be changed; the place of the mistake is shown", async () => {
  using folder = shopFolder();
  folder.write(CATALOG_TEXT.replace("version: 1", "version: 9"));
  const terminal = await openOn(folder, "catalog");
  const frame = await terminal.see("Fix it in a text editor");
  expect(frame).toMatch(/catalog\.yaml:\d+:\d+: version must be 1/);
  // The caret is under the value.
  expect(frame).toMatch(/\| version: 9.*\n.*\| {10}\^/);
  folder.write(CATALOG_TEXT);
  await terminal.see("Any value");
});

test("in a database: an edit from another machine goes beneath the unsaved one, a save is a version, and u goes back", async () => {
  using folder = shopFolder();
  const { open, put, versions } = catalogStoreWith(CATALOG_TEXT);
  const terminal = await openOn(folder, "catalog", { catalogSource: await open(), sees: "Any value" });
  await askFor(terminal, "scheduling.bays", "2");
  await terminal.press("3", "enter").see("scheduling.bays: 2 → 3");
  put(CATALOG_TEXT.replace("lead_minutes: 120", "lead_minutes: 240"));
  await terminal.press("s").see("Write this to the catalog?");
  await terminal.press("y").see("✓ Saved 1 change.");
  expect(versions.map(({ note }) => note)).toEqual(["", "", "scheduling.bays"]);
  expect(versions[2]?.text).toContain("lead_minutes: 240");
  await terminal.press("u").see("scheduling.bays: 3 → 2. U does it again.");
  // Somebody else saves before it is done again.
  put(versions[3]?.text.replace("lead_minutes: 240", "lead_minutes: 300") ?? "");
  await terminal.press("U").see("Somebody else changed the catalog in the meantime");
  expect(versions).toHaveLength(5);
});

test("a database without a catalog: the screen says how to bring one in, and goes on once it is there", async () => {
  using folder = shopFolder();
  const { open, put } = catalogStoreWith();
  const terminal = await openOn(folder, "catalog", { catalogSource: await open(), sees: "tint catalog import" });
  put(CATALOG_TEXT);
  await terminal.see("Any value");
});

const DAY = "2026-11-24";
const BEFORE = NOW.subtract({ hours: 48 });

test("rain over four jobs: marked and moved in seven keys, one u takes all back, U moves them again", async () => {
  await using api = openShop(OPEN_DAILY, BEFORE);
  const codes: string[] = [];
  for (const time of ["09:00", "09:00", "14:00", "14:00"]) codes.push(await api.book({ date: DAY, time }));
  const places = async () => {
    const found = await Promise.all(codes.map((code) => api.store.findBooking(code)));
    return found.map((booking) => `${booking?.date} ${booking?.time}`);
  };
  const before = await places();
  const terminal = await openOn(api.folder, "diary", { about: DAY, sees: /4 bookings/ });
  await terminal.press("a").see("4 marked");
  // The customers hear of nothing here, so they are to be called.
  await terminal.press("m", ..."fri", "enter").see(/4 bookings moved\. u undoes it\. 4 customers\s+must be called/);
  expect(await places()).toEqual(before.map((place) => place.replace(DAY, "2026-11-27")));
  await terminal.press("u").see(/4 bookings moved back\. U does it again\./);
  expect(await places()).toEqual(before);
  await terminal.press("U").see(/4 bookings moved\. u undoes it\./);
  expect(await places()).toEqual(before.map((place) => place.replace(DAY, "2026-11-27")));
});

test("space marks single rows; x and c act on the marked ones, and those that cannot are named", async () => {
  await using api = openShop(OPEN_DAILY, BEFORE);
  const [first = "", second = "", third = ""] = [
    await api.book({ date: DAY, time: "09:00", customer_name: "Ann" }),
    await api.book({ date: DAY, time: "14:00", customer_name: "Bob" }),
    await api.book({ date: DAY, time: "14:00", customer_name: "Cyd" }),
  ];
  const status = async () =>
    Promise.all([first, second, third].map(async (code) => (await api.store.findBooking(code))?.status));
  const now = () => Temporal.Instant.from("2026-11-25T01:00:00Z");
  const terminal = await openOn(api.folder, "diary", { about: DAY, now, sees: "Cyd" });
  await terminal.press(" ").see(/^ \* 9:00 AM[\s\S]*^› {2}2:00 PM/m);
  await terminal.press(" ", "x").see("Who cancels? (2 bookings)");
  await terminal.press("s").see("2 bookings: confirmed → cancelled by the shop.");
  expect(await status()).toEqual(["cancelled_by_shop", "cancelled_by_shop", "confirmed"]);
  await terminal.press("u").see("2 bookings confirmed again.");
  await terminal.see("a mark all");
  // What is due is paid with each.
  await terminal.press("a", "c").see("Is the work done? (3 bookings)");
  await terminal.press("c").see("3 bookings: confirmed → completed.");
  expect((await api.store.findBooking(third))?.payments).toMatchObject([{ amount: 59_900, by: "cash" }]);
  await terminal.press("u").see(/3 bookings confirmed again\. Taken back, too: paid\s+\$1,797\.00\s+cash\./);
  expect(await status()).toEqual(["confirmed", "confirmed", "confirmed"]);
  expect((await api.store.findBooking(third))?.payments.every(({ undoneAt }) => undoneAt !== null)).toBe(true);
});

test("one history for bookings, leads, blocks and prices, whatever the screen", async () => {
  await using api = openShop(OPEN_DAILY, BEFORE);
  const catalog = api.folder.read();
  const code = await api.book({ date: DAY, time: "09:00" });
  await api.ask();
  const terminal = await openOn(api.folder, "diary", { about: DAY, sees: "9:00 AM" });
  await terminal.press("e").see("What is to be corrected?");
  await terminal.press(..."Robin", "ctrl+s").see("name Pat Example → Robin. u undoes it.");
  await terminal.press("o", "enter", "enter").see("no bookings.");
  await terminal.press(":", ..."leads", "enter").see(/› Q-/);
  await terminal.press("m", "c", "enter").see("new → contacted.");
  await terminal.press(":", ..."prices", "enter").see("sedan");
  await terminal.press("1", "enter").see("1 unsaved change");
  await saveChange(terminal);
  await terminal.press("u").see("full: 1 → 289. U does it again.");
  await terminal.press("u").see("contacted → new.");
  await terminal.press("u").see("bookings as usual.");
  expect(api.folder.read()).toBe(catalog);
  await terminal.press("u").see("name Robin → Pat Example.");
  expect((await api.store.findBooking(code))?.lead.name).toBe("Pat Example");
  expect(terminal.frame()).not.toContain("u undo");
  await terminal.press("U", "U").see("no bookings.");
});

test("a step that somebody else has made impossible is refused in words, and the one before is next", async () => {
  await using api = openShop({ ...OPEN_DAILY, "scheduling.bays": 1 }, BEFORE);
  const code = await api.book({ date: DAY, time: "09:00" });
  const terminal = await openOn(api.folder, "booking", { about: code, sees: "m move" });
  await terminal.press("m", ..."1pm", "enter").see(/When +Tue Nov 24, 1:00 PM/);
  await terminal.press("x", "s").see(/confirmed → cancelled by\s+the shop\./);
  await api.book({ date: DAY, time: "13:00", customer_name: "Robin Ellis" });
  await terminal.press("u").see(/✗ Booking .* stays cancelled by the\s+shop: its time is taken/);
  await terminal.see("u undo");
});

test(": goes to a screen, a day, a code or a customer; / keeps the rows that have a text", async () => {
  await using api = openShop(OPEN_DAILY, BEFORE);
  const code = await api.book({ date: DAY, time: "09:00", customer_name: "Jordan Sample" });
  await api.book({ date: DAY, time: "13:00", customer_name: "Robin Ellis" });
  const terminal = await openOn(api.folder, "leads", { sees: "Leads: open" });
  await terminal.press(":", ..."tuesday", "enter").see("Diary: Tue Nov 24");
  expect(await terminal.press("/", ..."robin", "enter").see("Tue Nov 24, only robin")).not.toContain("Jordan");
  await terminal.press("esc").see("Jordan Sample");
  // Another day takes the place of this one.
  await terminal.press(":", ..."11/25", "enter").see("Diary: Wed Nov 25");
  await terminal.press("esc").see("Leads: open");
  await terminal.press(":", ...code.toLowerCase(), "enter").see(`Booking ${code}`);
  await terminal.press(":", ..."jordan", "enter").see(/Find: jordan[\s\S]*Jordan Sample/);
  await terminal.press(":", ..."o", "enter").see("Opening hours");
  await terminal.press(":", ..."hours", "enter").see("Opening hours");
});

/** Empties the line that is typed, and types another. */
function retype(terminal: Terminal, text: string): void {
  terminal.press("ctrl+u", ...text, "enter");
}

test("a day of the week", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours");
  const week = await terminal.see(/sunday +closed/);
  expect(week).toMatch(/Thu Dec 24, 2026 +9:00 AM–1:00 PM +Christmas Eve/);
  const asked = await terminal.press("enter").see("monday (like 9am-6pm, or closed): [9:00 AM–6:00 PM]");
  expect(asked).toContain("Enter accept  Esc cancel  a-z replace, ←→ edit  Ctrl+U empty");
  await terminal.press(..."8-12, 13-17:30", "enter").see(/monday +8:00 AM–12:00 PM, 1:00 PM–5:30 PM/);
  await saveChange(terminal);
  const monday = 'monday:    [{opens: "08:00", closes: "12:00"}, {opens: "13:00", closes: "17:30"}]';
  expect(folder.read()).toBe(CATALOG_TEXT.replace('monday:    [{opens: "09:00", closes: "18:00"}]', monday));
});

test("a single day is given hours, and taken away again", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours", { sees: /monday +9:00 AM–6:00 PM/ });
  await terminal.press("n", ..."yesterday", "enter").see("is past: its hours would change nothing.");
  await terminal.press("esc").lose("Which day");
  await terminal.press("n").see("Which day, like Dec 24 or 12/24");
  await terminal.press(..."2026-12-32", "enter").see("is not a date of the calendar");
  retype(terminal, "2026-12-31");
  await terminal.see("Thu Dec 31, open");
  retype(terminal, "9-12");
  await terminal.see("Reason for customers");
  await terminal.press(..."New Year's Eve", "enter").see(/Thu Dec 31, 2026 +9:00 AM–12:00 PM +New Year's Eve/);
  await saveChange(terminal);
  expect(folder.read()).toContain(
    '    - {date: "2026-12-31", hours: [{opens: "09:00", closes: "12:00"}], reason: New Year\'s Eve}\n    - {date: "2027',
  );
  for (let i = 0; i < 10; i++) terminal.press("down");
  await terminal.press("x").lose("Thu Dec 31");
  await saveChange(terminal);
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("a day of the week cannot be removed, a single day keeps its reason when its times change", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours", { sees: /monday +9:00 AM–6:00 PM/ });
  await terminal.press("x").see("✗ A day of the week stays: press Enter and write closed.");
  for (let i = 0; i < 8; i++) terminal.press("down");
  await terminal.see("› Thu Dec 24, 2026");
  await terminal.press("enter").see(/Thu Dec 24, open \(like 9am-6pm, or closed\):\s+› \[9:00 AM–1:00 PM\]/);
  retype(terminal, "10-12");
  await terminal.see("Reason for customers, or nothing: [Christmas Eve]");
  await terminal.press("enter").see(/Thu Dec 24, 2026 +10:00 AM–12:00 PM +Christmas Eve/);
  await terminal.press("s").see(/ Thu Dec 24, 2026 +9:00 AM–1:00 PM +→ +10:00 AM–12:00 PM/);
  await terminal.press("n").see(/Thu Dec 24, 2026 +10:00 AM–12:00 PM +Christmas Eve/);
  await terminal.press("u").see(/Thu Dec 24, 2026 +9:00 AM–1:00 PM +Christmas Eve/);
});

test("blocked days and hours are shown, and where to change them is said", async () => {
  using folder = shopFolder({
    "scheduling.blocked_dates": [{ date: "2026-12-30", reason: "Stocktaking" }],
    "scheduling.blocked_hours": [{ date: "2026-12-31", from: "12:00", to: "14:00", bays: 1, reason: "Sam is ill" }],
  });
  const terminal = await openOn(folder, "hours", {
    columns: 120,
    rows: 40,
    sees: /Wed Dec 30, 2026 +no bookings +Stocktaking/,
  });
  await terminal.see(/Thu Dec 31, 2026 +1 of 2 bays is closed from 12:00 PM to 2:00 PM +Sam is ill/);
  // Special and blocked days stand by date.
  expect(terminal.frame()).toMatch(/Dec 25, 2026[\s\S]*Dec 30, 2026[\s\S]*Dec 31, 2026[\s\S]*Jan 1, 2027/);
  expect((await tint(folder, ["hours"])).stdout).toMatch(
    /Dec 25, 2026.*\nWed Dec 30, 2026.*\nThu Dec 31, 2026.*\nFri Jan 1, 2027/,
  );
  await terminal.press("end", "up", "x").see("Blocked days are changed in the diary");
});

const FIRST = CATALOG.faq[0]?.question ?? "";

test("a question is added behind those of its category", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("right").see(FIRST);
  await terminal.press("right").lose(FIRST);
  await terminal.press("n").see("‹ residential ›");
  await terminal.press(..."Do you come to us?", "enter", ..."Yes, in Cobb.").see("Yes, in Cobb.▏");
  await terminal.press("enter").see("1 unsaved change");
  await saveChange(terminal);
  const added = '  - {category: residential, question: Do you come to us?, answer: "Yes, in Cobb."}\n';
  const text = folder.read();
  expect(text).toContain(added);
  expect(text.replace(added, "")).toBe(CATALOG_TEXT);
});

test("the answer below the list is the one that customers read; the form has it as it is written", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  expect(await terminal.press("down").see("Wait about 4 days")).not.toContain("{scheduling");
  await terminal.press("enter").see("{scheduling.cure.keep_windows_up_days}");
});

test("an answer is changed and nothing else", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("down", "enter").see("Change a question");
  await terminal.press("down", "ctrl+u", ..."After 5 days.", "ctrl+s").see("1 unsaved change");
  await saveChange(terminal);
  const old = CATALOG.faq[1]?.answer ?? "";
  expect(folder.read()).toBe(CATALOG_TEXT.replace(JSON.stringify(old), () => '"After 5 days."'));
});

test("a question is removed, and brought back", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("x").lose(FIRST);
  await terminal.press("u").see(FIRST);
  await terminal.press("up", "x").lose(FIRST);
  await saveChange(terminal);
  expect(folder.read()).not.toContain(FIRST);
  await terminal.press("/", ..."boat", "enter").see("Nothing here has boat.");
});

test("an empty question is refused; what was typed is not dropped by the first Esc", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("n").see("A new question");
  await terminal.press("ctrl+s").see("✗ Question is missing");
  await terminal.press("W", "h", "y").see("Why▏");
  await terminal.press("esc").see("What was typed is lost.");
  await terminal.press("y").see(FIRST);
  expect(folder.read()).toBe(CATALOG_TEXT);
});
