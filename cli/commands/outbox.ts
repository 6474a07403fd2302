/** `tint outbox` and `tint calls`: messages that are not delivered, and customers whom no message told of a change. */
import type { Shop } from "../../src/catalog/shop.ts";
import { rfc3339 } from "../../src/domain/schedule.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { counted } from "../../src/lib/text.ts";
import { overdueJobs } from "../../src/messages/message-rules.ts";
import type { CallToMake, Store } from "../../src/store/store.ts";
import { newsInWords } from "../diary/calls.ts";
import { requireBooking } from "../diary/entries.ts";
import {
  dropFailed,
  dropMessage,
  droppedInWords,
  isNeverSent,
  jobJson,
  outboxColumns,
  outboxCsv,
  readLapsed,
  readOutbox,
  retryMessage,
  stuckInWords,
  whyOff,
} from "../server/outbox.ts";
import { countryOf, type ShopLocale, shopPhone } from "../shop/clock.ts";
import type { CommonOptions } from "../shop/database.ts";
import { onShop } from "../shop/on-shop.ts";
import { type Column, LEAST, table } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import type { CsvOptions, LimitOptions } from "../terminal/lists.ts";
import { CliError, clean, UsageError } from "../terminal/output.ts";
import { readNumber } from "../typed/values.ts";

export const configure = { outbox: configureOutbox, calls: configureCalls };

function configureOutbox(command: Command): void {
  command.examples("tint outbox", "tint outbox retry 17", "tint outbox drop 17", "tint outbox allow 404-555-0111");
  command
    .list("the messages that are not yet delivered")
    .description(
      "Messages that are not yet delivered: failed ones first, then those that wait, then leads for a CRM. In each group the longest due come first.",
    )
    .option("--all", "also reminders to call, and leads for a CRM while there is none")
    .option("--lapsed", "instead, the messages that were never sent, and why: their booking was moved or cancelled, …")
    .tableOptions("JSON, with everything that --all shows")
    .examples("tint outbox", "tint outbox --all", "tint outbox --lapsed", "tint outbox list --json")
    .action(list);
  command
    .subcommand("retry <id>", "try a message again now")
    .description("Makes a waiting or failed message due now. A running server then sends it.")
    .examples("tint outbox retry 17")
    .jsonAction(retry);
  command
    .subcommand("drop [id]", "never send a message, or all that failed")
    .description(
      "Gives up a waiting or failed message, or every failed one: they are never sent. An attempt in progress may still arrive.",
    )
    .option("--failed", "all messages that failed")
    .examples("tint outbox drop 17", "tint outbox drop --failed")
    .jsonAction(dropMessages);
  command
    .subcommand("allow <phone>", "text a customer again who had stopped texts")
    .description(
      "Lets texts go to a customer again who had replied STOP, or whose carrier blocks texts. Customers who write START to your number get texts again by themselves.",
    )
    .examples("tint outbox allow 404-555-0111")
    .jsonAction(allow);
}

function list(options: CommonOptions & LimitOptions & CsvOptions & { all?: boolean; lapsed?: boolean }): Promise<void> {
  return onShop(options, async ({ store, catalog, clock, now }) => {
    const shop = catalog?.messaging.ownerContacts ?? null;
    const { jobs, more } = await (options.lapsed ? readLapsed(store, options.limit) : readOutbox(store, options.limit));
    const shown = options.json || options.all ? jobs : jobs.filter((job) => !isNeverSent(job));
    const hidden = jobs.length - shown.length;
    const hint = `${counted(hidden, "more is", "more are")} for you alone and never sent; see them with --all.`;
    return {
      notes: [more ? `Only the first ${options.limit} of each are shown; --limit shows more.` : ""],
      json: () => shown.map((job) => jobJson(job, clock, shop)),
      csv: () => outboxCsv(shown, clock, shop),
      none: shown.length === 0 && (options.lapsed ? "No message lapsed." : "Nothing waits."),
      text: () => table(outboxColumns(clock, shop), shown),
      after: [
        !options.lapsed && catalog && !options.csv ? await stuckNote(store, catalog, now.epochMilliseconds) : "",
        hidden > 0 ? hint : "",
      ],
    };
  });
}

