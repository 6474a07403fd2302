/** `tint bookings`: the diary, one booking, and ending it. */
import type { Command } from "commander";
import type { Context } from "../../src/capabilities/core/capability.ts";
import { messagesOfEnd } from "../../src/capabilities/desk/owner-changes.ts";
import { ownerEdit } from "../../src/capabilities/desk/owner-edit.ts";
import { BOOKING_STATUSES, type BookingStatus, isCancelled } from "../../src/domain/lifecycle.ts";
import { type ShopClock, shopDate } from "../../src/domain/schedule.ts";
import type { ApiError } from "../../src/errors.ts";
import type { Booking, NewJob, Payment } from "../../src/store/store.ts";
import { PAID_BY } from "../../src/vocabulary.ts";
import { ownerContext, readPrice } from "../booking/owner.ts";
import { type DiaryEntry, diaryDays, entryOf } from "../diary/entries.ts";
import { ENTRY_COLUMNS, entryCells, entryJson } from "../diary/entry-json.ts";
import { DIARY_HEAD, entryFacts, entryRow, statusInWords } from "../diary/entry-text.ts";
import { findBooking } from "../diary/find.ts";
import { bookingsTable, bookingsThatFit, type Common, entriesOf, isGiven } from "../diary/many.ts";
import { editBooking, moveBooking, movedInWords, rescheduleBooking, rescheduledInWords } from "../diary/moves.ts";
import { inFlags } from "../estimates/complaints.ts";
import { type GivenFlags, inputFrom } from "../estimates/flags.ts";
import { Failure, Misuse } from "../failure.ts";
import { catalogIfGood, shopClock } from "../shop/clock.ts";
import { type CommonOptions, withStore } from "../shop/database.ts";
import { askToAgree } from "../terminal/agreement.ts";
import { type CsvOptions, csv, csvOption } from "../terminal/csv.ts";
import { examples } from "../terminal/help.ts";
import { type LimitOptions, limitOption } from "../terminal/long-lists.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { listCommand } from "../terminal/subcommands.ts";
import { clean, factLines, table } from "../terminal/text.ts";
import { dayAndDate } from "../terminal/times.ts";
import { DATE_FORMS, readDate, readSpan, type TypedSpan } from "../typed/dates.ts";
import { MOMENT_FORMS } from "../typed/moments.ts";
import { readTime } from "../typed/times.ts";
import { choiceOption } from "../typed/words.ts";

const DAYS_SHOWN = 7;
const STATUS_WORDS = [...BOOKING_STATUSES, "cancelled"] as const;

interface ListOptions extends CommonOptions, LimitOptions, CsvOptions, TypedSpan {
  status?: (typeof STATUS_WORDS)[number];
}

