/** The commands that read and change the catalog: their output, the changed file, and their refusals. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setScalar } from "../../src/catalog/edit/changes.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { dateFromNow } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { expectRefusals, inStore, tint, tintJson, tintOnTerminal } from "./run.ts";

// A test may run several commands, on a busy machine.
setDefaultTimeout(60_000);

interface Case {
  args: string[];
  /** Makes the expected file from the file before; absent when the file must not change. */
  change?: (text: string) => string;
  prints: string[];
  /** Lines on standard error after "Saved". */
  notes?: string;
}

const swap = (from: string, to: string) => (text: string) => {
  expect(text).toContain(from);
  return text.replace(from, () => to);
};
/** Changes the first line that contains a text. */
const onLine = (words: string, change: (line: string) => string) => (text: string) => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(words));
  expect(at).toBeGreaterThan(0);
  return lines.with(at, change(lines[at] ?? "")).join("\n");
};
const opening = (opens: string, closes: string) => `{opens: "${opens}", closes: "${closes}"}`;

const CASES: Case[] = [
  {
    args: ["catalog", "set", "automotive.vehicle_types.suv.ceramic.full", "629.5"],
    change: swap("full: 599", "full: 629.50"),
    prints: ["automotive.vehicle_types.suv.ceramic.full: 599 → 629.50\n", "suv, ceramic, full  $599.00  →  $629.50\n"],
  },
  {
    args: ["catalog", "set", "automotive.addons.sunroof.suggest", "Keeps the sun out, too"],
    change: (text) => text.replace(/(minutes: 45,\s*position: sunroof)/, '$1, suggest: "Keeps the sun out, too"'),
    prints: ["not set → Keeps the sun out, too\n"],
  },
  {
    args: ["catalog", "set", "flat_glass.minimum_job_charge", "250", "--dry-run"],
    prints: ["commercial, 10 sq ft, good     $160.00  →  $250.00\n"],
  },
  {
    args: ["price", "set", "van", "clearplex", "$1,299"],
    change: swap("clearplex: 495", "clearplex: 1299"),
    prints: ["van, clearplex  $495.00  →  $1,299.00\n"],
    notes: "Note: that is a change by more than half.\nTo undo it: tint price set van clearplex 495\n",
  },
  {
    args: ["hours", "special", "2026-12-31", "09:00-13:00", "--reason", "It's: New Year's Eve"],
    change: onLine("2027-01-01", (line) => {
      return `    - {date: "2026-12-31", hours: [${opening("09:00", "13:00")}], reason: "It's: New Year's Eve"}\n${line}`;
    }),
    prints: ["Thu Dec 31: 9:00 AM–6:00 PM → 9:00 AM–1:00 PM (It's: New Year's Eve)\n"],
  },
  {
    args: ["hours", "special", "2026-12-25", "--remove"],
    change: (text) => text.replace(/.*2026-12-25.*\n/, ""),
    prints: ["Fri Dec 25: closed → the hours of the week\n"],
  },
  {
    args: ["hours", "set", "thu", "9am-1pm", "2pm-6:30pm"],
    change: onLine("    thursday:", (line) =>
      line.replace(/\[.*\]/, `[${opening("09:00", "13:00")}, ${opening("14:00", "18:30")}]`),
    ),
    prints: ["thursday: 9:00 AM–6:00 PM → 9:00 AM–1:00 PM, 2:00 PM–6:30 PM\n"],
  },
  {
    args: ["price", "set", "suv", "ceramic", "full", "60"],
    change: onLine("    suv:", (line) => line.replace("full: 599", "full: 60")),
    prints: ["599 → 60"],
    notes: [
      "Note: that is a change by more than half.",
      "Note: ceramic full is 60, far below 529, the middle of its column: is a digit missing?",
      "Note: ceramic front2 is dearer than full, which covers more: front two windows 239, all side and rear windows 60.",
      "To undo it: tint price set suv ceramic full 599\n",
    ].join("\n"),
  },
  {
    args: [
      ...["faq", "add", "--category", "general"],
      ...["--question", 'Is "8 mil" thick?', "--answer", "Yes: 8/1000 # really"],
    ],
    change: onLine("Is this legal advice?", (line) =>
      [line, '  - {category: general, question: Is "8 mil" thick?, answer: "Yes: 8/1000 # really"}'].join("\n"),
    ),
    prints: ["7. ", 'Is "8 mil" thick? [general]\n'],
  },
  {
    args: ["faq", "edit", "2", "--question", "When may I roll the windows down?"],
    change: swap('"When can I roll', '"When may I roll'),
    prints: [
      "2. When can I roll",
      "→\n2. When may I roll the windows down? [automotive]\n   Wait about {scheduling.cure.keep_windows_up_days} days",
    ],
  },
  {
    args: ["faq", "remove", "2"],
    change: (text) => text.replace(/.*When can I roll.*\n/, ""),
    prints: ["Removed:\n2. When can I roll the windows down?"],
  },
];

