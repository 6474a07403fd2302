/** `tint doctor`: runs every check and prints the findings. */
import { dirname, join, resolve } from "node:path";
import { CatalogError, NoCatalog, UnreadableCatalog } from "../../src/catalog/load/document.ts";
import { type LoadedCatalog, loadCatalog } from "../../src/catalog/load/load.ts";
import { loadWithNotes } from "../../src/catalog/load/notes.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { CUSTOMER_EMAILS } from "../../src/constants.ts";
import { momentOf, shopDate, shopTime } from "../../src/domain/schedule.ts";
import {
  CHANNEL_SETTINGS,
  catalogFile,
  dataLocation,
  EnvError,
  rawSettings,
  readAddress,
  readListening,
  readSettings,
  settingsFile,
} from "../../src/env/env.ts";
import { counted } from "../../src/lib/text.ts";
import { CHANNEL_NAMES } from "../../src/messages/channels.ts";
import type { DataLocation, FolderLocation } from "../../src/store/location/location.ts";
import { checkHours, checkPlaceholders } from "../doctor/catalog.ts";
import {
  checkBackups,
  checkClock,
  checkDatabase,
  checkDisk,
  checkPostgres,
  checkPrivacy,
  checkStore,
  type Times,
} from "../doctor/database.ts";
import { type Finding, ok, problem, warning } from "../doctor/finding.ts";
import { checkLimits, checkPort, checkServer, checkSite, checkUnits, offHere } from "../doctor/server.ts";
import {
  checkAlerts,
  checkConfirmations,
  checkCrm,
  checkDeposits,
  checkMail,
  checkSettings,
  checkSms,
} from "../doctor/settings.ts";
import { installedFor } from "../server/service.ts";
import { tryChannels } from "../setup/questions.ts";
import { catalogSource } from "../shop/catalog.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { actAsOwner } from "../shop/rights.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print } from "../terminal/output.ts";

export function configure(command: Command): void {
  const sending = "also send a test message to each of alerts.to, and wait up to a minute for the delivery of texts";
  command
    .description(
      "Checks everything that this installation needs and says how to fix each problem. Exit status 1 when there is one.",
    )
    .option("--server", "only ask the running server whether it is ready, as a container's health check does")
    .option("--send-test", sending)
    .examples("tint doctor", "tint doctor --send-test", "tint doctor --json", "tint doctor --server")
    .jsonAction(doctor);
}

async function doctor(options: CommonOptions & { server?: boolean; sendTest?: boolean }): Promise<void> {
  const location = dataLocation(options.data);
  if (options.server) {
    const { finding, server } = await checkPort(location, readListening());
    if (options.json) await print(jsonLine({ ok: server?.status === "ready", status: server?.status ?? null }));
    if (server?.status === "ready") return;
    throw new CliError(server ? `The server is ${server.status}.` : `${finding.message}.`);
  }
  // Root may do what the server may not.
  if (location.kind === "folder") actAsOwner(location.folder);
  const now = Temporal.Now.instant();
  const source = catalogSource(options);
  const { loaded, check } = checkCatalog(source, now);
  const catalog = loaded?.catalog ?? null;
  const settings = settingsFile(catalogFile(options.catalog));
  const installed = installedFor(resolve(dirname(settings)));
  const seen = await checkEnvironment(location, loaded);
  const offThere = seen.server?.jobs?.off;
  const isOn = (channel: string) => offThere?.includes(channel) === false;
  // Undefined where a setting is wrong, which has its own line.
  const off = offThere ?? offHere(rawSettings());
  // The e-mails to customers that the catalog switches on and that go out.
  const mails = CUSTOMER_EMAILS.filter(
    (kind) => kind !== "paper_email" && catalog?.messaging.customerMessages.has(kind),
  );
  const told = catalog && off ? asNamed(source, !off.includes(CHANNEL_NAMES.mail)) : null;
  const found = [
    check,
    ...(catalog ? [checkPlaceholders(asNamed(source)), checkHours(catalog, shopTime(catalog, now).toPlainDate())] : []),
    ...(location.kind === "url"
      ? await checkPostgres(location, times(now, catalog), checkClock(now, catalog, null))
      : await checkFolder(location, now, catalog)),
    ...checkBackups(installed?.backups ?? join(dirname(settings), "backups"), now),
    ...(installed ? checkUnits(installed) : []),
    ...checkPrivacy(location, settings),
    ...seen.findings,
    ...(await checkLimits(location.kind === "url")),
    checkSms(rawSettings(), isOn("sms")),
    ...checkCrm(rawSettings(), isOn("crm")),
    checkMail(rawSettings(), mails, isOn("email")),
    ...(told && off ? [...checkAlerts(told, off), checkConfirmations(told, off)] : []),
    ...(catalog ? checkDeposits(catalog, rawSettings()) : []),
    ...(options.sendTest && catalog ? await sendTests(catalog) : []),
  ];
  const all = [...found, ...checkSettings(rawSettings(), Object.keys(readSettings(settings)), found)];
  const issues = all.filter(({ level }) => level === "fault").length;
  const rows = all.flatMap(({ name, level, message, fix }) => [
    [name, level === "fault" ? "problem" : level, clean(message)],
    ...(fix ? [["", "", `→ ${fix}`]] : []),
  ]);
  const table = textTable(["check", "state", "what was found"], rows);
  await print(options.json ? jsonLine({ ok: issues === 0, checks: all }) : table);
  if (issues > 0) throw new CliError(`${counted(issues, "problem")}.`);
}