/** The line of home and doctor; empty where nothing is stuck, and while what waits was never tried and is off. */
async function stuckNote(store: Store, { messages, messaging }: Shop, now: number): Promise<string> {
  const late = await overdueJobs(store, { now, afterMinutes: messages.stuck_after_minutes });
  const stuck = late.filter((job) => job.attempts > 0 || whyOff(job, messaging.ownerContacts) === null);
  return stuck.length === 0 ? "" : stuckInWords(stuck, now);
}

async function retry(typed: string, options: CommonOptions): Promise<void> {
  const id = readNumber(typed, "a message", "tint outbox");
  await onShop(options, async ({ store, catalog, now }) => ({
    said: await retryMessage(store, id, now.epochMilliseconds, catalog?.messaging.ownerContacts ?? null),
    json: () => ({ id, status: "waiting" }),
  }));
}

async function dropMessages(typed: string | undefined, options: CommonOptions & { failed?: boolean }): Promise<void> {
  if ((typed === undefined) === (options.failed !== true))
    throw new UsageError("Give the number of one message, or --failed for all that failed.");
  const id = typed === undefined ? null : readNumber(typed, "a message", "tint outbox");
  await onShop(options, async ({ store }) => {
    if (id !== null) return { said: await dropMessage(store, id), json: () => ({ id, status: "lapsed" }) };
    const ids = await dropFailed(store);
    return { said: droppedInWords(ids.length), json: () => ids.map((id) => ({ id, status: "lapsed" })) };
  });
}

function allow(typed: string, options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store, catalog }) => {
    const phone = toE164(typed, countryOf(catalog));
    if (phone === undefined) throw new UsageError(`${clean(typed)} is not a phone number.`);
    return {
      said: (await store.allowTexts(phone))
        ? `Texts go to ${phone} again. A customer who replied STOP must write START first, or Twilio refuses.`
        : `Texts to ${phone} were not stopped.`,
      json: () => ({ phone, texts_stopped: null }),
    };
  });
}

function configureCalls(command: Command): void {
  command.examples("tint calls", "tint calls done 7F3A2B9C");
  command
    .list("who must be called")
    .description(
      "Customers whose booking was moved or cancelled without a message: messages are off, they did not agree to any, or there is no address.",
    )
    .examples("tint calls --json")
    .jsonAction(listCalls);
  command
    .subcommand("done <code>", "the customer was called")
    .completes("code", "bookings")
    .description("Takes a customer off the list.")
    .examples("tint calls done 7F3A2B9C")
    .jsonAction(markDone);
}

function listCalls(options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store, clock, now }) => {
    const calls = await store.callsToMake();
    const columns: Column<CallToMake>[] = [
      { name: "code", value: ({ booking }) => booking.confirmationCode },
      { name: "name", value: ({ booking }) => booking.lead.name, min: LEAST },
      { name: "phone", value: ({ booking }) => shopPhone(booking.lead, clock) },
      { name: "about", value: (call) => newsInWords(call, clock, now), min: LEAST },
    ];
    return {
      json: () => calls.map((call) => callJson(call, clock)),
      none: calls.length === 0 && "Nobody must be called.",
      text: () => table(columns, calls),
    };
  });
}

function markDone(code: string, options: CommonOptions): Promise<void> {
  return onShop(options, async ({ store }) => {
    const { id, confirmationCode, lead } = await requireBooking(store, code);
    if (!(await store.endCall(id)))
      throw new CliError(`Nobody must be called about booking ${confirmationCode}. See tint calls.`);
    return {
      said: `${clean(lead.name)} was called about booking ${confirmationCode}.`,
      json: () => ({ confirmation_code: confirmationCode, called: true }),
    };
  });
}

function callJson({ booking, knownAt, since }: CallToMake, clock: ShopLocale) {
  const { confirmationCode, status, lead, startAt } = booking;
  return {
    confirmation_code: confirmationCode,
    status,
    name: lead.name,
    phone: lead.phone,
    known_start: rfc3339(clock, knownAt ?? startAt),
    start: rfc3339(clock, startAt),
    since: rfc3339(clock, since),
  };
}
