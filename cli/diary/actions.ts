/** Changes of a booking by the owner: one wording for the command and the screen. */
import { type Change, change } from "../../src/capabilities/booking/change.ts";
import { listedIn, storedConfirmation, storedEstimate } from "../../src/capabilities/booking/confirmation.ts";
import { confirmHold } from "../../src/capabilities/booking/hold.ts";
import { type Agreed, BaysBusy, ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { requireUsual } from "../../src/capabilities/booking/slot.ts";
import {
  bookedMinutes,
  changedWork,
  listedMinutes,
  ownMinutes,
  removedBetween,
} from "../../src/capabilities/booking/work.ts";
import { contactDoubts } from "../../src/capabilities/core/stored-requests.ts";
import { editForOwner, messagesOfEnd, messagesOfReopening, workInRequest } from "../../src/capabilities/desk/owner.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { type BookingStatus, isOff, isOnlyHeld } from "../../src/domain/lifecycle.ts";
import { standing } from "../../src/domain/payments.ts";
import type { Start } from "../../src/domain/slots.ts";
import { ApiError } from "../../src/errors.ts";
import { toCents } from "../../src/lib/money.ts";
import { capitalized, durationInWords } from "../../src/lib/text.ts";
import type { Booking, NewPayment, Payment } from "../../src/store/store.ts";
import { type ShopLocale, shopPhone } from "../shop/clock.ts";
import { CliError, clean } from "../terminal/output.ts";
import { moneyIn, startInWords } from "../terminal/wording.ts";
import { listPriceOf, paidInWords, priceInWords } from "./amounts.ts";
import { noSuchBooking } from "./entries.ts";
import { entryJson, jobInWords, statusInWords } from "./entry-text.ts";
import { type Desk, everyBayBusy, issuesInWords, lawNote, ownerContext, whoIsInTheWay } from "./owner.ts";

export const NO_BAYS = "Without the catalog nobody knows how many bays there are.";

export const NO_WORDS = "Without the catalog the words of a booking are not known.";

/** A desk that may lack a good catalog. A booking can still be ended there, but its customer gets no message. */
export type BareDesk = Omit<Desk, "catalog"> & { catalog: Shop | null };

/** @throws CliError without a good catalog */
function goodDesk({ catalog, ...desk }: BareDesk, without: string): Desk {
  if (!catalog) throw new CliError(without);
  return { ...desk, catalog };
}

/**
 * Completes or cancels a confirmed booking, or marks it as a no-show. @param isQuiet the customer gets no message
 * @throws CliError with the reason when the booking stays as it is
 */
export async function closeBooking(
  desk: BareDesk,
  code: string,
  to: BookingStatus,
  paid: readonly NewPayment[],
  isQuiet = false,
): Promise<Booking> {
  const { store, catalog, now } = desk;
  const before = await store.findBooking(code);
  const jobs = before && catalog && !isQuiet ? await messagesOfEnd(before, to, ownerContext({ ...desk, catalog })) : [];
  const ending = { jobs, payments: paid, changes: before?.changes };
  const outcome = await store.changeBookingStatus(code, to, now.epochMilliseconds, ending);
  switch (outcome.kind) {
    case "moved":
      return outcome.booking;
    case "outdated":
      return closeBooking(desk, code, to, paid, isQuiet);
    case "unknown":
      throw new CliError(noSuchBooking(code));
    case "refused":
      throw new CliError(
        `Booking ${code} is ${statusInWords(outcome.booking.status)} already; only a confirmed one can be ${statusInWords(to)}.`,
      );
    case "too_early":
      throw new CliError(
        `Booking ${code} begins ${startInWords(outcome.booking, now)}, which is still to come; until then it can only be changed or cancelled.`,
      );
  }
}

/** Whether a change is news to a customer; `unsent`: the message of the one before lapsed, so that they know nothing else. */
export type KnownNews = "unsent" | "usual";

/** A booking that could not be changed, as when somebody else did so while the owner was asked. */
export interface Stays {
  booking: Booking;
  why: string;
}

/** The same change of several bookings. Those that cannot be changed stay. */
export async function inTurn<Changed>(bookings: readonly Booking[], change: (one: Booking) => Promise<Changed>) {
  const changed: Changed[] = [];
  const stay: Stays[] = [];
  for (const booking of bookings)
    try {
      changed.push(await change(booking));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      stay.push({ booking, why: error.message });
    }
  return { changed, stay };
}

/** Books what is held, and what was held while a bay is free. @throws CliError with the reason when it stays as it is */
export async function confirmBooking(bare: BareDesk, code: string, isQuiet = false): Promise<Booking> {
  const desk = goodDesk(bare, NO_BAYS);
  const before = await desk.store.findBooking(code);
  if (!before) throw new CliError(noSuchBooking(code));
  const policy = ownerPolicy({ anyway: false, isQuiet });
  const outcome = await confirmHold(before, policy, ownerContext(desk), desk.catalog.scheduling.bays);
  switch (outcome.kind) {
    case "confirmed":
      if (outcome.isNew) return outcome.booking;
      throw new CliError(`Booking ${code} is confirmed already.`);
    case "waits":
      return outcome.booking;
    case "taken":
      throw new CliError(await staysInWords(outcome.booking, desk));
    case "over":
      throw new CliError(
        `Booking ${code} is ${statusInWords(outcome.booking.status)}. To take it up again: tint bookings reopen ${code}`,
      );
    case "unknown":
      throw new CliError(noSuchBooking(code));
  }
}

/**
 * Makes an ended booking confirmed again. @throws CliError with the reason when it stays as it is
 * @returns also the payments that were taken back with its end, a note where its day or bay was closed meanwhile, and whether the
 *   customer knows nothing else
 */
export async function reopenBooking(bare: BareDesk, code: string, isQuiet: boolean) {
  const desk = goodDesk(bare, NO_BAYS);
  const { store, catalog, now } = desk;
  const before = await store.findBooking(code);
  const usual: KnownNews = "usual";
  // Nobody was told of what was held: its messages are those of a new booking.
  if (before && isOff(before.status) && isOnlyHeld(before))
    return { booking: await confirmBooking(desk, code, isQuiet), gone: [], note: "", news: usual };
  const jobs = await messagesOfReopening(before && !isQuiet ? [before] : [], ownerContext(desk));
  const [outcome] = await store.reopenBookings([code], catalog.scheduling.bays, now.epochMilliseconds, jobs);
  switch (outcome?.kind) {
    case "reopened": {
      const { booking } = outcome;
      const news: KnownNews = outcome.neverTold ? "unsent" : "usual";
      if (!before) return { booking, gone: [], note: "", news };
      const note = await closedMeanwhile(booking, before, desk);
      return { booking, gone: paymentsOnlyOf(before, booking), note, news };
    }
    case "taken":
      throw new CliError(await staysInWords(outcome.booking, desk));
    case "refused":
      throw new CliError(notEndedInWords(outcome.booking, now));
    default:
      throw new CliError(noSuchBooking(code));
  }
}

function notEndedInWords(booking: Booking, now: Temporal.Instant): string {
  const way = `was only held. To book it: tint bookings confirm ${booking.confirmationCode}`;
  return `${bookingName(booking, now)} ${isOnlyHeld(booking) ? way : "is confirmed already."}`;
}

type Paid = Pick<Booking, "payments">;

/** The payments that stand in one state of a booking or lead and not in the other. */
export function paymentsOnlyOf(one: Paid, other: Paid | null): Payment[] {
  const stands = standing(other?.payments ?? []).map(({ id }) => id);
  return standing(one.payments).filter(({ id }) => !stands.includes(id));
}

/** `Taken back, too: paid $300.00 cash, tip $20.00.`; empty without payments. @param booking has their currency, if it has a price */
export function paymentsInWords(
  payments: readonly Payment[],
  { answer }: Booking,
  currency = "USD",
  head = "Taken back, too: ",
): string {
  const paid = paidInWords(payments, null, moneyIn(storedEstimate(answer)?.currency ?? currency)).join(", ");
  return paid && `${capitalized(head + paid)}.`;
}

/** A note where the day or a bay of a cancelled booking was closed before it was reopened; empty where nothing was. */
async function closedMeanwhile(booking: Booking, before: Booking, desk: Desk): Promise<string> {
  if (!isOff(before.status) || booking.startAt <= desk.now.epochMilliseconds) return "";
  const unusual = await requireUsual(booking, ownerPolicy({ anyway: true }), desk, booking);
  return unusual === null ? "" : `Note: ${shortNameOf(booking, desk.now)} is on again although ${unusual}.`;
}

/** Why an ended booking cannot be confirmed again, with who took its time. */
async function staysInWords(booking: Booking, desk: Desk): Promise<string> {
  const { status, startAt, busyUntil, endedAt } = booking;
  const stretch = { startAt: isOff(status) ? startAt : (endedAt ?? startAt), busyUntil };
  const what = isOff(status) ? "its time is taken" : "its bay was given away since";
  const jobs = await whoIsInTheWay(stretch, desk, booking);
  return `${bookingName(booking, desk.now)} stays ${statusInWords(status)}: ${what} (${jobs.join(", ")}).`;
}

/**
 * Moves a booking; code and price stay. @throws CliError with the reason when it stays where it is, UnusualTime without `anyway`
 * @returns a note, too, when the time is unusual, and whether the customer knows no other
 */
export async function rescheduleBooking(bare: BareDesk, booking: Booking, to: Start, anyway: boolean, isQuiet = false) {
  const desk = goodDesk(bare, NO_BAYS);
  const code = booking.confirmationCode;
  if (booking.status !== "confirmed")
    throw new CliError(`Booking ${code} is ${statusInWords(booking.status)}; only a confirmed one can be moved.`);
  if (booking.date === to.date && booking.time === to.time)
    throw new CliError(`${bookingName(booking, desk.now)} is at that time already.`);
  try {
    const policy = ownerPolicy({ anyway, isQuiet });
    const announced = await desk.store.unannouncedStart(booking.lead.id);
    const { outcome, unusual } = await change(booking, { start: to }, policy, ownerContext(desk));
    const moved = unlessOutdated(outcome, code);
    const news: KnownNews = announced === moved.startAt ? "unsent" : "usual";
    return { booking: moved, note: unusual ?? "", news };
  } catch (error) {
    if (error instanceof BaysBusy) throw await everyBayBusy(error, desk, "Not moved", booking);
    throw error instanceof ApiError ? new CliError(error.message) : error;
  }
}

/** @throws CliError when the booking stays as it is */
function unlessOutdated(outcome: Change["outcome"], code: string): Booking {
  if (outcome.kind === "changed") return outcome.booking;
  throw new CliError(`Booking ${code} was changed by somebody else just now. Look at it again.`);
}

export interface WorkTerms extends Agreed {
  /** In cents; the price list's where it is left out. */
  price?: number | undefined;
  /** Also in place of a price that was agreed. */
  listPrice?: boolean;
  /** How long the work takes; the owner's own length of before, or else the price list's, where it is left out. */
  minutes?: number | undefined;
}

/**
 * Corrects a booking; its time stays. Other work has its price and length, and is stored before what else is corrected.
 * @throws CliError or `refusal` when it stays as it is, UnusualTime without `anyway`, PriceToAgree without a price for other work
 */
export async function editBooking(
  bare: BareDesk,
  booking: Booking,
  fields: object,
  terms: WorkTerms,
  refusal: (error: ApiError) => Error = (error) => new CliError(issuesInWords(error).text),
): Promise<Booking> {
  const desk = goodDesk(bare, NO_WORDS);
  const ctx = ownerContext(desk);
  const code = booking.confirmationCode;
  try {
    const { price, listPrice = false, minutes, ...agreed } = terms;
    const work = workInRequest(fields, desk.catalog) ?? (minutes === undefined ? undefined : {});
    if (work && booking.status !== "confirmed")
      throw new CliError(
        `Booking ${code} is ${statusInWords(booking.status)}; only the work of a confirmed one can be changed.`,
      );
    const wish = { work: work ?? {}, price: price ?? (listPrice ? ("list" as const) : undefined), minutes };
    const { outcome } = work ? await change(booking, wish, ownerPolicy(agreed), ctx) : { outcome: null };
    const changed = outcome ? unlessOutdated(outcome, code) : booking;
    const listed = listPrice ? listedCents(changed) : undefined;
    if (listPrice && listed === undefined && !work)
      throw new CliError(`Not changed: the price list has no price for booking ${code}.`);
    return unlessOutdated(await editForOwner(changed, fields, listed ?? (work ? undefined : price), ctx), code);
  } catch (error) {
    if (error instanceof BaysBusy) throw await everyBayBusy(error, desk, "Not changed", booking);
    throw error instanceof ApiError ? refusal(error) : error;
  }
}

/** The price list's price at the time of the work; undefined where nothing of it is on the list. */
function listedCents({ answer }: Booking): number | undefined {
  const estimate = storedEstimate(answer);
  return estimate && listedIn(estimate).length > 0 ? toCents(listPriceOf(estimate)) : undefined;
}

/** The price list's price of a corrected booking, in words; null where the correction has none. */
export async function listedPriceAfter(desk: Desk, booking: Booking, fields: object): Promise<string | null> {
  const work = workInRequest(fields, desk.catalog);
  try {
    const { estimate } =
      (work && (await changedWork(work, booking, ownerPolicy({ anyway: true }), ownerContext(desk))))?.answer ?? {};
    return estimate ? priceInWords(estimate) : null;
  } catch (error) {
    // Saving names the mistakes of the same request.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

export function correctedInWords(booking: Booking, before: Booking, catalog: Shop): string {
  const [old, now] = [before, booking].map((one) => correctableFacts(one, catalog));
  const changes = Object.entries(now ?? {}).flatMap(([name, value]) => {
    const was = old?.[name] ?? "";
    return was === value ? [] : [`${name} ${clean(was) || "none"} → ${clean(value) || "none"}`];
  });
  const head = `Booking ${booking.confirmationCode}`;
  if (changes.length === 0) return `${head} is as it was.`;
  const { phone, email } = booking.lead;
  const isNew = phone !== before.lead.phone || email !== before.lead.email;
  const doubts = isNew ? contactDoubts({ phone, email }, catalog) : [];
  const [is, then] = [booking, before].map(({ answer }) => storedConfirmation.safeParse(answer).data);
  const taken = is && then ? removedBetween(then, is, catalog) : [];
  const isJudgedAnew = is && !Bun.deepEquals([is.shade, is.tint_law], [then?.shade, then?.tint_law]);
  const notes = [
    ...taken.map(({ message }) => clean(message)),
    isJudgedAnew ? lawNote({ confirmation: is, warnings: [] }, catalog) : "",
    lengthNoteOf(booking, before, catalog),
    ...doubts.map(({ message }) => clean(message)),
  ];
  return [`${head} is corrected: ${changes.join("; ")}.`, ...notes.map((note) => note.trim())]
    .filter(Boolean)
    .join(" ");
}

/** Says that the length that the owner gave stays although the work is another one. */
function lengthNoteOf(booking: Booking, before: Booking, catalog: Shop): string {
  const listed = listedMinutes(booking, catalog);
  const isOther = listed !== listedMinutes(before, catalog);
  if (!ownMinutes(before, catalog) || !listed || !isOther || booking.endAt !== before.endAt) return "";
  const code = booking.confirmationCode;
  return `Its own length stays; that of the price list: tint bookings edit ${code} --minutes ${listed}`;
}

/** The fields that can be corrected, with their names for the owner. */
function correctableFacts(booking: Booking, shop: ShopLocale): Record<string, string> {
  const { lead, answer } = booking;
  const facts = storedConfirmation.safeParse(answer).data;
  return {
    name: lead.name,
    phone: shopPhone(lead, shop),
    "e-mail": lead.email,
    vehicle: facts?.vehicle.description ?? "",
    job: jobInWords(entryJson({ booking, bay: null }, shop), shop),
    note: facts?.special_requests ?? "",
    price: facts?.estimate ? priceInWords(facts.estimate) : "",
    length: durationInWords(bookedMinutes(booking, shop)),
  };
}

export function rescheduledInWords(booking: Booking, from: Booking, now: Temporal.Instant): string {
  const { confirmationCode: code } = booking;
  return `${nowInWords(booking, from, now)} To undo it: tint bookings move ${code} ${from.date} ${from.time}`;
}

/** Says from where to where a booking was moved. */
export function nowInWords(booking: Booking, from: Start, now: Temporal.Instant): string {
  return `Booking ${booking.confirmationCode} (${clean(booking.lead.name)}): ${startInWords(from, now)} → ${startInWords(booking, now)}.`;
}

export function endedInWords(
  booking: Booking,
  before: Booking,
  { now, clock }: { now: Temporal.Instant; clock: ShopLocale },
): string {
  const paid = paymentsInWords(paymentsOnlyOf(booking, before), booking, clock.currency, "");
  const undo = `To undo it: tint bookings reopen ${booking.confirmationCode}`;
  return [stepInWords(booking, before.status, now), paid, undo].filter(Boolean).join(" ");
}

/** Says from which state a booking went to which, and that work which ended early left its bay. */
export function stepInWords(booking: Booking, from: BookingStatus, now: Temporal.Instant): string {
  const { status, endedAt, busyUntil } = booking;
  const isFreed = endedAt !== null && endedAt < busyUntil && !isOff(status);
  return `${bookingName(booking, now)}: ${changeOfState(from, status)}.${isFreed ? " Its bay is free." : ""}`;
}

/** `confirmed → cancelled by the shop`. */
export function changeOfState(from: BookingStatus, to: BookingStatus): string {
  return [from, to].map((status) => (status === "no_show" ? "no-show" : statusInWords(status))).join(" → ");
}

/** `Booking 7F3A2B9C (Fri Nov 27, 9:00 AM, Robin Example)`. */
export function bookingName(booking: Booking, now: Temporal.Instant): string {
  return `Booking ${shortNameOf(booking, now)}`;
}

/** `7F3A2B9C (Fri Nov 27, 9:00 AM, Robin Example)`, for a list. */
export function shortNameOf(booking: Booking, now: Temporal.Instant): string {
  return `${booking.confirmationCode} (${startInWords(booking, now)}, ${clean(booking.lead.name)})`;
}
