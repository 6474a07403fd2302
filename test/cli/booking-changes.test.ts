/** The owner's changes to a booking: move, complete with what was paid, and undo. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { A_DAY_BEFORE, dateFromNow } from "../fixed-day.ts";
import { dateIn, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { inStore, tint, tintCsv, tintJson, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateFromNow(3);
const OTHER = dateFromNow(4);

async function booked(folder: ShopFolder, ...more: string[]): Promise<string> {
  const who = ["--name", "Jordan Sample", "--phone", "404-555-0142", "--date", DAY, "--time", "9am"];
  const { stdout } = await tint(folder, ["book", "suv", ...who, "--json", ...more]);
  return JSON.parse(stdout).confirmation_code;
}

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
  const { status, stdout, stderr } = await tint(folder, ["bookings", "move", code, OTHER, "2pm", "--json"]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining(`To undo it: tint bookings move ${code} ${DAY} 09:00`),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    confirmation_code: code,
    date: OTHER,
    time: "14:00",
    estimate: { total: 500 },
  });
  expect(await messagesIn(folder)).toEqual(["push_to_crm", "rescheduled_sms"]);
});

test("a move needs a free bay always, and --anyway outside opening hours", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const code = await booked(folder);
  const late = await tint(folder, ["bookings", "move", code, DAY, "9pm"]);
  expect(late).toMatchObject({ status: 1, stdout: "" });
  expect(late.stderr).toContain("--anyway");
  expect((await tint(folder, ["bookings", "move", code, OTHER, "9pm", "--anyway"])).status).toBe(0);
  const second = await booked(folder);
  const full = await tint(folder, ["bookings", "move", second, OTHER, "9pm", "--anyway"]);
  expect(full.status).toBe(1);
  expect(full.stderr).toMatch(
    /^Not moved, every bay is busy .* then: bay 1 Jordan Sample till \d+:\d\d [AP]M\. Free: \w{3} /,
  );
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
  expect((await tint(folder, ["day", dateFromNow(1)])).stdout).toContain("day 3 of ");
  const done = await tint(folder, ["bookings", "complete", code]);
  expect(done.stderr).toContain("confirmed → completed. Its bay is free. To undo it:");
  expect((await tint(folder, ["day", dateFromNow(1)])).stdout).toContain("0 bookings");
  expect((await tint(folder, ["bookings", "reopen", code])).status).toBe(0);
  expect((await tint(folder, ["day", dateFromNow(1)])).stdout).toContain("day 3 of ");
  await tint(folder, ["bookings", "complete", code]);
  expect((await tint(folder, next)).status).toBe(0);
  const stays = await tint(folder, ["bookings", "reopen", code]);
  expect([stays.status, stays.stderr]).toEqual([
    1,
    expect.stringMatching(/Jordan\) stays completed: its bay was given away since \(bay 1 Robin from 9:00 AM\)\.$/m),
  ]);
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
  expect((await tint(folder, ["bookings", "cancel", "--since", "1h", "--yes", "--quiet"])).status).toBe(0);
  expect(await messagesIn(folder)).not.toContain("cancelled_sms");
  expect((await tint(folder, ["bookings", "show", other])).stdout).toContain("cancelled");
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
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: [
      `Booking ${code} is corrected: name Jordan Sample → Robin; phone (404) 555-0142 → (404) 555-0143`,
      "e-mail none → robin@example.com; vehicle SUV → Toyota (SUV); note none → back door; price $349.00 → $300.00.\n",
    ].join("; "),
  });
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
  for (const [given, says] of [
    [
      ["--phone", "12"],
      "--phone must be a phone number with area code, like +1-404-555-0142.\nSee tint bookings edit --help.",
    ],
    [[], "Say what to correct"],
  ] as const) {
    const refused = await tint(folder, ["bookings", "edit", code, ...given]);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(says);
  }
});

test("other work: price and length follow the list, or the price is kept; the customer is told once, or not", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.confirmation_sms.enabled": true });
  const code = await booked(folder);
  const edit = (...args: string[]) => tint(folder, ["bookings", "edit", code, ...args]);
  const work = ["--film", "ceramic", "--addon", "sunroof", "--vehicle", "21 highlander", "--shade", "35"];
  const changed = await edit(...work, "--json");
  expect(changed.stderr).toMatch(
    /Highlander \(SUV\); job standard tint → ceramic tint, 35%, sunroof; price \$349\.00 → \$728\.00; length 3 h 30 min → 4 h 45 min\. Note: under the tint law of Georgia this shade is borderline\.\n$/,
  );
  expect(JSON.parse(changed.stdout)).toMatchObject({
    film_type: "ceramic",
    addons: ["sunroof"],
    shade: 35,
    vehicle: { type: "suv", year: 2021, make: "Toyota", model: "Highlander" },
    estimate: { total: 728 },
  });
  // Nobody can be asked here, so a shade that is not legal is told.
  const darker = await edit("--shade", "5 front 20 back", "--quiet", "--json");
  expect(darker.stderr).toMatch(/^Note: 5% on the front side windows is not legal .*\n/s);
  expect(JSON.parse(darker.stdout)).toMatchObject({
    shade: { front_side: 5, rear_side: 20 },
    accepted_not_legal: true,
  });
  // What was agreed to is not asked about again.
  expect((await edit("--addon", "sunroof", "--quiet")).status).toBe(0);
  // Another car, whose year nobody said, has not the year of the one before.
  const other = await edit("--vehicle", "honda cr-v ex", "--json");
  expect(JSON.parse(other.stdout).vehicle).toMatchObject({
    type: "crossover",
    year: null,
    make: "Honda",
    model: "CR-V ex",
  });
  await edit("--vehicle", "21 highlander");
  const kept = await edit("--coverage", "front2", "--keep-price", "--quiet", "--name", "Robin", "--json");
  expect(JSON.parse(kept.stdout)).toMatchObject({
    coverage: "front2",
    estimate: { total: 728 },
    customer: { name: "Robin" },
  });
  const agreed = await edit("--coverage", "full", "--price", "600", "--no-remove-old-film", "--json");
  expect(JSON.parse(agreed.stdout).estimate.total).toBe(600);
  expect(await inStore(folder, (store) => store.waitingJobs(9, { kinds: ["confirmation_sms"] }))).toHaveLength(1);
});

test("other work is refused with every fault, outside opening hours, in a full bay, and once the booking has ended", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.bays": 1 });
  const code = await booked(folder);
  const edit = (...args: string[]) => tint(folder, ["bookings", "edit", code, ...args]);
  const faulty = await edit("--film", "gold", "--shade", "200");
  expect(faulty.status).toBe(2);
  for (const flag of ["--film", "--shade"]) expect(faulty.stderr).toContain(flag);
  await tint(folder, `book suv --coverage front2 --date ${DAY} --time 1pm --name Pat --phone 404-555-0143`.split(" "));
  const full = await edit("--addon", "sunroof", "windshield", "--remove-old-film", "--anyway");
  expect([full.status, full.stderr]).toEqual([
    1,
    expect.stringMatching(/^Not changed, every bay is busy for part of the work then: bay 1 Pat from 1:00 PM\.$/m),
  ]);
  await tint(folder, ["bookings", "move", code, DAY, "4pm", "--anyway"]);
  const wrong = await edit("--price", "abc", "--minutes", "zz", "--film", "zzz", "--phone", "1");
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringMatching(/^abc is not [\s\S]*\nzz is not [\s\S]*\n--phone must [\s\S]*\n--film must /),
  ]);
  expect((await tint(folder, ["bookings", "move", code, DAY, "4pm"])).stderr).toMatch(/is at that time already\.\n$/);
  const late = await edit("--addon", "sunroof");
  expect(late.stderr).toMatch(/^Not changed: the work would last until .*--anyway\.\n$/);
  expect((await edit("--addon", "sunroof", "--anyway")).status).toBe(0);
  await tint(folder, ["bookings", "cancel", code]);
  expect((await edit("--film", "ceramic")).stderr).toContain("only the work of a confirmed one can be changed");
});

test("a booking is shown by its code alone, a lead by its reference; a slip is still named", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder);
  const shown = await tint(folder, ["bookings", code.toLowerCase()]);
  expect(shown).toEqual(await tint(folder, ["bookings", "show", code]));
  expect((await tint(folder, ["bookings", "complet"])).stderr).toContain("Did you mean complete?");
  const [lead] = await tintJson(folder, ["leads", "--status", "all"]);
  expect((await tint(folder, ["leads", lead.reference])).stdout).toContain(`Lead       ${lead.reference}`);
  // It follows its booking: only another program has use for it in a list.
  const listed = async (env = {}) => (await tint(folder, ["leads", "--status", "all"], { env })).stdout;
  expect(await listed()).not.toContain(lead.reference);
  const crm = {
    CRM_WEBHOOK_URL: "https://crm.example.com/hook",
    CRM_WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
  };
  expect(await listed(crm)).toContain(lead.reference);
  expect((await tint(folder, ["leads", "wonn"])).stderr).toContain("Did you mean won?");
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