export function configure(command: Command): void {
  command.addHelpText(
    "after",
    examples(
      "tint bookings",
      "tint bookings --date tomorrow",
      "tint bookings show 7F3A2B9C",
      "tint bookings cancel 7F3A2B9C --by customer",
      "tint bookings cancel --network 203.0.113.9 --since 2h",
    ),
  );
  listCommand(command)
    .summary("the diary by day, time and bay")
    .description("The diary by day, time and bay: today and the next 6 days unless told otherwise.")
    .option("--date <date>", `one day: ${DATE_FORMS}`)
    .option("--from <date>", "the first day (default: today)")
    .option("--to <date>", "the last day (default: 6 days after the first)")
    .addOption(choiceOption("--status <status>", "only bookings in this state", STATUS_WORDS))
    .addOption(limitOption())
    .option("--json", "print JSON")
    .addOption(csvOption())
    .addHelpText(
      "after",
      examples(
        "tint bookings --date 2026-11-24",
        "tint bookings --from 2026-12-01 --to 2026-12-31 --status no_show --json",
      ),
    )
    .action((_options: object, self: Command) => list(self.optsWithGlobals<ListOptions>()));
  command
    .command("show <code>")
    .summary("everything about one booking")
    .description("Everything about one booking. The code may be typed in any case.")
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint bookings show 7f3a2b9c"))
    .action((code: string, _options: object, self: Command) => show(code, self.optsWithGlobals<CommonOptions>()));
  const cancelling = command
    .command("cancel [code]")
    .summary("cancel one booking or many; their time can be booked again at once")
    .description(
      "Cancels a confirmed booking; its time can be booked again at once. With --key, --network or --since, cancels all bookings to come that fit, after showing them.",
    )
    .addOption(choiceOption("--by <who>", "who cancels", ["shop", "customer"]).default("shop"));
  addCommon(cancelling)
    .addHelpText(
      "after",
      examples(
        "tint bookings cancel 7F3A2B9C --by customer",
        "tint bookings cancel --key key_7F3A",
        "tint bookings cancel --network 203.0.113.9 --since 2h",
      ),
    )
    .action((code: string | undefined, _options: object, self: Command) => {
      const options = self.optsWithGlobals<ManyOptions & { by: string }>();
      const to = options.by === "customer" ? "cancelled_by_customer" : "cancelled_by_shop";
      return oneOrMany(code, options) === undefined ? cancelMany(to, options) : move(String(code), to, options);
    });
  const reopening = command
    .command("reopen [code]")
    .summary("undo cancel, complete or no-show while the time is still free")
    .description(
      "Makes a booking confirmed again, a cancelled one only while its time is still free. With --cancelled-at, reopens what one mass cancel ended; with --key, --network or --since, all bookings to come that fit and that the shop cancelled. Shows them first.",
    );
  addCommon(reopening)
    .option("--cancelled-at <time>", "all of one mass cancel, by the time that tint bookings cancel printed")
    .addHelpText(
      "after",
      examples(
        "tint bookings reopen 7F3A2B9C",
        "tint bookings reopen --network 203.0.113.9",
        "tint bookings reopen --cancelled-at 2026-11-24T14:00:00.123Z",
      ),
    )
    .action((code: string | undefined, _options: object, self: Command) => {
      const options = self.optsWithGlobals<ManyOptions>();
      return reopen(oneOrMany(code, options), options);
    });
  command
    .command("move <code> <date> <time>")
    .summary("to another time; code and price stay")
    .description("Moves a confirmed booking to any time with a free bay. Code, price and length stay.")
    .option("--anyway", "also to a blocked day, outside opening hours, or into the past; never when every bay is busy")
    .option("--json", "print the booking as JSON")
    .addHelpText(
      "after",
      examples("tint bookings move 7F3A2B9C friday 9am", "tint bookings move 7F3A2B9C 11/27 14:00 --anyway"),
    )
    .action((code: string, date: string, time: string, _options: object, self: Command) =>
      reschedule(code, date, time, self.optsWithGlobals<CommonOptions & { anyway?: boolean }>()),
    );
  command
    .command("edit <code>")
    .summary("correct the customer, the car, the note or the price")
    .description("Corrects a booking. Its time and length stay; tint bookings move changes the time.")
    .option("--name <name>", "the customer's name")
    .option("--phone <number>", "the customer's phone; messages that wait go there")
    .option("--email <address>", "the customer's e-mail")
    .option("--note <text>", "anything to know about the job")
    .option("--price <amount>", "the price you agreed on, like 549")
    .option("--vehicle-type <name>", "the kind of vehicle")
    .option("--year <number>", "its model year")
    .option("--make <name>", "its make")
    .option("--model <name>", "its model")
    .option("--json", "print the booking as JSON")
    .addHelpText(
      "after",
      examples("tint bookings edit 7F3A2B9C --phone 404-555-0143", "tint bookings edit 7F3A2B9C --price 549"),
    )
    .action((code: string, _options: object, self: Command) => edit(code, self.optsWithGlobals<GivenFlags>()));
  addMove(command, "complete", "completed", "the work is done")
    .option("--paid <amount>", "what the customer paid, like 549")
    .addOption(choiceOption("--by <way>", "how the customer paid", PAID_BY))
    .addHelpText("after", "  tint bookings complete 7F3A2B9C --paid 549 --by card\n");
  addMove(command, "no-show", "no_show", "the customer did not come");
}

interface ManyOptions extends CommonOptions, Common {
  yes?: boolean;
}

function addCommon(command: Command): Command {
  return command
    .option("--key <id>", "all that were made with this API key")
    .option("--network <address>", "all that came from this address or range")
    .option("--since <time>", `all that were made since: ${MOMENT_FORMS}`)
    .option("--yes", "do not ask")
    .option("--json", "print JSON");
}

/** @throws Misuse unless there is either a code or what the bookings have in common */
function oneOrMany(code: string | undefined, options: ManyOptions): string | undefined {
  if ((code === undefined) === isGiven(options)) return code;
  throw new Misuse("Give either a code, or what the bookings have in common: --key, --network or --since.");
}

function addMove(command: Command, name: string, to: BookingStatus, summary: string): Command {
  return command
    .command(`${name} <code>`)
    .summary(summary)
    .description(`Marks a confirmed booking: ${summary}.`)
    .option("--json", "print the booking as JSON")
    .addHelpText("after", examples(`tint bookings ${name} 7F3A2B9C`))
    .action((code: string, _options: object, self: Command) => move(code, to, self.optsWithGlobals<MoveOptions>()));
}

