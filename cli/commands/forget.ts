/** `tint forget`: erases a person. */
import { dayAndTime } from "../../src/domain/dates-in-words.ts";
import { dataLocation } from "../../src/env/env.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { counted } from "../../src/lib/text.ts";
import { email } from "../../src/schema/fields.ts";
import { copiesThatHold } from "../../src/store/sqlite/copies.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import type { Contact, Store, Traces } from "../../src/store/store.ts";
import { catalogIfGood } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { askToAgree } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { readField } from "../typed/values.ts";

interface ForgetOptions extends CommonOptions {
  anyway?: boolean;
  yes?: boolean;
}

export function configure(command: Command): void {
  command
    .description(
      "Erases the person with this phone number or e-mail address from bookings, leads, messages and API keys: names, contacts, notes, free text and consent. Times, amounts and the work stay for the reports. It cannot be undone.",
    )
    .argument("<phone|email>", "the phone number or e-mail address")
    .option("--anyway", "also with bookings to come, which then stay in the diary without a name")
    .option("--yes", "do not ask")
    .option("--json", "print JSON")
    .examples("tint forget 404-555-0142", "tint forget pat@example.com --yes")
    .addHelpText(
      "after",
      `
Copies made with tint backup, and databases that tint restore kept, still hold
the person; those in the data folder are named afterwards. With PostgreSQL, its
own backups and standbys hold the person too, and so do the CRM, the text
message service and mailboxes. Set retention_days in the catalog to have old
records erased by themselves.`,
    )
    .action(forget);
}

async function forget(typed: string, options: ForgetOptions): Promise<void> {
  const contact = readContact(typed, options.catalog);
  const { traces, isFileClean } = await withStore(options, async (store) => {
    const now = Temporal.Now.instant().epochMilliseconds;
    const found = await store.tracesOf(contact, now);
    if (found.leads + found.keys === 0) throw nobody(contact);
    if (found.upcoming.length > 0 && !options.anyway) throw booked(found);
    if (!options.yes) await confirm(contact, found);
    const erased = await erase(store, contact, now, options.anyway ?? false);
    return { traces: erased, isFileClean: await store.cleanFile() };
  });
  process.stderr.write(`Erased: ${inWords(traces)}.\n`);
  const location = dataLocation(options.data);
  const copies = location.kind === "url" ? [] : copiesThatHold(databaseFile(location.folder), contact);
  if (!isFileClean) process.stderr.write(`${REMAINS[location.kind]}\n`);
  if (location.kind === "url")
    process.stderr.write(
      "The person is still in copies made with tint backup, and in backups and standbys of the PostgreSQL server.\n",
    );
  if (copies.length > 0)
    process.stderr.write(`The person is still in ${clean(copies.join(", "))}. Delete what you no longer need.\n`);
  if (options.json) {
    const { leads, bookings, messages, keys } = traces;
    await print(jsonLine({ leads, bookings, messages, keys, file_clean: isFileClean, copies }));
  }
}

/** Why remains of the person may be left in the files of the database. */
const REMAINS = {
  folder:
    "Remains may stand in unused parts of the file until they are overwritten, because another program was using the file or the disk is full.",
  url: "Remains may stand in unused parts of the files of PostgreSQL, and in its log, until they are overwritten.",
};

async function erase(store: Store, contact: Contact, now: number, anyway: boolean) {
  const outcome = await store.forget(contact, now, anyway);
  // Both can happen while the owner is asked.
  if (outcome.kind === "unknown") throw nobody(contact);
  if (outcome.kind === "booked") throw booked(outcome.traces);
  return outcome.traces;
}

/** @throws UsageError */
function readContact(typed: string, catalog: string | undefined): Contact {
  if (typed.includes("@")) {
    const { value, issue } = readField(email(), typed);
    if (value === undefined) throw new UsageError(`${clean(typed)} ${issue}.`);
    return { by: "email", value };
  }
  const country = typed.trim().startsWith("+") ? "US" : catalogIfGood(catalog)?.business.address.country;
  const value = country && toE164(typed, country);
  if (!value)
    throw new UsageError(
      `${clean(typed)} is neither a phone number nor an e-mail address. Write a number like +14045550142.`,
    );
  return { by: "phone", value };
}

function nobody({ value }: Contact): CliError {
  return new CliError(`Nothing is stored about ${clean(value)}.`);
}

function booked({ names, upcoming }: Traces): CliError {
  const list = upcoming
    .map(({ confirmationCode, date, time }) => `${confirmationCode}, ${dayAndTime(date, time)}`)
    .join("; ");
  const [it, stays] = upcoming.length === 1 ? ["it", "the booking stays"] : ["them", "the bookings stay"];
  return new CliError(
    `Still booked for ${clean(names.join(", "))}: ${list}. Cancel ${it} first with tint bookings cancel CODE. With --anyway ${stays} in the diary without a name. Nothing was erased.`,
  );
}

/** @throws CliError when the owner does not agree, UsageError without a terminal */
async function confirm({ value }: Contact, traces: Traces): Promise<void> {
  const who = clean([...traces.names, value].join(", "));
  await askToAgree(
    `Erase ${who}: ${inWords(traces)}? It cannot be undone.`,
    "Without a terminal, say --yes to erase. It cannot be undone.",
    "Nothing was erased.",
  );
}

/** `2 leads, 1 booking, 1 message that now lapses`; what is not there is left out. */
function inWords({ leads, bookings, messages, keys }: Traces): string {
  return [
    leads > 0 && counted(leads, "lead"),
    bookings > 0 && counted(bookings, "booking"),
    messages > 0 && counted(messages, "message that now lapses", "messages that now lapse"),
    keys > 0 && counted(keys, "API key, now revoked", "API keys, now revoked"),
  ]
    .filter(Boolean)
    .join(", ");
}
