/** How the command line and the running server speak to an owner: in plain words, on any terminal, for a spreadsheet. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { siteProblem } from "../../cli/doctor/server.ts";
import { screens } from "../../cli/screens/index.ts";
import { readableLog } from "../../cli/server/readable-log.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../fixed-day.ts";
import { dateIn, freePort, OPEN_DAILY, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { openShop } from "../screens/shop.ts";
import { newBooking, newJob } from "../store/conformance-values.ts";
import { FOR_LOCALHOST, KEY } from "./certificates.ts";
import { tint, tintCsv, tintJson, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(120_000);

const FORBIDDEN = /\b(VLT|jurisdictions?|outbox|fault|faults|faulty)\b/i;
/** Names of commands, flags and extras of the example shop that hold such a word. */
const NAMES = /tint outbox|--jurisdiction|^ +outbox|no-fault|\{[^}]*\}/gim;
/** A date or a time in a form for programs. */
const FOR_PROGRAMS = /\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d\b(?! ?[AP]M)/;

test("no screen has a word, a date or a time of the API", async () => {
  await using api = openShop();
  await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.ask();
  const home = await openOn(api.folder, "home", { columns: 120, rows: 40, sees: "Today: 1" });
  // The screen that finds a customer begins with a question, which takes every key.
  for (const { key } of screens.menu.filter(({ name }) => name !== "find")) {
    await home.press(key).lose("Today: 1");
    await home.lose("One moment…");
    await home.press("?").see("Esc close the help");
    await home.press("esc").lose("Esc close the help");
    await home.press("esc").see("Today: 1");
  }
  const wrong = home.frames().flatMap((frame) => {
    const lines = frame.replace(NAMES, "").split("\n");
    return lines.filter((line) => FORBIDDEN.test(line) || FOR_PROGRAMS.test(line)).map((line) => line.trim());
  });
  expect([...new Set(wrong)]).toEqual([]);
});

const HOURS = "9:00 AM–";

test.each([
  [{ LANG: "en_US.ISO-8859-1" }, false],
  [{ LC_CTYPE: "POSIX", LANG: "en_US.UTF-8" }, false],
  [{ LC_ALL: "C.utf8", LANG: "C" }, true],
  [{}, true],
])("with %j", async (env, hasMarks) => {
  using folder = shopFolder(OPEN_DAILY);
  const day = ["day", dateIn(3)];
  const suv = ["book", "suv", "--film", "ceramic", "--name", "José", "--phone", "404-555-0171", "--anyway"];
  expect((await tintToday(folder, [...suv, "--date", dateIn(3), "--time", "09:00"])).status).toBe(0);
  const sheet = (await tintOnTerminal(folder, 80, day, { LC_ALL: "", LC_CTYPE: "", LANG: "", ...env })).join("\n");
  expect(sheet).toContain("José");
  expect(sheet.includes(HOURS)).toBe(hasMarks);
  expect(sheet.includes(HOURS.replace("–", "-"))).toBe(!hasMarks);
  expect(sheet.includes(" · 1 booking")).toBe(hasMarks);
  // A file or a pipe is UTF-8 wherever it is written.
  expect((await tint(folder, day, { env, now: "machine" })).stdout).toContain(HOURS);
});

/** A half-space between the two parts, as Persian writes it. */
const PERSIAN = "علی\u200cرضا";

