/** Checks of the database (SQLite or PostgreSQL), its backups, the disk, the clock and the waiting messages. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { unansweredDeposits } from "../../src/capabilities/booking/deposit.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { ALWAYS_YEAR, dayAndDate, dayAndTime } from "../../src/domain/dates-in-words.ts";
import { rfc3339, shopDate } from "../../src/domain/schedule.ts";
import { DAY_MS, MINUTE_MS } from "../../src/lib/durations.ts";
import { codeOf, explainCode, HOW_TO_REPAIR, meansDamage } from "../../src/lib/files.ts";
import { counted } from "../../src/lib/text.ts";
import { heldInWords, heldMessages, overdueJobs } from "../../src/messages/message-rules.ts";
import { type DataLocation, folderOf, shownLocation, type UrlLocation } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { SCHEMA_VERSION, versionError } from "../../src/store/migrations.ts";
import { ClockSkewed, MOST_SKEW_MS } from "../../src/store/postgres/clock.ts";
import { inspectPostgres } from "../../src/store/postgres/migrate.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { type DatabaseFacts, inspectDatabase, MOST_CHECKED, tablesError } from "../../src/store/sqlite/inspect.ts";
import type { DeliveryStatus, Store } from "../../src/store/store.ts";
import { StoreDiffers } from "../../src/store/store-errors.ts";
import { callsInWords } from "../diary/calls.ts";
import { openInWords } from "../diary/entry-text.ts";
import { stuckInWords } from "../server/outbox.ts";
import { scheduledCopies } from "../shop/backup.ts";
import { cannotUse, isFile, postgresAdvice } from "../shop/database.ts";
import { CliError, fileSize } from "../terminal/output.ts";
import { age } from "../terminal/wording.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** Milliseconds that a record may be ahead of the clock before one of the clocks counts as wrong. */
const CLOCK_SLACK = 5 * MINUTE_MS;
const DISK_ERROR = 100 * 1024 ** 2;
const DISK_WARNING = 1024 ** 3;

/** The next step for tables of an earlier version; undefined for those of this one. Doctor upgrades no tables. */
function upgradeToCome(name: string, version: number, found: string, copy: string): Finding | undefined {
  if (version === SCHEMA_VERSION) return undefined;
  const next = version === 0 ? "makes its tables" : `brings it to version ${SCHEMA_VERSION}${copy}`;
  return warning(
    name,
    version === 0 ? `${found}; it has no tables yet` : found,
    `tint serve, or the next command, ${next}`,
  );
}

/** Looks at the database without opening it for writing. The facts are null when it cannot be read. */
export function checkDatabase(folder: string): { facts: DatabaseFacts | null; checks: Finding[] } {
  const name = "database";
  const file = databaseFile(folder);
  const without = (check: Finding) => ({ facts: null, checks: [check] });
  if (isFile(folder))
    return without(problem(name, `${folder} is a file, not a folder`, "name the folder of the database with --data"));
  let used = file;
  try {
    // A folder that cannot be entered throws, because it need not be empty.
    if (!statSync(file, { throwIfNoEntry: false }))
      return without(
        warning(name, `there is none in ${folder} yet`, "tint serve makes it; or name another folder with --data"),
      );
    accessSync(folder, constants.W_OK);
    // The log and its index take over the mode of the database, and keep it when that is corrected.
    for (used of [`${file}-wal`, `${file}-shm`, file])
      if (used === file || existsSync(used)) accessSync(used, constants.W_OK);
    const unknown = tablesError(file);
    if (unknown) return without(problem(name, `${file} ${unknown.reason}`, unknown.wayOut));
    const facts = inspectDatabase(file, MOST_CHECKED);
    const { issues, isChecked, version, bytes } = facts;
    if (issues.length > 0)
      return { facts, checks: [problem(name, `${file} is damaged: ${issues.join("; ")}`, HOW_TO_REPAIR)] };
    const about = `${fileSize(bytes)}, version ${version}`;
    const toCome = upgradeToCome(name, version, `${file} opens: ${about}`, ", and keeps a copy of it as it is");
    if (toCome) return { facts, checks: [toCome] };
    const good = isChecked ? `is sound: ${about}` : `opens: ${about}. tint backup checks a copy in full`;
    return { facts, checks: [ok(name, `${file} ${good}`)] };
  } catch (error) {
    const code = codeOf(error);
    const fix = meansDamage(code)
      ? HOW_TO_REPAIR
      : "let the user that runs tint own the folder and its files, and check that it is a Tintdesk database";
    return without(problem(name, `${used} cannot be used (${explainCode(code)})`, fix));
  }
}

