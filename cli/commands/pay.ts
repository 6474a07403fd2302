/** `tint pay`: what was paid for a booking or a won lead, before, at and after the work. */
import { PAID_BY, PAYMENT_KINDS, type PaidBy, type PaymentKind } from "../../src/constants.ts";
import {
  doubtOf,
  dueInWords,
  PAYMENT_FORMS,
  pay,
  paymentsTable,
  readPaidAt,
  readPayments,
  requireAccount,
  undoPayment,
} from "../customers/payments.ts";
import { paymentJson } from "../diary/amounts.ts";
import { shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { askToAgree } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { jsonLine, print, UsageError } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";
import { readNote } from "../typed/values.ts";

interface PayOptions extends CommonOptions {
  by?: PaidBy;
  as?: PaymentKind;
  note?: string;
  at?: string;
  list?: boolean;
  undo?: string;
  yes?: boolean;
}

export function configure(command: Command): void {
  command
    .argument("<code>", "the code of the booking, or the reference of a won lead")
    .argument("[amount...]", `what was paid, like 100, or ${PAYMENT_FORMS}`)
    .description(
      "Writes down what was paid for a booking or a won lead: a deposit before the work, the price, a tip, or a refund. The drawer (tint report --by payment) counts it on the day when it was paid. Without an amount, and with --list, the payments so far.",
    )
    .addOption(choiceOption("--by <way>", "how it was paid", PAID_BY))
    .addOption(choiceOption("--as <kind>", "what it is (default: payment)", PAYMENT_KINDS))
    .option("--note <text>", "a note beside it")
    .option("--at <moment>", 'when it was paid, like "yesterday 5pm" (default: now)')
    .option("--list", "the payments, also those that were taken back")
    .option("--undo <id>", "take a payment back; its record stays")
    .option("--yes", "do not ask about a sum above what is due")
    .option("--json", "print the payments as JSON")
    .examples(
      "tint pay 7F3A2B9C 100 --by cash --as deposit",
      "tint pay 7F3A2B9C 300 cash 250 card +20",
      "tint pay 7F3A2B9C 60 --by card --as refund",
      "tint pay 7F3A2B9C --list",
      "tint pay 7F3A2B9C --undo 12",
    )
    .action(run);
}

async function run(code: string, amount: string[], options: PayOptions): Promise<void> {
  const { catalog, clock } = shopOf(options.catalog);
  const now = Temporal.Now.instant();
  const typed = amount.join(" ");
  if ([typed !== "", options.list, options.undo !== undefined].filter(Boolean).length > 1)
    throw new UsageError("Give an amount, --list or --undo, one of them.");
  const paidAt = options.at === undefined ? now.epochMilliseconds : readPaidAt(options.at, clock, now);
  const note = options.note === undefined ? null : readNote(options.note);
  const paid =
    typed === "" ? [] : readPayments(typed, options.by ?? null, options.as).map((one) => ({ ...one, paidAt, note }));
  const payments = await withStore(options, async (store) => {
    const till = { store, clock, now };
    const account = await requireAccount(store, code, catalog?.currency);
    if (options.undo !== undefined) {
      const undone = await undoPayment(till, account, Number(options.undo));
      process.stderr.write(`${undone.told}\n`);
      return undone.payments;
    }
    if (paid.length === 0) {
      if (!options.json && account.payments.length > 0) await print(paymentsTable(account, clock, now));
      else if (!options.json) process.stderr.write("No payments.\n");
      if (!options.json && account.due !== null) process.stderr.write(`${dueInWords(account.due, account.currency)}\n`);
      return account.payments;
    }
    const doubt = doubtOf(account, paid);
    if (doubt && !options.yes)
      await askToAgree(doubt, `${doubt} Then say --yes. Nothing was changed.`, "Nothing was changed.");
    const done = await pay(till, account, paid);
    process.stderr.write(`${done.told} ${done.undo}\n`);
    return done.payments;
  });
  if (options.json) await print(jsonLine(payments.map((payment) => paymentJson(payment, clock))));
}