async function sendTests(catalog: Shop): Promise<Finding[]> {
  const settings = rawSettings();
  // The lines about settings name each one that is wrong.
  if (!CHANNEL_SETTINGS.safeParse(settings).success) return [];
  return (await tryChannels(settings, catalog, true)).map(({ isGood, message }) => {
    const found = message.replace(/\.$/, "");
    return isGood ? ok("test message", found) : problem("test message", found, "correct the settings: tint setup");
  });
}

/** The catalog with the owner's own addresses, as far as there are any. @param hasMail whether messages that are on by themselves go out */
function asNamed(source: CatalogSource, hasMail = false): Shop {
  return loadCatalog({ ...source, address: { ...readAddress(), port: 0, hasMail } }).catalog;
}

function checkCatalog(source: CatalogSource, now: Temporal.Instant): { loaded: LoadedCatalog | null; check: Finding } {
  try {
    const { notes, ...loaded } = loadWithNotes(source, now);
    const [note, ...others] = notes;
    const good = `${source.read().name} is good: ${clean(loaded.catalog.business.name)}`;
    if (note === undefined) return { loaded, check: ok("catalog", good) };
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    const fix = "tint catalog check names each with its line";
    return { loaded, check: warning("catalog", `${good}. But ${note.replace(/\.$/, "")}${more}`, fix) };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const [first = ""] = error.issues;
    const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
    const message = `${first.split("\n")[0]}${more}`;
    const unreadable =
      source.file === null ? "see the line database" : "let the user of the server read it: chown, chmod";
    const mistaken =
      "tint catalog check names every mistake with its line; tint catalog undo goes back to the save before";
    const ofThere = error instanceof UnreadableCatalog ? unreadable : mistaken;
    const fix = error instanceof NoCatalog ? "tint init makes the catalog of a new shop" : ofThere;
    return { loaded: null, check: problem("catalog", message, fix) };
  }
}

/** Without a catalog every message that is late counts as overdue, and the shop's day, whose time zone is not known, begins now. */
function times({ epochMilliseconds: now }: Temporal.Instant, catalog: Shop | null): Times {
  const today = catalog ? momentOf(catalog, shopDate(catalog, now), "00:00") : now;
  return { now, overdueAfterMinutes: catalog?.messages.stuck_after_minutes ?? 0, today };
}

async function checkFolder({ folder }: FolderLocation, now: Temporal.Instant, catalog: Shop | null) {
  const { facts, checks } = checkDatabase(folder);
  const isSound = facts !== null && checks.every(({ level }) => level === "ok");
  const writing = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    return [problem("writing", error.message, "stop other programs that use the database, and check the disk")];
  };
  const tryStore = () => withStore({ data: folder }, (store) => checkStore(store, times(now, catalog))).catch(writing);
  return [...checks, ...(isSound ? await tryStore() : []), checkDisk(folder), checkClock(now, catalog, facts)];
}

async function checkEnvironment(location: DataLocation, loaded: LoadedCatalog | null) {
  try {
    const listening = readListening();
    const { finding, server } = await checkPort(location, listening);
    const findings = [
      finding,
      ...(server ? checkServer(server, loaded, rawSettings()) : []),
      ...(await checkSite(readAddress().siteUrl ?? loaded?.catalog.site.base_url, listening)),
    ];
    return { findings, server };
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    // The lines about settings name each one that is wrong.
    return { findings: [], server: undefined };
  }
}
