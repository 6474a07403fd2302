/** The owner's own booking: one way for the command and the screen. */
import { BaysBusy, ShadeNotLegal, UnusualTime } from "../../src/capabilities/booking/policy.ts";
import type { Context } from "../../src/capabilities/core/capability.ts";
import { createDiary } from "../../src/capabilities/core/diary.ts";
import { createSigningSecret } from "../../src/capabilities/core/signing-secret.ts";
import { bookForOwner, OWNER_CALLER, ownerBooking } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { closedIn, mostAtOnce, type Occupancy, without } from "../../src/domain/bays.ts";
import { timeOfDay } from "../../src/domain/dates-in-words.ts";
import { stayOf } from "../../src/domain/lifecycle.ts";
import { momentOf, planOf, shopDate } from "../../src/domain/schedule.ts";
import { isPauseAlone, pauseInWords, type Slot } from "../../src/domain/slots.ts";
import { ApiError, fail } from "../../src/errors.ts";
import { toCents } from "../../src/lib/money.ts";
import { spaced } from "../../src/lib/text.ts";
import type { DiaryEntry } from "../../src/store/diary-days.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { inFlags } from "../estimates/cli-errors.ts";
import type { GivenFlags } from "../estimates/flags.ts";
import { notesOf, understoodIn } from "../estimates/quote-text.ts";
import { askToAgree, canAsk } from "../terminal/asking.ts";
import { CliError, clean, UsageError } from "../terminal/output.ts";
import { startInWords, timeInWords } from "../terminal/wording.ts";
import { notRead, plainNumber } from "../typed/values.ts";
import { priceInWords } from "./amounts.ts";
import { readStanding } from "./entries.ts";

/** The parts of the shop that the owner's work on a booking needs. */
export type Desk = Pick<Context, "store" | "catalog" | "now">;

/** The context in which the owner books: no quotas, no caller to limit. */
export function ownerContext(desk: Desk): Context {
  const { store } = desk;
  return {
    ...{ ...desk, caller: OWNER_CALLER, diary: createDiary(store), signing: createSigningSecret(store), fail },
    get codeAttempts(): never {
      throw new Error("the owner proves nothing");
    },
    get countAddress(): never {
      throw new Error("the owner proves nothing");
    },
  };
}

type Booked = Awaited<ReturnType<typeof bookForOwner>>;

type Terms = Parameters<typeof bookForOwner>[2];

/**
 * Books, and notes an unusual time on standard error. A shade that is not legal is asked about once, or told.
 * @throws UsageError for a faulty request, CliError when the time needs --anyway or every bay is busy
 */
export async function bookAtDesk(raw: object, given: GivenFlags, desk: Desk, terms: Terms): Promise<Booked> {
  const bookOn = (agreed: Partial<Terms>) =>
    book(raw, desk, { ...terms, ...agreed }, (error) => inFlags(error, ownerBooking, given, desk.catalog));
  const booked = await bookOn({}).catch(async (error: unknown) => {
    if (error instanceof UnusualTime)
      throw new CliError(`Not booked: ${error.message}. To book it anyway: tint book … --anyway.`);
    await agreeToShade(error, "Not booked", "Book it anyway?", true);
    return bookOn({ evenIllegal: true });
  });
  const unstocked = booked.warnings.filter(({ code }) => code === "SHADE_NOT_STOCKED");
  for (const note of [...understoodIn(ownerBooking, raw, desk.catalog), ...notesOf(unstocked)])
    process.stderr.write(`Note: ${note}\n`);
  if (booked.unusual !== null) process.stderr.write(`Note: ${booked.unusual}; booked anyway.\n`);
  return booked;
}

/** Asks whether a shade that is not legal is wanted; without a terminal warns, unless the answer does. @throws CliError without a yes */
export async function agreeToShade(error: unknown, not: string, question: string, isTold = false): Promise<void> {
  if (!(error instanceof ShadeNotLegal)) throw error;
  const reasons = error.reasons.join(" ");
  if (canAsk()) await askToAgree(`${error.message}. ${reasons}\n${question}`, "", `${not}.`);
  else if (!isTold) process.stderr.write(`Note: ${error.message}. ${reasons}\n`);
}

