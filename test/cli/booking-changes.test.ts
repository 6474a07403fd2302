/** The owner's changes to a booking, and to all bookings of one caller at one go: move, complete, cancel, and undo. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { MOMENT_FORMS } from "../../cli/typed/times.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { A_DAY_BEFORE, dateFromNow, NOW } from "../fixed-day.ts";
import { dateIn, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { newBooking } from "../store/conformance-values.ts";
import { booked, expectRefusals, inStore, saying, tint, tintCsv, tintJson, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateFromNow(3);
const OTHER = dateFromNow(4);

async function messagesIn(folder: ShopFolder): Promise<string[]> {
  return (await inStore(folder, (store) => store.waitingJobs(99))).map(({ kind }) => kind).sort();
}

test("a move keeps code and price, tells the customer and not the shop, and says how to undo it", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    "messages.confirmation_sms.enabled": true,
    "messages.rescheduled_sms.enabled": true,
  });
  const code = await booked(folder, "--price", "500");
  const moved = await tint(folder, `bookings move ${code} ${OTHER} 2pm --json`);
  expect(moved).toMatchObject(saying(0, `To undo it: tint bookings move ${code} ${DAY} 09:00`));
  const at = { date: OTHER, time: "14:00", estimate: { total: 500 } };
  expect(JSON.parse(moved.stdout)).toMatchObject({ confirmation_code: code, ...at });
  expect(await messagesIn(folder)).toEqual(["push_to_crm", "rescheduled_sms"]);
});

test("a move needs a free bay always, and --anyway outside opening hours", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const code = await booked(folder);
  await expectRefusals(folder, [[`bookings move ${code} ${DAY} 9pm`, 1, "--anyway"]]);
  expect((await tint(folder, `bookings move ${code} ${OTHER} 9pm --anyway`)).status).toBe(0);
  const second = await booked(folder);
  const full = /^Not moved, every bay is busy .* then: bay 1 Jordan Sample till \d+:\d\d [AP]M\. Free: \w{3} /;
  await expectRefusals(folder, [[`bookings move ${second} ${OTHER} 9pm --anyway`, 1, full]]);
});

test("who reopens a booking whose bay was closed meanwhile is told so", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const code = await booked(folder);
  const again = async () => {
    await tint(folder, ["bookings", "cancel", code]);
    return (await tint(folder, ["bookings", "reopen", code])).stderr;
  };
  expect(await again()).not.toContain("Note:");
  await tint(folder, ["bookings", "cancel", code]);
  expect((await tint(folder, ["block", DAY, "--from", "10am", "--to", "noon"])).status).toBe(0);
  const { stderr } = await tint(folder, ["bookings", "reopen", code]);
  expect(stderr).toMatch(/Jordan Sample\) is on again although no work is taken from 10:00 AM to 12:00 PM\.$/m);
  expect(await again()).toContain("Note: ");
});

test("work that is done early gives its bay back, also where it pauses overnight; undone, it takes the bay again if free", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const who = (name: string) => ["--name", name, "--phone", "404-555-0142"];
  const begun = ["--date", dateFromNow(-1), "--time", "9am", "--minutes", "36h", "--anyway"];
  const code = (await tintJson(folder, ["book", "suv", ...who("Jordan"), ...begun])).confirmation_code as string;
  const next = ["book", "suv", ...who("Robin"), "--date", dateFromNow(1), "--time", "9am"];
  expect((await tint(folder, next)).stderr).toContain("bay 1 Jordan till");
  const done = await tint(folder, ["bookings", "complete", code]);
  expect(done.stderr).toContain("confirmed → completed. Its bay is free. To undo it:");
  expect((await tint(folder, ["day", dateFromNow(1)])).stdout).toContain("0 bookings");
  expect((await tint(folder, ["bookings", "reopen", code])).status).toBe(0);
  await tint(folder, ["bookings", "complete", code]);
  expect((await tint(folder, next)).status).toBe(0);
  const stays = /Jordan\) stays completed: its bay was given away since \(bay 1 Robin from 9:00 AM\)\.$/m;
  await expectRefusals(folder, [[`bookings reopen ${code}`, 1, stays]]);
});

test("cancelling tells the customer; reopening takes back what was not sent yet", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.cancelled_sms.enabled": true });
  const code = await booked(folder);
  const cancelled = await tint(folder, ["bookings", "cancel", code]);
  expect(cancelled.stderr).toContain(`To undo it: tint bookings reopen ${code}`);
  expect(await messagesIn(folder)).toEqual(["cancelled_sms", "push_to_crm"]);
  expect((await tint(folder, ["bookings", "reopen", code])).status).toBe(0);
  expect(await messagesIn(folder)).not.toContain("cancelled_sms");
});

test("--quiet moves and cancels without telling the customer, who still gets reminders of the new time", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    follow_up: [],
    ...A_DAY_BEFORE,
    "messages.rescheduled_sms.enabled": true,
    "messages.reminder_sms.enabled": true,
    "messages.cancelled_sms.enabled": true,
  });
  const [one, other] = [await booked(folder), await booked(folder, "--date", OTHER)];
  expect((await tint(folder, ["bookings", "move", one, OTHER, "2pm", "--quiet"])).status).toBe(0);
  expect(await messagesIn(folder)).toEqual(["reminder_sms", "reminder_sms"]);
  expect((await tint(folder, ["bookings", "cancel", one, "--quiet"])).status).toBe(0);
  expect((await tint(folder, "bookings cancel --since 1h --yes --quiet --json")).stdout).toContain(other);
  expect(await messagesIn(folder)).not.toContain("cancelled_sms");
});

test("an edit corrects customer, car, note and price; messages that wait go to the new number", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.confirmation_sms.enabled": true });
  const code = await booked(folder);
  const args = ["--name", "Robin", "--phone", "404-555-0143", "--email", "robin@example.com", "--note", "back door"];
  const car = ["--make", "Toyota", "--price", "300"];
  const request = async () => {
    const booking = await inStore(folder, (store) => store.findBooking(code));
    return Object((await inStore(folder, (store) => store.findLead(booking?.lead.id ?? "")))?.details);
  };
  const { status, stdout, stderr } = await tint(folder, ["bookings", "edit", code, ...args, ...car, "--json"]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("note none → back door; price $349.00 → $300.00.\n")]);
  expect(JSON.parse(stdout)).toMatchObject({
    customer: { name: "Robin", phone: "+14045550143", email: "robin@example.com" },
    vehicle: { description: "Toyota (SUV)" },
    special_requests: "back door",
    estimate: { total: 300 },
    time: "09:00",
  });
  expect(await request()).toMatchObject({ special_requests: "back door", vehicle_make: "Toyota" });
  expect((await tintCsv(folder, ["bookings"])).stdout).toMatch(
    /,paid,paid_by,list_price,agreed_price,phone_extension\n.*,,,349,300,\n$/,
  );
  // An empty note or e-mail takes it away.
  const emptied = await tint(folder, ["bookings", "edit", code, "--note", "", "--email", " ", "--json"]);
  expect(JSON.parse(emptied.stdout)).toMatchObject({ special_requests: null, customer: { name: "Robin", email: "" } });
  expect(await request()).not.toHaveProperty("special_requests");
  const texts = await inStore(folder, (store) => store.waitingJobs(9, { kinds: ["confirmation_sms"] }));
  expect(texts[0]?.content?.payload).toMatchObject({ to: "+14045550143" });
  await expectRefusals(folder, [
    [
      `bookings edit ${code} --phone 12`,
      2,
      "--phone must be a phone number with area code, like +1-404-555-0142.\nSee",
    ],
    [`bookings edit ${code}`, 2, "Say what to correct"],
  ]);
});

test("other work: price and length follow the list, or the price is kept; the customer is told once, or not", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.confirmation_sms.enabled": true });
  const code = await booked(folder);
  const edit = (...args: string[]) => tint(folder, ["bookings", "edit", code, ...args]);
  const asked = ["--film", "ceramic", "--addon", "sunroof", "--vehicle", "21 highlander", "--shade", "35"];
  const changed = await edit(...asked, "--json");
  expect(changed.stderr).toMatch(
    /Highlander \(SUV\); job standard tint → ceramic tint, 35%, sunroof; price \$349\.00 → \$728\.00; length 3 h 30 min → 4 h 45 min\. Note: under the tint law of Georgia this shade is borderline\.\n$/,
  );
  const vehicle = { type: "suv", year: 2021, make: "Toyota", model: "Highlander" };
  const work = { film_type: "ceramic", addons: ["sunroof"], shade: 35, vehicle, estimate: { total: 728 } };
  expect(JSON.parse(changed.stdout)).toMatchObject(work);
  // Nobody can be asked here, so a shade that is not legal is told.
  const darker = await edit("--shade", "5 front 20 back", "--quiet", "--json");
  expect(darker.stderr).toMatch(/^Note: 5% on the front side windows is not legal .*\n/s);
  const dark = { shade: { front_side: 5, rear_side: 20 }, accepted_not_legal: true };
  expect(JSON.parse(darker.stdout)).toMatchObject(dark);
  // What was agreed to is not asked about again.
  expect((await edit("--addon", "sunroof", "--quiet")).status).toBe(0);
  // Another car, whose year nobody said, has not the year of the one before.
  const other = await edit("--vehicle", "honda cr-v ex", "--json");
  const crossover = { type: "crossover", year: null, make: "Honda", model: "CR-V ex" };
  expect(JSON.parse(other.stdout).vehicle).toMatchObject(crossover);
  await edit("--vehicle", "21 highlander");
  const kept = await edit("--coverage", "front2", "--keep-price", "--quiet", "--name", "Robin", "--json");
  const robin = { coverage: "front2", estimate: { total: 728 }, customer: { name: "Robin" } };
  expect(JSON.parse(kept.stdout)).toMatchObject(robin);
  const agreed = await edit("--coverage", "full", "--price", "600", "--no-remove-old-film", "--json");
  expect(JSON.parse(agreed.stdout).estimate.total).toBe(600);
  expect(await inStore(folder, (store) => store.waitingJobs(9, { kinds: ["confirmation_sms"] }))).toHaveLength(1);
});

test("other work is refused with every fault, outside opening hours, in a full bay, and once the booking has ended", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const code = await booked(folder);
  const edit = (...args: string[]) => tint(folder, ["bookings", "edit", code, ...args]);
  await expectRefusals(folder, [[`bookings edit ${code} --film gold --shade 200`, 2, /--film[\s\S]*--shade/]]);
  await tint(folder, `book suv --coverage front2 --date ${DAY} --time 1pm --name Pat --phone 404-555-0143`.split(" "));
  const full = /^Not changed, every bay is busy for part of the work then: bay 1 Pat from 1:00 PM\.$/m;
  const more = "--addon sunroof windshield --remove-old-film --anyway";
  await expectRefusals(folder, [[`bookings edit ${code} ${more}`, 1, full]]);
  await tint(folder, ["bookings", "move", code, DAY, "4pm", "--anyway"]);
  const wrong = /^abc is not [\s\S]*\nzz is not [\s\S]*\n--phone must [\s\S]*\n--film must /;
  await expectRefusals(folder, [[`bookings edit ${code} --price abc --minutes zz --film zzz --phone 1`, 2, wrong]]);
  expect((await tint(folder, ["bookings", "move", code, DAY, "4pm"])).stderr).toMatch(/is at that time already\.\n$/);
  const late = await edit("--addon", "sunroof");
  expect(late.stderr).toMatch(/^Not changed: the work would last until .*--anyway\.\n$/);
  expect((await edit("--addon", "sunroof", "--anyway")).status).toBe(0);
  await tint(folder, ["bookings", "cancel", code]);
  expect((await edit("--film", "ceramic")).stderr).toContain("only the work of a confirmed one can be changed");
});

test("the lead of a booking is listed where another program has use for it", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await booked(folder);
  const [{ reference }] = await tintJson(folder, "leads --status all");
  const listed = async (env = {}) => (await tint(folder, "leads --status all", { env })).stdout;
  expect(await listed()).not.toContain(reference);
  const secret = "0123456789abcdef0123456789abcdef";
  expect(await listed({ CRM_WEBHOOK_URL: "https://crm.example.com/hook", CRM_WEBHOOK_SECRET: secret })).toContain(
    reference,
  );
});

test("on a terminal, commands ask for what is missing; what is typed at last is done", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder);
  // A terminal has the machine's clock.
  const day = dateIn(4);
  const moved = await tintOnTerminal(folder, 100, ["bookings", "move"], {}, [code, day, "2pm"]);
  expect(moved.join("\n")).toContain(`Booking ${code} (Jordan Sample): `);
  await using terminal = await openTerminal(folder, { columns: 100, rows: 30 });
  await terminal.run(`tint bookings edit ${code}`).see("› Name          [Jordan Sample]");
  await terminal.press("Robin Roe", "C-s").see(/is corrected: name Jordan Sample → Robin Roe\.\nREADY>/);
  await terminal.run(`tint bookings edit ${code}`).see("› Name          [Robin Roe]");
  await terminal.press("Escape").see(/is as it was\.\nREADY>/);
  // Lines that are pasted answer the questions to come.
  terminal.run("tint bookings move");
  await terminal.press(code, "Enter", dateIn(5), "Enter").see(`Booking ${code} (Robin Roe): `);
  await terminal.run(`tint bookings edit ${code} --json`).see("Say what to correct, like");
  await terminal.run(`tint bookings cancel --since ${dateFromNow(-1)}`).see("Type y for yes:");
  await tintToday(folder, ["bookings", "cancel", code, "--by", "customer"]);
  await terminal.press("y", "Enter").see(`Booking ${code} is cancelled by the customer already;`);
  const none = await tintOnTerminal(folder, 100, ["bookings", "cancel"], {}, [""]);
  expect(none.join("\n")).toContain("Type the code of a booking, which is like 7F3A2B9C.");
});

test("ready: only with the customer's consent, once, and where it is switched on", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.ready_sms.enabled": true });
  const past = ["--name", "Jordan", "--phone", "404-555-0142", "--date", dateFromNow(-1), "--time", "9am", "--anyway"];
  const { confirmation_code: code } = await tintJson(folder, ["book", "suv", ...past]);
  expect((await tint(folder, ["bookings", "ready", code])).status).toBe(0);
  expect(await messagesIn(folder)).toContain("ready_sms");
  expect((await tint(folder, ["bookings", "ready", code])).stderr).toContain("waits already");
  expect((await tint(folder, ["bookings", "ready", await booked(folder)])).stderr).toContain("has not begun");
  await tint(folder, ["catalog", "set", "messages.ready_sms.enabled", "false"]);
  expect((await tint(folder, ["bookings", "ready", code])).stderr).toContain("switched off");
});

test("an edit adds and takes out extras, shades one glass, and says what is no longer in the booking", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, "--addon", "sunroof", "--shade", "50/20");
  const edit = async (...args: string[]) => {
    const { stdout, stderr } = await tint(folder, ["bookings", "edit", code, ...args, "--anyway", "--json"]);
    return { stderr, booking: JSON.parse(stdout) };
  };
  const added = await edit("--add-addon", "windshield");
  expect(added.booking.addons).toEqual(["windshield", "sunroof"]);
  expect(added.stderr).not.toContain("No longer");
  const glass = await edit("--shade", "35 rear window", "--windshield-shade", "70");
  expect(glass.booking).toMatchObject({
    shade: { front_side: 50, rear_side: 20, rear_window: 35 },
    windshield_shade: 70,
  });
  const taken = await edit("--remove-addon", "windshield", "--coverage", "front2");
  expect(taken.booking.addons).toEqual(["sunroof"]);
  for (const what of ["Full windshield film", "35% on the rear window", "70% on the windshield"])
    expect(taken.stderr).toMatch(new RegExp(`No longer in the booking: [^:]*${what}`));
});

describe("all bookings of one caller", () => {
  const HOUR = 3_600_000;

  /** A shop with four bookings to come: two of a key, two of a network, made at different times. */
  async function shopWithBookings(folder: ShopFolder) {
    const now = NOW.epochMilliseconds;
    const store = openSqliteStore(folder.data);
    const key = { id: "key_7F3A", hash: "h", prefix: "tint_live_7F", name: "A", email: "a@example.com", useCase: null };
    await store.addKey({ ...key, ratePerMinute: null, network: "203.0.113.9", createdAt: now });
    const at = (nth: number, given: Parameters<typeof newBooking>[0]) =>
      newBooking({
        startAt: now + (72 + nth) * HOUR,
        date: dateFromNow(3),
        confirmationCode: `7F3A1B0${nth}`,
        ...given,
      });
    const bookings = [
      at(1, { keyId: "key_7F3A", network: "203.0.113.9", createdAt: now - 3 * HOUR }),
      at(2, { keyId: "key_7F3A", network: "2001:db8:1:2::/64", createdAt: now - HOUR }),
      at(3, { network: "2001:db8:1:2::/64", createdAt: now - HOUR }),
      at(4, { network: "192.0.2.1", createdAt: now - 50 * HOUR }),
      // It has begun, so it is none to come.
      at(5, { network: "203.0.113.9", startAt: now - HOUR, createdAt: now - HOUR }),
    ];
    for (const booking of bookings) expect((await store.book(booking, 9, [])).kind).toBe("booked");
    await store.close();
  }

  /** The codes that a run says it changed, by the last digit. */
  const changed = (stdout: string, name: "cancelled" | "reopened"): string =>
    JSON.parse(stdout)
      [name].map((entry: { confirmation_code: string }) => entry.confirmation_code.at(-1))
      .join("");

  test("all that fit are shown, cancelled and reopened", async () => {
    using folder = shopFolder();
    await shopWithBookings(folder);
    const CASES: [string[], string][] = [
      [["--key", "key_7F"], "12"],
      [["--network", "2001:db8:1:2:3:4:5:6"], "23"],
      [["--network", "203.0.113.0/24"], "1"],
      [["--since", "2h"], "23"],
      [["--since", dateFromNow(-1)], "123"],
      [["--since", new Date(NOW.epochMilliseconds - 51 * HOUR).toISOString()], "1234"],
      [["--key", "key_7F3A", "--since", "2h"], "2"],
    ];
    for (const [flags, codes] of CASES) {
      const cancelled = await tint(folder, ["bookings", "cancel", ...flags, "--yes", "--json"]);
      expect(cancelled.status).toBe(0);
      expect(changed(cancelled.stdout, "cancelled")).toBe(codes);
      expect(cancelled.stderr).toContain(`7F3A1B0${codes[0]}`);
      const reopened = await tint(folder, ["bookings", "reopen", ...flags, "--yes", "--json"]);
      expect([reopened.status, changed(reopened.stdout, "reopened")]).toEqual([0, codes]);
      if (codes.length > 1)
        expect(reopened.stderr).toMatch(
          new RegExp(`^${codes.length} bookings are confirmed again: 7F3A1B0\\d \\(.*\\); `, "m"),
        );
    }
  });

  test("the printed command undoes exactly the last mass cancel", async () => {
    using folder = shopFolder();
    await shopWithBookings(folder);
    await tint(folder, ["bookings", "cancel", "7F3A1B01"]);
    const CASES: [string[], string][] = [
      // The first booking fits too, but was cancelled before.
      [["--since", "9h"], "23"],
      [["--key", "key_7F3A", "--by", "customer"], "2"],
    ];
    for (const [flags, codes] of CASES) {
      const { stderr } = await tint(folder, ["bookings", "cancel", ...flags, "--yes"]);
      const [, undo] = /To undo it: tint (bookings reopen .+)$/m.exec(stderr) ?? [];
      expect(undo).toMatch(/^bookings reopen --cancelled-at \d{4}-\d\d-\d\dT[\d:.]+Z$/);
      await tint(folder, ["bookings", "cancel", "7F3A1B04"]);
      const reopened = await tint(folder, [...String(undo).split(" "), "--yes", "--json"]);
      expect([reopened.status, changed(reopened.stdout, "reopened")]).toEqual([0, codes]);
      expect((await tint(folder, ["bookings", "reopen", "", "--yes"])).stderr).toBe(
        "Type the code of a booking, which is like 7F3A2B9C.\n",
      );
      expect((await tint(folder, ["bookings", "reopen", "7F3A1B04"])).status).toBe(0);
    }
    await expectRefusals(folder, [
      ["bookings reopen --cancelled-at 2h --yes", 2, "2h is not a moment: write a time like"],
    ]);
  });

  test("the printed command names the catalog and the folder that were named", async () => {
    using folder = shopFolder();
    await shopWithBookings(folder);
    const { stderr } = await tint(folder, ["bookings", "cancel", "--since", "2h", "--yes", "--data", folder.data]);
    expect(stderr).toContain(`Z --data '${folder.data}'\n`);
  });

  test("nothing is changed without a terminal or --yes, nor when nothing fits or a flag makes no sense", async () => {
    using folder = shopFolder();
    await shopWithBookings(folder);
    await expectRefusals(folder, [["bookings cancel --since 2h", 2, /7F3A1B02[\s\S]*--yes/]]);
    await expectRefusals(folder, [
      ["bookings cancel --network 198.51.100.1 --yes", 1, "No bookings to come fit"],
      ["bookings cancel --network somewhere --yes", 2, "is not a network"],
      ["bookings cancel --since nonsense --yes", 2, `nonsense is not a moment: write ${MOMENT_FORMS}.`],
      ["bookings cancel --since  --yes", 2, `Type a moment: ${MOMENT_FORMS}.`],
      ["bookings cancel --key key_none --yes", 1, "There is no key"],
      ["bookings cancel 7F3A1B01 --since 2h --yes", 2, "Give either a code"],
      ["bookings cancel", 2, "Give either a code"],
    ]);
    expect((await tint(folder, ["bookings", "reopen", "--since", "9d", "--yes"])).stderr).toContain("No bookings");
  });

  test("what no longer fits is named and stays cancelled; one code can be reopened too", async () => {
    using folder = shopFolder({ "scheduling.bays": 1 });
    await shopWithBookings(folder);
    await tint(folder, ["bookings", "cancel", "--key", "key_7F3A", "--yes"]);
    const store = openSqliteStore(folder.data);
    const first = await store.findBooking("7F3A1B01");
    expect((await store.book(newBooking({ startAt: first?.startAt ?? 0 }), 1, [])).kind).toBe("booked");
    await store.close();

    const reopened = await tint(folder, ["bookings", "reopen", "--key", "key_7F3A", "--yes", "--json"]);
    expect(reopened.status).toBe(1);
    expect(changed(reopened.stdout, "reopened")).toBe("2");
    expect(JSON.parse(reopened.stdout).not_reopened).toEqual([
      { confirmation_code: "7F3A1B01", reason: "its time is taken" },
    ]);
    expect(reopened.stderr).toContain("its time is taken");

    await tint(folder, ["bookings", "cancel", "7F3A1B04", "--by", "customer"]);
    expect((await tint(folder, ["bookings", "reopen", "7f3a1b04"])).status).toBe(0);
    expect((await tint(folder, ["bookings", "reopen", "7F3A1B04"])).stderr).toContain("is confirmed already");
  });

  test("the owner sees which key, network and agent made a booking", async () => {
    using folder = shopFolder();
    await shopWithBookings(folder);
    expect((await tint(folder, ["bookings", "show", "7F3A1B02"])).stdout).toContain(
      "Booked by  online, network 2001:db8:1:2::/64, key key_7F3A",
    );
    const { booked_by } = await tintJson(folder, ["bookings", "show", "7F3A1B04"]);
    expect(booked_by).toEqual({ key_id: null, network: "192.0.2.1", agent_class: null });
    expect((await tint(folder, ["keys"])).stdout).toContain("203.0.113.9");
    expect((await tintJson(folder, ["keys"]))[0].network).toBe("203.0.113.9");
  });
});
