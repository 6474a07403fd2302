/** `tint leads` and `tint outbox`: the built-in CRM and the waiting messages. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { newBooking, newJob, newKey, newLead, quoteLead } from "../store/conformance-values.ts";
import { expectRefusals, inStore, saying, tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(30_000);

const HOUR = 3_600_000;

/** A shop with one lead, 3 hours old, with a text that is due and two reminders. */
async function shopWithLead(given: Parameters<typeof quoteLead>[1] = {}) {
  const folder = shopFolder();
  const createdAt = NOW.epochMilliseconds - 3 * HOUR - 60_000;
  const lead = quoteLead(createdAt);
  const jobs = [newJob("notify_shop_sms", { dueAt: createdAt }), ...lead.jobs];
  await inStore(folder, (store) => store.addLead({ ...lead, jobs, ...given }));
  return folder;
}

function sql(file: string, statement: string): unknown[] {
  const db = new Database(file);
  try {
    return db.query(statement).all();
  } finally {
    db.close();
  }
}

test("an inquiry is corrected, in what is named alone; a quoted amount is a field of its own, which undo takes back", async () => {
  using folder = await shopWithLead({
    details: { message: "calls again", square_footage: 350.5, film_type: "ceramic" },
  });
  const edit = (...args: string[]) => tint(folder, ["leads", "edit", "Q-7F3A1B", ...args]);
  const shown = async () => await tintJson(folder, ["leads", "show", "Q-7F3A1B"]);
  const phone = await edit("--phone", "404-555-0144", "--name", "Robin Example");
  expect(phone).toMatchObject({ status: 0, stdout: "" });
  expect(phone.stderr).toMatch(/^Lead Q-7F3A1B \(Robin Example\): From Jordan Sample.*0111.* → Robin Example.*0144/);
  expect((await edit("--address", "12 Elm St", "--square-footage", "240")).stderr).toContain("Glass 350.5");
  expect((await edit("--note", "", "--film", "stand")).stderr).toContain("Message calls again → none");
  expect(await shown()).toMatchObject({
    ...{ name: "Robin Example", phone: "+14045550144", status: "new" },
    details: { first_name: "Robin Example", square_footage: 240, address: "12 Elm St", film_type: "standard" },
  });
  expect(await edit("--phone", "12")).toMatchObject(saying(2, "--phone"));
  expect(await edit()).toMatchObject(saying(2, "Say what to correct"));
  await tint(folder, ["leads", "quoted", "Q-7F3A1B", "--amount", "1299"]);
  expect(await shown()).toMatchObject({ status: "quoted", quoted_amount: 1299, won_amount: null });
  const { stderr } = await tint(folder, ["leads", "won", "Q-7F3A1B"]);
  expect(stderr).toStartWith("Note: no amount is written down. As quoted: tint leads won Q-7F3A1B --amount 1299\n");
  await tint(folder, ["leads", "reopen", "Q-7F3A1B"]);
  await tint(folder, ["leads", "reopen", "Q-7F3A1B"]);
  expect(await shown()).toMatchObject({ status: "new", quoted_amount: null });
  // The steps of the same minute are none of the correction.
  expect((await edit("--film", "ceramic")).stderr).toBe("Lead Q-7F3A1B (Robin Example): Film standard → ceramic.\n");
});