async function list(options: ListOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { from, to } = readSpan(options, shopDate(catalog, Temporal.Now.instant()), DAYS_SHOWN);
  const { limit } = options;
  const found = await withStore(options.data, async (store) => {
    const wanted: DiaryEntry[] = [];
    for await (const day of diaryDays(store, from, to)) {
      wanted.push(...day.filter(({ booking: { status } }) => isWanted(status, options.status)));
      if (wanted.length > limit) break;
    }
    return wanted;
  });
  const entries = found.slice(0, limit);
  if (found.length > limit) process.stderr.write(`Only the first ${limit} are shown; --limit shows more.\n`);
  if (options.json) await print(jsonLine(entries.map((entry) => entryJson(entry, catalog))));
  else if (options.csv)
    await print(
      csv(
        ENTRY_COLUMNS,
        entries.map((entry) => entryCells(entry, catalog)),
      ),
    );
  else if (entries.length === 0) process.stderr.write(`No bookings ${spanInWords(from, to)}.\n`);
  else {
    const rows = entries.map((entry) => entryRow(entry, catalog));
    await print(table(DIARY_HEAD, rows, ["customer", "vehicle", "job"]));
  }
}

function spanInWords(from: string, to: string): string {
  return from === to ? `on ${dayAndDate(from)}` : `from ${dayAndDate(from)} to ${dayAndDate(to)}`;
}

function isWanted(status: BookingStatus, wanted: ListOptions["status"]): boolean {
  return wanted === undefined || (wanted === "cancelled" ? isCancelled(status) : status === wanted);
}

async function show(code: string, options: CommonOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const entry = await withStore(options.data, async (store) => entryOf(store, await findBooking(store, code)));
  await print(options.json ? jsonLine(entryJson(entry, catalog)) : factLines(entryFacts(entry, catalog)));
}

interface MoveOptions extends CommonOptions {
  paid?: string;
  by?: string;
}

async function move(code: string, to: BookingStatus, options: MoveOptions): Promise<void> {
  const catalog = catalogIfGood(options.catalog);
  const paid = to === "completed" ? readPayment(options) : null;
  const entry = await withStore(options.data, async (store) => {
    const { confirmationCode } = await findBooking(store, code);
    const now = Temporal.Now.instant();
    return entryOf(store, await moveBooking({ store, catalog, now }, confirmationCode, to, paid));
  });
  process.stderr.write(`${movedInWords(entry.booking)}\n`);
  if (options.json) await print(jsonLine(entryJson(entry, catalog ?? shopClock(options.catalog))));
}

/** @throws Misuse for an amount that cannot be read, or a way of paying without one */
function readPayment({ paid, by }: MoveOptions): Payment | null {
  const way = PAID_BY.find((one) => one === by) ?? null;
  if (paid === undefined && way !== null) throw new Misuse("Give the amount too, like --paid 549 --by card.");
  return paid === undefined ? null : { amount: readPrice(paid), by: way };
}

async function edit(code: string, options: GivenFlags): Promise<void> {
  const text = (name: string) => (typeof options[name] === "string" ? options[name] : undefined);
  const catalog = catalogIfGood(text("catalog"));
  if (!catalog) throw new Failure("Without the catalog the words of a booking are not known.");
  const fields = inputFrom(options, ownerEdit.input(catalog), catalog);
  const price = text("price");
  if (Object.keys(fields).length === 0 && price === undefined)
    throw new Misuse("Say what to correct, like --phone 404-555-0143 or --price 549.");
  const desk = { catalog, now: Temporal.Now.instant() };
  const entry = await withStore(text("data"), async (store) => {
    const cents = price === undefined ? undefined : readPrice(price);
    const refusal = (error: ApiError) => inFlags(error, ownerEdit, options, catalog);
    return entryOf(
      store,
      await editBooking({ ...desk, store }, await findBooking(store, code), fields, cents, refusal),
    );
  });
  process.stderr.write(`Booking ${entry.booking.confirmationCode} is corrected.\n`);
  if (options.json) await print(jsonLine(entryJson(entry, catalog)));
}

async function reschedule(
  code: string,
  date: string,
  time: string,
  options: CommonOptions & { anyway?: boolean },
): Promise<void> {
  const catalog = catalogIfGood(options.catalog);
  const now = Temporal.Now.instant();
  const clock = catalog ?? shopClock(options.catalog);
  const to = { date: readDate(date, () => shopDate(clock, now)), time: readTime(time) };
  const { entry, from, note } = await withStore(options.data, async (store) => {
    const from = await findBooking(store, code);
    const { booking, note } = await rescheduleBooking({ store, catalog, now }, from, to, options.anyway === true);
    return { entry: await entryOf(store, booking), from, note };
  });
  if (note !== "") process.stderr.write(`Note: ${note}; moved anyway.\n`);
  process.stderr.write(`${rescheduledInWords(entry.booking, from)}\n`);
  if (options.json) await print(jsonLine(entryJson(entry, clock)));
}