/** A refusal of one field of the form. */
export class FieldError extends CliError {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super(message);
  }
}

/** Books from the form. @throws CliError with the reason in the words of the form, UnusualTime without `anyway`, ShadeNotLegal without `evenIllegal` */
export function bookForScreen(raw: object, desk: Desk, terms: Terms): Promise<Booked> {
  return book(raw, desk, terms, (error) => {
    const { text, field } = issuesInWords(error);
    return field === undefined ? new CliError(text) : new FieldError(text, field);
  });
}

/** The issues of a request in the words of the screens, and the first field that has one. */
export function issuesInWords({ message, details }: ApiError): { text: string; field: string | undefined } {
  const { missing_fields: missing = [], invalid_fields: invalid = [] } = details;
  const issues = [
    ...missing.map((field) => `The ${labelOf(field)} is missing.`),
    ...invalid.map((issue) => `The ${labelOf(issue.field)} ${issue.message}.`),
  ];
  const [field = invalid[0]?.field] = missing;
  return { text: issues.length === 0 ? message : issues.join(" "), field };
}

function labelOf(field: string): string {
  return spaced(field.replace(/^customer_/, ""))
    .replace("email", "e-mail")
    .replace("special requests", "note");
}

async function book(raw: object, desk: Desk, terms: Terms, refusal: (error: ApiError) => Error): Promise<Booked> {
  try {
    return await bookForOwner(raw, ownerContext(desk), terms);
  } catch (error) {
    if (error instanceof BaysBusy) throw await everyBayBusy(error, desk, "Not booked");
    throw error instanceof ApiError ? refusal(error) : error;
  }
}

/** An agreed price as typed: `$1,299.50`. @returns cents @throws UsageError */
export function readPrice(typed: string): number {
  const plain = plainNumber(typed);
  if (/^\d[\d.]*\s*\+/.test(plain)) throw new UsageError(`${clean(typed)} is not one amount: write the whole sum.`);
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(plain)) throw notRead(typed, "an amount", "629 or 629.50");
  return toCents(Number(plain));
}

/** A summary to read out on the phone: the time, the price, the code, and what to ask again. */
export function bookedInWords({ confirmation, warnings }: Booked, now: Temporal.Instant): string {
  const { estimate, confirmation_code: code, customer } = confirmation;
  const price = estimate ? `, ${priceInWords(estimate)}` : "";
  const doubts = warnings.filter((one) => one.code === "CONTACT_CHECK").map(({ message }) => clean(message));
  const booked = `Booked ${clean(customer.name)} for ${startInWords(confirmation, now)}${price}. The code is ${code}.`;
  return [booked, ...doubts].join(" ");
}

/** A line about a shade that the law forbids, or may forbid; empty for every other. It informs and never blocks. */
export function lawNote(
  { confirmation: { tint_law: checked }, warnings }: Pick<Booked, "confirmation" | "warnings">,
  { tint_law: law }: Shop,
): string {
  const barred = warnings.find(({ code }) => code === "NOT_LEGAL");
  if (barred) return `Note: ${barred.message}\n`;
  if (!checked || !["illegal", "not_permitted", "borderline"].includes(checked.status)) return "";
  const state = law.jurisdictions[checked.jurisdiction]?.name ?? checked.jurisdiction;
  return `Note: under the tint law of ${state} this shade is ${spaced(checked.status)}.\n`;
}