test("the list shows age and next follow-up; contacting stops the reminders", async () => {
  using folder = await shopWithLead();
  const listed = await tint(folder, ["leads"]);
  expect(listed.stdout).toMatch(
    /Q-7F3A1B +new +3 h +\w{3} \d+:\d\d [AP]M, in 58 min +Jordan Sample +\(404\) 555-0111 +commercial quote\n/,
  );

  const moved = await tint(folder, ["leads", "contacted", "q-7f3aib", "--note", "calls back Friday"]);
  expect(moved).toMatchObject({ status: 0, stdout: "" });
  expect(moved.stderr).toBe(
    "Lead Q-7F3A1B (Jordan Sample): new → contacted. 2 reminders stopped.\nTo undo it: tint leads reopen Q-7F3A1B\n",
  );
  const jobs = sql(folder.database, "SELECT group_concat(kind || ' ' || status ORDER BY id) AS all_jobs FROM jobs");
  expect(jobs).toEqual([{ all_jobs: "notify_shop_sms waiting,remind_owner lapsed,remind_owner lapsed" }]);

  const [lead] = await tintJson(folder, ["leads"]);
  expect(lead).toMatchObject({ reference: "Q-7F3A1B", status: "contacted", next_follow_up_at: null });
  const shown = await tint(folder, ["leads", "show", "lead_a"]);
  expect(shown.stdout).toContain("contacted: calls back Friday\n");
  expect(shown.stdout).toMatch(/Message +line one line two\n/);
});

test("a reminder that is due shows how late it is, and stays", async () => {
  const createdAt = NOW.epochMilliseconds - 7 * HOUR - 60_000;
  const reminder = { kind: "remind_owner", dueAt: createdAt + 4 * HOUR, unless: "contacted", payload: {} } as const;
  using folder = await shopWithLead({ createdAt, jobs: [reminder] });
  expect((await tint(folder, ["leads"])).stdout).toMatch(
    /Q-7F3A1B +new +7 h +\w{3} \d+:\d\d [AP]M, 3 h late +Jordan Sample/,
  );
  expect((await tint(folder, ["leads", "show", "Q-7F3A1B"])).stdout).toMatch(
    /Follow up +\w{3} \w{3} \d+, \d+:\d\d [AP]M, 3 h late\n/,
  );
  // A reminder is for the owner, so it is no stuck message.
  const { checks } = await tintJson(folder, "doctor", { env: { PORT: "0" } });
  expect(checks).toContainEqual(expect.objectContaining({ name: "messages", message: "none is stuck" }));
});

test("a lead moves only forward, and may skip steps; refusals say why", async () => {
  using folder = await shopWithLead();
  const id = "Q-7F3A1B";
  const cases: [string[], number, string][] = [
    [["quoted", id], 0, ": new → quoted. 2 reminders stopped."],
    [["contacted", id], 1, "moves forward"],
    [["quoted", id], 1, "is quoted already. Add --note"],
    [["quoted", id, "--note", "sent again"], 0, "Noted on lead"],
    [["won", id, "--amount", "1299"], 0, "(Jordan Sample): quoted → won, $1,299.00."],
    [["lost", id], 1, "is won and so has ended. To open it again: tint leads reopen Q-7F3A1B"],
    [["reopen", id], 0, ": won → quoted."],
    [["reopen", id, "--json"], 0, ": quoted → new."],
    [["reopen", id], 1, "is new; there is no step to undo."],
    // What is printed as the undo is the command.
    [["won", id], 0, "To undo it: tint leads reopen Q-7F3A1B\n"],
    [["show", "Q-7F3A1C"], 1, "Did you mean Q-7F3A1B?"],
    [["show", "lead_zzzzzz"], 1, "There is no lead"],
    [["won", "sample"], 1, "sample is not the reference of a lead, which is like Q-7F3A2B. A customer fits it: tint"],
    [["jordn"], 2, "Did you mean tint find jordn?"],
    [["lost", id, "--note", "\u0007"], 2, "A note must be"],
    [["--status", "quotd"], 2, "Did you mean quoted?"],
    [["contected", id], 2, "Did you mean contacted?"],
  ];
  for (const [args, status, says] of cases) {
    const run = await tint(folder, ["leads", ...args]);
    const stdout = args.includes("--json") ? JSON.parse(run.stdout).next_follow_up_at !== null : run.stdout !== "";
    expect({ args, status: run.status, stdout }).toEqual({ args, status, stdout: args.includes("--json") });
    expect(run.stderr).toContain(says);
  }
  const { history } = await tintJson(folder, `leads show ${id}`);
  const steps = history.map(({ status, note }: { status: string; note: string | null }) =>
    [status, note ?? []].flat().join(),
  );
  expect(steps).toEqual(["quoted", "quoted,sent again", "won,$1,299.00", "quoted", "new", "won"]);
  // Won leads are not in the list of open ones.
  expect((await tint(folder, ["leads"])).stderr).toBe("No leads.\n");
  expect((await tint(folder, ["leads", "--status", "won"])).stdout).toContain(id);
  expect((await tint(folder, ["leads", "--status", "all"])).stdout).toContain(id);
});

