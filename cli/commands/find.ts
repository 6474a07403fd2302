/** `tint find` and `tint forget`: customers, each with bookings, leads, amounts and notes; and how one is erased. */
import { dirname, join, resolve } from "node:path";
import { catalogFile, dataLocation } from "../../src/env/env.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { counted } from "../../src/lib/text.ts";
import { readEmail } from "../../src/schema/contact.ts";
import { email } from "../../src/schema/fields.ts";
import { databaseFile } from "../../src/store/sqlite/database.ts";
import { copiesThatHold } from "../../src/store/sqlite/restore.ts";
import type { Contact, Traces } from "../../src/store/store.ts";
import { customerColumns, customerFacts, customerJson, customersCsv, searchCustomers } from "../customers/customers.ts";
import { installedFor } from "../server/service.ts";
import { catalogIfGood, countryOf, shopPhone } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import { askToAgree, canAsk } from "../terminal/asking.ts";
import { table, textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { type CsvOptions, type LimitOptions, onlyFirst } from "../terminal/lists.ts";
import { CliError, clean, factLines, UsageError } from "../terminal/output.ts";
import { startInWords } from "../terminal/wording.ts";
import { readField } from "../typed/values.ts";

export const configure = { find: configureFind, forget: configureForget };

type FindOptions = CommonOptions & LimitOptions & CsvOptions;

function configureFind(command: Command): void {
  command
    .argument("<text...>", "name, phone, e-mail, vehicle, booking code or lead; a part is enough")
    .description(
      "Customers by name, phone in any notation, e-mail, vehicle or code, the newest first. One customer is shown in full: bookings, leads, amounts and notes. The same phone is the same customer.",
    )
    .tableOptions("JSON, each customer in full")
    .examples("tint find garcia", 'tint find "404 555 0142"', "tint find 7F3A2B9C", "tint find 2019 camry --csv")
    .action((words: string[], options: FindOptions) => find(words.join(" "), options));
}

async function find(typed: string, options: FindOptions): Promise<void> {
  if (typed.trim() === "") throw new UsageError("Type a name, a phone number, an e-mail address, a vehicle or a code.");
  await onShop(options, async ({ store, catalog, clock, now }) => {
    const found = await searchCustomers(store, typed, countryOf(catalog), options.limit + 1);
    const customers = onlyFirst(found, options.limit, "newest");
    const [first, second] = customers;
    return {
      json: () => customers.map((customer) => customerJson(customer, clock, now)),
      csv: () => customersCsv(customers, clock),
      text: () => {
        if (!first) throw new CliError(`Nobody fits ${clean(typed)}.`);
        return second ? table(customerColumns(clock, now), customers) : factLines(customerFacts(first, clock, now));
      },
    };
  });
}

function configureForget(command: Command): void {
  command
    .description(
      "Erases the person with this phone number or e-mail address from bookings, leads, messages and API keys: names, contacts, notes, free text and consent. Finds what is under the other contacts of the same leads as well: the e-mail addresses of a phone number, the numbers of an address. Times, amounts and the work stay for the reports. Lists what it found, and asks; it cannot be undone.",
    )
    .argument("<phone|email>", "the phone number or e-mail address")
    .option("--only", "only what is under this very contact, as when several people use one address")
    .option("--anyway", "also with bookings to come, which then stay in the diary without a name")
    .option("--yes", "do not ask")
    .examples("tint forget 404-555-0142", "tint forget pat@example.com --yes")
    .addHelpText(
      "after",
      `
Copies made with tint backup, and databases that tint restore kept, still hold
the person; those in the data folder and among the nightly backups are named
afterwards. With PostgreSQL, its own backups and standbys hold the person too,
and so do the CRM, the text message service and mailboxes. Set retention_days
in the catalog to have old records erased by themselves.`,
    )
    .jsonAction(forget);
}

function forget(typed: string, options: CommonOptions & { anyway?: boolean; only?: boolean; yes?: boolean }) {
  const contact = { ...contactTyped(typed, options.catalog), ...(options.only && { isAlone: true }) };
  return onShop(options, async ({ store, clock, now: { epochMilliseconds: now } }) => {
    const found = await store.tracesOf(contact, now);
    if (found.leads + found.keys === 0) throw nobody(contact);
    if (found.upcoming.length > 0 && !options.anyway) throw booked(found);
    // A line for each lead and key, so that nobody is erased by mistake who shares a contact.
    const rows = found.people.map(({ of, name, email, ...called }) => [of, name, shopPhone(called, clock), email]);
    process.stderr.write(textTable(["reference", "name", "phone", "e-mail"], rows));
    const [what, end] = [countTraces(found), "It cannot be undone."];
    const question = `Erase ${peopleNames(found.people)}: ${what}? ${end}`;
    if (!options.yes && !canAsk())
      throw new CliError(`Found: ${what}. Nothing was erased: say --yes to erase all of it. ${end}`);
    if (!options.yes) await askToAgree(question, question, "Nothing was erased.");
    const outcome = await store.forget(contact, now, options.anyway ?? false);
    // Both can happen while the owner is asked.
    if (outcome.kind === "unknown") throw nobody(contact);
    if (outcome.kind === "booked") throw booked(outcome.traces);
    const { traces } = outcome;
    const isFileClean = await store.cleanFile();
    const { leads, bookings, messages, keys } = traces;
    const location = dataLocation(options.data);
    // In the data folder, beside the catalog, and in the folder of the nightly backups.
    const beside = resolve(dirname(catalogFile(options.catalog)));
    const folders = [beside, installedFor(beside)?.backups ?? join(beside, "backups")];
    const live = location.kind === "url" ? null : databaseFile(location.folder);
    const places = location.kind === "url" ? folders : [location.folder, ...folders];
    const copies = copiesThatHold(places, live, traces.contacts);
    return {
      said: [
        `Erased: ${countTraces(traces)}.`,
        isFileClean ? "" : REMAINS[location.kind],
        location.kind === "url"
          ? "The person is still in copies made with tint backup, and in backups and standbys of the PostgreSQL server."
          : "",
        copies.length > 0 ? `The person is still in ${clean(copies.join(", "))}. Delete what you no longer need.` : "",
      ],
      json: () => ({ leads, bookings, messages, keys, file_clean: isFileClean, copies }),
    };
  });
}

const REMAINS = {
  folder:
    "Remains may be in unused parts of the file until they are overwritten, because another program was using the file or the disk is full.",
  url: "Remains may be in unused parts of the files of PostgreSQL, and in its log, until they are overwritten.",
};

function contactTyped(typed: string, catalog: string | undefined): Contact {
  if (typed.includes("@")) {
    const { value, issue } = readField(email(), readEmail(typed) ?? typed);
    if (value === undefined) throw new UsageError(`${clean(typed)} ${issue}.`);
    return { by: "email", value };
  }
  const country = typed.trim().startsWith("+") ? "US" : catalogIfGood(catalog)?.business.address.country;
  const value = country && toE164(typed, country);
  const why = `${clean(typed)} is neither a phone number nor an e-mail address. Write a number like +14045550142.`;
  if (!value) throw new UsageError(why);
  return { by: "phone", value };
}

function nobody({ value }: Contact): CliError {
  return new CliError(`Nothing is stored about ${clean(value)}.`);
}

function booked({ people, upcoming }: Traces): CliError {
  const list = upcoming
    .map((booking) => `${booking.confirmationCode}, ${startInWords(booking, Temporal.Now.instant())}`)
    .join("; ");
  const [it, stays] = upcoming.length === 1 ? ["it", "the booking stays"] : ["them", "the bookings stay"];
  return new CliError(
    `Still booked for ${peopleNames(people)}: ${list}. Cancel ${it} first with tint bookings cancel CODE. With --anyway ${stays} in the diary without a name. Nothing was erased.`,
  );
}

function peopleNames(people: Traces["people"]): string {
  return clean([...new Set(people.map(({ name }) => name))].join(", "));
}

/** `2 leads, 1 booking, 1 message that now lapses`; what is not there is left out. */
function countTraces({ leads, bookings, messages, keys }: Traces): string {
  return [
    leads > 0 && counted(leads, "lead"),
    bookings > 0 && counted(bookings, "booking"),
    messages > 0 && counted(messages, "message that now lapses", "messages that now lapse"),
    keys > 0 && counted(keys, "API key, now revoked", "API keys, now revoked"),
  ]
    .filter(Boolean)
    .join(", ");
}