describe("an edit changes the named value and nothing else", () => {
  for (const { args, change, prints, notes = "" } of CASES) {
    test(`tint ${args.join(" ")}`, async () => {
      using shop = shopFolder();
      const { status, stdout, stderr } = await tint(shop, args);
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: args.includes("--dry-run")
          ? `Not saved. To save it in ${shop.catalog}, leave out --dry-run.\n`
          : `Saved ${shop.catalog}.\n${notes}`,
      });
      for (const fragment of prints) expect(stdout).toContain(fragment);
      expect(shop.read()).toBe(change ? change(CATALOG_TEXT) : CATALOG_TEXT);
    });
  }

  test("block and unblock leave the file as it was", async () => {
    using shop = shopFolder();
    await tint(shop, ["block", "2026-12-31", "--reason", "Stocktaking"]);
    await tint(shop, ["block", "2026-12-30"]);
    const day = '{date: "2026-12-31", reason: Stocktaking}';
    expect(shop.read()).toBe(CATALOG_TEXT.replace("blocked_dates: []", `blocked_dates: ["2026-12-30", ${day}]`));
    const again = await tint(shop, ["block", "2026-12-30"]);
    expect([again.status, again.stderr]).toEqual([0, `${shop.catalog} has that value already; nothing was changed.\n`]);
    expect((await tint(shop, ["hours"])).stdout).toContain("Thu Dec 31, 2026  no bookings      Stocktaking\n");
    await tint(shop, ["unblock", "2026-12-31"]);
    expect((await tint(shop, ["unblock", "2026-12-30"])).stdout).toBe("Wed Dec 30: no bookings → bookings as usual\n");
    expect(shop.read()).toBe(CATALOG_TEXT);
  });

  test("hours and bays are blocked in calendar order, and unblocked together", async () => {
    using shop = shopFolder();
    const blocked = (value: string) => CATALOG_TEXT.replace("blocked_hours: []", `blocked_hours: ${value}`);
    const run = async (...args: string[]) => (await tint(shop, args)).stdout;
    expect(await run("block", "2026-12-31", "--bays", "1", "--reason", "Sam")).toBe(
      "Thu Dec 31: 1 of 2 bays is closed all day (Sam)\n",
    );
    expect(await run("block", "Dec", "30", "to", "Dec", "31", "--from", "noon", "--to", "2pm")).toBe(
      "Wed Dec 30 to Thu Dec 31: no work is taken from 12:00 PM to 2:00 PM\n",
    );
    const noon = (day: number) => `{date: "2026-12-${day}", from: "12:00", to: "14:00"}`;
    expect(shop.read()).toBe(blocked(`[${noon(30)}, {date: "2026-12-31", bays: 1, reason: Sam}, ${noon(31)}]`));
    expect(await run("hours")).toMatch(
      /Wed Dec 30, 2026 +no work is taken from 12:00 PM to 2:00 PM\nThu Dec 31, 2026 +1 of 2 bays is closed all day +Sam\n/,
    );
    expect(await run("unblock", "2026-12-30..2026-12-31")).toBe("Wed Dec 30 to Thu Dec 31: bookings as usual\n");
    expect(shop.read()).toBe(CATALOG_TEXT);
    for (const [typed, told] of [
      ["dec 28 afternoon", "Mon Dec 28: no work is taken from 12:00 PM to 6:00 PM"],
      ["Dec 28 morning", "Mon Dec 28: no work is taken from 9:00 AM to 12:00 PM"],
      ["12/28 1 to 3 pm, bay 2", "Mon Dec 28: bay 2 is closed from 1:00 PM to 3:00 PM"],
      ["12/28 6 to 8 pm", "Mon Dec 28: no work is taken from 6:00 PM to 8:00 PM"],
      ["12/28 until noon one bay", "Mon Dec 28: 1 of 2 bays is closed until 12:00 PM"],
      ["12/28 --from 2pm --to close --bay 1", "Mon Dec 28: bay 1 is closed from 2:00 PM to 6:00 PM"],
      ["12/26 to 12/28 afternoon", "Sat Dec 26 to Mon Dec 28: no work is taken from 12:00 PM to 3:00 PM"],
    ] as const)
      expect(await run("block", ...typed.split(" "), "--dry-run")).toBe(`${told}\n`);
    const closed = await tint(shop, ["block", "Dec", "27", "afternoon"]);
    expect([closed.status, closed.stderr]).toEqual([2, "The shop is closed on Sun Dec 27 anyway.\n"]);
  });

  test("a day that has passed, bookings on a blocked day, a question asked twice", async () => {
    using shop = shopFolder();
    for (const args of ["block 2020-01-01", "hours special 2020-01-02 closed"])
      expect((await tint(shop, args)).stderr).toContain("has passed already");
    await inStore(shop, (store) => store.book(newBooking({ date: "2027-03-01" }), 1, []));
    const looked = await tint(shop, ["block", "2027-03-01", "--dry-run"]);
    expect(looked.stderr).toContain("would stay:");
    expect(looked.stdout).toBe("Mon Mar 1, 2027: no bookings\n");
    const special = await tint(shop, ["hours", "special", "2027-03-02", "closed", "--dry-run"]);
    expect(special.stdout).toBe("Tue Mar 2, 2027: 9:00 AM–6:00 PM → closed\n");
    expect((await tint(shop, ["block", "2027-03-01"])).stderr).toContain(
      "Note: 1 confirmed booking no longer fits and stays: Mon Mar 1, 2027, 9:00 AM",
    );
    expect((await tint(shop, ["block", "tomorrow"])).stdout).toStartWith(`${dayAndDate(dateFromNow(1))}: no bookings`);
    const before = shop.read();
    const question = "  when can I roll the windows down?";
    const again = ["faq", "add", "--category", "general", "--question", question, "--answer", "A."];
    await expectRefusals(shop, [[again, 1, /^That is question 2 already\./]]);
    expect(shop.read()).toBe(before);
  });

  test("--json prints JSON alone", async () => {
    using shop = shopFolder();
    const [path, sample] = ["automotive.vehicle_types.suv.ceramic.full", "suv, ceramic, full"];
    const prices = [{ sample, old_min: 599, old_max: 599, new_min: 629, new_max: 629 }];
    const document = { file: shop.catalog, saved: true, changed: true, path, old: 599, new: 629, prices };
    expect(await tintJson(shop, "price set suv ceramic full 629")).toEqual(document);
  });
});