test("control characters from a stranger are never printed", async () => {
  using folder = await shopWithLead({
    name: "\u001b]0;gone\u0007Jo\u202erdan\nrm",
    details: { note: "\u0090x\u2066" },
  });
  sql(folder.database, "UPDATE jobs SET last_error = char(27) || '[2J' || char(10) || 'failed'");
  for (const args of [["leads"], ["leads", "show", "Q-7F3A1B"], ["outbox"], ["leads", "show", "Q-7F3A1B", "--json"]]) {
    const { stdout } = await tint(folder, args);
    expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(stdout).not.toContain("\nrm");
  }
});

test("leads show names every fact in plain words", async () => {
  using folder = await shopWithLead({
    details: {
      company_name: "Acme",
      film_goals: ["privacy", "heat_reduction"],
      needs_ladder: true,
      square_footage: 350.5,
      windows: [{ width_in: 36, height_in: 60, quantity: 8, label: "front" }],
      ...{ date: "2026-11-23", time: "09:00", coverage: "front2", addons: ["windshield_strip"], jurisdiction: "US-GA" },
      estimate: { total: 598, valid_until: "2026-12-05" },
      ...{ estimate_id: "e1.abc", quote_request_id: "r-1" },
    },
    consent: { confirmed_by_user: true, agent_name: "Helper", statement: "Yes please" },
    userAgent: "Bun/1.4.5",
  });
  const { stdout } = await tint(folder, "leads show lead_a");
  for (const line of [
    /^Came +\w{3} \w{3} \d{1,2}(, \d{4})?, \d+:\d\d [AP]M, 3 h ago, as a quote request$/m,
    /^Through +a program that calls itself Bun\/1\.4\.5$/m,
    /^Company name +Acme$/m,
    /^Film against +privacy, heat reduction$/m,
    /^Ladder +yes$/m,
    /^Glass +350\.5 sq ft$/m,
    /^Windows +8 of 36 x 60 in \(front\)$/m,
    /^Asked for +Mon Nov 23(, 2026)?, 9:00 AM$/m,
    /^Coverage +front two$/m,
    /^Add-ons +windshield strip$/m,
    /^Tint law of +Georgia$/m,
    /^Was told +\$598\.00, valid up to Sat Dec 5(, 2026)?$/m,
    /^Consent +given, “Yes please”, asked by Helper$/m,
  ])
    expect(stdout).toMatch(line);
  expect(stdout).not.toMatch(/e1\.abc|r-1/);
});

test.each([
  [{ agentClass: "owner" }, "the shop"],
  [{ agentClass: "openai" }, "the assistant openai"],
  [{ agentClass: null, userAgent: "Mozilla/5.0 (iPhone; like Mac OS X) Safari/604.1" }, "a web browser"],
])("a lead of %j came through %s", async (given, words) => {
  using folder = await shopWithLead(given);
  expect((await tint(folder, ["leads", "show", "lead_a"])).stdout).toMatch(new RegExp(`^Through +${words}$`, "m"));
});

