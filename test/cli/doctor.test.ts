/** `tint doctor`: every check, good and bad, and the advice. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { checkCrm, checkMail, checkSms } from "../../cli/doctor/messaging.ts";
import { textRules } from "../../src/jobs/text-rules.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { catalogWith } from "../helpers.ts";
import { freePort, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { holdOneText, newJob, newLead } from "../store/conformance.ts";
import { tint } from "./run.ts";

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
  return { status, stderr, line: (name: string) => checks.find((check) => check.name === name) };
}

test("a running shop has no problem", async () => {
  using folder = shopFolder();
  await using server = await startServer(folder);
  const { status, line } = await doctor(folder, { PORT: String(server.port) });
  expect(status).toBe(0);
  for (const name of ["catalog", "database", "writing", "messages", "privacy", "disk", "clock", "port", "crm"])
    expect(line(name)).toMatchObject({ level: "ok" });
  expect(line("port")?.message).toContain("the API answers");
  const { stdout } = await tint(folder, ["doctor"], { env: { PORT: String(server.port) } });
  expect(stdout).toMatch(/^check +state +what was found\n/);
  expect(stdout).toContain("→ ");
});

test("before the first start: warnings, no problem, and no file is made", async () => {
  using folder = shopFolder();
  const { status, line } = await doctor(folder);
  expect(status).toBe(0);
  expect(line("database")).toMatchObject({ level: "warning" });
  expect(line("port")).toMatchObject({ level: "warning" });
  expect(existsSync(folder.data)).toBe(false);
});

test("examples left in the catalog, and a file in the place of the folder", async () => {
  using folder = shopFolder({ "business.geo": { latitude: 0, longitude: 0 } });
  writeFileSync(folder.data, "");
  const { status, line } = await doctor(folder);
  expect(status).toBe(1);
  expect(line("addresses")).toMatchObject({ level: "warning" });
  expect(line("addresses")?.message).toContain("business.url");
  expect(line("addresses")?.message).toContain("business.geo");
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
  const { line: lineOf } = await doctor(folder, { PORT: "99999" });
  expect(lineOf("settings")?.message).toContain("PORT");
});

test.each([
  [4, "ok"],
  [6, "fault"],
])("a lead written %d minutes from now: the clock is %s", async (minutes, level) => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  await store.addLead(newLead({ createdAt: Date.now() + minutes * 60_000 }));
  await store.close();
  expect((await doctor(folder)).line("clock")).toMatchObject({ level });
});

test.each([0o644, 0o640, 0o620])("a database with mode %o is open to other users; a line mends it", async (mode) => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  chmodSync(folder.database, mode);
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
  const now = Date.now();
  const job = newJob("notify_shop_sms", { dueAt: now - 3_600_000 });
  await store.addLead(newLead({ createdAt: now + 86_400_000, jobs: [job] }));
  await holdOneText(store, textRules(catalogWith({ "messages.sms_per_hour": 1 }), now), now);
  await store.close();
  const { status, line } = await doctor(folder);
  expect(status).toBe(1);
  expect(line("texts")).toMatchObject({
    level: "warning",
    message: "1 text to customers waits: the hourly limit of texts is reached",
  });
  expect(line("clock")).toMatchObject({ level: "fault" });
  expect(line("messages")).toMatchObject({ level: "warning", message: "1 not delivered, the oldest due 1 h ago" });

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
    [{ ...SMS, TWILIO_FROM: `MG${"0".repeat(32)}` }, "ok"],
    [{ ...SMS, TWILIO_AUTH_TOKEN: "" }, "fault"],
    [{ ...SMS, TWILIO_ACCOUNT_SID: "SK123" }, "fault"],
    [{ ...SMS, TWILIO_FROM: "404-555-0142" }, "fault"],
    [{ ...SMS, TWILIO_BASE_URL: "http://127.0.0.1:1" }, "warning"],
  ])("sms %p: %s", (settings, level) => expect(checkSms(settings).level).toBe(level as "ok"));

  test.each([
    [{}, "ok"],
    [CRM, "ok"],
    [{ ...CRM, CRM_WEBHOOK_URL: "http://127.0.0.1:8080/hook" }, "ok"],
    [{ ...CRM, CRM_WEBHOOK_URL: "http://crm.example.com/hook" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_URL: "file:///etc/passwd" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_URL: "crm" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_SECRET: "" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_SECRET: "whsec_c2hvcnQ=" }, "fault"],
    [{ ...CRM, CRM_WEBHOOK_SECRET: "password" }, "fault"],
  ])("crm %p: %s", (settings, level) => {
    const check = checkCrm(settings);
    expect(check.level).toBe(level as "ok");
    // A secret is never shown.
    expect(JSON.stringify(check)).not.toContain("whsec_e");
  });

  const MAIL = { SMTP_URL: "smtps://desk:pass-word@mail.example.com:465", MAIL_FROM: "Shop <desk@example.com>" };
  test.each([
    [{}, [], "ok"],
    [{}, ["reminder_email"], "fault"],
    [MAIL, ["reminder_email"], "ok"],
    [{ ...MAIL, MAIL_FROM: "desk@example.com" }, [], "ok"],
    [{ ...MAIL, MAIL_FROM: "" }, [], "fault"],
    [{ ...MAIL, MAIL_FROM: "the desk" }, [], "fault"],
    [{ ...MAIL, MAIL_FROM: "a@example.com\r\nBcc: b@example.com" }, [], "fault"],
    [{ ...MAIL, SMTP_URL: "mail.example.com" }, [], "fault"],
    [{ ...MAIL, SMTP_URL: "smtp://" }, [], "fault"],
  ])("mail %p, in use %p: %s", (settings, inUse, level) => {
    const check = checkMail(settings, inUse);
    expect(check.level).toBe(level as "ok");
    expect(JSON.stringify(check)).not.toContain("pass-word");
  });
});
