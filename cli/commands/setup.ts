/** `tint setup`: asks for the settings that stand outside the catalog, and writes them into `.env` beside it. */
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";
import { atSite, isExample } from "../../src/catalog/at-site.ts";
import { entryRemoved, listOrGroupSet, scalarSet } from "../../src/catalog/edit/changes.ts";
import { applyChanges, nodeAt } from "../../src/catalog/edit/layout.ts";
import { editCatalog } from "../../src/catalog/edit/save.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { readLayout } from "../../src/catalog/load/values.ts";
import type { Path } from "../../src/catalog/path.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { type CatalogSource, EditError } from "../../src/catalog/source.ts";
import { catalogFile, KEYS_OF, rawSettings, readSettings, settingsFile } from "../../src/env/env.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { replacePrivately } from "../../src/lib/files.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { makeEdit } from "../catalog/edits.ts";
import { catalogWithoutIssues } from "../catalog/terms.ts";
import { askForContacts, askForSettings } from "../setup/ask.ts";
import { type Changes, type Known, notesBeside, readAssignments, tryChannels } from "../setup/questions.ts";
import { catalogSource } from "../shop/catalog.ts";
import { countryOf, shopOf } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { actAsOwner, writingTo } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, cleanLines, jsonLine, print, UsageError } from "../terminal/output.ts";

export function configure(command: Command): void {
  const assigned =
    "settings as NAME=VALUE instead of questions; NAME= removes one, NAME=- reads it from standard input";
  command
    .description(
      "Asks for what does not belong in the catalog: the web address, Twilio for texts, a mail server, Stripe for deposits. Writes the answers to .env beside the catalog, which only you can read and which every tint command reads; the web address also into the catalog. Asks who is told of bookings (alerts.to). Then sends a test message to each of them: a text only when its questions have just set up texts, or with --test, because texts cost money; it waits up to a minute for the delivery. Says who cannot be told yet.",
    )
    .argument("[settings...]", assigned)
    .option("--test", "send a test text in any case")
    .option("--no-test", "send no test messages, and do not log in to the mail server")
    .examples(
      "tint setup",
      "tint setup TINT_SITE_URL=https://book.lakeside.example TINT_TRUSTED_PROXIES=127.0.0.1",
      "tint setup TWILIO_AUTH_TOKEN=- < token.txt",
      "tint setup CRM_WEBHOOK_URL= CRM_WEBHOOK_SECRET=",
    )
    .addHelpText("after", "\nA variable that the environment itself sets wins over .env.")
    .jsonAction(setup);
}

async function setup(words: readonly string[], options: CommonOptions & { test?: boolean }): Promise<void> {
  const file = settingsFile(catalogFile(options.catalog));
  actAsOwner(dirname(file));
  const earlier = readSettings(file);
  const { catalog } = shopOf(options.catalog);
  const country = countryOf(catalog);
  const changes =
    words.length > 0
      ? readAssignments(await withStandardInput(words), country)
      : await askForSettings(earlier, country);
  const names = Object.keys(changes);
  if (names.length > 0) {
    const text = withSettings(existsSync(file) ? readFileSync(file, "utf8") : "", changes);
    writingTo(file, () => replacePrivately(file, text));
    process.stderr.write(
      `${file} is saved: ${names.join(", ")}. A running server takes it over when it is restarted.\n`,
    );
  }
  if (changes.TINT_SITE_URL && catalog) await nameSite(catalogSource(options), changes.TINT_SITE_URL);
  const settings = inForce(changes, earlier);
  if (words.length === 0 && catalog) await nameContacts(catalog, options, country);
  const hasNewTexts = KEYS_OF.twilio.some((name) => typeof changes[name] === "string");
  const withText = options.test ?? (words.length === 0 && hasNewTexts);
  const source = catalogSource(options);
  const now = catalogWithoutIssues(source);
  const message = `No test text was sent: ${source.name} is not good. See tint catalog check.`;
  const notTried = { name: "text", isGood: false, message };
  const trials = options.test === false ? [] : now ? await tryChannels(settings, now, withText) : [notTried];
  const isSilent = options.test === false || trials.some(({ name }) => name === "text");
  const notes = now ? notesBeside(settings, now, hasNewTexts && !isSilent) : [];
  for (const message of [...trials.map((trial) => trial.message), ...notes])
    process.stderr.write(`${cleanLines(message)}\n`);
  if (options.json) await print(jsonLine({ file, changed: names, tried: trials, notes }));
  const bad = trials.filter(({ isGood }) => !isGood);
  if (bad.length > 0) throw new CliError("Run tint setup again to correct the settings.");
}

