/** `tint book`: the owner books a customer, on the phone or at the counter. */
import "../estimates/jitless.ts";
import { ownerBooking } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { catalogForHelp } from "../catalog/terms.ts";
import {
  bookingFields,
  bookingTerms,
  leadBooked,
  movedInWords,
  requireLead,
  siteNote,
  undoInWords,
} from "../customers/leads.ts";
import { addFieldOptions } from "../diary/booking-fields.ts";
import { diaryEntryOf } from "../diary/entries.ts";
import { entryJson } from "../diary/entry-text.ts";
import { bookAtDesk, bookedInWords, lawNote, readPrice, storedBooking } from "../diary/owner.ts";
import { checkedInFlags } from "../estimates/cli-errors.ts";
import {
  addFlags,
  carOption,
  carWords,
  commonOf,
  type GivenFlags,
  inputFrom,
  textFlag,
  withVehicle,
} from "../estimates/flags.ts";
import { isInteractive, openScreen } from "../screens/open.ts";
import { catalogForBooking } from "../shop/clock.ts";
import { withStore } from "../shop/database.ts";
import { type Done, type Opened, onGoodShop } from "../shop/on-shop.ts";
import type { Command } from "../terminal/command.ts";
import { UsageError } from "../terminal/output.ts";
import { DATE_FORMS, dateOption, readDate } from "../typed/dates.ts";
import { knownOf, startingWith } from "../typed/requests.ts";
import { readLength, readTime, readWorkLength, startNow, TIME_FORMS } from "../typed/times.ts";
import { issueIn, readAll } from "../typed/values.ts";

/** Fields whose flags are described below, and fields that only callers of the API send. */
const OWN_FLAGS = ["vehicle_type", "date", "time", "customer_name", "customer_phone", "customer_email"];
const OWN_WORDS = ["special_requests", "service_type", "shade", "windshield_shade", "jurisdiction", "remove_old_film"];
const NOT_FOR_OWNERS = [
  ...["booking_request_id", "another", "postal_code", "consent", "estimate_id", "accept_not_legal", "dry_run"],
];

export async function configure(command: Command, args: readonly string[]): Promise<void> {
  const shop = await catalogForHelp(args);
  command
    .description("Books a customer at any free time, without notice. Asks on a terminal for what is missing.")
    .usage("[options]")
    .addArgument(carWords())
    .examples(
      'tint book --vehicle "21 highlander" --date friday --time 9am --name "Jordan Sample" --phone 404-555-0142',
      'tint book --vehicle suv --film ceramic --date 11/27 --time 2pm --name "Robin Example" --phone 404-555-0143 --price 429',
      "tint book --service residential --lead Q-7F3A2B --date friday --time 10am --minutes 60",
      "tint book",
    )
    .option("--lead <id>", "the lead that it comes from: what it tells is filled in")
    .action((vehicle: string, options: GivenFlags) => runBook(vehicle, options, textFlag(options.lead)));
  addBookingFlags(command, shop);
}

export function addBookingFlags(command: Command, shop: Shop): void {
  command
    .addOption(carOption(shop.terms.vehicleTypes))
    .addOption(dateOption("--date <date>", DATE_FORMS))
    .option("--time <time>", TIME_FORMS);
  addFieldOptions(command, "book", "customer_name", "customer_phone", "customer_email", "special_requests", "price");
  const anyway =
    "also on a blocked day, outside opening hours or in the past, and with a shade that is not legal without a question; never when every bay is busy";
  const until = "when it ends, like 5pm or wednesday noon, in place of a length";
  addFieldOptions(command, "book", "service_type", "address", "length").option("--until <when>", until);
  addFieldOptions(command, "book", "shade", "windshield_shade", "jurisdiction", "remove_old_film")
    .option("--quiet", "no confirmation to the customer; reminders go out anyway")
    .option("--anyway", anyway)
    .option("--json", "print the booking as JSON");
  command.completes("--shade", "shades").completes("--jurisdiction", "states");
  addFlags(command, ownerBooking.input(shop), [...OWN_FLAGS, ...OWN_WORDS, ...NOT_FOR_OWNERS]);
}