/** Permission bits of everybody but the owner of a file. */
const OTHERS = 0o077;

/** Nobody else may read the files of the database, which hold customers' data, or the settings, which hold passwords. */
export function checkPrivacy(location: DataLocation, settings: string): Finding[] {
  const folder = folderOf(location);
  const names = folder === undefined ? undefined : namesIn(folder);
  const open = [
    ...(names ?? []).filter((name) => name.startsWith("tintdesk")).map((name) => join(folder ?? "", name)),
    settings,
  ].filter((file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS);
  const read = names === undefined ? "the settings" : "the database and the settings";
  if (open.length === 0) return [ok("privacy", `no other user of this computer can read ${read}`)];
  return [
    problem("privacy", `other users of this computer can read ${open.join(", ")}`, `chmod 600 ${open.join(" ")}`),
  ];
}

/** @returns undefined for a folder that cannot be looked into, of which `checkDatabase` tells */
function namesIn(folder: string): string[] | undefined {
  try {
    return existsSync(folder) && !isFile(folder) ? readdirSync(folder) : [];
  } catch {
    return undefined;
  }
}

/** In epoch milliseconds. */
export interface Times {
  now: number;
  /** After how many minutes a message that waits counts as overdue. */
  overdueAfterMinutes: number;
  /** The beginning of the shop's day. */
  today: number;
}

/** Tries to write, and looks for overdue messages and open jobs. Call it for a sound database only. */
export async function checkStore(store: Store, { now, overdueAfterMinutes, today }: Times): Promise<Finding[]> {
  await store.checkWritable();
  const open = await store.notClosed(today);
  const overdue = await overdueJobs(store, { now, afterMinutes: overdueAfterMinutes });
  const held = await heldMessages(store);
  const calls = await store.callsToMake();
  const deposits = await unansweredDeposits(store, now);
  const texts = await store.countTextsByStatus(now - DAY_MS);
  const freed = await store.countFreedNumbers();
  const reasons = texts.undelivered > 0 ? await store.whyUndelivered(now - DAY_MS) : [];
  return [
    ok("writing", "the database can be written"),
    ...open.slice(0, 1).map(({ date }) => {
      const list = `tint bookings --from ${date} --to yesterday --status confirmed lists them`;
      return warning("jobs", openInWords(open), `${list}; complete, no-show or cancel each`);
    }),
    ...(calls.length > 0 ? [warning("calls", callsInWords(calls), "tint calls names them")] : []),
    ...deposits.slice(0, 1).map(({ confirmationCode, lastError }) => {
      const first = `booking ${confirmationCode}: ${lastError ?? "it was not asked"}`;
      const message = `Stripe gives no answer about ${counted(deposits.length, "deposit")} (${first})`;
      const fix = "tint deposit CODE shows each; a refund that Stripe refuses is made there by hand";
      return warning("deposits", message, fix);
    }),
    ...held.map((one) =>
      warning(`${one.what}s`, heldInWords(one), "tint outbox shows them; they go out when there is room"),
    ),
    ...checkDeliveries(texts, reasons),
    ...(freed === 0 ? [] : [ok("stops", `${counted(freed, "number gets", "numbers get")} texts again: ${FREED}`)]),
    overdue.length === 0
      ? ok("messages", stuckInWords(overdue, now))
      : warning("messages", stuckInWords(overdue, now), "tint outbox shows them; tint outbox retry tries one again"),
  ];
}

const FREED = "a carrier's filter had been taken for a STOP";

/** @param texts of the last day by what became of them @returns no finding where none was sent */
function checkDeliveries(
  { sent, delivered, undelivered }: Record<DeliveryStatus, number>,
  reasons: readonly { reason: string; count: number }[],
): Finding[] {
  const all = sent + delivered + undelivered;
  if (all === 0) return [];
  const said = `of ${counted(all, "text")} in the last day ${delivered} arrived, ${sent} may still arrive, ${undelivered} did not`;
  if (undelivered === 0) return [ok("arrival", said)];
  // `it did not arrive (30006: a landline)`, without what the line says already.
  const shortly = (reason: string) => /^it did not arrive \((.+)\)$/.exec(reason)?.[1] ?? "no reason was given";
  const why = reasons.map(({ reason, count }) => `${shortly(reason)} (${count})`).join("; ");
  return [warning("arrival", `${said}. Why: ${why}`, "tint outbox shows which; docs/runbook.md says what helps")];
}

export function checkDisk(folder: string): Finding {
  // Before the first start there is no folder. The nearest parent is on the same disk.
  let nearest = resolve(folder);
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const { bavail, bsize } = statfsSync(nearest);
  const free = bavail * bsize;
  const message = `${fileSize(free)} free for ${folder}`;
  const fix = "free some space: a full disk stops bookings";
  if (free < DISK_ERROR) return problem("disk", message, fix);
  return free < DISK_WARNING ? warning("disk", message, fix) : ok("disk", message);
}

export function checkClock(now: Temporal.Instant, catalog: Shop | null, facts: DatabaseFacts | null): Finding {
  const fix = "set the computer's clock, or switch on network time";
  const newest = facts?.newestAt ?? null;
  const clock = catalog ?? { business: { timezone: "UTC" } };
  // A clock that is wrong may be so by years.
  const inWords = (at: number) => {
    const moment = rfc3339(clock, at);
    return `${dayAndTime(moment.slice(0, 10), moment.slice(11, 16), ALWAYS_YEAR)} (${clock.business.timezone})`;
  };
  const said = inWords(now.epochMilliseconds);
  if (newest !== null && newest > now.epochMilliseconds + CLOCK_SLACK)
    return problem("clock", `it is ${said} here, but the newest lead was written on ${inWords(newest)}`, fix);
  if (catalog && shopDate(catalog, now) < catalog.reviewed_on) {
    const reviewed = dayAndDate(catalog.reviewed_on, ALWAYS_YEAR);
    return warning("clock", `it is ${said} here, before the day on which the prices were last read (${reviewed})`, fix);
  }
  return ok("clock", `it is ${said}${catalog ? " at the shop" : ""}`);
}

/** @param here the finding about this machine's clock: left out while it is good and that of PostgreSQL is not */
export async function checkPostgres(location: UrlLocation, times: Times, here: Finding): Promise<Finding[]> {
  const shown = shownLocation(location);
  let store: Store | undefined;
  try {
    const { server, aheadMs, version, difference } = await inspectPostgres(location.url);
    const unknown = versionError(version) ?? (difference && new StoreDiffers(version, difference));
    if (unknown) return [problem("database", `${shown} ${unknown.reason}`, unknown.wayOut), here];
    const answers = `${shown} answers: PostgreSQL ${server}`;
    const about = version === 0 ? answers : `${answers}, version ${version}`;
    const toCome = upgradeToCome("database", version, about, "; a copy of before is pg_dump's");
    const found = toCome ?? ok("database", about);
    if (Math.abs(aheadMs) > MOST_SKEW_MS) {
      const { reason, wayOut } = new ClockSkewed(aheadMs);
      return [found, problem("clock", reason, wayOut), ...(here.level === "ok" ? [] : [here])];
    }
    if (toCome) return [found, here];
    store = await openStore(location);
    return [found, ...(await checkStore(store, times)), here];
  } catch (error) {
    const known = postgresAdvice(error);
    if (known) return [problem("database", `${shown} cannot be used: ${known.reason}`, known.wayOut), here];
    const failure = cannotUse(error, location);
    if (failure instanceof CliError)
      return [problem("database", failure.message, "look at the log of PostgreSQL"), here];
    throw error;
  } finally {
    await store?.close();
  }
}

/** One night may fail, as when the machine is off. */
const OLDEST_MS = 2 * DAY_MS;

/** Checks the age of the newest scheduled backup. @returns no finding without the folder, or where nobody may look */
export function checkBackups(folder: string, now: Temporal.Instant): Finding[] {
  try {
    const newest = scheduledCopies(folder).at(-1);
    const old = now.epochMilliseconds - statSync(newest === undefined ? folder : join(folder, newest)).mtimeMs;
    const message =
      newest === undefined ? `there is none in ${folder} yet` : `the newest in ${folder} is ${age(old)} old`;
    if (old <= OLDEST_MS) return [ok("backups", message)];
    const fix = `journalctl -u tintdesk-backup says why; tint backup --keep 14 ${folder} makes one now`;
    return [warning("backups", message, fix)];
  } catch {
    return [];
  }
}
