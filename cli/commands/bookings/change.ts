/** `tint bookings move` and `edit`. */
import { Option } from "commander";
import { bookedPrice } from "../../../src/capabilities/booking/confirmation.ts";
import { PriceToAgree, UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import { ownerEdit } from "../../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import type { ApiError } from "../../../src/errors.ts";
import type { Booking } from "../../../src/store/store.ts";
import {
  correctedInWords,
  editBooking,
  NO_WORDS,
  rescheduleBooking,
  rescheduledInWords,
  type WorkTerms,
} from "../../diary/actions.ts";
import { priceInWords } from "../../diary/amounts.ts";
import { addFieldOptions } from "../../diary/booking-fields.ts";
import { callAfter } from "../../diary/calls.ts";
import { diaryEntryOf, requireBooking } from "../../diary/entries.ts";
import { entryJson } from "../../diary/entry-text.ts";
import { agreeToShade, type Desk, readPrice } from "../../diary/owner.ts";
import { checkedInFlags, inFlags } from "../../estimates/cli-errors.ts";
import { carOption, commonOf, type GivenFlags, inputFrom, textFlag, withVehicle } from "../../estimates/flags.ts";
import { understoodIn } from "../../estimates/quote-text.ts";
import { isInteractive, openScreen } from "../../screens/open.ts";
import { catalogIfGood } from "../../shop/clock.ts";
import { type CommonOptions, withStore } from "../../shop/database.ts";
import { onGoodShop, onShop } from "../../shop/on-shop.ts";
import { askOnce, canAsk } from "../../terminal/asking.ts";
import type { Command } from "../../terminal/command.ts";
import { CliError, UsageError } from "../../terminal/output.ts";
import { choiceOption } from "../../typed/enums.ts";
import { readLength, readStart, startNow } from "../../typed/times.ts";
import { readAll } from "../../typed/values.ts";

export function addChanges(command: Command): void {
  const moving = command.subcommand("move <code> <when...>", "to another time; code and price stay");
  const behind = "The time follows the code, like: tint bookings move CODE friday 9am";
  Object.assign(moving.elsewhere, { "--date": behind, "--time": behind });
  moving
    .description(
      "Moves a confirmed booking to any time with a free bay. Code, price and length stay. A day alone keeps the time, a time alone the day.",
    )
    .option("--anyway", "also to a blocked day, outside opening hours, or into the past; never when every bay is busy")
    .addOption(
      choiceOption("--by <who>", "who asked for it; a customer who did need not be called", ["shop", "customer"]),
    )
    .option("--quiet", "do not tell the customer")
    .examples("tint bookings move 7F3A2B9C friday 9am", "tint bookings move 7F3A2B9C 11/27 14:00 --anyway")
    .jsonAction(
      (code: string, when: string[], options: MoveOptions) => reschedule(code, when.join(" "), options),
      "the booking as JSON",
    );
  const editing = command
    .subcommand("edit <code>", "correct the customer, the car, the work, the note or the price")
    .description(
      "Corrects a booking. Other work has the price and length of the price list, but a length of your own stays without --minutes, and a price you agreed on is asked for anew: --price, --list-price or --keep-price. Its customer gets the confirmation again. The time stays; tint bookings move changes it.",
    );
  editing.completes("--film", "films").completes("--shade", "shades").completes("--jurisdiction", "states");
  const move = "The time stays here. To change it: tint bookings move CODE friday 9am";
  Object.assign(editing.elsewhere, { "--date": move, "--time": move });
  addFieldOptions(editing, "edit", "customer_name", "customer_phone", "customer_email", "special_requests", "price")
    .option("--list-price", "the price list's price, in place of one you agreed on")
    .option("--keep-price", "keep the price, although the work changes")
    .addOption(carOption());
  addFieldOptions(editing, "edit", "film_type", "coverage", "addons")
    .option("--add-addon <names...>", "extras beside those that it has")
    .option("--remove-addon <names...>", "extras that are taken out");
  addFieldOptions(editing, "edit", "shade", "windshield_shade", "jurisdiction", "remove_old_film").addOption(
    new Option("--no-remove-old-film", "the opposite").default(undefined).hideHelp(),
  );
  const anyway =
    "also when longer work ends outside opening hours, and with a shade that is not legal without a question; never when every bay is busy";
  addFieldOptions(editing, "edit", "length", "vehicle_year", "vehicle_make", "vehicle_model")
    .option("--anyway", anyway)
    .option("--quiet", "do not tell the customer")
    .examples(
      "tint bookings edit 7F3A2B9C --phone 404-555-0143",
      "tint bookings edit 7F3A2B9C --film ceramic --shade 35",
      "tint bookings edit 7F3A2B9C --remove-old-film --keep-price",
    )
    .jsonAction(edit, "the booking as JSON");
}

async function edit(code: string, options: GivenFlags): Promise<void> {
  const catalog = catalogIfGood(textFlag(options.catalog));
  if (!catalog) throw new CliError(NO_WORDS);
  const corrections = { ...options };
  for (const other of ["catalog", "data", "json", "quiet", "anyway", "keepPrice"]) delete corrections[other];
  if (Object.values(corrections).every((value) => value === undefined))
    return editOnScreen(code, commonOf(options), catalog);
  const given = withVehicle("", options, catalog);
  const fields = inputFrom(given, ownerEdit.input(catalog), catalog);
  const [price, minutes] = [textFlag(given.price), textFlag(given.minutes)];
  if ([price, given.listPrice, given.keepPrice].filter(Boolean).length > 1)
    throw new UsageError("Give one of --price, --list-price and --keep-price.");
  const [agreed, length] = readAll(
    () => (price === undefined ? undefined : readPrice(price)),
    () => (minutes === undefined ? undefined : readLength(minutes)),
    () => checkedInFlags(ownerEdit, fields, options, catalog, "tint bookings edit"),
  );
  const work = async (desk: Desk) => {
    const before = await requireBooking(desk.store, code);
    const refusal = (error: ApiError) => inFlags(error, ownerEdit, options, catalog, "tint bookings edit");
    const terms = {
      price: agreed ?? (given.keepPrice ? (bookedPrice(before) ?? undefined) : undefined),
      listPrice: given.listPrice === true,
      anyway: given.anyway === true,
      isQuiet: given.quiet === true,
      minutes: length,
    };
    const editOn = (terms: WorkTerms): Promise<Booking> =>
      editBooking(desk, before, fields, terms, refusal).catch(async (error: unknown) => {
        const way = "To change it anyway, add --anyway.";
        if (error instanceof PriceToAgree) return editOn({ ...terms, ...(await priceAnew(error)) });
        if (error instanceof UnusualTime) throw new CliError(`Not changed: ${error.message}. ${way}`);
        await agreeToShade(error, "Not changed", "Change it anyway?");
        return editOn({ ...terms, evenIllegal: true });
      });
    const edited = await editOn({ ...terms, evenIllegal: terms.anyway });
    const entry = await diaryEntryOf(desk.store, edited, catalog);
    return {
      notes: understoodIn(ownerEdit, fields, catalog).map((note) => `Note: ${note}`),
      said: correctedInWords(entry.booking, before, catalog),
      json: () => entryJson(entry, catalog),
    };
  };
  await onGoodShop(commonOf(options), work, { catalog });
}

/** Asks on a terminal for the price of other work, where one was agreed before. @throws UsageError without a terminal */
async function priceAnew({ before, listed }: PriceToAgree): Promise<Pick<WorkTerms, "price" | "listPrice">> {
  const agreed = `${before ? priceInWords(before) : "A price"} was agreed for this booking`;
  const list = `the price list's, ${listed ? priceInWords(listed) : "which has none without a vehicle"}`;
  if (!canAsk())
    throw new UsageError(
      `Not changed: ${agreed}. Add --price with that of the other work, --list-price for ${list}, or --keep-price.`,
    );
  const typed = await askOnce(`${agreed}. The new price (Enter takes ${list})`);
  return typed === "" ? { listPrice: true } : { price: readPrice(typed) };
}

/** On a terminal the form asks for the corrections, and they are said behind it. @throws UsageError without a terminal */
async function editOnScreen(code: string, options: CommonOptions, catalog: Shop): Promise<void> {
  if (options.json || !isInteractive())
    throw new UsageError("Say what to correct, like --phone 404-555-0143 or --price 549.");
  const read = () => withStore(options, (store) => requireBooking(store, code));
  const before = await read();
  process.exitCode = await openScreen("edit", options, before.confirmationCode);
  process.stderr.write(`${correctedInWords(await read(), before, catalog)}\n`);
}

type MoveOptions = CommonOptions & { by?: string; anyway?: boolean; quiet?: boolean };

function reschedule(code: string, when: string, options: MoveOptions): Promise<void> {
  return onShop(options, async (desk) => {
    const { store, clock } = desk;
    const from = await requireBooking(store, code);
    const to = readStart(when, startNow(clock, desk.now), from);
    const moving = rescheduleBooking(desk, from, to, options.anyway === true, options.quiet === true);
    const { booking, note, news } = await moving.catch((error: unknown) => {
      if (!(error instanceof UnusualTime)) throw error;
      throw new CliError(`Not moved: ${error.message}. To move it anyway, add --anyway.`);
    });
    const call = await callAfter(desk, from, booking, options.quiet, options.by === "customer" ? "own" : news);
    const entry = await diaryEntryOf(store, booking, clock);
    return {
      notes: [note && `Note: ${note}; moved anyway.`],
      said: [rescheduledInWords(entry.booking, from, desk.now), call],
      json: () => entryJson(entry, clock),
    };
  });
}