/** @param leadName the lead that the booking comes from; flags win over its facts */
export async function runBook(vehicle: string, options: GivenFlags, leadName?: string): Promise<void> {
  const places = commonOf(options);
  const catalog = catalogForBooking(places);
  const now = Temporal.Now.instant();
  const lead = leadName === undefined ? null : await withStore(places, (store) => requireLead(store, leadName));
  const known = lead ? bookingFields(lead, catalog) : {};
  const given = readFlags(withVehicle(vehicle, options, catalog), known, catalog, now);
  const fields = { ...known, ...inputFrom(given, ownerBooking.input(catalog), catalog) };
  const quoted = lead && bookingTerms(lead, catalog);
  const { service_type: service, special_requests: note }: Record<string, unknown> = fields;
  const isOnSite = service !== undefined && !catalog.terms.pricedBy.has(String(service));
  const where = isOnSite ? siteNote(textFlag(options.address) ?? quoted?.address ?? "", String(note ?? "")) : "";
  const input = { ...fields, ...(where !== "" && { special_requests: where }) };
  if (await openBookForm(input, given, catalog)) return;
  const price = textFlag(options.price) ?? quoted?.price;
  const terms = {
    anyway: options.anyway === true,
    evenIllegal: options.anyway === true,
    isQuiet: options.quiet === true,
    price: price === undefined ? undefined : readPrice(price),
    ...givenLength(options, given, catalog, now),
  };
  const work = async ({ store }: Opened<Shop>): Promise<Done> => {
    const booked = await bookAtDesk(input, given, { store, catalog, now }, terms);
    // Said at once: whatever fails behind it, the booking stands.
    process.stderr.write(`${bookedInWords(booked, now)}\n`);
    const { confirmation_code: code, estimate } = booked.confirmation;
    const moved = lead && (await leadBooked(store, lead.id, booked.confirmation, now.epochMilliseconds));
    const entry = await diaryEntryOf(store, await storedBooking(store, booked), catalog);
    return {
      said: [
        estimate === null && isWithoutCar(input, catalog)
          ? `Note: no car was named: booked without a price, at the usual length. To name it: tint bookings edit ${code} --vehicle "21 highlander"`
          : "",
        lawNote(booked, catalog),
        `To undo it: tint bookings cancel ${code}`,
        moved ? `${movedInWords(moved, catalog)} ${undoInWords(moved.lead)}` : "",
      ],
      json: () => entryJson(entry, catalog),
    };
  };
  await onGoodShop(places, work, { create: true, catalog });
}

/** The length, or the end, that the owner gives to the work. @throws UsageError */
function givenLength({ minutes, until }: GivenFlags, { date, time }: GivenFlags, catalog: Shop, now: Temporal.Instant) {
  const [length, end] = [textFlag(minutes), textFlag(until)];
  if (length !== undefined && end !== undefined) throw new UsageError("Give either --minutes or --until.");
  const start = { date: textFlag(date) ?? shopDate(catalog, now), time: textFlag(time) ?? "00:00" };
  return readWorkLength(length ?? (end === undefined ? "" : `until ${end}`), start, catalog, now);
}

const REQUIRED = ["date", "time", "customer_name", "customer_phone"];

function isWithoutCar({ vehicle_type: type, service_type: service }: Record<string, unknown>, catalog: Shop): boolean {
  return type === undefined && (service === undefined || catalog.terms.pricedBy.has(String(service)));
}

/** On a terminal, opens the form for missing fields. @returns false when none is missing, or without a terminal */
async function openBookForm(input: Record<string, unknown>, given: GivenFlags, catalog: Shop): Promise<boolean> {
  const isComplete = REQUIRED.every((field) => input[field] !== undefined) && !isWithoutCar(input, catalog);
  if (given.json || isComplete || !isInteractive()) return false;
  const known = knownOf(input);
  const price = textFlag(given.price);
  const begun = startingWith(price === undefined ? known : [...known, ["price", [price]]]);
  process.exitCode = await openScreen("book", commonOf(given), begun);
  return true;
}

/** Dates and times in the form of the API. @param known the fields that a lead has @throws UsageError that names what else is wrong, too */
function readFlags(given: GivenFlags, known: object, catalog: Shop, now: Temporal.Instant): GivenFlags {
  const [date, time, price, minutes] = ["date", "time", "price", "minutes"].map((name) => textFlag(given[name]));
  const today = startNow(catalog, now);
  try {
    const [day, start] = readAll(
      () => date !== undefined && { date: readDate(date, () => today.date) },
      () => time !== undefined && { time: readTime(time, () => today.time) },
      () => price !== undefined && readPrice(price),
      () => minutes !== undefined && readLength(minutes),
    );
    return { ...given, ...day, ...start };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // A day and a time that can be read stand in for those that cannot, so that only other faults are named.
    const typed = { ...given, ...(date && { date: today.date }), ...(time && { time: today.time }) };
    const others = issueIn(() => {
      const fields = { ...known, ...inputFrom(typed, ownerBooking.input(catalog), catalog) };
      checkedInFlags(ownerBooking, fields, given, catalog);
    });
    throw new UsageError([error.message, others].filter(Boolean).join("\n"));
  }
}
