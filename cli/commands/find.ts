/** `tint find`: customers, each with bookings, leads, amounts and notes. */

import { customerColumns, customerFacts, customerJson, customersCsv, searchCustomers } from "../customers/customers.ts";
import { countryOf } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import { table } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { type CsvOptions, csvOption, type LimitOptions, limitOption, onlyFirst } from "../terminal/lists.ts";
import { CliError, clean, factLines, UsageError } from "../terminal/output.ts";

type FindOptions = CommonOptions & LimitOptions & CsvOptions;

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
