/** `tint book`: the owner's own booking. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { bookAtDesk } from "../../cli/diary/owner.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { calendarFeed } from "../../src/pages/calendar-feed.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, freshPhone, NOW } from "../fixed-day.ts";
import { NO_LIMITS, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { booked, expectRefusals, inStore, saying, tint, tintJson } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateFromNow(3);
const WHO = ["--name", "Jordan Sample", "--phone", "404-555-0142"];
const AT_NINE = ["--date", DAY, "--time", "9am"];

test("books without e-mail, key, quota or notice; says the code, the price and how to undo it", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.lead_minutes": 7 * 24 * 60, "scheduling.bays": 9 });
  // More than any customer or network may hold.
  for (let i = 0; i < 6; i++) {
    const { status, stderr } = await tint(folder, ["book", "suv", "--film", "ceramic", ...AT_NINE, ...WHO]);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringMatching(
        /^Booked Jordan Sample for .* 9:00 AM, \$599\.00\. The code is \w{8}\.\nTo undo it: tint bookings cancel \w{8}\n$/,
      ),
    });
  }
  const listed = JSON.parse((await tint(folder, ["bookings", "--date", DAY, "--json"])).stdout);
  expect(listed).toHaveLength(6);
  expect(listed[0]).toMatchObject({
    customer: { name: "Jordan Sample", phone: "+14045550142", email: "" },
    booked_by: { key_id: null, agent_class: "owner" },
  });
});

test("no text to the shop and no alert; the customer gets what is switched on, by text alone without an e-mail", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    "alerts.bookings_per_hour": 1,
    "bookings.require_consent": true,
    "messages.confirmation_sms.enabled": true,
    "messages.confirmation_email.enabled": true,
  });
  const phone = "404-555-0142";
  for (const email of [[], ["--email", "jordan@example.com"]]) await booked(folder, "--phone", phone, ...email);
  const kinds = await inStore(folder, async (store) => (await store.waitingJobs(99)).map(({ kind }) => kind));
  expect(kinds.sort().join()).toBe("confirmation_email,confirmation_sms,confirmation_sms,push_to_crm,push_to_crm");
});

test("another price is agreed on, and is in the lines", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["book", "suv", "--film", "ceramic", ...AT_NINE, ...WHO];
  const { estimate } = await tintJson(folder, [...args, "--price", "$549.50"]);
  expect(estimate.total).toBe(549.5);
  expect(estimate.line_items.map(({ amount }: { amount: number }) => amount)).toEqual([599, -49.5]);
  const without = JSON.parse((await tint(folder, ["book", ...AT_NINE, ...WHO, "--price", "80", "--json"])).stdout);
  expect(without.estimate).toMatchObject({ total: 80, line_items: [{ code: "agreed_price", amount: 80 }] });
  expect(await tint(folder, [...args, "--price", "cheap"])).toMatchObject({ status: 2, stdout: "" });
});

describe("times", () => {
  test("off the grid, but within opening hours", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const { stdout } = await tint(folder, ["book", "suv", "--date", DAY, "--time", "9:10 am", ...WHO, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ date: DAY, time: "09:10" });
  });

  test.each([
    [
      "a blocked day",
      { "scheduling.blocked_dates": [{ date: DAY, reason: "Stocktaking" }] },
      "9am",
      "blocked (Stocktaking)",
    ],
    ["outside opening hours", {}, "9pm", "the shop is open 9:00 AM to 6:00 PM"],
    [
      "a blocked hour",
      { "scheduling.blocked_hours": [{ date: DAY, from: "10:00", to: "11:00", reason: "Delivery" }] },
      "9am",
      "no work is taken from 10:00 AM to 11:00 AM (Delivery)",
    ],
  ])("%s needs --anyway", async (_what, edits, time, why) => {
    using folder = shopFolder({ ...OPEN_DAILY, ...edits });
    const args = ["book", "suv", "--date", DAY, "--time", time, ...WHO];
    await expectRefusals(folder, [
      [args, 1, why],
      [args, 1, "--anyway"],
    ]);
    expect(await tint(folder, [...args, "--anyway"])).toMatchObject(saying(0, why));
  });

  test("past midnight the note names the day on which the work ends, and when", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const late = [...["book", "suv", "--film", "ceramic"], ...["--date", DAY, "--time", "10pm", ...WHO]];
    const next = dayAndDate(dateFromNow(4));
    const why = `would last until ${next}, 2:00 AM, and the shop is open 9:00 AM to 6:00 PM`;
    await expectRefusals(folder, [[late, 1, why]]);
  });

  test("never a bay that is full, --anyway or not; the nearest free times are offered", async () => {
    using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
    expect((await tint(folder, ["book", "suv", ...AT_NINE, ...WHO])).status).toBe(0);
    const busy = /^Not booked, every bay is busy .* then: bay 1 Jordan Sample till \d+:\d\d PM\. Free: \w{3} \w{3} \d/;
    await expectRefusals(folder, [[["book", "suv", ...AT_NINE, ...WHO, "--anyway"], 1, busy]]);
  });

  test("a mistake in the catalog stops no booking: the last good one is used, and said so", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const code = await booked(folder);
    folder.write(folder.read().replace("full: 349", "full: lots"));
    const { stdout, stderr } = await tint(folder, ["book", "sedan", ...AT_NINE, ...WHO, "--json"]);
    expect(JSON.parse(stdout).estimate.total).toBe(289);
    expect(stderr).toMatch(
      /^Note: .*catalog\.yaml has a mistake; the last good catalog is used\. tint catalog check names/,
    );
    expect((await tint(folder, ["bookings", "move", code, "1pm"])).status).toBe(0);
    await tint(folder, ["bookings", "cancel", code]);
    expect((await tint(folder, `bookings reopen ${code}`)).stderr).toContain("): cancelled by the shop → confirmed.\n");
    const terminal = await openOn(folder, "book", { sees: "catalog.yaml has a mistake" });
    await terminal.see(/Free that day/);
  });

  test("everything that is missing is named in a pipe", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const { status, stderr } = await tint(folder, ["book", "suv"]);
    expect(status).toBe(2);
    for (const flag of ["--date", "--time", "--name"]) expect(stderr).toContain(`${flag} is missing.`);
    const typed = "book suv --date nope --time 99 --price x --minutes y --phone 12 --film gold";
    expect((await tint(folder, typed.split(" "))).stderr).toMatch(
      /^nope is not .*\n99 is not .*\nx is not .*\ny is not .*\n--name is missing\.\n--phone must be .*\n--film must be .*\nSee/,
    );
    // A walk-in leaves neither.
    expect(stderr).not.toMatch(/--email|--phone/);
  });
});

test("owner and agents race for one slot: exactly as many bookings as bays", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS, "scheduling.bays": 3 });
  const { catalog } = loadCatalog(fileSource(folder.catalog));
  const now = NOW;
  await using api = apiOf(folder, { ...OPEN_DAILY, ...NO_LIMITS, "scheduling.bays": 3 }, now);
  const store = openSqliteStore(folder.data);
  const owner = () => {
    const input = {
      date: DAY,
      time: "09:00",
      vehicle_type: "suv",
      customer_name: "Owner",
      customer_phone: freshPhone(),
    };
    return bookAtDesk(input, {}, { store, catalog, now }, { anyway: true });
  };
  const tries = await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? owner() : api.book({ date: DAY, time: "09:00" }))),
  );
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await store.bookings({ from: DAY, to: DAY }, 99)).toHaveLength(3);
  await store.close();
});

test("shades for each glass as they are said; one that the film does not come in is noted", async () => {
  using folder = shopFolder(OPEN_DAILY);
  for (const [typed, shade] of [
    ["35/20", { front_side: 35, rear_side: 20, rear_window: 20 }],
    ["35% front, limo back", { front_side: 35, rear_side: 5, rear_window: 5 }],
    ["back limo", { front_side: null, rear_side: 5, rear_window: 5 }],
    ["50 front 20 rest", { front_side: 50, rear_side: 20, rear_window: 20 }],
    ["legal front, everything else 20", { front_side: 50, rear_side: 20, rear_window: 20 }],
    ["40 all around", { front_side: 40, rear_side: 40, rear_window: 40 }],
    ["50 20 5", { front_side: 50, rear_side: 20, rear_window: 5 }],
  ] as const) {
    const args = ["suv", "--film", "ceramic", "--shade", typed, ...AT_NINE, "--name", "Quinn", "--anyway", "--json"];
    const { stdout, stderr } = await tint(folder, ["book", ...args]);
    expect({ typed, shade: JSON.parse(stdout).shade }).toEqual({ typed, shade });
    expect(stderr.includes("Note: Ceramic IR film does not come in 35%")).toBe(typed.includes("35"));
    await tint(folder, ["bookings", "cancel", JSON.parse(stdout).confirmation_code]);
  }
});

test("a shade that the law forbids is booked with a note, and kept as accepted; a day past the horizon is named with its year", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const forbidden = ["book", "sedan", "--shade", "5", ...AT_NINE, ...WHO];
  const dark = await tint(folder, forbidden);
  expect(dark).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /\nNote: Not legal in Georgia: front side windows \(.*the darkest in stock that is: 50\)\.\nTo undo it/,
    ),
  });
  const past = dateFromNow(-1).slice(5).replace("-", "/");
  const far = await tint(folder, ["book", "sedan", "--date", past, "--time", "9am", ...WHO]);
  expect(far.stderr).toMatch(/^Not booked: \w{3} \w{3} \d+(, \d{4})? is further ahead than bookings are taken\./);
});

test("a model in place of the type is booked as its type, and year, make and model are kept apart", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const run = await tint(folder, ["book", "21 hylander", ...AT_NINE, ...WHO, "--json"]);
  expect(run).toMatchObject(saying(0, "Note: Understood as Toyota Highlander.\n"));
  const vehicle = { type: "suv", year: 2021, make: "Toyota", model: "Highlander" };
  expect(JSON.parse(run.stdout)).toMatchObject({ vehicle });
  // Nobody asked the customer for a consent, and the lead does not say so.
  const [lead] = await tintJson(folder, "leads --status all");
  expect((await tint(folder, ["leads", "show", lead.reference])).stdout).toMatch(
    /Consent +the customer was not asked; the shop wrote it down\n/,
  );
  const bare = await tint(folder, ["book", ...AT_NINE, ...WHO]);
  expect(bare.stderr).toMatch(/\nNote: no car was named: booked without a price.* tint bookings edit \w{8} --vehicle/);
});

describe("own length, and work without a price list", () => {
  const bookings = async (folder: ShopFolder, ...args: string[]) =>
    await tintJson(folder, ["book", "suv", "--date", DAY, ...WHO, ...args]);

  test("a job pauses at closing, keeps its bay, and stands on each of its days: list, JSON, sheet, feed", async () => {
    using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
    const long = await bookings(folder, "--time", "2pm", "--minutes", "12h");
    const next = dateFromNow(4);
    const pieces = long.split.map(
      ({ start, end }: Record<string, string>) => `${start?.slice(0, 16)} ${end?.slice(0, 16)}`,
    );
    expect(pieces).toEqual([`${DAY}T14:00 ${DAY}T18:00`, `${next}T09:00 ${next}T17:00`]);
    const code = long.confirmation_code;
    expect((await tint(folder, ["bookings", code])).stdout).toMatch(
      /^When +.* 2:00 PM to 6:00 PM; .* 9:00 AM to 5:00 PM$/m,
    );
    expect((await tint(folder, ["day", next])).stdout).toMatch(/9:00 AM–5:00 PM, day 2 of 2 +bay 1/);
    // The bay is kept overnight, and the next day until the work ends.
    for (const time of ["10am", "2pm"])
      expect((await tint(folder, ["book", "suv", "--date", next, "--time", time, ...WHO])).stderr).toContain(
        "every bay is busy",
      );
    const { catalog } = loadCatalog(fileSource(folder.catalog));
    const feed = await inStore(folder, (store) => calendarFeed(store, catalog, NOW));
    expect(feed.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    // Moved, it is as long as before.
    await tint(folder, ["bookings", "move", code, dateFromNow(5), "4pm"]);
    const [moved] = await tintJson(folder, `bookings --date ${dateFromNow(5)}`);
    expect(moved.split.at(-1).end).toStartWith(`${dateFromNow(7)}T10:00`);
    expect(moved.split).toHaveLength(3);
  });

  test("other work keeps the length that the owner gave", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const { confirmation_code: code } = await bookings(folder, "--time", "9am", "--minutes", "12h");
    const edit = (...args: string[]) => tint(folder, ["bookings", "edit", code, ...args, "--json"]);
    const film = await edit("--addon", "sunroof");
    const pieces = ({ stdout }: { stdout: string }) => JSON.parse(stdout).split?.length ?? 1;
    const minutes = ({ stdout }: { stdout: string }) => {
      const { start, end } = JSON.parse(stdout);
      return (Date.parse(end) - Date.parse(start)) / 60_000;
    };
    expect(pieces(film)).toBe(2);
    expect(film.stderr).toMatch(/Its own length stays; that of the price list: tint bookings edit \w{8} --minutes \d+/);
    const listed = /--minutes (\d+)/.exec(film.stderr)?.[1] ?? "";
    const short = await edit("--minutes", listed);
    expect([pieces(short), minutes(short)]).toEqual([1, Number(listed)]);
    // A length of the price list follows the work.
    const more = await edit("--remove-old-film");
    expect(more.stderr).not.toContain("own length");
    expect(minutes(more)).toBeGreaterThan(Number(listed));
  });

  test("until a time; slips are named", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const short = await bookings(folder, "--time", "9am", "--until", "10:15am");
    expect([short.end.slice(11, 16), short.split]).toEqual(["10:15", null]);
    const long = await bookings(folder, "--time", "9am", "--until", `${dateFromNow(4)} 11am`);
    expect(long.split).toHaveLength(2);
    for (const wrong of ["--minutes long", "--minutes 60 --until 5pm", "--until 8am"])
      await expectRefusals(folder, [[`book suv --date ${DAY} --time 9am --name Jordan ${wrong}`, 2, ""]]);
  });

  test("a visit and a job at a house are in the diary; a lead is won by the job, not by the visit", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const about = ["--name", "Robin Roe", "--phone", "404-555-0143", "--service", "residential"];
    const lead = await tintJson(folder, ["leads", "add", ...about]);
    const at = ["book", "--lead", lead.reference, "--date", DAY, "--time"];
    expect((await tint(folder, [...at, "9am"])).stderr).toContain("say how long it takes");
    const visit = await tintJson(folder, [...at, "9am", "--minutes", "45"]);
    expect(visit).toMatchObject({ service: "residential", estimate: null, customer: { name: "Robin Roe" } });
    const code = visit.confirmation_code;
    expect((await tint(folder, ["bookings", "show", code])).stdout).toMatch(/^Job +site visit, residential$/m);
    // The owner knows a lead by its reference.
    expect((await tint(folder, ["leads", lead.reference])).stdout).toMatch(
      new RegExp(`^Lead +${lead.reference}, contacted$`, "m"),
    );
    const status = async () => (await tintJson(folder, `leads ${lead.reference}`)).status;
    expect(await status()).toBe("contacted");
    const job = await tintJson(folder, [...at, "1pm", "--minutes", "4h", "--price", "1200"]);
    expect(job).toMatchObject({ service: "residential", estimate: { total: 1200 } });
    const done = job.confirmation_code;
    expect((await tint(folder, ["bookings", "show", done])).stdout).toMatch(/^Job +residential$/m);
    expect(await status()).toBe("won");
    expect((await tint(folder, ["book", "suv", "--service", "boats", ...AT_NINE, ...WHO])).status).toBe(2);
    expect((await tintJson(folder, `leads ${lead.reference}`)).won_amount).toBe(1200);
  });
});

test("the pause between two jobs is named where it is in the way", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const at = (time: string) => ["book", "coupe", "--coverage", "front2", "--date", dateFromNow(3), "--time", time];
  await tint(folder, [...at("9am"), ...WHO]);
  const pause = /^Not booked, the bay needs 15 min between jobs: bay 1 .* till 10:15 AM\. Free: /;
  await expectRefusals(folder, [[[...at("10am"), "--name", "Lee", "--phone", "404-555-0177"], 1, pause]]);
});