test("the outbox names each message and why it waits, and leaves out reminders", async () => {
  using folder = await shopWithLead();
  const plain = await tint(folder, ["outbox"]);
  expect(plain.stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(plain.stdout).toMatch(/1 +waiting +news for the shop +.* 0 +texts are off: see tint setup +/);
  expect(plain.stderr).toBe("2 more are for you alone and never sent; see them with --all.\n");
  const on = { TWILIO_ACCOUNT_SID: "AC1", TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+14045550142" };
  expect((await tint(folder, ["outbox"], { env: on })).stdout).not.toContain("off:");
});

test("outbox retry makes a waiting or failed job due now", async () => {
  using folder = await shopWithLead();
  sql(folder.database, "UPDATE jobs SET status = 'failed', last_error = 'no such number' WHERE id = 1");
  sql(folder.database, "UPDATE jobs SET status = 'lapsed' WHERE id = 3");
  const listed = await tintJson(folder, ["outbox"]);
  expect(listed.map(({ id, status }: { id: number; status: string }) => [id, status])).toEqual([
    [1, "failed"],
    [2, "waiting"],
  ]);
  const before = NOW.epochMilliseconds;
  const off = "texts are off: see tint setup";
  await expectRefusals(folder, [
    ["outbox retry 1", 0, `Message 1 is due now, but stays until it can be sent (${off}).\n`],
    ["outbox retry 2", 0, "Reminder 2 is due now: see tint leads. It is never sent.\n"],
  ]);
  const due = `due_at BETWEEN ${before} AND ${before + 60_000}`;
  expect(sql(folder.database, `SELECT id FROM jobs WHERE status = 'waiting' AND ${due}`)).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
  await expectRefusals(folder, [
    ["outbox retry 3", 1, "lapsed"],
    ["outbox retry 99", 1, "There is no message 99"],
    ["outbox retry x", 2, "is not the number"],
  ]);
});

test("long lists end at --limit and say so", async () => {
  using folder = await shopWithLead();
  const store = openSqliteStore(folder.data);
  await store.addLead(newLead({ reference: "Q-7F3A1C" }));
  for (const name of ["one", "two", "three"]) await store.addKey(newKey({ name, email: `${name}@example.com` }));
  for (const time of ["09:00", "10:00", "11:00"]) await store.book(newBooking({ date: "2030-01-02", time }), 3, []);
  await store.close();
  const LISTS: [string[], number][] = [
    [["leads", "--status", "all"], 5],
    [["keys"], 3],
    [["bookings", "--date", "2030-01-02"], 3],
    [["outbox", "--all"], 3],
  ];
  for (const [list, all] of LISTS) {
    const rows = async (...more: string[]) => {
      const { status, stdout, stderr } = await tint(folder, [...list, ...more, "--json"]);
      return { list, status, count: JSON.parse(stdout).length, stderr };
    };
    expect(await rows()).toEqual({ list, status: 0, count: all, stderr: "" });
    const short = await rows("--limit", "1");
    expect(short.stderr).toMatch(/shown; --limit( \d+)? shows .*\.\n$/);
    expect(short.count).toBeLessThan(all);
    const says = "It is a whole number from 1 to 1000000.";
    await expectRefusals(
      folder,
      ["0", "-1", "many", "1e3"].map((limit) => [[...list, "--limit", limit], 2, says] as const),
    );
  }
});

test("a note leaves the state alone and is not called a move; an amount is written into the note of a won lead", async () => {
  using folder = await shopWithLead();
  const noted = await tint(folder, ["leads", "note", "Q-7F3A1B", "calls", "back"]);
  expect(noted).toEqual({ status: 0, stdout: "", stderr: "Noted on lead Q-7F3A1B (Jordan Sample).\n" });
  expect((await tint(folder, ["leads", "note", "Q-7F3A1B", " "])).status).toBe(2);
  await tint(folder, ["leads", "quoted", "Q-7F3A1B"]);
  const again = await tint(folder, ["leads", "quoted", "Q-7F3A1B", "--amount", "300", "--note", "by phone"]);
  expect(again.stderr).toBe("Noted on lead Q-7F3A1B (Jordan Sample): $300.00; by phone.\n");
  await tint(folder, ["leads", "won", "Q-7F3A1B", "--amount", "$1,299", "--note", "pays in cash"]);
  expect((await tint(folder, ["leads", "won", "Q-7F3A1B", "--amount", "much"])).status).toBe(2);
  const show = async () => await tintJson(folder, ["leads", "show", "Q-7F3A1B"]);
  const { history, status, won_amount } = await show();
  expect([status, won_amount, history.map(({ note }: { note: string }) => note)]).toEqual([
    "won",
    1299,
    ["calls back", null, "$300.00; by phone", "$1,299.00; pays in cash"],
  ]);
  const { stdout } = await tintCsv(folder, ["leads", "--status", "all"]);
  expect(stdout).toMatch(/^lead,status,came_at,.*\nQ-7F3A1B,won,2.*,Jordan Sample,\(404\) 555-0111,.*,1299,,300\n/);
  await tint(folder, ["leads", "reopen", "Q-7F3A1B"]);
  expect((await show()).won_amount).toBeNull();
});

test("a dropped message is never sent, and cannot be tried again", async () => {
  using folder = await shopWithLead();
  expect((await tint(folder, ["outbox", "drop", "1"])).stderr).toBe("Message 1 is dropped; it is never sent.\n");
  expect(sql(folder.database, "SELECT status, payload FROM jobs WHERE id = 1")).toEqual([
    { status: "lapsed", payload: "{}" },
  ]);
  await expectRefusals(folder, [
    ["outbox drop 1", 1, ""],
    ["outbox retry 1", 1, ""],
    ["outbox drop 99", 1, "There is no message 99"],
    ...["outbox drop x", "outbox drop", "outbox drop 1 --failed"].map((line) => [line, 2, ""] as const),
  ]);
  sql(folder.database, "UPDATE jobs SET status = 'failed' WHERE id = 1");
  expect((await tint(folder, ["outbox", "drop", "--failed"])).stderr).toBe("1 failed message is dropped.\n");
});

test("a booking wins the lead it comes from, also one that had ended", async () => {
  using folder = await shopWithLead({ kind: "quote_request", serviceType: "automotive" });
  const id = "Q-7F3A1B";
  const book = (date: string) =>
    tint(folder, ["leads", "book", id, "suv", "--date", date, "--time", "9am", "--anyway"]);
  await tint(folder, ["leads", "lost", id]);
  const booked = await book("2027-03-08");
  expect(booked).toMatchObject({ status: 0, stderr: expect.stringContaining("(Jordan Sample): lost → won, $349.00.") });
  const history = async () =>
    (await tintJson(folder, `leads show ${id}`)).history.map(
      ({ status, note }: { status: string; note: string | null }) =>
        `${status} ${note?.replace(/[0-9A-Z]{8}/, "CODE")}`,
    );
  expect(await history()).toEqual(["lost undefined", "won booked as CODE"]);
  // Won by word of mouth before: the history says which booking it became.
  expect((await book("2027-03-09")).stderr).toContain("(Jordan Sample) stays won.");
  expect((await history()).slice(2)).toEqual(["won booked as CODE"]);
});

test("who calls is written down, with a reminder inside opening hours; the booking knows what was said", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.blocked_dates": [{ date: dateFromNow(3) }] });
  const who = ["--name", "Robin Example", "--phone", "404-555-0143"];
  const said = ["--vehicle", "21 hylander", "--film", "caramic", "--note", "before Christmas"];
  const added = await tint(folder, ["leads", "add", ...who, ...said, "--call", dateFromNow(3), "--json"]);
  expect(added).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^Lead Q-\w{6} \(Robin Example\) is new\. To call back: .* Understood as Toyota Highlander\. "caramic" is understood as ceramic\.\n/,
    ),
  });
  const lead = JSON.parse(added.stdout);
  // The day is blocked, so the next opening counts.
  expect(lead.next_follow_up_at).toStartWith(`${dateFromNow(4)}T09:00`);
  expect(lead).toMatchObject({ status: "new", agent_class: "owner", phone: "+14045550143" });
  expect((await tint(folder, ["leads"])).stdout).toContain("Robin Example");
  const at = ["--date", dateFromNow(5), "--time", "9am", "--json"];
  const booked = await tint(folder, ["leads", "book", lead.reference, ...at]);
  expect(JSON.parse(booked.stdout)).toMatchObject({
    customer: { name: "Robin Example", phone: "+14045550143" },
    film_type: "ceramic",
    vehicle: { type: "suv", year: 2021, make: "Toyota", model: "Highlander" },
  });
  await expectRefusals(folder, [[`leads call ${lead.reference} ${dateFromNow(6)}`, 1, "is won and so has ended"]]);
  await tint(folder, ["leads", "reopen", lead.reference]);
  // The last time said counts, inside opening hours, and ends with the next step.
  const early = await tint(folder, ["leads", "call", lead.reference, dateFromNow(6), "7am"]);
  expect(early.stderr).toMatch(/9:00 AM\. \w+ \w+ \d+, 7:00 AM is outside your hours: it is due when you open\.\n/);
  const past = await tint(folder, ["leads", "call", lead.reference, "yesterday"]);
  expect(past.stderr).toContain(" is past: it is due ");
  await tint(folder, ["leads", "call", lead.reference, dateFromNow(6), "10am"]);
  const called = await tint(folder, ["leads", "call", lead.reference, dateFromNow(7), "10am", "--json"]);
  expect(called.stderr).toMatch(
    /^Lead Q-\w{6} \(Robin Example\), to call back: .*, 10:00 AM → .*, 10:00 AM\.\nTo undo it: tint leads call Q-\w{6} \d{4}-\d\d-\d\d 10:00\n$/,
  );
  // The undo that is printed is a command, and none takes the reminder away.
  const [, undo = ""] = /To undo it: tint (.*)\n/.exec(called.stderr) ?? [];
  expect((await tint(folder, undo.split(" "))).stderr).toContain(
    `To undo it: tint leads call ${lead.reference} ${dateFromNow(7)} 10:00`,
  );
  const none = await tint(folder, ["leads", "call", lead.reference, "none", "--json"]);
  expect([JSON.parse(none.stdout).next_follow_up_at, none.stderr]).toEqual([null, expect.stringContaining("→ none.")]);
  expect(JSON.parse(called.stdout).next_follow_up_at).toStartWith(`${dateFromNow(7)}T10:00`);
  const reached = await tint(folder, ["leads", "contacted", lead.reference, "--json"]);
  expect(JSON.parse(reached.stdout).next_follow_up_at).toBeNull();
  await tint(folder, ["leads", "call", lead.reference, dateFromNow(3)]);
  const back = await tintJson(folder, ["leads", "show", lead.reference]);
  expect(back.next_follow_up_at).toStartWith(`${dateFromNow(4)}T09:00`);
  const soon = await tintJson(folder, ["leads", "add", ...who]);
  expect(Date.parse(soon.next_follow_up_at)).toBeGreaterThan(NOW.epochMilliseconds - 60_000);
  const wrong = ["leads", "add", "--name", "x".repeat(101), "--phone", "12", "--call", "zz"];
  await expectRefusals(folder, [[wrong, 2, /^zz is not a date[\s\S]*--name must have[\s\S]*--phone must be/]]);
});

test("a site visit has where to go and the service's usual length; a car the price that was quoted", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.default_minutes.2": 60 });
  const run = async (...words: string[]) => await tintJson(folder, words);
  const house = ["--service", "residential", "--address", "12 Elm St", "--square-footage", "200"];
  const { reference: site } = await run("leads", "add", "--name", "Kim", "--phone", "404-555-0177", ...house);
  const at = ["--date", dateFromNow(3), "--time", "10:00"];
  const visit = await run("book", "--lead", site, "--note", "gate 4", ...at);
  expect(visit).toMatchObject({ estimate: null, special_requests: "At 12 Elm St. gate 4", service: "residential" });
  expect(Date.parse(visit.end) - Date.parse(visit.start)).toBe(3_600_000);
  const { reference: car } = await run("leads", "add", "--name", "Ann", "--phone", "404-555-0178", "--vehicle", "suv");
  await run("leads", "quoted", car, "--amount", "480");
  expect((await run("book", "--lead", car, "--date", dateFromNow(4), "--time", "10:00")).estimate.total).toBe(480);
});