test("every list keeps names, phones and codes as they are", async () => {
  await using api = openShop({}, NOW);
  const booked = { date: "2026-11-24", time: "09:00", customer_email: "ali@example.com" };
  await api.book({ ...booked, customer_name: `${PERSIAN} 👨\u200d👩\u200d👧`, customer_phone: "+1 678 231 7001" });
  await api.book({ ...booked, customer_name: "Kate", customer_phone: "+44 20 7946 0958", time: "14:00" });
  await api.ask({ first_name: PERSIAN, phone: "+1 678 231 7001" });
  await tint(api.folder, ["keys", "issue", "--name", "=cmd", "--email", "agent@example.com"]);
  using db = new Database(api.folder.database);
  db.run("UPDATE bookings SET confirmation_code = '12345E67' WHERE start_at = (SELECT max(start_at) FROM bookings)");

  const { stdout: bookings } = await tintCsv(api.folder, ["bookings"]);
  expect(bookings).toContain(`,${PERSIAN} 👨\u200d👩\u200d👧,(678) 231-7001,ali@example.com,`);
  expect(bookings).toContain(",'12345E67,Kate,(+44) 20 7946 0958,ali@example.com,");
  const { stdout: leads } = await tintCsv(api.folder, ["leads", "--status", "all"]);
  expect(leads).toContain(`,${PERSIAN},(678) 231-7001,`);
  expect((await tintCsv(api.folder, ["find", "kate"])).stdout).toContain("\nKate,(+44) 20 7946 0958,");
  const { stdout: keys } = await tintCsv(api.folder, ["keys"]);
  expect(keys).toMatch(
    /^key,prefix,name,email,use_case,per_minute,issued_at,network,revoked_at\nkey_\w+,tint_\w+,'=cmd,agent@example.com,,\d+,2\S+,,\n$/,
  );
  const { stdout: outbox } = await tintCsv(api.folder, ["outbox"]);
  expect(outbox).toMatch(/^id,state,what,due,lead,name,tries,reason,to,text\n/);
  expect(outbox).toContain(`,${PERSIAN},`);
  await tintCsv(api.folder, ["report"]);
  // What the cells hold finds the customer again, and lists on the screen show the same name.
  for (const cell of ["'12345E67", "(+44) 20 7946 0958"])
    expect((await tint(api.folder, ["find", cell])).stdout).toContain("Kate");
  expect((await tint(api.folder, ["leads"])).stdout).toContain(PERSIAN);
  expect((await tint(api.folder, ["leads", "--json"])).stdout).toStartWith("[{");
});

test("TERM=dumb gets the help in place of the home screen", async () => {
  using folder = shopFolder();
  const lines = await tintOnTerminal(folder, 80, [], { TERM: "dumb" });
  expect(lines[0]).toStartWith("Usage: tint");
});

test("a data folder that cannot be looked into is no empty shop", async () => {
  using folder = shopFolder();
  symlinkSync(folder.data, folder.data);
  // Nor does a copy look for another folder, and a word that bookings to come may need is not removed.
  for (const line of ["bookings", "backup copy.db", "addon remove sunroof"]) {
    const { status, stdout, stderr } = await tint(folder, line.split(" "));
    expect([line, status, stdout, stderr]).toEqual([line, 1, "", expect.stringContaining("cannot be used (")]);
  }
});

test("in a folder without a catalog nothing is made, and the folder is named", async () => {
  using folder = shopFolder();
  rmSync(folder.catalog);
  const data = join(folder.path, "wrong");
  for (const args of [["keys", "issue", "--name", "A", "--email", "a@example.com"], ["calendar", "link"], ["book"]]) {
    const { status, stderr } = await tint(folder, [...args, "--data", data]);
    expect([args[0], status, stderr.includes(`Looked in ${folder.path}.`)]).toEqual([args[0], 1, true]);
  }
  expect(readdirSync(folder.path)).not.toContain("wrong");
});

test("hours in which no job fits are told by catalog check", async () => {
  using folder = shopFolder({
    "business.special_hours": [],
    "business.hours.monday": [{ opens: "09:00", closes: "09:30" }],
  });
  const { status, stdout, stderr } = await tint(folder, ["catalog", "check", "--json"]);
  expect([status, JSON.parse(stdout).notes.length]).toEqual([0, 1]);
  expect(stderr).toContain("no job fits on monday");
});

test("the address of the calendar says so while no phone reaches it", async () => {
  using folder = shopFolder();
  const link = async (env: Record<string, string>) => (await tint(folder, ["calendar", "link"], { env })).stderr;
  expect(await link({})).toContain("no phone reaches this address");
  expect((await tint(folder, ["calendar", "off"])).status).toBe(0);
  expect(await link({ TINT_SITE_URL: "https://book.lakeside.test" })).not.toContain("Note");
});