async function cancelMany(to: BookingStatus, options: ManyOptions): Promise<void> {
  const catalog = shopClock(options.catalog);
  const { entries, at } = await withStore(options.data, async (store) => {
    const fitting = await bookingsThatFit(store, options, ["confirmed"], catalog);
    await agree("Cancel", fitting, options, catalog);
    const codes = fitting.map(({ confirmationCode }) => confirmationCode);
    const now = Temporal.Now.instant();
    const at = now.epochMilliseconds;
    const good = catalogIfGood(options.catalog);
    const jobs = good ? await messagesByCode(fitting, to, ownerContext(store, good, now)) : {};
    const outcomes = await store.moveBookings(codes, to, at, jobs);
    const moved = outcomes.flatMap((outcome) => (outcome.kind === "moved" ? [outcome.booking] : []));
    return { entries: await entriesOf(store, moved), at };
  });
  process.stderr.write(
    `${bookingsInWords(entries.length)} now ${statusInWords(to)}. To undo it: ${toReopen(at, options)}\n`,
  );
  if (options.json) await print(jsonLine({ cancelled: entries.map((entry) => entryJson(entry, catalog)) }));
}

async function messagesByCode(bookings: readonly Booking[], to: BookingStatus, ctx: Context) {
  const all: Record<string, NewJob[]> = {};
  for (const booking of bookings) all[booking.confirmationCode] = await messagesOfEnd(booking, to, ctx);
  return all;
}

/** The command that undoes one mass cancel. Flags like `--since 2h` would fit other bookings later. */
function toReopen(at: number, { catalog, data }: ManyOptions): string {
  const places = Object.entries({ catalog, data }).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name} '${clean(path).replaceAll("'", "'\\''")}'`],
  );
  const time = Temporal.Instant.fromEpochMilliseconds(at).toString();
  return ["tint bookings reopen --cancelled-at", time, ...places].join(" ");
}

async function reopen(code: string | undefined, options: ManyOptions): Promise<void> {
  const catalog = catalogIfGood(options.catalog);
  if (!catalog) throw new Failure("Without the catalog nobody knows how many bays there are.");
  const { entries, refused } = await withStore(options.data, async (store) => {
    const wanted =
      code === undefined
        ? await bookingsThatFit(store, options, cancelledStates(options), catalog)
        : [await findBooking(store, code)];
    if (code === undefined) await agree("Reopen", wanted, options, catalog);
    const codes = wanted.map(({ confirmationCode }) => confirmationCode);
    const outcomes = await store.reopenBookings(
      codes,
      catalog.scheduling.bays,
      Temporal.Now.instant().epochMilliseconds,
    );
    const reopened = outcomes.flatMap((outcome) => (outcome.kind === "reopened" ? [outcome.booking] : []));
    const refused = outcomes.flatMap((outcome) =>
      outcome.kind === "taken" || outcome.kind === "refused" ? [outcome] : [],
    );
    return { entries: await entriesOf(store, reopened), refused };
  });
  if (entries.length > 0) process.stderr.write(`${bookingsInWords(entries.length)} now confirmed again.\n`);
  if (options.json) {
    const stayed = refused.map(({ kind, booking }) => ({
      confirmation_code: booking.confirmationCode,
      reason: kind === "taken" ? "its time is taken" : "it is confirmed",
    }));
    await print(jsonLine({ reopened: entries.map((entry) => entryJson(entry, catalog)), not_reopened: stayed }));
  }
  if (refused.length > 0) throw new Failure(refused.map(notReopened).join("\n"));
}

/** A customer's own cancelling stays, unless the owner asks for one mass cancel, which can be in customers' names. */
function cancelledStates({ cancelledAt }: ManyOptions): readonly BookingStatus[] {
  return cancelledAt === undefined ? ["cancelled_by_shop"] : BOOKING_STATUSES.filter(isCancelled);
}

function notReopened({ kind, booking }: { kind: "taken" | "refused"; booking: Booking }): string {
  const { confirmationCode: code, date, time, lead } = booking;
  const which = `Booking ${code} (${dayAndDate(date)} ${time}, ${clean(lead.name)})`;
  return kind === "taken" ? `${which} stays cancelled: its time is taken.` : `${which} is confirmed already.`;
}

/** Shows the bookings and asks. @throws Failure when there are none or the owner does not agree */
async function agree(
  what: "Cancel" | "Reopen",
  bookings: readonly Booking[],
  { yes }: ManyOptions,
  clock: ShopClock,
): Promise<void> {
  if (bookings.length === 0) throw new Failure("No bookings to come fit.");
  process.stderr.write(bookingsTable(bookings, clock));
  if (yes) return;
  const count = bookings.length === 1 ? "this booking" : `these ${bookings.length} bookings`;
  await askToAgree(`${what} ${count}?`, "Without a terminal, say --yes. Nothing was changed.", "Nothing was changed.");
}

function bookingsInWords(count: number): string {
  return count === 1 ? "1 booking is" : `${count} bookings are`;
}