async function nameContacts(catalog: Shop, options: CommonOptions, country: string): Promise<void> {
  const to = await askForContacts(catalog.messaging.ownerContacts, country);
  if (to === undefined) return;
  const change = (text: string) => {
    const layout = readLayout(text);
    // The older key for one mobile would have no effect beside the list.
    const hasOlder = nodeAt(layout, ["messages", "shop_sms_to"]);
    const older = hasOlder ? [entryRemoved(layout, ["messages"], "shop_sms_to")] : [];
    return applyChanges(layout, [listOrGroupSet(layout, ["alerts", "to"], to), ...older]);
  };
  const report = { words: () => `alerts.to: ${to.join(", ")}`, json: () => ({ to }) };
  await makeEdit({ ...options, json: false }, change, report);
}

/** Reads the value of `NAME=-`, so that a secret is in no list of processes. */
async function withStandardInput(words: readonly string[]): Promise<string[]> {
  const given = words.filter((word) => word.endsWith("=-"));
  if (given.length > 1) throw new UsageError("Only one setting can come from standard input.");
  const text = given.length === 0 ? "" : (await Bun.stdin.text()).trim();
  return words.map((word) => (given.includes(word) ? word.slice(0, -1) + text : word));
}

/** The environment wins over `.env`, so an answer that differs from it would do nothing. */
function inForce(changes: Changes, earlier: Record<string, string>): Known {
  const settings: Record<string, string | undefined> = { ...rawSettings() };
  for (const [name, value] of Object.entries(changes)) {
    const set = settings[name];
    if (set === undefined || set === earlier[name]) settings[name] = value ?? undefined;
    else if (set !== value)
      process.stderr.write(`${name} is set by the environment too, which wins: this line of .env has no effect.\n`);
  }
  return settings;
}

/** Addresses of the server. */
const OF_SERVER = ["url", "base_url", "agent_proxy_url", "mcp_url"].map((key) => ["site", key]);
/** Addresses that may lead to a website of the shop elsewhere. */
const OF_SHOP = [["business", "url"], ...["book_url", "logo", "icon", "share_picture"].map((key) => ["site", key])];

/** Saves an address in the catalog, in place of examples and of the one before. One of this machine is for a trial: `.env` alone has it. */
async function nameSite(source: CatalogSource, address: string): Promise<void> {
  const { origin } = new URL(address);
  if (isThisMachine(new URL(origin))) return;
  let changed: Path[] = [];
  const change = (text: string) => {
    const layout = readLayout(text);
    const before = parseCatalog(Buffer.from(text), source.name);
    const after = atSite(origin)(before);
    const was = (path: Path) => String(valueAt(before, path) ?? "");
    const ofServer = new URL(before.site.url).origin;
    const stands = (path: Path) => URL.canParse(was(path)) && new URL(was(path)).origin === ofServer;
    const isOpen = (path: Path) => URL.canParse(was(path)) && isExample(was(path));
    changed = [
      ...OF_SERVER.filter((path) => isOpen(path) || stands(path)),
      ...OF_SHOP.filter((path) => isOpen(path) && stands(path)),
    ].filter((path) => was(path) !== valueAt(after, path));
    const changes = changed.map((path) => scalarSet(layout, path, String(valueAt(after, path))));
    return applyChanges(layout, changes);
  };
  try {
    await editCatalog(source, change, { note: "tint setup" });
  } catch (error) {
    if (!(error instanceof CatalogError || error instanceof EditError)) throw error;
    process.stderr.write(
      `Note: the address is in .env, and not in ${clean(source.name)}, which cannot be saved: tint catalog check says why.\n`,
    );
    return;
  }
  const paths = changed.map((path) => path.join(".")).join(", ");
  if (paths !== "") process.stderr.write(`${clean(source.name)} is saved: ${paths} lead to ${origin}.\n`);
}

export function withSettings(text: string, changes: Changes): string {
  const lines = text.split("\n");
  while (lines.at(-1) === "") lines.pop();
  for (const [name, value] of Object.entries(changes)) {
    const isOf = (line: string) => /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] === name;
    const written = value === null ? [] : [`${name}=${quoted(name, value)}`];
    const at = lines.findIndex(isOf);
    if (at < 0) lines.push(...written);
    else lines.splice(at, 1, ...written);
    // The program reads the last line of a name, so older lines of the same name are removed.
    for (let i = lines.length - 1; i > at && at >= 0; i--) if (isOf(lines[i] ?? "")) lines.splice(i, 1);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function quoted(name: string, value: string): string {
  const plain = /^[\w@%+=:,./-]+$/.test(value) ? [value] : [];
  const forms = [...plain, `'${value}'`, `"${value}"`, `\`${value}\``, value];
  const form = forms.find((one) => keeps(name, one, value) && !/[\r\n]/.test(value));
  if (form === undefined) throw new CliError(`${name} holds characters that .env cannot keep.`);
  return form;
}

/** Whether the form is read as the value, and ends on its line whatever follows: a backslash may hide the closing quote. */
function keeps(name: string, form: string, value: string): boolean {
  const read = parseEnv(`${name}=${form}\n_A='1'\n_B="2"\n_C=\`3\`\n`);
  return read[name] === value && read._A === "1" && read._B === "2" && read._C === "3";
}
