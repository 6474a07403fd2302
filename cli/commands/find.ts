/** `tint find`: customers, each with bookings, leads, amounts and notes. */
import { customerFacts, customerJson, customersCsv, customersTable, searchCustomers } from "../customers/customers.ts";
import { countryOf, shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { type CsvOptions, csvOption, type LimitOptions, limitOption, onlyFirst, printCsv } from "../terminal/lists.ts";
import { CliError, clean, factLines, jsonLine, print, UsageError } from "../terminal/output.ts";

interface FindOptions extends CommonOptions, LimitOptions, CsvOptions {}

export function configure(command: Command): void {
  command
    .argument("<text...>", "name, phone, e-mail, vehicle, booking code or lead; a part is enough")
    .description(
      "Customers by name, phone in any notation, e-mail, vehicle or code, the newest first. One customer is shown in full: bookings, leads, amounts and notes. The same phone is the same customer.",
    )
    .addOption(limitOption())
    .option("--json", "print JSON, each customer in full")
    .addOption(csvOption())
    .examples("tint find garcia", 'tint find "404 555 0142"', "tint find 7F3A2B9C", "tint find 2019 camry --csv")
    .action((words: string[], options: FindOptions) => find(words.join(" "), options));
}

async function find(typed: string, options: FindOptions): Promise<void> {
  if (typed.trim() === "") throw new UsageError("Type a name, a phone number, an e-mail address, a vehicle or a code.");
  const { catalog, clock } = shopOf(options.catalog);
  const { limit } = options;
  const found = await withStore(options, (store) => searchCustomers(store, typed, countryOf(catalog), limit + 1));
  const customers = onlyFirst(found, limit, "newest");
  const [first] = customers;
  if (options.json)
    await print(jsonLine(customers.map((customer) => customerJson(customer, clock, Temporal.Now.instant()))));
  else if (options.csv) await printCsv(customersCsv(customers, clock));
  else if (!first) throw new CliError(`Nobody fits ${clean(typed)}.`);
  else if (customers.length === 1) await print(factLines(customerFacts(first, clock, Temporal.Now.instant())));
  else await print(customersTable(customers, clock, Temporal.Now.instant()));
}
