/** `tint outbox`: lists undelivered messages, and tries one again. */
import { shopNumber } from "../../src/jobs/message-texts.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { counted } from "../../src/lib/text.ts";
import type { DropOutcome, RetryOutcome } from "../../src/store/store.ts";
import { isNeverSent, jobJson, outboxTable, readLapsed, readOutbox, whyOff } from "../server/outbox.ts";
import { countryOf, shopOf } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import type { Command } from "../terminal/command.ts";
import { type LimitOptions, limitOption } from "../terminal/lists.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";

interface ListOptions extends CommonOptions, LimitOptions {
  all?: boolean;
  lapsed?: boolean;
}

export function configure(command: Command): void {
  command.examples("tint outbox", "tint outbox retry 17", "tint outbox drop 17", "tint outbox allow 404-555-0111");
  command
    .list()
    .summary("the messages that are not yet delivered")
    .description(
      "Messages that are not yet delivered: failed ones first, then those that wait, then leads for a CRM. In each group the longest due come first.",
    )
    .option("--all", "also reminders to call, and leads for a CRM while there is none")
    .option("--lapsed", "instead, the messages that were never sent, and why: their booking was moved or cancelled, …")
    .addOption(limitOption())
    .option("--json", "print JSON, with everything that --all shows")
    .examples("tint outbox", "tint outbox --all", "tint outbox --lapsed", "tint outbox list --json")
    .action(list);
  command
    .command("retry <id>")
    .summary("try a message again now")
    .description("Makes a waiting or failed message due now. A running server then sends it.")
    .option("--json", "print JSON")
    .examples("tint outbox retry 17")
    .action(retry);
  command
    .command("drop <id>")
    .summary("never send a message")
    .description("Gives up a waiting or failed message: it is never sent. An attempt in progress may still arrive.")
    .option("--json", "print JSON")
    .examples("tint outbox drop 17")
    .action(drop);
  command
    .command("allow <phone>")
    .summary("text a customer again who had stopped texts")
    .description(
      "Lets texts go to a customer again who had replied STOP, or whose carrier blocks texts. Customers who write START to your number get texts again by themselves.",
    )
    .option("--json", "print JSON")
    .examples("tint outbox allow 404-555-0111")
    .action(allow);
}

async function list(options: ListOptions): Promise<void> {
  const { catalog, clock } = shopOf(options.catalog);
  const shop = catalog && shopNumber(catalog);
  const { jobs, more } = await withStore(options, (store) =>
    options.lapsed ? readLapsed(store, options.limit) : readOutbox(store, options.limit),
  );
  const shown = options.json || options.all ? jobs : jobs.filter((job) => !isNeverSent(job));
  if (more) process.stderr.write(`Only the first ${options.limit} of each are shown; --limit shows more.\n`);
  if (options.json) {
    await print(jsonLine(shown.map((job) => jobJson(job, clock, shop))));
    return;
  }
  if (shown.length === 0) process.stderr.write(options.lapsed ? "No message lapsed.\n" : "Nothing waits.\n");
  else await print(outboxTable(shown, clock, shop));
  const hidden = jobs.length - shown.length;
  if (hidden > 0)
    process.stderr.write(
      `${counted(hidden, "more is", "more are")} for you alone and never sent; see them with --all.\n`,
    );
}

/** Jobs searched for the one that is tried again. */
const SEARCHED = 500;

async function retry(typed: string, options: CommonOptions): Promise<void> {
  const id = readNumber(typed);
  const { outcome, off } = await withStore(options, async (store) => {
    const { jobs } = await readOutbox(store, SEARCHED);
    const job = jobs.find((one) => one.id === id);
    return {
      off: job ? whyOff(job.kind) : null,
      outcome: await store.retryJob(id, Temporal.Now.instant().epochMilliseconds),
    };
  });
  refuse(id, outcome);
  if (outcome.kind === "reminder")
    process.stderr.write(`Reminder ${id} is due now: see tint leads. It is never sent.\n`);
  else
    process.stderr.write(
      off === null
        ? `Message ${id} is due now.\n`
        : `Message ${id} is due now, but stays until it can be sent (${off}).\n`,
    );
  if (options.json) await print(jsonLine({ id, status: "waiting" }));
}

async function drop(typed: string, options: CommonOptions): Promise<void> {
  const id = readNumber(typed);
  refuse(id, await withStore(options, (store) => store.dropJob(id)));
  process.stderr.write(`Message ${id} is dropped; it is never sent.\n`);
  if (options.json) await print(jsonLine({ id, status: "lapsed" }));
}

async function allow(typed: string, options: CommonOptions): Promise<void> {
  const phone = toE164(typed, countryOf(shopOf(options.catalog).catalog));
  if (phone === undefined) throw new UsageError(`${clean(typed)} is not a phone number.`);
  const wereStopped = await withStore(options, (store) => store.allowTexts(phone));
  process.stderr.write(
    wereStopped
      ? `Texts go to ${phone} again. A customer who replied STOP must write START first, or Twilio refuses.\n`
      : `Texts to ${phone} were not stopped.\n`,
  );
  if (options.json) await print(jsonLine({ phone, texts_stopped: null }));
}

function readNumber(typed: string): number {
  if (!/^\d{1,15}$/.test(typed))
    throw new UsageError(`${clean(typed)} is not the number of a message. See tint outbox.`);
  return Number(typed);
}

/** @throws CliError when there is no such message, or it waits no longer */
function refuse(id: number, outcome: RetryOutcome | DropOutcome): void {
  if (outcome.kind === "unknown") throw new CliError(`There is no message ${id}. See tint outbox.`);
  if (outcome.kind === "refused")
    throw new CliError(
      outcome.status === "done"
        ? `Message ${id} was delivered already.`
        : `Message ${id} lapsed before it was due: its lead was contacted, its booking ended or began, another text took its place, or it was dropped.`,
    );
}
