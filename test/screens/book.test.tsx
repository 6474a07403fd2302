/** The booking form: free times first, then price and law, then the customer; and the estimate form. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { inStore, tint } from "../cli/run.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { openOn, SIZES } from "./render.tsx";
import { OPEN_DAILY } from "./shop.ts";

setDefaultTimeout(90_000);

test("a booking by phone", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "home", { sees: "n new booking" });
  await terminal.press("n").see(/Free that day[\s\S]*\[\d+:\d\d\]/);
  const asked = await terminal.press("right", "tab", "down", "s", "u").see(/‹ suv ›[\s\S]*\$349\.00/);
  expect(asked).toContain("q quit");
  terminal.press("tab");
  // Here q and ? are letters of a name.
  expect(await terminal.see("a-z type  Esc back")).not.toContain("quit");
  await terminal.press(..."Quinn Sample?", "enter", ..."404-555-0142").see(/Name +Quinn Sample\?/);
  await terminal.press("enter").see(/✓ Booked Quinn Sample\? for .* 8:00 AM, \$349\.00\. The code is \w{8}\./);
  await terminal.see(/Booking \w{8}[\s\S]*Booked by +the shop/);
  await terminal.press("esc").see("Today:");
});

test("what is missing or wrong is said in the form, and nothing is lost", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { sees: /\[\d+:\d\d\]/ });
  await terminal.press("tab", "tab", "down", ..."12", "enter").see("A name is needed; any will do.");
  await terminal.press(..."Quinn", "enter").see(/✗ The phone must be a phone number/);
  // The cursor is in the field that was refused.
  await terminal.see(/› Phone +12▏/);
  await terminal
    .press("ctrl+u", ..."404-555-0142", "down", "enter", "down", "down", ..."cheap", "enter")
    .see("✗ cheap is not an amount");
  await terminal.press("ctrl+u", ..."500", "enter").see(/✓ Booked Quinn for .*\$500\.00/);
});

test("a time that is full is not offered; one that fills up meanwhile is refused", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const terminal = await openOn(folder, "book", { about: "2026-11-24", sees: /Time +‹ 8:00 AM ›/ });
  const store = openSqliteStore(folder.data);
  const startAt = Temporal.Instant.from("2026-11-24T13:00:00Z").epochMilliseconds;
  const all = { startAt, endAt: startAt + 4 * 3_600_000, busyUntil: startAt + 4 * 3_600_000 };
  terminal.press("tab", "tab", ..."Quinn", "enter", ..."404-555-0142");
  await store.book(newBooking({ ...all, date: "2026-11-24", time: "08:00" }), 1, []);
  await store.close();
  await terminal
    .press("enter")
    .see(
      /Time +‹ 8:00 AM busy ›[\s\S]*✗ Not booked, every bay is busy for part of the work then: bay 1 Pat Example\s+till\s+12:00\s+PM\.\s+Free: /,
    );
});

test("a time off the grid is free until the bay is needed, or says who stands in the bays, at 60×20", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 2 });
  const date = "2026-11-24";
  const store = openSqliteStore(folder.data);
  const put = async (name: string, time: string, minutes: number) => {
    const startAt = Date.parse(`${date}T${time}:00-05:00`);
    const busyUntil = startAt + minutes * 60_000;
    const made = newBooking({ startAt, endAt: busyUntil, busyUntil, date, time });
    await store.book({ ...made, lead: { ...made.lead, name } }, 2, []);
  };
  await put("Ray", "08:00", 195);
  await put("Ann", "13:30", 240);
  await put("Sam", "14:00", 120);
  await store.close();
  const terminal = await openOn(folder, "book", { columns: 60, rows: 20, about: date, sees: /Time +‹ \d/ });
  const type = (time: string) => terminal.press("up", ...time, "enter");
  terminal.press("down", "down");
  type("10:30");
  await terminal.see(/Time +‹ 10:30 AM ›/);
  expect(await terminal.see("10:30 AM, free until 2:00 PM")).not.toContain("full");
  type("12:15");
  // A sedan takes two and a half hours; both bays are needed before it is done.
  const busy = await terminal.see(/Time +‹ 12:15 PM busy ›/);
  for (const part of ["busy: bay 1 Ann from 1:30 PM, bay 2", "Sam", "from 2:00 PM"]) expect(busy).toContain(part);
  type("9:10");
  await terminal.see("9:10 AM, free until 2:00 PM");
});

test("b on an estimate books what was estimated", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "estimate", { now: () => NOW, sees: "Total" });
  await terminal.press("s", "u").see(/‹ suv ›[\s\S]*\$599\.00/);
  await terminal.press("down", "down", "right").see(/\$239\.00/);
  await terminal.press("b").see(/New booking[\s\S]*‹ suv ›[\s\S]*‹ front two ›/);
});

test("a car as it is said picks its class; a shade that is not legal names the darkest that is", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: "Free that day" });
  await terminal.press("down", "down", ..."21 highlander", "down").see(/Car +21 highlander[\s\S]*› Vehicle +‹ suv ›/);
  await terminal.press("right").see(/Car +21 highlander[\s\S]*Vehicle +‹ truck ›/);
  // Enter goes past the class of a car that the catalog knows.
  await terminal.press("left", "up", "enter").see(/› Film +‹ standard ›/);
  await terminal.press("down", ..."20").see(/Tint law of Georgia: illegal[\s\S]*legal: 50/);
  await terminal
    .press("tab", ..."Quinn", "enter", ..."404-555-0142", "enter")
    .see("20% on the front side windows is not legal in Georgia: book it anyway?");
  await terminal.see(
    /Front side windows: at least 32% of light must pass; the darkest in stock that\s+is: 50. There is a medical exemption/,
  );
  await terminal.press("y").see("✓ Booked Quinn");
  await terminal.see(
    /Vehicle +2021 Toyota Highlander \(SUV\)[\s\S]*Tint law +Not legal in Georgia: front side windows/,
  );
});

test("a typo in a model is forgiven and named; a car that is not known has no class until one is said", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: "Free that day" });
  await terminal
    .press("tab", ..."2020 chevy silvarado")
    .see(/Vehicle +‹ truck ›[\s\S]*Understood as Chevrolet Silverado\./);
  await terminal.press("ctrl+u", ..."2014 lotus elise").see("✗ 2014 lotus elise is not known: which");
  // Tab goes to the class, not past it, and nothing is booked without one.
  await terminal.press("tab").see(/› Vehicle +‹ which class\? ›/);
  await terminal
    .press("tab", ..."Quinn", "enter", "enter")
    .see(/› Vehicle[\s\S]*✗ 2014 lotus elise is not known: say which class of car it is\./);
  await terminal.press(..."co").see(/Vehicle +‹ coupe ›[\s\S]*\$249\.00/);
  await terminal.press("tab", "down", "enter").see(/Vehicle +2014 lotus elise \(coupe\)[\s\S]*✓ Booked Quinn/);
});

test("a car that a lead tells without its class gets none in silence", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await openOn(folder, "book", { about: '{"vehicle_model":"2014 lotus elise"}', now: () => NOW, sees: "which class?" });
});

test("a shade for each glass is typed as it is said; one that the film does not come in is asked about", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: "Free that day" });
  await terminal.press("tab", ..."21 highlander", "enter", ..."ceramic").see("5 15 20 30 40 50 70");
  await terminal.press("down", ..."35 front 20 back").see(/Shade +35 front 20 back▏/);
  await terminal
    .press("tab", ..."Quinn", "enter", "enter")
    .see(/Ceramic IR film does not come in 35%; the nearest are 30 \(measured 32%\) and 40%\.\s+Book it/);
  await terminal.press("n").see("Enter book without a phone");
  await terminal
    .press("up", "up", ..."50/limo", "tab", "down", "enter")
    .see(/Job +ceramic tint, front side 50%, rear side 5%, rear window 5%/);
});

test("another day and time are typed; a blocked day is booked anyway, after saying so", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    "scheduling.blocked_dates": [{ date: "2026-11-27", reason: "Stocktaking" }],
  });
  const terminal = await openOn(folder, "book", { sees: /\[\d+:\d\d\]/ });
  await terminal.press("f").see("Which day, like friday, 11/27 or tues 10am");
  await terminal.press(..."oo", "enter").see("foo is not a date");
  await terminal.press("ctrl+u", ..."friday", "tab").see(/Day +‹ Fri Nov 27 ›[\s\S]*› Time +‹ none free ›/);
  await terminal.press(..."2pm", "enter").see(/Time +‹ 2:00 PM ›[\s\S]*› Car/);
  // A day with its time fills both.
  await terminal
    .press("up", "up", ..."tues 10", "enter")
    .see(/Day +‹ Tue Nov 24 ›[\s\S]*Time +‹ 10:00 AM ›[\s\S]*› Car/);
  await terminal.press("up", "up", ..."friday 2pm", "enter").see(/Day +‹ Fri Nov 27 ›[\s\S]*Time +‹ 2:00 PM ›/);
  await terminal.see("At 2:00 PM that day is blocked");
  await terminal
    .press("tab", ..."Quinn", "enter", ..."404-555-0142", "enter")
    .see(/Customers could not book this: that day is blocked \(Stocktaking\)\./);
  await terminal.press("n").see("Enter book");
  await terminal.press("enter").see("y book it anyway");
  await terminal.press("y").see("✓ Booked Quinn for Fri Nov 27, 2:00 PM");
});

test("capitals are letters, in days, times, choices and shades", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: /\[\d+:\d\d\]/ });
  await terminal.press(..."Friday", "enter").see(/Day +‹ Fri Nov 27 ›[\s\S]*› Time/);
  await terminal.press(..."Noon", "enter").see(/Time +‹ 12:00 PM ›[\s\S]*› Car/);
  await terminal.press("down", ..."SU").see("‹ suv ›");
  await terminal.press("down", ..."Cer").see("‹ ceramic ›");
  // In a value that is typed, q and ? are characters as in a name.
  await terminal.press("down", ..."Qq?").see(/› Shade +Qq\?▏/);
  await terminal.press("ctrl+u", ..."Limo").see(/› Shade +Limo▏[\s\S]*Tint law of Georgia: illegal/);
});

test("old film comes off first, at the list's price and time", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { sees: /\[\d+:\d\d\]/ });
  await terminal.press("tab", "down", ..."su").see(/‹ suv ›[\s\S]*Total +\$349\.00/);
  // Name, phone, "more…", and there ten rows down.
  await terminal.press("tab", "tab", "enter", ...Array(10).fill("down")).see("› [ ] Old film off");
  await terminal.press(" ").see("[x] Old film off");
  await terminal.see(/Total +\$574\.00/);
  await terminal
    .press("tab", "tab", "tab", ..."Quinn", "enter", ..."404-555-0142", "enter")
    .see(/✓ Booked Quinn .*\$574\.00/);
  await terminal.see("old film off");
});

test("what was typed is not lost by a key pressed by mistake", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { sees: /\[\d+:\d\d\]/ });
  await terminal.press("tab", "tab", ..."Quinn q").see(/Name +Quinn q/);
  await terminal.press("up", "up", "q").see("Leave without booking?");
  await terminal.press("esc").see("Enter next");
  await terminal.press("q").see("Leave without booking?");
  terminal.press("y");
  await terminal.leave();
});

test("film and shade are those of the last visit, not of one that was missed since", async () => {
  using folder = shopFolder(OPEN_DAILY);
  for (const [days, work, end] of [
    [-2, ["--film", "ceramic", "--shade", "35"], "complete"],
    [-1, [], "no-show"],
  ] as const) {
    const who = ["--name", "Rita Roe", "--phone", "404-555-0133", "--date", dateFromNow(days), "--time", "9am"];
    const { stdout } = await tint(folder, ["book", "21 highlander", ...who, ...work, "--anyway", "--json"]);
    await tint(folder, ["bookings", end, JSON.parse(stdout).confirmation_code]);
  }
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: /\[\d+:\d\d\]/ });
  await terminal
    .press("tab", "tab", "down", ..."404 555 0133")
    .see(/Film +‹ ceramic ›[\s\S]*Shade +35 [\s\S]*the last\s[\s\S]*\(ceramic 35\); did not/);
});

test("a phone that is known fills name, car and e-mail; a customer's card books again and moves", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: /\[\d+:\d\d\]/ });
  terminal.press("tab", ..."21 highlander", "tab", ..."Robin Ellis", "enter", ..."404-555-0142");
  await terminal.press("down", "enter", ..."robin@example.com", "enter").see("✓ Booked Robin Ellis");

  const again = await openOn(folder, "book", { now: () => NOW, sees: /\[\d+:\d\d\]/ });
  await again
    .press("tab", "tab", "down", ..."404 555 0142")
    .see(/Car +2021 Toyota Highland[\s\S]*Known: Robin Ellis, 1 booking, the last\s[\s\S]*Name +Robin Ellis/);
  await again.see("‹ suv ›");
  await again.press("enter").see("✓ Booked Robin Ellis");

  const card = await openOn(folder, "customer", { about: "+14045550142", now: () => NOW, sees: "To come" });
  await card.press("n").see(/New booking[\s\S]*Car +2021 Toyota Highland[\s\S]*Name +Robin Ellis/);
  // What nobody has typed is not lost.
  await card.press("esc").see("m move");
  await card.press("m", ..."friday 9am", "enter").see(/→\s+Fri\s+Nov\s+27,\s+9:00\s+AM/);
  // Of two cars and several visits, each can be reached.
  const store = openSqliteStore(folder.data);
  const [first] = (await store.customer("+14045550142"))?.bookings ?? [];
  await store.close();
  await tint(folder, ["bookings", "edit", first?.confirmationCode ?? "", "--make", "Honda", "--model", "Civic"]);
  const both = await openOn(folder, "customer", { about: "+14045550142", now: () => NOW, sees: "n book again" });
  const [, when] = /m move (\w+ \w+ \d+, \S+)/.exec(both.frame()) ?? [];
  expect(await both.press("tab").lose(`m move ${when}`)).toContain("m move ");
  await both.press("n").see(/Which vehicle is it\?[\s\S]*1 Honda Civic +2 2021 Toyota Highlander/);
  await both.press("1").see(/New booking[\s\S]*Car +Honda Civic/);
});

test("a walk-in needs no phone; the customer is told only where the shop tells, and only after a yes", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.confirmation_sms.enabled": true });
  const terminal = await openOn(folder, "book", { now: () => NOW, sees: /\[\d+:\d\d\]/ });
  await terminal.press("tab", "tab", ..."Quinn", "enter").see("Enter book without a phone");
  await terminal
    .press("enter")
    .see(/Customer +Quinn\n[\s\S]*✓ Booked Quinn .*\$289\.00[\s\S]*No car\s+was\s+named:\s+priced\s+as\s+a\s+sedan\./);

  const other = await openOn(folder, "book", { now: () => NOW, sees: /\[\d+:\d\d\]/ });
  await other.press("tab", "tab", ..."Robin", "enter", ..."404-555-0142", "enter").see("Tell the customer?");
  await other.press("n").see("✓ Booked Robin");
  const waiting = await inStore(folder, (store) => store.waitingJobs(9));
  expect(waiting.filter(({ kind }) => kind === "confirmation_sms")).toEqual([]);
});

test("a job gets a length of its own behind more…, and pauses overnight", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const terminal = await openOn(folder, "book", { about: "2026-11-24", now: () => NOW, sees: /\[\d+:\d\d\]/ });
  await terminal
    .press("tab", "tab", ..."Quinn", "enter", "down", "enter", "down", "down", "down", ..."forever", "enter")
    .see("forever is not a length of work");
  // What is booked is shown, not the price list's length.
  const own = await terminal.press("ctrl+u", ..."20h").see(/Length {11}20h[\s\S]*Takes 20 h/);
  expect(own).not.toContain("Takes about");
  await terminal.press("enter").see(/When +Tue Nov 24, 8:00 AM to .*;\s+Wed\s+Nov\s+25/);
});

test("free times have room for the length that is typed", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const store = openSqliteStore(folder.data);
  const startAt = Date.parse("2026-11-24T16:00:00-05:00");
  const busyUntil = startAt + 3_600_000;
  await store.book(newBooking({ startAt, endAt: busyUntil, busyUntil, date: "2026-11-24", time: "16:00" }), 1, []);
  await store.close();
  const terminal = await openOn(folder, "book", {
    about: "2026-11-24",
    now: () => NOW,
    sees: /AM \[8:00\] 9:00 10:00/,
  });
  terminal.press("up", "enter", ..."down down down".split(" "), ..."7h");
  // From 9:00 AM it would last into the job at 4 PM.
  await terminal.see(/Length +7h[\s\S]*AM \[8:00\]\s*\n|AM \[8:00\]\s*\n[\s\S]*Length +7h/);
  await terminal.see("Work ends Tue Nov 24, 3:00 PM");
});

describe("the estimate form", () => {
  for (const size of SIZES) {
    test(`a car, at ${size.columns} columns`, async () => {
      using folder = shopFolder();
      const terminal = await openOn(folder, "estimate", { ...size, sees: /Total +\$289\.00 +\$499\.00/ });
      await terminal.press("s", "u").see(/‹ suv ›[\s\S]*Total +\$349\.00 +\$599\.00/);
      await terminal.press("down", "down", "right").see(/Total +\$139\.00 +\$239\.00/);
      await terminal
        .press("left", "down", "right", "down", " ")
        .see(/\[x\] Windshield strip[\s\S]*Total +\$408\.00 +\$698\.00/);
      await terminal.see(/\* ceramic/);
      const frame = await terminal
        .press("down", "down", "down", "down", "down", "3", "5")
        .see("Tint law of Georgia: borderline");
      expect(frame).toMatch(/front side +borderline +.*26\.3% of light/);
      expect(frame).toMatch(/rear side +legal/);
      expect(frame).toContain("Information, not legal advice");
      // What is seldom asked is folded away, and a law that says nothing is a line.
      expect(frame).not.toContain("Windshield shade");
      await terminal.press("down", " ").see(/› Windshield shade/);
      await terminal.press("down", "c", "a", "l").see("Tint law of California: ");
      await terminal.press("g", "e", "o").see("Tint law of Georgia: ");
      expect(await terminal.press("up", "up", ..."50").see(/Tint law of Georgia: legal/)).not.toMatch(/rear side/);
      expect(folder.read()).toBe(CATALOG_TEXT);
    });
  }

  test("a building", async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "estimate", { sees: "Total" });
    await terminal.press("tab").see("Glass, sq ft: type it to see the price.");
    await terminal.press(..."350.5").see(/Total +\$5,608\.00 +\$5,958\.50 +\$6,309\.00/);
    const frame = await terminal
      .press("down", "down", "down", "4", "down", "down", "2", "down", "3", "down", "5", "0")
      .see(/Total +\$6,584\.00–\$6,684\.00 +\$6,934\.50–\$7,034\.50 +\$7,285\.00–\$7,385\.00/);
    expect(frame).toContain("* Better");
    expect(frame).toMatch(/Ladder work +\$701/);
  });

  test("films with long names are told apart, and a row has cents throughout", async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "estimate", { sees: "Total" });
    const frame = await terminal.press("tab", ..."350", "down", ..."sec").see("Clear safety 4 mil");
    expect(frame).toMatch(/Better +Clear security 8 mil *\n/);
    expect(frame.replace(/\s+/g, " ")).toMatch(/Best .*8 mil with frame .*attachment/);
    expect(frame).toMatch(/Per sq ft +\$16\.50 +\$17\.25 +\$18\.00/);
    const full = await terminal
      .press("down", "down", "4", "down", "down", "2", "down", "3", "down", "5")
      .see("Old film removed");
    expect(full).not.toContain("…");
    expect(full).toMatch(/Ladder work +\$700\.00 +\$700\.00 +\$700\.00/);
  });

  test("a price range too wide for its column does without cents", async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "estimate", { sees: "Total" });
    await terminal
      .press("tab", ..."12345.5", "up", ..."100")
      .see(/Total +\$197,728–\$197,928 +\$210,074–\$210,274 +\$222,419–\$222,619/);
  });

  test("a wrong shade is refused by the name of its field, and corrected", async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "estimate", { sees: "Total" });
    for (let i = 0; i < 9; i++) terminal.press("down");
    // The price without it stays.
    expect(await terminal.press(..."5x").see("✗ Shade must be a percentage")).toMatch(/Total +\$289\.00/);
    await terminal.press("backspace").see(/front side +illegal/);
  });

  test("a price that another editor saves is in force at once", async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "estimate", { sees: /Total +\$289\.00/ });
    folder.write(CATALOG_TEXT.replace("sedan:     {standard: {full: 289", "sedan:     {standard: {full: 291"));
    await terminal.see(/Total +\$291\.00 +\$499\.00/);
  });
});
