/** `tint doctor`: every check, good and bad, and the advice. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkHours } from "../../cli/doctor/catalog.ts";
import { checkConfirmations, checkCrm, checkDeposits, checkMail, checkSms } from "../../cli/doctor/settings.ts";
import { atAddress } from "../../src/catalog/at-site.ts";
import { CUSTOMER_EMAILS, WEEKDAYS } from "../../src/constants.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../fixed-day.ts";
import { freePort, NO_QUIET, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { CATALOG, catalogText, catalogWith } from "../small-shop.ts";
import { holdOneText, newJob, newLead } from "../store/conformance-values.ts";
import { inStore, saying, tint } from "./run.ts";

setDefaultTimeout(30_000);

interface Line {
  name: string;
  level: string;
  message: string;
  fix?: string;
}

async function doctor(folder: ShopFolder, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = await tint(folder, ["doctor", "--json"], {
    env: { PORT: String(freePort()), ...env },
  });
  const { ok, checks }: { ok: boolean; checks: Line[] } = JSON.parse(stdout);
  for (const { level, fix } of checks) expect(fix !== undefined).toBe(level !== "ok");
  expect(ok).toBe(status === 0);
  return {
    status,
    stderr,
    lines: (name: string) => checks.filter((check) => check.name === name),
    line: (name: string) => checks.find((check) => check.name === name),
  };
}

test("a running shop has no problem; a health check asks the server alone", async () => {
  // A special day that has passed is a warning.
  using folder = shopFolder({ "business.special_hours": [], "alerts.to": ["https://push.example.com/shop"] });
  const check = (port: number, ...more: string[]) =>
    tint(folder, ["doctor", "--server", ...more], { env: { PORT: String(port) } });
  expect(await check(freePort())).toMatchObject(saying(1, "is not running"));
  await using server = await startServer(folder);
  const here = { PORT: String(server.port) };
  const { status, line } = await doctor(folder, here);
  expect(status).toBe(0);
  for (const name of ["catalog", "database", "writing", "messages", "privacy", "disk", "clock", "port"])
    expect(line(name)).toMatchObject({ level: "ok" });
  const { stdout } = await tint(folder, ["doctor"], { env: here });
  expect(stdout).toMatch(/^check +state +what was found\n[\s\S]*→ /);
  // What is set up here counts for nothing beside it.
  expect((await doctor(folder, { ...SMTP, ...here })).line("confirmations")).toMatchObject({ level: "warning" });
  expect(await check(server.port)).toEqual({ status: 0, stdout: "", stderr: "" });
  expect((await check(server.port, "--json")).stdout).toBe('{"ok":true,"status":"ready"}\n');
  folder.write("version: [");
  const broken = await doctor(folder, here);
  expect(broken.line("catalog")).toMatchObject({ level: "fault" });
  const message = "it is ready, with the last good catalog and these settings";
  expect(broken.line("server")).toMatchObject({ level: "ok", message });
});

const SMTP = { SMTP_URL: "smtps://mail.example", MAIL_FROM: "desk@shop.example" };

describe("who is told of bookings", () => {
  const OWN_SITE = { "site.url": "https://lakeside-tint.com" };
  const MOBILE = "+15125550143";
  const E_MAIL = "pat@lakeside-tint.com";
  const STEP = { after: "1h", do: "remind_owner", to: [E_MAIL] };

  const DEAF = "nobody in alerts.to hears of bookings: e-mails are off";
  const PART = `not everybody in alerts.to hears of bookings: ${MOBILE} cannot be reached, because texts are off`;
  const STEPS = { "alerts.to": ["https://ntfy.sh/a"], follow_up: [STEP] };
  test.each([
    [{ ...OWN_SITE, "alerts.to": [E_MAIL] }, {}, [`fault ${DEAF}`]],
    [{ "alerts.to": [E_MAIL] }, {}, [`warning ${DEAF}`]],
    [{ ...OWN_SITE, "alerts.to": [E_MAIL] }, SMTP, ["ok everybody who should hear of bookings can be reached"]],
    [{ ...OWN_SITE, "alerts.to": [E_MAIL, MOBILE] }, SMTP, [`warning ${PART}`]],
    [{ ...OWN_SITE, ...STEPS }, {}, ["fault nobody in follow_up.0.to hears of bookings: e-mails are off"]],
  ])("%j with %j: %j", async (edits, env, said) => {
    using folder = shopFolder(edits);
    const { status, lines } = await doctor(folder, env);
    expect(lines("alerts").map(({ level, message }) => `${level} ${message}`)).toEqual(said);
    expect(status).toBe(said[0]?.startsWith("fault") ? 1 : 0);
  });
});

test("whether customers get confirmations follows from the settings while no server runs", async () => {
  using folder = shopFolder();
  expect((await doctor(folder, SMTP)).line("confirmations")).toMatchObject({ level: "ok" });
  expect((await doctor(folder)).line("confirmations")).toMatchObject({ level: "warning" });
});

describe("what the running server sees", () => {
  test("its channels and its catalog are compared with those here; it is found wherever it listens, and its word counts", async () => {
    using folder = shopFolder({ "alerts.to": ["pat@lakeside-tint.com"] });
    {
      const CRM = { CRM_WEBHOOK_URL: "https://crm.example", CRM_WEBHOOK_SECRET: `whsec_${btoa("x".repeat(32))}` };
      await using server = await startServer(folder, { env: { ...CRM, ...SMTP } });
      const other = join(folder.path, "other.yaml");
      writeFileSync(other, catalogText({ "scheduling.bays": 7 }));
      const sms = { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`, TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+14045550142" };
      const elsewhere = await doctor(folder, { ...SMTP, ...sms, PORT: String(server.port), TINT_CATALOG: other });
      expect(elsewhere.lines("server").map(({ message }) => message)).toEqual([
        "it works with another catalog than this file",
        "sms is set up here, but off in the server",
        "crm is on in the server, but not set up here",
      ]);
      expect(elsewhere.lines("server")[1]?.fix).toContain("restart the server");
      // `doctor` names another port.
      const { line } = await doctor(folder);
      expect(line("port")?.message).toBe(`the API answers on 127.0.0.1:${server.port}`);
      // What is on in the server is not called off.
      for (const name of ["crm", "email", "alerts", "confirmations"]) expect(line(name)).toMatchObject({ level: "ok" });
      expect(line("email")?.message).toStartWith("on in the running server");
      expect(line("sms")?.message).toBe("texts are off: see tint setup");
      expect((await tint(folder, ["doctor", "--server"], { env: { PORT: "1" } })).status).toBe(0);
      const announced = JSON.parse(readFileSync(join(folder.data, "server.json"), "utf8"));
      expect(announced).toMatchObject({ host: "127.0.0.1", port: server.port, off: ["sms"] });
      expect(statSync(join(folder.data, "server.json")).mode & 0o777).toBe(0o600);

      // Customers reach it at its address, or not. This one leads to this machine, and is none of loopback.
      const site = async (port: number) =>
        (await doctor(folder, { TINT_SITE_URL: `http://0.0.0.0:${port}` })).line("site");
      expect(await site(server.port)).toMatchObject({ level: "ok" });
      expect(await site(freePort())).toMatchObject({
        level: "warning",
        message: expect.stringContaining("refuses the connection"),
        fix: expect.stringContaining("start the web server in front"),
      });
      using website = Bun.serve({ port: 0, fetch: () => new Response("a web site") });
      expect((await site(website.port ?? 0))?.message).toContain("but not as this API (status 200)");
      server.signal("SIGTERM");
      await server.exited;
    }
    expect(existsSync(join(folder.data, "server.json"))).toBe(false);
  });

  test.each([
    [{ TINT_SITE_URL: "https://shop.example" }, "warning", "all of them share one limit"],
    [{ TINT_SITE_URL: "https://shop.example", TINT_TRUSTED_PROXIES: "127.0.0.1" }, "ok", "taken from 127.0.0.1"],
    [{ HOST: "0.0.0.0", TINT_SITE_URL: "http://shop.example" }, "warning", "without TLS"],
    [{ TINT_SITE_URL: "http://localhost:3000" }, "ok", "none"],
  ])("the proxy with %j: %s", async (env, level, words) => {
    using folder = shopFolder();
    expect((await doctor(folder, env)).line("proxy")).toMatchObject({ level, message: expect.stringContaining(words) });
  });
});

describe("hours in which no job fits", () => {
  const CLOSED = Object.fromEntries(WEEKDAYS.map((day) => [day, []]));
  const day = (opens: string, closes: string) => [{ opens, closes }];
  const SHORT = { ...CLOSED, monday: day("09:00", "18:00"), sunday: day("09:00", "09:30") };
  const HALVES = { ...CLOSED, monday: [...day("09:00", "12:00"), ...day("13:00", "16:00")] };
  const LONG =
    "customers cannot book every job for suv, wagon, crossover and van: some take up to 270 minutes, and no day is open for more than 180 at a stretch";
  test.each([
    [SHORT, "warning", "no job fits on sunday (9:00 AM–9:30 AM)"],
    [{ ...CLOSED, sunday: day("09:00", "09:59") }, "fault", "nobody can book"],
    [CLOSED, "fault", "closed all week"],
    [{ ...CLOSED, sunday: day("09:00", "18:00") }, "ok", "every open day"],
    [HALVES, "warning", LONG],
    [{ ...CLOSED, sunday: day("09:00", "13:30") }, "ok", "every open day"],
    [{ ...CLOSED, sunday: day("09:00", "10:00") }, "warning", "no day is open for more than 60 at a stretch"],
  ])("%j: %s", (hours, level, words) => {
    const catalog = catalogWith({ "business.hours": hours, "business.special_hours": [] });
    const finding = checkHours(catalog, Temporal.PlainDate.from("2026-11-21"));
    expect(finding).toMatchObject({ level, message: expect.stringContaining(words) });
  });

  test("a special day ahead counts, one of the past does not", () => {
    const catalog = catalogWith({
      "business.special_hours": [{ date: "2026-12-24", hours: day("09:00", "09:30"), reason: "short" }],
    });
    const on = (date: string) => checkHours(catalog, Temporal.PlainDate.from(date)).level;
    expect([on("2026-12-24"), on("2026-12-25")]).toEqual(["warning", "ok"]);
  });
});

const MAIL = "SMTP_URL=smtps://mail.example\nMAIL_FROM=desk@shop.example\n";

test("settings that other users can read are named", async () => {
  using folder = shopFolder();
  writeFileSync(join(folder.path, ".env"), MAIL, { mode: 0o644 });
  const fix = `chmod 600 ${join(folder.path, ".env")}`;
  expect((await doctor(folder)).line("privacy")).toMatchObject({ level: "fault", fix });
});

test("addresses that TINT_SITE_URL replaces are no examples", async () => {
  using folder = shopFolder();
  expect((await doctor(folder)).line("addresses")).toMatchObject({ level: "warning" });
  const { line } = await doctor(folder, { TINT_SITE_URL: `http://0.0.0.0:${freePort()}` });
  expect(line("addresses")).toMatchObject({ level: "ok" });
});

test("before the first start: warnings, no problem, and no file is made", async () => {
  using folder = shopFolder();
  const { status, line } = await doctor(folder);
  expect(status).toBe(0);
  expect(line("database")).toMatchObject({ level: "warning" });
  expect(line("port")).toMatchObject({ level: "warning" });
  expect(existsSync(folder.data)).toBe(false);
});

test("a data folder that cannot be looked into is a problem among the others", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  const list = spyOn(fs, "readdirSync").mockImplementation(() => {
    throw Object.assign(new Error("permission denied"), { code: "EACCES" });
  });
  try {
    const message = "no other user of this computer can read the settings";
    expect((await doctor(folder)).line("privacy")).toMatchObject({ level: "ok", message });
  } finally {
    list.mockRestore();
  }
  // Root may enter every folder, but not one that is a link to itself.
  rmSync(folder.data, { recursive: true });
  symlinkSync(folder.data, folder.data);
  const { status, line } = await doctor(folder);
  expect(status).toBe(1);
  expect(line("database")?.message).toContain("cannot be used");
});

test("the log or its index may not be written: the file is named", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const access = fs.accessSync;
  const look = spyOn(fs, "accessSync").mockImplementation((file, mode) => {
    if (String(file).endsWith("-shm")) throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    access(file, mode);
  });
  try {
    const { line } = await doctor(folder);
    expect(line("database")?.message).toBe(`${folder.database}-shm cannot be used (you are not allowed to)`);
  } finally {
    look.mockRestore();
    await store.close();
  }
});

test("examples left in the catalog, and a file in place of the folder", async () => {
  using folder = shopFolder({ "business.geo": { latitude: 0, longitude: 0 } });
  writeFileSync(folder.data, "");
  const { status, line } = await doctor(folder);
  expect(status).toBe(1);
  for (const place of ["business.url (your website", "site.mcp_url (where", "business.geo (your place on the map)"])
    expect(line("addresses")?.message).toContain(place);
  expect(line("database")).toMatchObject({ level: "fault", message: `${folder.data} is a file, not a folder` });
});

test("faults: catalog, database, port, settings", async () => {
  using folder = shopFolder();
  folder.write("version: 2\n");
  mkdirSync(folder.data);
  writeFileSync(folder.database, "this is no database at all".repeat(100), { mode: 0o600 });
  using busy = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("another program") });
  const { status, stderr, line } = await doctor(folder, { PORT: String(busy.port), TWILIO_FROM: "+14045550142" });
  expect(status).toBe(1);
  expect(stderr).toBe("4 problems.\n");
  expect(line("catalog")?.message).toContain("catalog.yaml:1:");
  expect(line("database")?.message).toContain("SQLITE_NOTADB");
  expect(line("database")?.fix).toContain("tint restore FILE");
  expect(line("port")?.message).toContain("not this API");
  expect(line("sms")?.message).toBe("TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN not set");
});

test("settings that keep the server from starting, and slips in .env", async () => {
  using folder = shopFolder();
  const typos =
    "TINT_TRUSTED_PROXY=127.0.0.1\nTWILIO_TOKEN=x\nPOSTGRES_PASSWORD=x\nTINT_DOMAIN=book.lakeside.example\n";
  writeFileSync(join(folder.path, ".env"), typos, { mode: 0o600 });
  const env = { PORT: "99999", LOG_LEVEL: "loud", TINT_METRICS: "9464", SMTP_ALLOW_PLAIN: "yes" };
  const { status, lines } = await doctor(folder, env);
  expect(status).toBe(1);
  expect(lines("settings").map(({ level, message, fix }) => [level, message, fix])).toEqual([
    ["fault", "PORT must be a port number from 0 to 65535", "correct the variable, or unset it"],
    ["fault", expect.stringContaining("LOG_LEVEL must be"), "correct the variable, or unset it"],
    ["fault", "TINT_METRICS must be an address and a port, like 127.0.0.1:9464", "correct the variable, or unset it"],
    ["fault", "SMTP_ALLOW_PLAIN must be true or false", "correct the variable, or unset it"],
    ["warning", expect.stringContaining("TINT_TRUSTED_PROXY, which"), expect.stringContaining("TINT_TRUSTED_PROXIES")],
    ["warning", expect.stringContaining("TWILIO_TOKEN, which"), expect.stringContaining("write TWILIO_AUTH_TOKEN")],
  ]);
});

test("a nightly backup that fails is noticed by the age of the newest copy", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  expect((await doctor(folder)).line("backups")).toBeUndefined();
  expect((await tint(folder, ["backup", "--keep", "2", "backups"])).status).toBe(0);
  expect((await doctor(folder)).line("backups")).toMatchObject({ level: "ok" });
  const days3 = new Date(NOW.epochMilliseconds - 3 * 24 * 3_600_000);
  const [copy = ""] = fs.readdirSync(join(folder.path, "backups")).filter((name) => name.endsWith("Z.db"));
  fs.utimesSync(join(folder.path, "backups", copy), days3, days3);
  const message = `the newest in ${join(folder.path, "backups")} is 3 d old`;
  expect((await doctor(folder)).line("backups")).toMatchObject({ level: "warning", message });
});

test("an address that this machine does not have", async () => {
  using folder = shopFolder();
  const port = (await doctor(folder, { HOST: "192.0.2.1" })).line("port");
  expect([port?.level, port?.message]).toEqual(["fault", expect.stringContaining("this machine has no such address")]);
});

test.each([
  [4, "ok"],
  [6, "fault"],
])("a lead written %d minutes from now: the clock is %s", async (minutes, level) => {
  using folder = shopFolder();
  await inStore(folder, (store) => store.addLead(newLead({ createdAt: NOW.epochMilliseconds + minutes * 60_000 })));
  expect((await doctor(folder)).line("clock")).toMatchObject({ level });
});

test("a database that other users can write is named, with the line that mends it", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  chmodSync(folder.database, 0o620);
  const { status, line } = await doctor(folder);
  expect(status).toBe(1);
  expect(line("privacy")).toMatchObject({
    level: "fault",
    message: `other users of this computer can read ${folder.database}`,
    fix: `chmod 600 ${folder.database}`,
  });
});

test("a clock that went back, stuck messages, a newer database", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const now = NOW.epochMilliseconds;
  const job = newJob("notify_shop_sms", { dueAt: now - 3_600_000 });
  await store.addLead(newLead({ createdAt: now + 86_400_000, jobs: [job] }));
  await holdOneText(store, deliveryRules(catalogWith({ ...NO_QUIET, "messages.sms_per_hour": 1 }), now), now);
  await store.close();
  const { status, line } = await doctor(folder);
  expect(status).toBe(1);
  expect(line("texts")?.message).toBe("1 text to customers waits: the hourly limit of texts is reached");
  expect(line("clock")).toMatchObject({ level: "fault" });
  expect(line("messages")?.message).toMatch(/^1 stuck, for up to 1 h \(lead \S+: not sent yet\)$/);

  const db = new Database(folder.database);
  db.run("PRAGMA user_version = 99");
  db.close();
  expect((await doctor(folder)).line("database")?.message).toContain("newer than this program");
});

describe("settings of messages", () => {
  const SID = `AC${"0123456789abcdef".repeat(2)}`;
  const SMS = { TWILIO_ACCOUNT_SID: SID, TWILIO_AUTH_TOKEN: "secret", TWILIO_FROM: "+14045550142" };
  const CRM = { CRM_WEBHOOK_URL: "https://crm.example.com/hook", CRM_WEBHOOK_SECRET: `whsec_${btoa("x".repeat(32))}` };

  test.each([
    [{}, "warning"],
    [SMS, "ok"],
    [{ ...SMS, TWILIO_AUTH_TOKEN: "" }, "fault"],
    [{ ...SMS, TWILIO_ACCOUNT_SID: "SK123" }, "fault"],
    [{ ...SMS, TWILIO_FROM: "404-555-0142" }, "fault"],
    [{ ...SMS, TWILIO_BASE_URL: "http://127.0.0.1:1" }, "warning"],
  ])("sms %p: %s", (settings, level) => expect(checkSms(settings).level).toBe(level as "ok"));

  test("crm is named where there is one", () => expect(checkCrm({})).toEqual([]));

  test.each([
    [CRM, "ok"],
    [{ ...CRM, CRM_WEBHOOK_URL: "http://127.0.0.1:8080/hook" }, "ok"],
    [{ ...CRM, CRM_WEBHOOK_URL: "http://crm.example.com/hook" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_SECRET: "" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_SECRET: "whsec_c2hvcnQ=" }, "fault"],
  ])("crm %p: %s", (settings, level) => {
    const [check] = checkCrm(settings);
    expect(check?.level).toBe(level as "ok");
    // A secret is never shown.
    expect(JSON.stringify(check)).not.toContain("whsec_e");
  });

  test("e-mails that are on go out where the confirmation, whose entry they correct, is on", () => {
    const mails = (edits: object) =>
      CUSTOMER_EMAILS.filter((kind) => catalogWith({ ...edits }).messaging.customerMessages.has(kind));
    expect(mails({})).toEqual(["paper_email"]);
    expect(mails({ "messages.confirmation_email.enabled": true })).toEqual([
      ...(["confirmation_email", "rescheduled_email", "cancelled_email", "paper_email"] as const),
    ]);
    expect(mails({ "messages.quote_reply_email.enabled": true })).toEqual(["quote_reply_email", "paper_email"]);
  });

  test("says when customers get no confirmation; with a mail server they do", () => {
    const auto = (hasMail: boolean) => atAddress(CATALOG, { siteUrl: null, host: "127.0.0.1", port: 3000, hasMail });
    const none = checkConfirmations(auto(false), ["sms", "email"]);
    expect([none.level, none.message]).toEqual(["warning", "customers get none of their bookings, by e-mail or text"]);
    expect(checkConfirmations(auto(true), ["sms"]).message).toBe("customers get one of each booking, by e-mail");
    const off = catalogWith({ "messages.confirmation_email.enabled": false });
    expect(atAddress(off, { siteUrl: null, host: "", port: 0, hasMail: true }).messaging.customerMessages.size).toBe(
      off.messaging.customerMessages.size,
    );
  });

  const DEPOSIT = { "deposit.amount": 50, "deposit.services": ["automotive"] };
  const STRIPE_KEY = { STRIPE_SECRET_KEY: "sk_live_0123456789" };
  test.each([
    [{}, {}, []],
    [{}, STRIPE_KEY, ["ok"]],
    [DEPOSIT, {}, ["fault"]],
    [DEPOSIT, { STRIPE_SECRET_KEY: "sk_test_0123456789" }, ["warning"]],
    [DEPOSIT, { ...STRIPE_KEY, STRIPE_BASE_URL: "http://127.0.0.1:1" }, ["warning"]],
    [DEPOSIT, { STRIPE_SECRET_KEY: "0123456789" }, ["fault"]],
  ])("deposits %p with %p: %p", (edits, settings, levels) => {
    const found = checkDeposits(catalogWith(edits), settings);
    expect(found.map(({ level }) => level)).toEqual(levels as "ok"[]);
    expect(JSON.stringify(found)).not.toContain("0123456789");
  });

  test("without a key no service asks for a deposit", () => {
    const at = (hasPayments: boolean) =>
      atAddress(catalogWith(DEPOSIT), { siteUrl: null, host: "127.0.0.1", port: 3000, hasPayments }).deposit?.services;
    expect([at(true), at(false)]).toEqual([["automotive"], []]);
  });

  const MAIL = { SMTP_URL: "smtps://desk:pass-word@mail.example.com:465", MAIL_FROM: "Shop <desk@example.com>" };
  test.each([
    [{}, [], "ok"],
    [{}, ["reminder_email"], "fault"],
    [MAIL, ["reminder_email"], "ok"],
    [{ ...MAIL, MAIL_FROM: "" }, [], "fault"],
    [{ ...MAIL, MAIL_FROM: "a@example.com\r\nBcc: b@example.com" }, [], "fault"],
    [{ ...MAIL, SMTP_URL: "mail.example.com" }, [], "fault"],
  ])("mail %p, in use %p: %s", (settings, inUse, level) => {
    const check = checkMail(settings, inUse);
    expect(check.level).toBe(level as "ok");
    expect(JSON.stringify(check)).not.toContain("pass-word");
  });
});
