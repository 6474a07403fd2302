/** `tint bookings cancel` and `reopen`, of one booking or of all that have something in common; `confirm`, `complete`, `no-show` and `ready`. */
import { tellReady } from "../../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { PAID_BY } from "../../../src/constants.ts";
import { BOOKING_STATUSES, type BookingStatus, isCancelled, isOff, isOnlyHeld } from "../../../src/domain/lifecycle.ts";
import type { ShopClock } from "../../../src/domain/schedule.ts";
import { networkOf, parseAddress, parseNetworks } from "../../../src/lib/network.ts";
import { counted } from "../../../src/lib/text.ts";
import type { Booking, NewPayment, Store } from "../../../src/store/store.ts";
import { accountOf, agreeToPaid, readPayments, signedBy } from "../../customers/payments.ts";
import {
  changeOfState,
  closeBooking,
  confirmBooking,
  endedInWords,
  inTurn,
  NO_BAYS,
  paymentsInWords,
  reopenBooking,
  type Stays,
  shortNameOf,
  stepInWords,
} from "../../diary/actions.ts";
import { callAfter } from "../../diary/calls.ts";
import { moneyLeftInWords, unpaidInWords } from "../../diary/deposits.ts";
import { diaryEntryOf, requireBooking } from "../../diary/entries.ts";
import { entryJson, statusInWords } from "../../diary/entry-text.ts";
import { ownerContext } from "../../diary/owner.ts";
import { requireIssuedKey } from "../../server/keys.ts";
import { notSentInWords } from "../../server/outbox.ts";
import { catalogIfGood, shopPhone } from "../../shop/clock.ts";
import { type CommonOptions, withStore } from "../../shop/database.ts";
import { type Done, type Opened, onGoodShop, onShop } from "../../shop/on-shop.ts";
import { askOnce, askToAgree, canAsk } from "../../terminal/asking.ts";
import { type Column, LEAST, table } from "../../terminal/columns.ts";
import type { Command } from "../../terminal/command.ts";
import { CliError, clean, UsageError } from "../../terminal/output.ts";
import { momentInWords } from "../../terminal/wording.ts";
import { choiceOption } from "../../typed/enums.ts";
import { MOMENT_FORMS, readInstant, readMoment } from "../../typed/times.ts";

export function addBulk(command: Command): void {
  const cancelling = command
    .subcommand("cancel [code]", "cancel one booking or many; their time can be booked again at once")
    .description(
      "Cancels a confirmed booking; its time can be booked again at once. With --key, --network or --since, cancels all bookings to come that fit, after showing them.",
    )
    .addOption(choiceOption("--by <who>", "who cancels", ["shop", "customer"]).default("shop"));
  addCommon(cancelling)
    .examples(
      "tint bookings cancel 7F3A2B9C --by customer",
      "tint bookings cancel --key key_7F3A",
      "tint bookings cancel --network 203.0.113.9 --since 2h",
    )
    .action(async (typed: string | undefined, options: BulkOptions & { by: string }) => {
      const to = options.by === "customer" ? "cancelled_by_customer" : "cancelled_by_shop";
      const code = await oneOrMany(typed, options);
      await (code === undefined ? cancelInBulk(to, options) : endOne(code, to, options));
    });
  const reopening = command
    .subcommand("reopen [code]", "undo cancel, complete or no-show while the time is still free")
    .description(
      "Makes a booking confirmed again while its time is still free; of a completed one, what is left of it. With --cancelled-at, reopens what one mass cancel ended; with --key, --network or --since, all bookings to come that fit and that the shop cancelled. Shows them first.",
    );
  addCommon(reopening)
    .completes("code", "ended bookings")
    .option("--cancelled-at <time>", "all of one mass cancel, by the time that tint bookings cancel printed")
    .examples(
      "tint bookings reopen 7F3A2B9C",
      "tint bookings reopen --network 203.0.113.9",
      "tint bookings reopen --cancelled-at 2026-11-24T14:00:00.123Z",
    )
    .action(async (code: string | undefined, options: BulkOptions) => reopen(await oneOrMany(code, options), options));
}

/** The criteria that choose bookings, as typed. A booking must fit all of them. */
interface BulkOptions extends CommonOptions {
  key?: string;
  network?: string;
  since?: string;
  /** The moment that a mass cancel wrote into all its bookings. */
  cancelledAt?: string;
  yes?: boolean;
  quiet?: boolean;
}