test("messages that lapsed are listed with the reason; waiting texts show the shop's number of today", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "alerts.to": ["+14045550199"] });
  const store = openSqliteStore(folder.data);
  const jobs = [newJob("notify_shop_sms", { dueAt: NOW.epochMilliseconds })];
  const startAt = NOW.epochMilliseconds + 86_400_000;
  const [kept, gone] = ["7F3A1B0C", "7F3A1B0D"].map((confirmationCode) =>
    newBooking({ confirmationCode, startAt, lead: { jobs } }),
  );
  for (const booking of [kept, gone]) if (booking) await store.book(booking, 2, []);
  await store.close();
  await tint(folder, ["bookings", "cancel", "7F3A1B0D"]);
  const listed = async (...flags: string[]) => await tintJson(folder, ["outbox", ...flags]);
  expect(await listed()).toMatchObject([{ lead: kept?.lead.reference, status: "waiting", to: "+14045550199" }]);
  expect((await tint(folder, ["outbox"])).stdout).toContain("(404) 555-0199");
  expect(await listed("--lapsed")).toMatchObject([
    { lead: gone?.lead.reference, status: "lapsed", last_error: "its booking ended before the text was sent" },
  ]);
});

describe("the running server", () => {
  const AT = Temporal.Instant.from("2026-11-23T15:05:00Z");
  /** What is written of these lines, without the time. */
  const saidOf = (...lines: object[]) => {
    const written: string[] = [];
    const log = readableLog((text) => written.push(text));
    for (const fields of lines) log.write(JSON.stringify({ level: 30, time: AT.epochMilliseconds, ...fields }));
    log.flush();
    return written.map((line) => line.replace(/^ {0,1}\d{1,2}:\d\d [AP]M {2}/, "").trimEnd());
  };
  const said = (fields: object) => saidOf(fields).join("\n");
  const request = (fields: object) => said({ msg: "request", method: "POST", path: "/api/v1/bookings", ...fields });

  test("begins with the time of the shop's clock", () => {
    let written = "";
    const log = readableLog((text) => {
      written = text;
    });
    const line = (fields: object) => {
      log.write(JSON.stringify({ level: 30, time: AT.epochMilliseconds, ...fields }));
      return written;
    };
    const { hour } = AT.toZonedDateTimeISO(Temporal.Now.timeZoneId());
    expect(line({ msg: "stopped" })).toMatch(new RegExp(`^ ?${hour % 12 === 0 ? 12 : hour % 12}:\\d\\d [AP]M  Closed`));
    line({ msg: "Tintdesk is listening", url: "http://[::1]/", shop: "Lone Star Tint", timezone: "Asia/Kolkata" });
    expect(line({ msg: "stopped" })).toBe(" 8:35 PM  Closed.\n");
  });

  test.each([
    ["http://127.0.0.1:3000/", "open at http://127.0.0.1:3000. Only this computer can reach it. Ctrl-C closes."],
    ["http://0.0.0.0:80/", "open at http://0.0.0.0. Other computers can reach it. Ctrl-C closes."],
  ])("says where the shop is open: %s", (url, words) => {
    expect(said({ msg: "Tintdesk is listening", url, shop: "Lone Star Tint" })).toBe(`Lone Star Tint is ${words}`);
  });

  test("what customers did is told, and what was refused; reading is not", () => {
    expect(request({ status: 201, did: "book_appointment", agentClass: "openai" })).toBe(
      "A booking was made. tint bookings shows it (through openai).",
    );
    expect(request({ status: 409, error: "SLOT_TAKEN" })).toBe("A booking or a change of one was refused: slot taken.");
    expect(request({ status: 200 })).toBe("");
    expect(request({ status: 200, method: "GET", path: "/api/v1/faq", did: "get_faq" })).toBe("");
  });

  test("messages that end alike are counted, with the next try; another line is not held up", async () => {
    const postponed = (kind: string, againInMs: number, reason = "Twilio answered 500") => ({
      ...{ msg: "job postponed", level: 40, kind, reason, againInMs },
    });
    const texts = Array.from({ length: 7 }, (_, i) => postponed("reminder_sms", 4_000 + i));
    expect(
      saidOf(...texts, postponed("confirmation_sms", 3_900), postponed("push_to_crm", 3_600_000, "no answer"), {
        msg: "stopped",
      }),
    ).toEqual([
      "Not sent yet: 8 texts (Twilio answered 500), next try in 4 s.",
      "Not sent yet: lead to your CRM (no answer), next try in 1 h.",
      "Closed.",
    ]);
    const failed = { msg: "job failed for good; see tint outbox", kind: "reminder_email", reason: "no such user" };
    expect(saidOf(failed, failed)).toEqual(["Not sent: 2 e-mails (no such user). See tint outbox."]);
    const { promise, resolve } = Promise.withResolvers<string>();
    readableLog(resolve).write(JSON.stringify({ time: AT.epochMilliseconds, msg: "job done", kind: "ready_sms" }));
    expect(await promise).toContain("Sent: text that the vehicle is ready.");
  });

  test("messages, settings and the catalog", () => {
    expect(said({ msg: "job done", kind: "reminder_sms" })).toBe("Sent: reminder text.");
    expect(said({ msg: "job postponed", kind: "push_to_crm", reason: "no answer" })).toBe(
      "Not sent yet: lead to your CRM (no answer).",
    );
    expect(said({ msg: "not configured; messages wait in the outbox", off: ["sms", "email"] })).toStartWith(
      "Messages wait: texts, e-mails are off: see tint setup.",
    );
    const changed = ["scheduling.bays: 2 → 3"];
    expect(said({ msg: "catalog reloaded", level: 40, changed, notes: ["catalog.yaml:3:1: doubtful."] })).toBe(
      "The catalog was changed; the new one is in force.\n  scheduling.bays: 2 → 3\n  Note: catalog.yaml:3:1: doubtful.",
    );
    expect(said({ msg: "catalog refused; the last good one stays in force", issues: ["a:1:1: no"] })).toEndWith(
      "a:1:1: no",
    );
  });

  test("every other warning and error is shown with its facts; other lines are not", () => {
    expect(said({ msg: "something", level: 30 })).toBe("");
    expect(said({ msg: "slow", level: 40, ms: 5 })).toBe('Warning: slow {"ms":5}');
    expect(said({ msg: "request failed", level: 50, err: { message: "boom" } })).toBe("Error: request failed: boom");
  });

  /** @param trusted the issuer that the caller trusts, beside the public ones */
  async function reasonAt(url: string, trusted?: string, signal?: AbortSignal): Promise<string> {
    try {
      await fetch(url, { ...(trusted && { tls: { ca: trusted } }), ...(signal && { signal }) });
    } catch (error) {
      return siteProblem(error).reason;
    }
    return "answers";
  }

  test.each([
    [FOR_LOCALHOST, "answers"],
    [undefined, "shows a certificate of an issuer that nobody trusts"],
  ])("a certificate of an issuer that is trusted, or not: with %p it %s", async (trusted, reason) => {
    const tls = { key: KEY, cert: FOR_LOCALHOST };
    await using server = Bun.serve({ port: 0, tls, fetch: () => new Response("here") });
    expect(await reasonAt(`https://localhost:${server.port}/`, trusted)).toBe(reason);
  });

  test("a certificate that is good no more, or for another name, is told by the code of the error", () => {
    const reasonOf = (code: string) => siteProblem(Object.assign(new Error("refused"), { code })).reason;
    expect(reasonOf("CERT_HAS_EXPIRED")).toBe("shows a certificate that has expired");
    expect(reasonOf("ERR_TLS_CERT_ALTNAME_INVALID")).toBe("shows a certificate for another name");
  });

  test("no TLS, nobody there, no such name, no answer", async () => {
    await using plain = Bun.serve({ port: 0, fetch: () => new Response("here") });
    await using silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
    expect(await reasonAt(`https://localhost:${plain.port}/`)).toBe("does not speak TLS");
    expect(await reasonAt(`https://localhost:${freePort()}/`)).toBe("refuses the connection");
    expect(await reasonAt("https://shop.invalid/")).toBe("has no address: the domain is not known");
    const late = await reasonAt(`http://localhost:${silent.port}/`, undefined, AbortSignal.timeout(50));
    expect(late).toBe("does not answer in time");
    expect(siteProblem(new Error("anything else")).reason).toBe("does not answer");
  });
});
