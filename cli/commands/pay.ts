/** `tint pay`: what was paid for a booking or a won lead, before, at and after the work. */
import { PAID_BY, PAYMENT_KINDS, type PaidBy, type PaymentKind } from "../../src/constants.ts";
import type { Payment } from "../../src/store/store.ts";
import {
  agreeToPaid,
  dueInWords,
  PAYMENT_FORMS,
  pay,
  paymentsTable,
  readPaidAt,
  readPayments,
  requireAccount,
  undoPayments,
} from "../customers/payments.ts";
import { paymentJson } from "../diary/amounts.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { UsageError } from "../terminal/output.ts";
import { choiceOption } from "../typed/enums.ts";
import { readNote, readNumber } from "../typed/values.ts";

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
    .completes("code", "bookings")
    .argument("<code>", "the code of the booking, or the reference of a won lead")
    .argument("[amount...]", `what was paid, like 100, or ${PAYMENT_FORMS}`)
    .description(
      "Writes down what was paid for a booking or a won lead: a deposit before the work, the price, a tip, or a refund. The drawer (tint report --by payment) counts it on the day when it was paid. Without an amount, and with --list, the payments so far.",
    )
    .optionsGroup("What was paid:")
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
  const typed = amount.join(" ");
  if ([typed !== "", options.list, options.undo !== undefined].filter(Boolean).length > 1)
    throw new UsageError("Give an amount, --list or --undo, one of them.");
  await onShop(options, async (till) => {
    const { store, clock, now } = till;
    const json = (payments: readonly Payment[]) => () => payments.map((payment) => paymentJson(payment, clock));
    const paidAt = options.at === undefined ? now.epochMilliseconds : readPaidAt(options.at, clock, now);
    const note = options.note === undefined ? null : readNote(options.note);
    const read = typed === "" ? [] : readPayments(typed, options.by ?? null, options.as);
    const paid = read.map((one) => ({ ...one, paidAt, note }));
    const account = await requireAccount(store, code, clock);
    if (options.undo !== undefined) {
      const id = readNumber(options.undo, "a payment", `tint pay ${account.code} --list`);
      const { told, payments } = await undoPayments(till, account, [id]);
      return { said: told, json: json(payments) };
    }
    if (paid.length === 0) {
      return {
        json: json(account.payments),
        none: account.payments.length === 0 && "No payments.",
        text: () => paymentsTable(account, clock, now),
        after: account.due === null ? [] : [dueInWords(account.due, account.currency)],
      };
    }
    await agreeToPaid(account, paid, options);
    const { told, undo, payments } = await pay(till, account, paid);
    return { said: `${told} ${undo}`, json: json(payments) };
  });
}