function addCommon(command: Command): Command {
  return command
    .option("--key <id>", "all that were made with this API key")
    .option("--network <address>", "all that came from this address or range")
    .option("--since <time>", `all that were made since: ${MOMENT_FORMS}`)
    .option("--quiet", "do not tell the customer")
    .option("--yes", "do not ask")
    .option("--json", "print JSON");
}

/** The code, asked for on a terminal; undefined when options choose. @throws UsageError when there are both, or neither */
async function oneOrMany(code: string | undefined, options: BulkOptions): Promise<string | undefined> {
  const { key, network, since, cancelledAt } = options;
  const isBulk = [key, network, since, cancelledAt].some((one) => one !== undefined);
  if ((code === undefined) === isBulk) return code;
  if (code === undefined && canAsk()) return askOnce("Code of the booking");
  throw new UsageError("Give either a code, or what the bookings have in common: --key, --network or --since.");
}

async function cancelInBulk(to: BookingStatus, options: BulkOptions): Promise<void> {
  let stay: readonly Stays[] = [];
  await onShop(options, async ({ store, catalog, clock }) => {
    const fitting = await bookingsThatFit(store, options, ["confirmed", "held"], clock);
    await agree("Cancel", fitting, options, clock);
    const desk = { store, catalog, now: Temporal.Now.instant() };
    const ended = await inTurn(fitting, async (before) => {
      const booking = await closeBooking(desk, before.confirmationCode, to, [], options.quiet);
      const money = moneyLeftInWords(booking, await store.depositOf(booking.id), clock);
      return { booking, said: [await callAfter(desk, before, booking, options.quiet), money] };
    });
    stay = ended.stay;
    const entries = await Promise.all(ended.changed.map(({ booking }) => diaryEntryOf(store, booking, clock)));
    const step = `${counted(entries.length, "booking")}: ${changeOfState("confirmed", to)}.`;
    const undo = `To undo it: ${toReopen(desk.now.epochMilliseconds, options)}`;
    return {
      said: [entries.length > 0 ? `${step} ${undo}` : "", ...ended.changed.flatMap(({ said }) => said)],
      json: () => ({ cancelled: entries.map((entry) => entryJson(entry, clock)) }),
    };
  });
  nameThoseThatStay(stay);
}

function nameThoseThatStay(stay: readonly Stays[]): void {
  if (stay.length > 0) throw new CliError(stay.map(({ why }) => why).join("\n"));
}

/** The command that undoes one mass cancel. Flags like `--since 2h` would fit other bookings later. */
function toReopen(at: number, { catalog, data }: BulkOptions): string {
  const places = Object.entries({ catalog, data }).flatMap(([name, path]) =>
    path === undefined ? [] : [`--${name} '${clean(path).replaceAll("'", "'\\''")}'`],
  );
  const time = Temporal.Instant.fromEpochMilliseconds(at).toString();
  return ["tint bookings reopen --cancelled-at", time, ...places].join(" ");
}

async function reopen(code: string | undefined, options: BulkOptions): Promise<void> {
  const catalog = catalogIfGood(options.catalog);
  if (!catalog) throw new CliError(NO_BAYS);
  const one = code === undefined ? null : await withStore(options, (store) => requireBooking(store, code));
  // A hold that ended is confirmed, not reopened, so that its customer gets the messages of a new booking.
  if (one && isOff(one.status) && isOnlyHeld(one)) return confirmOne(one.confirmationCode, options);
  let stay: readonly Stays[] = [];
  const work = async ({ store, now }: Opened<Shop>): Promise<Done> => {
    const desk = { store, catalog, now };
    // A customer's own cancelling stays, unless the owner asks for one mass cancel, which can be in customers' names.
    const isAll = options.cancelledAt !== undefined;
    const ended = BOOKING_STATUSES.filter((one) => (isAll ? isCancelled(one) : one === "cancelled_by_shop"));
    const wanted = one ? [one] : await bookingsThatFit(store, options, ended, catalog);
    if (!one) await agree("Reopen", wanted, options, catalog);
    const reopened = await inTurn(wanted, async (before) => {
      const reopening = await reopenBooking(desk, before.confirmationCode, options.quiet === true);
      const { booking, gone, note, news } = reopening;
      const notes = [paymentsInWords(gone, booking, catalog.currency), note].filter(Boolean).join(" ");
      return { booking, said: [notes, await callAfter(desk, before, booking, options.quiet, news)] };
    });
    stay = reopened.stay;
    // By its state now: others may have changed it while the owner was asked.
    const notReopened = await Promise.all(
      stay.map(async ({ booking: { confirmationCode: code } }) => {
        const { status } = await requireBooking(store, code);
        const isOpen = status === "confirmed" || status === "held";
        return { confirmation_code: code, reason: isOpen ? `it is ${status}` : "its time is taken" };
      }),
    );
    const entries = await Promise.all(reopened.changed.map(({ booking }) => diaryEntryOf(store, booking, catalog)));
    const again = entries.map(({ booking }) => shortNameOf(booking, now)).join("; ");
    const many = `${entries.length} bookings are confirmed again: ${again}.`;
    const [first] = entries;
    const was = wanted.find(({ id }) => id === first?.booking.id)?.status;
    return {
      said: [
        first && was ? (entries.length === 1 ? stepInWords(first.booking, was, now) : many) : "",
        ...reopened.changed.flatMap(({ said }) => said),
      ],
      json: () => ({ reopened: entries.map((entry) => entryJson(entry, catalog)), not_reopened: notReopened }),
    };
  };
  await onGoodShop(options, work, { catalog });
  nameThoseThatStay(stay);
}