/** Says who stands in the bays, and offers the nearest free times. @param own the booking that is changed, in nobody's way */
export async function everyBayBusy({ slot, nearest }: BaysBusy, desk: Desk, what: string, own?: Booking) {
  const jobs = await whoIsInTheWay(slot, desk, own);
  const busy = await desk.store.busyBetween(slot.startAt, slot.busyUntil);
  const isPause = isPauseAlone(desk.catalog, slot, own ? without(own, busy) : busy);
  const why = isPause ? pauseInWords(desk.catalog) : "every bay is busy for part of the work then";
  const free = nearest.map((start) => startInWords(start, desk.now));
  return new CliError(
    [`${what}, ${why}: ${jobs.join(", ")}.`, ...(free.length === 0 ? [] : [`Free: ${free.join("; ")}.`])].join(" "),
  );
}

/** Who stands in which bay during a stretch of time. @param own the booking that is not meant */
export async function whoIsInTheWay(stretch: Occupancy, { store, catalog }: Desk, own?: Booking): Promise<string[]> {
  const days = { from: shopDate(catalog, stretch.startAt), to: shopDate(catalog, stretch.busyUntil) };
  const entries = (await readStanding(store, days, catalog)).filter(({ booking }) => booking.id !== own?.id);
  return jobsInTheWay(catalog, stretch, entries);
}

export async function storedBooking(store: Store, { confirmation }: Booked): Promise<Booking> {
  const booking = await store.findBooking(confirmation.confirmation_code);
  if (!booking) throw new Error("the booking is not there");
  return booking;
}

/** `10:30 AM, free until 1:00 PM`, or `busy: bay 1 Ray till 11:15 AM`. @param entries all of the day of the work and the day after */
export function bayUseAt(catalog: Shop, slot: Slot, entries: readonly DiaryEntry[]): { isFree: boolean; text: string } {
  const { startAt, busyUntil } = slot;
  const busy = entries.filter(({ bay }) => bay !== null).map(({ booking }) => stayOf(booking));
  if (mostAtOnce(busy, startAt, busyUntil) < catalog.scheduling.bays) {
    const end = momentOf(catalog, slot.date, "24:00");
    const until = freeUntil(catalog, slot, [...busy, ...closedIn(catalog, startAt, end)]);
    return {
      isFree: true,
      text: `${timeOfDay(slot.time)}, free${until === null ? "" : ` until ${timeInWords(catalog, until)}`}`,
    };
  }
  return { isFree: false, text: `busy: ${jobsInTheWay(catalog, slot, entries).join(", ")}` };
}

/** Who stands in which bay meanwhile: `bay 1 Ray till 11:15 AM`. @param entries all that stands on the days of the work */
function jobsInTheWay(catalog: Shop, { startAt, busyUntil }: Occupancy, entries: readonly DiaryEntry[]): string[] {
  return entries
    .map(({ bay, booking }) => ({ bay, name: booking.lead.name, ...stayOf(booking) }))
    .filter((one) => one.bay !== null && one.startAt < busyUntil && one.busyUntil > startAt)
    .sort((a, b) => (a.bay ?? 0) - (b.bay ?? 0) || a.startAt - b.startAt)
    .map((one) => `bay ${one.bay} ${clean(one.name)} ${boundary(one, startAt, catalog)}`);
}

/** When a bay that is taken at the start comes free, or when one that is free then is needed. */
function boundary({ startAt, busyUntil }: Occupancy, start: number, catalog: Shop): string {
  return startAt <= start ? `till ${timeInWords(catalog, busyUntil)}` : `from ${timeInWords(catalog, startAt)}`;
}

/** When the last free bay is needed, or the shop closes; null outside opening hours with nothing to come. */
function freeUntil(catalog: Shop, { date, time, startAt }: Slot, busy: readonly Occupancy[]): number | null {
  const { bays } = catalog.scheduling;
  const needed = busy
    .map((one) => one.startAt)
    .filter((at) => at > startAt && mostAtOnce(busy, startAt, at + 1) >= bays);
  const open = planOf(catalog, date).hours.find(({ opens, closes }) => opens <= time && time < closes);
  const ends = [...needed, ...(open ? [momentOf(catalog, date, open.closes)] : [])];
  return ends.length === 0 ? null : Math.min(...ends);
}