describe("a refused edit says how to type it right and leaves the file alone", () => {
  test.each<[string, number, RegExp]>([
    ["catalog set bays 3", 2, /Did you mean scheduling\.bays\?/],
    ["catalog set scheduling.xyz 3", 2, /scheduling has: bays, grid_minutes/],
    ["catalog set faq.99.answer x", 2, /its entries are faq\.0 to faq\.5/],
    ["catalog get business.name.0", 2, /business\.name is a single value/],
    ["catalog set __proto__.x 1", 2, /There is no __proto__\.x/],
    ["catalog set business x", 2, /business is a group: set one of its keys \(name,/],
    ["catalog set access.blocked_countries FR", 1, /in brackets, like '\[FR\]'/],
    ["catalog set scheduling.bays two", 1, /catalog\.yaml:\d+:\d+: scheduling\.bays must be a whole number/],
    ["catalog get automotive.addons.sunroof.suggest", 1, /is not set in this catalog/],
    ["price set suvs ceramc full x", 2, /did you mean suv\?\n.*did you mean ceramic\?\nx is not an amount/],
    ["price set suv ceramic full", 2, /The amount is missing, like: tint price set suv ceramic full 599/],
    ["price set suv clearplex full 500", 2, /one price for all: tint price set suv clearplex 500/],
    ["catalog set business.name a\u001b[31mb", 1, /must be one line, without control/],
    ["catalog diff none.yaml", 1, /^There is no file none\.yaml\. To make the catalog of a new shop: tint init\./],
    ["price set suv ceramic full 1.999", 2, /1\.999 is not an amount\. Write the amount like 629 or 629\.50\./],
    [
      "price raise ceramic -5%",
      2,
      /unknown option '-5%'\nPut two dashes before it, like: tint price raise ceramic -- -5%/,
    ],
    [
      "film add carbon --lik ceramic --irr 5",
      2,
      /'--lik'.*\n.*--like\?.*\n.*'--irr'.*\n.*--ir\?.*\nrequired option '--like/,
    ],
    [
      "faq add --category x --foo",
      2,
      /'x' is invalid.*\nunknown option '--foo'\nrequired option '--question.*\n.*'--answer/,
    ],
    ["addon set sunrof ceramic 1", 2, /sunrof is not an add-on; did you mean sunroof\?/],
    ["hours set holidays closed", 2, /^holidays is not a day of the week, or days like mon-fri: it must be monday/],
    ["hours set monday 9am-5am", 2, /must be later than opens: write 9am-6pm, 9:00-18:00, or closed/],
    ["hours special 2026-12-31", 2, /like: tint hours special 2026-12-31 09:00-13:00/],
    ["hours special 2026-12-31 closed --remove", 2, /either times or --remove/],
    [
      "hours special 2026-12-31 --remove",
      1,
      /^Thu Dec 31, 2026 has no special hours\. The days in the file are: Thu Nov 26, 2026, /,
    ],
    [
      "block soon",
      2,
      /write it like today, tomorrow, friday, next fri, in 3 days, thanksgiving, 11\/23, Nov 27 or 2026-12-24/,
    ],
    ["block friday bay 7", 2, /^There is no bay 7: the shop has 2 bays\./],
    ["block friday foo", 2, /^foo does not say which hours or bay: write it like 1 to 3 PM/],
    ["block friday 3 to 1", 2, /^The end, 1:00 PM, must be later than the beginning, 3:00 PM\./],
    ["block tomorrow --bays 9", 2, /9 is not a number of bays: the shop has 2 bays\./],
    ["block", 2, /Usage: tint block \[options\] <date\.\.\.>\nSee tint block --help/],
    ["unblock 2026-12-31", 1, /Thu Dec 31, 2026 is not blocked/],
    ["faq add --category securty --question Q --answer A", 2, /Did you mean security\?/],
    ["bookings --limit x --status gone", 2, /'x' is invalid.*\noption '--status.*'gone' is invalid.*\nSee/],
    ["faq add --question Q", 2, /^required option '--category.*\nrequired option '--answer.*\nSee/],
    ["price set suv ceramic full 0", 1, /full must be above 0; write free: true at the service automotive/],
    ["faq edit 1", 2, /--question, --answer or --category/],
    ["faq edit 10 --answer A", 1, /There is no question 10; the last one is 6/],
    ["faq remove first", 2, /first is not the number of a question. See tint faq list/],
  ])("tint %s: exit %i", async (command, status, reason) => {
    using shop = shopFolder();
    await expectRefusals(shop, [[command, status, reason]]);
    expect(shop.read()).toBe(CATALOG_TEXT);
  });

  test("a fault that the file had before the edit is reported as an old fault", async () => {
    using shop = shopFolder({ "scheduling.bays": 0 });
    const { status, stderr } = await tint(shop, ["price", "set", "suv", "ceramic", "full", "629"]);
    expect(status).toBe(1);
    expect(stderr).toStartWith("Not saved. The file has a mistake already, and this change does not mend it.");
    expect(stderr).toContain("scheduling.bays");
  });

  test("a folder given as the catalog is refused in words", async () => {
    using shop = shopFolder();
    for (const args of ["catalog check", "catalog get currency"])
      await expectRefusals(shop, [
        [`${args} --catalog ${shop.path}`, 1, `${shop.path} cannot be read: it is a folder.\n`],
      ]);
  });
});

describe("reading", () => {
  test("catalog get and show", async () => {
    using shop = shopFolder();
    const out = async (...args: string[]) => (await tint(shop, ["catalog", ...args])).stdout;
    expect(await out("get", "automotive.vehicle_types.suv.ceramic.full")).toBe("599\n");
    expect(await out("get", "faq.1.category")).toBe("automotive\n");
    expect(await out("get", "scheduling.cure")).toBe("keep_windows_up_days: 4\nfull_cure_days: 28\n");
    expect(JSON.parse(await out("get", "scheduling.cure", "--json")).full_cure_days).toBe(28);
    expect(await out("show")).toBe(CATALOG_TEXT);
    expect(JSON.parse(await out("show", "--json")).scheduling.bays).toBe(2);
    expect(JSON.parse(await out("show", "scheduling.bays", "--json"))).toBe(2);
    expect(await out("show", "bookings")).toMatch(
      /^bookings:\n {2}require_api_key: false +# .*\n {2}require_consent.*\n {2}hold_minutes.*\n$/,
    );
  });

  test("catalog diff prices both files", async () => {
    using shop = shopFolder();
    const other = `${shop.path}/spring.yaml`;
    await Bun.write(other, CATALOG_TEXT.replace("full: 599", "full: 629").replace("per_sqft: 2,", "per_sqft: 2.5,"));
    const { stdout, stderr } = await tint(shop, ["catalog", "diff", other]);
    expect(stdout).toMatch(/^suv, ceramic, full +\$599\.00 +→ +\$629\.00$/m);
    expect(stdout).toMatch(/^residential, .*, best +\$7,385\.00–\$7,585\.00 +→ +\$7,560\.25–\$7,760\.25$/m);
    expect(stderr).toBe("");
    const prices = { sample: "suv, ceramic, full", old_min: 599, old_max: 599, new_min: 629, new_max: 629 };
    expect((await tintJson(shop, ["catalog", "diff", other])).prices[0]).toEqual(prices);
    const same = await tint(shop, ["catalog", "diff", shop.catalog]);
    expect(same).toEqual({ status: 0, stdout: "", stderr: "No sample price changes.\n" });
  });

  test("the lists", async () => {
    using shop = shopFolder();
    const out = async (...args: string[]) => (await tint(shop, args)).stdout;
    expect(await out("price", "list")).toMatch(/^suv +\$349\.00 +\$139\.00 +\$599\.00 .* +\$475\.00$/m);
    const { clearplex } = JSON.parse(await out("price", "--json"));
    expect(clearplex).toContainEqual({ vehicle_type: "suv", total: 475 });
    expect(await out("addon", "list")).toMatch(/^sunroof +Sunroof film +\$79\.00 +\$129\.00 +45 +automotive$/m);
    const [, , sunroof] = JSON.parse(await out("addon", "--json"));
    expect(sunroof).toMatchObject({ code: "sunroof", price: { standard: 79, ceramic: 129 }, minutes: 45 });
    expect(await out("hours")).toMatch(/^sunday +closed$[\s\S]*^Thu Dec 24, 2026 +9:00 AM–1:00 PM +Christmas Eve$/m);
    expect(JSON.parse(await out("hours", "--json")).hours.sunday).toEqual([]);
    expect(await out("faq", "list", "--category", "security")).toStartWith(
      "5. What does security film do? [security]\n",
    );
    expect(await out("faq")).toContain("\n   Wait about 4 days;");
    expect(JSON.parse(await out("faq", "--json"))[1].answer).toContain("{scheduling.cure.keep_windows_up_days}");
  });
});

test("on a terminal a price that changes by more than half is asked about", async () => {
  using folder = shopFolder();
  const set = ["price", "set", "suv", "ceramic", "full", "5999"];
  const lines = await tintOnTerminal(folder, 100, set, {}, ["no"]);
  expect(lines.join("\n")).toMatch(/599 → 5999[\s\S]*That is a change by more than half\. Save it\? Type y for yes:/);
  expect(lines.at(-1)).toContain("Nothing was saved.");
  const path = "automotive.vehicle_types.suv.ceramic.full";
  expect((await tintOnTerminal(folder, 100, ["catalog", "set", path, "5999"], {}, ["n"])).at(-1)).toContain("Nothing");
  expect(folder.read()).toBe(CATALOG_TEXT);
  await tintOnTerminal(folder, 100, set, {}, ["yes"]);
  expect(folder.read()).toContain("5999");
  await tintOnTerminal(folder, 100, ["catalog", "set", path, "599", "--yes"], {}, []);
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test.each([
  ["faq remove 2", "Removed:\n2. "],
  ["catalog import other.yaml", "+ faq.1.answer: Soon."],
])("on a terminal tint %s shows what goes and asks", async (command, shown) => {
  using folder = shopFolder();
  const args = command.split(" ");
  writeFileSync(join(folder.path, "other.yaml"), setScalar(CATALOG_TEXT, ["faq", 1, "answer"], "Soon."));
  const lines = await tintOnTerminal(folder, 200, args, {}, ["n"]);
  expect(lines.join("\n")).toContain(shown);
  expect(lines.at(-1)).toContain("Nothing was saved.");
  expect(folder.read()).toBe(CATALOG_TEXT);
  await tintOnTerminal(folder, 200, [...args, "--yes"]);
  expect(folder.read()).not.toBe(CATALOG_TEXT);
});