/** Shows the bookings and asks. @throws CliError when there are none or the owner does not agree */
async function agree(what: "Cancel" | "Reopen", bookings: readonly Booking[], { yes }: BulkOptions, clock: ShopClock) {
  if (bookings.length === 0) throw new CliError("No bookings to come fit.");
  const columns: Column<Booking>[] = [
    { name: "code", value: ({ confirmationCode }) => confirmationCode },
    { name: "begins", value: ({ startAt }) => momentInWords(clock, startAt) },
    { name: "customer", value: ({ lead }) => lead.name, min: LEAST },
    { name: "booked", value: ({ createdAt }) => momentInWords(clock, createdAt) },
    { name: "key", value: ({ keyId }) => keyId ?? "" },
    { name: "network", value: ({ network }) => network },
  ];
  process.stderr.write(table(columns, bookings));
  if (yes) return;
  const count = bookings.length === 1 ? "this booking" : `these ${bookings.length} bookings`;
  await askToAgree(`${what} ${count}?`, "Without a terminal, say --yes. Nothing was changed.", "Nothing was changed.");
}

/** The future bookings in any of these states that fit, by start. @throws CliError when there is no such key, UsageError */
async function bookingsThatFit(
  store: Store,
  { key, network, since, cancelledAt }: BulkOptions,
  statuses: readonly BookingStatus[],
  clock: ShopClock,
): Promise<Booking[]> {
  const now = Temporal.Now.instant();
  const keyId = key === undefined ? undefined : (await requireIssuedKey(store, key)).id;
  const isInNetwork = network === undefined ? () => true : readNetwork(network);
  const madeSince = since === undefined ? 0 : readMoment(since, clock, now);
  const endedAt = cancelledAt === undefined ? undefined : readInstant(cancelledAt);
  return (await store.upcoming(now.epochMilliseconds, statuses)).filter(
    (booking) =>
      (keyId === undefined || booking.keyId === keyId) &&
      isInNetwork(booking) &&
      booking.createdAt >= madeSince &&
      (endedAt === undefined || booking.endedAt === endedAt),
  );
}

/** An address stands for the network that it counts towards; a range stands for all networks in it. */
function readNetwork(typed: string): (booking: Booking) => boolean {
  const address = parseAddress(typed.trim());
  try {
    const networks = parseNetworks([address ? networkOf(address) : typed.trim()]);
    return ({ network }) => networks.has(parseAddress(network.replace(/\/\d+$/, "")));
  } catch {
    throw new UsageError(
      `${clean(typed)} is not a network: write an address like 203.0.113.9 or a range like 203.0.113.0/24.`,
    );
  }
}

export function addEnds(command: Command): void {
  command
    .subcommand("confirm <code>", "book a time that is held")
    .description(
      "Books a time that is held; one that was held, while a bay is free. The customer gets the messages of a new booking.",
    )
    .option("--quiet", "do not tell the customer")
    .examples("tint bookings --held", "tint bookings confirm 7F3A2B9C")
    .jsonAction(confirmOne, "the booking as JSON");
  addMove(command, "complete", "completed", "the work is done")
    .optionsGroup("What was paid:")
    .option(
      "--paid <amount>",
      'what the customer paid, like 549 or "300 cash"; may be repeated',
      (typed, before: string[] = []) => [...before, typed],
    )
    .addOption(choiceOption("--by <way>", "how the customer paid, where --paid does not say", PAID_BY))
    .option("--tip <amount>", "a tip on top, like 20")
    .option("--yes", "do not ask about a sum other than the price")
    .examples(
      "tint bookings complete 7F3A2B9C",
      "tint bookings complete 7F3A2B9C --paid 549 --by card",
      'tint bookings complete 7F3A2B9C --paid "300 cash" --paid "250 card" --tip 20',
    );
  addMove(command, "no-show", "no_show", "the customer did not come").examples("tint bookings no-show 7F3A2B9C");
  command
    .subcommand("ready <code>", "text the customer that the vehicle can be picked up")
    .description(
      "Texts the customer that the vehicle is ready. The catalog has the words (messages.ready_sms) and switches it on.",
    )
    .examples("tint bookings ready 7F3A2B9C")
    .jsonAction(ready, "the booking as JSON");
}

function addMove(command: Command, name: string, to: BookingStatus, summary: string): Command {
  return command
    .subcommand(`${name} <code>`, summary)
    .description(`Marks a confirmed booking: ${summary}.`)
    .option("--quiet", "do not tell the customer")
    .jsonAction((code: string, options: MoveOptions) => endOne(code, to, options), "the booking as JSON");
}

type MoveOptions = CommonOptions & { paid?: string[]; tip?: string; by?: string; quiet?: boolean; yes?: boolean };

async function endOne(code: string, to: BookingStatus, options: MoveOptions): Promise<void> {
  const paid = signedBy(to === "completed" ? readPaid(options) : []);
  await onShop(options, async (desk) => {
    const { store, catalog, clock, now } = desk;
    const booking = await requireBooking(store, code);
    // Work that cannot be completed says so, and asks nothing before.
    const canEnd = booking.status === "confirmed" && booking.startAt <= now.epochMilliseconds;
    if (canEnd) await agreeToPaid(accountOf(booking, catalog?.currency), paid, options, true);
    const ended = await closeBooking(desk, booking.confirmationCode, to, paid, options.quiet);
    const entry = await diaryEntryOf(store, ended, clock);
    const call = await callAfter(desk, booking, ended, options.quiet);
    const money = moneyLeftInWords(ended, await store.depositOf(ended.id), clock);
    return {
      said: [endedInWords(entry.booking, booking, desk), call, money],
      json: () => entryJson(entry, clock),
    };
  });
}

function confirmOne(code: string, options: MoveOptions): Promise<void> {
  return onShop(options, async (desk) => {
    const held = await requireBooking(desk.store, code);
    const unpaid = unpaidInWords(await desk.store.depositOf(held.id));
    const booked = await confirmBooking(desk, held.confirmationCode, options.quiet);
    const entry = await diaryEntryOf(desk.store, booked, desk.clock);
    return {
      said: [
        stepInWords(entry.booking, held.status, desk.now),
        unpaid,
        await callAfter(desk, held, booked, options.quiet),
      ],
      json: () => entryJson(entry, desk.clock),
    };
  });
}

function ready(code: string, options: CommonOptions): Promise<void> {
  return onGoodShop(options, async (desk) => {
    const { store, catalog, now } = desk;
    const booking = await requireBooking(store, code);
    const { confirmationCode, status, startAt, lead } = booking;
    const [name, phone] = [clean(lead.name), clean(shopPhone(lead, catalog))];
    if (status !== "confirmed" && status !== "completed")
      throw new CliError(`Booking ${confirmationCode} is ${statusInWords(status)}; nothing was sent.`);
    if (startAt > now.epochMilliseconds)
      throw new CliError(`Booking ${confirmationCode} has not begun yet; nothing was sent.`);
    const reason = await tellReady(booking, ownerContext(desk));
    if (reason !== null) throw new CliError(`${notSentInWords(reason, "ready_sms")} To call ${name}: ${phone}.`);
    const entry = await diaryEntryOf(store, booking, catalog);
    return {
      said: `The text to ${name}, ${phone}, about ${confirmationCode} waits for the server, which sends it at once.`,
      json: () => entryJson(entry, catalog),
    };
  });
}

/** @throws UsageError for an amount that cannot be read, or a way of paying without one */
function readPaid({ paid = [], tip, by }: MoveOptions): NewPayment[] {
  const way = PAID_BY.find((one) => one === by) ?? null;
  if (paid.length === 0 && tip === undefined) {
    if (way !== null) throw new UsageError("Give the amount too, like --paid 549 --by card.");
    return [];
  }
  // What nobody said the way of is other, as in old records.
  return readPayments([...paid, ...(tip === undefined ? [] : [`+${tip}`])].join(" "), way ?? "other");
}
