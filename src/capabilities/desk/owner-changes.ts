/**
 * The owner's changes to a booking: the customer gets the messages that the catalog switches on, the shop none. Source:
 * contract 17.
 */

import type { Shop } from "../../catalog/shop.ts";
import { type BookingStatus, isCancelled } from "../../domain/lifecycle.ts";
import { type OwnerSlot, slotAtAnyTime } from "../../domain/owner-slots.ts";
import type { Start } from "../../domain/slots.ts";
import { mayStayOverNight } from "../../domain/work.ts";
import { toVehicle } from "../../job/job.ts";
import { hasBarredFilm } from "../../job/legal-job.ts";
import { defined, field, pick } from "../../lib/fields.ts";
import { toCents, toUnits } from "../../lib/money.ts";
import { afterWork, isNewsOf, mayBeTexted, ready, reopening } from "../../messages/customer-messages.ts";
import { planCancellation, planNewWork, planRescheduling } from "../../messages/plan.ts";
import type { Booking, ChangeOutcome, NewJob } from "../../store/store.ts";
import { AGREED_PRICE, type Confirmation, listedIn, storedConfirmation } from "../booking/confirmation.ts";
import type { Context } from "../core/capability.ts";
import { taxed } from "../core/price-shapes.ts";
import { phoneOf } from "../core/stored-requests.ts";
import { bookedJob, bookedLength, bookedMinutes, changedWork, listedMinutes } from "../managing/changed-work.ts";
import { announcedStart, messagesOfChange, rewordedFor } from "../managing/store-change.ts";
import { BaysBusy, baysBusy, checked, closedFor, ownerBooking, requireLegal, requireUsual } from "./owner-booking.ts";

export async function messagesOfEnd(booking: Booking, to: BookingStatus, ctx: Context<never>): Promise<NewJob[]> {
  if (to === "completed") return messagesOfChange(afterWork, booking, {}, ctx);
  return isCancelled(to) ? toCustomer(await messagesOfChange(planCancellation, booking, {}, ctx)) : [];
}

/** The messages for customers of cancelled bookings that stand again, by code. */
export async function messagesOfReopening(
  bookings: readonly Booking[],
  ctx: Context<never>,
): Promise<Record<string, NewJob[]>> {
  const all: Record<string, NewJob[]> = {};
  for (const booking of bookings) all[booking.confirmationCode] = await messagesOfChange(reopening, booking, {}, ctx);
  return all;
}

/** Why the customer gets no text that the vehicle is ready. */
export type NotSent = "off" | "no_consent" | "number" | "waits" | "unknown";

/**
 * Texts the customer that the vehicle is ready.
 * @returns why not; null when the text is on its way
 * @throws StoreUnavailable
 */
export async function tellReady(booking: Booking, ctx: Context<never>): Promise<NotSent | null> {
  const { catalog, store, now } = ctx;
  if (catalog.messages.ready_sms?.enabled !== true) return "off";
  const [job] = await messagesOfChange(ready, booking, {}, ctx);
  if (!job) {
    const consent = Object((await store.findLead(booking.lead.id))?.consent);
    return mayBeTexted({ consent }, "ready_sms", catalog) ? "number" : "no_consent";
  }
  const outcome = await store.addMessage(booking.confirmationCode, job, now.epochMilliseconds);
  return outcome === "added" ? null : outcome;
}

/**
 * Moves a booking to any time with a free bay; code, price and length stay.
 * @param isQuiet the customer gets no message; their reminders name the new time all the same
 * @throws ApiError BAD_REQUEST where clocks jump over the time, BaysBusy, UnusualTime without `anyway`, StoreUnavailable
 */
export async function moveForOwner(
  booking: Booking,
  { date, time }: Start,
  ctx: Context,
  anyway: boolean,
  isQuiet = false,
): Promise<{ outcome: ChangeOutcome; unusual: string | null }> {
  const { catalog } = ctx;
  const work = bookedLength(booking, catalog);
  const slot = slotAtAnyTime(catalog, date, time, work.minutes, work.overNight);
  if (!slot) return ctx.fail("BAD_REQUEST", `Clocks jump over ${time} on ${date}.`);
  // A move to the time that the booking has changes nothing.
  if (slot.startAt === booking.startAt) return { outcome: { kind: "changed", booking }, unusual: null };
  const unusual = await requireUsual(slot, ctx, anyway, booking);
  const { startAt, endAt } = slot;
  const previousStartAt = await announcedStart(booking, ctx);
  const jobs = await messagesOfChange(planRescheduling, booking, { startAt, endAt, previousStartAt }, ctx);
  const news = toCustomer(jobs).filter(({ kind }) => !isQuiet || !isNewsOf("rescheduled", kind));
  const outcome = await storeAt(slot, booking, news, ctx, anyway);
  if (outcome.kind === "taken") throw await baysBusy(slot, work, ctx, booking);
  return { outcome, unusual };
}

/** Other work needs a price anew, because the owner agreed one for the work of before. */
export class PriceToAgree extends Error {
  override readonly name = "PriceToAgree";
  constructor(
    readonly before: Confirmation["estimate"],
    /** The price list's. */
    readonly listed: Confirmation["estimate"],
  ) {
    super();
  }
}

export interface WorkTerms {
  /** In cents; the price list's where it is left out. */
  price?: number | undefined;
  /** Also in place of a price that was agreed. */
  listPrice?: boolean;
  /** Also where longer work does not fit into opening hours. */
  anyway: boolean;
  /** Also with a shade that the law does not permit. */
  evenIllegal?: boolean;
  isQuiet: boolean;
  /** How long the work takes; the owner's own length of before, or else the price list's, where it is left out. */
  minutes?: number | undefined;
}

/**
 * Gives a booking other work at the time that it has; price and length follow.
 * @throws ApiError for work that the shop does not sell, BaysBusy, UnusualTime without `anyway`, ShadeNotLegal without `evenIllegal`,
 * PriceToAgree without `price` or `listPrice`, StoreUnavailable
 */
export async function changeWorkForOwner(
  booking: Booking,
  wish: Parameters<typeof changedWork>[0],
  ctx: Parameters<typeof changedWork>[2],
  { price, listPrice = false, anyway, evenIllegal = false, isQuiet, minutes }: WorkTerms,
): Promise<{ outcome: ChangeOutcome; unusual: string | null }> {
  const { catalog } = ctx;
  const same = {
    answer: storedConfirmation.parse(booking.answer),
    minutes: 0,
    details: {},
    judged: undefined,
    endsAgreement: false,
  };
  const work = (await changedWork(wish, booking, ctx)) ?? (minutes === undefined ? undefined : same);
  if (!work) return { outcome: { kind: "changed", booking }, unusual: null };
  if (work.endsAgreement && price === undefined && !listPrice)
    throw new PriceToAgree(same.answer.estimate, work.answer.estimate);
  // What was agreed to when it was booked is not asked about again.
  if (work.judged?.price?.law && !evenIllegal) requireLegal(work.judged.price.law, catalog);
  const own = minutes ?? ownMinutes(booking, catalog);
  const length = own ?? work.minutes;
  const pauses = own !== undefined || mayStayOverNight(catalog, booking.service);
  const slot = slotAtAnyTime(catalog, booking.date, booking.time, length, pauses);
  if (!slot) return { outcome: { kind: "changed", booking }, unusual: null };
  const estimate = price === undefined ? work.answer.estimate : agreed(work.answer.estimate, price, catalog);
  const { judged } = work;
  const isBarred = judged ? hasBarredFilm(judged.price?.law) : work.answer.accepted_not_legal;
  const answer = { ...work.answer, accepted_not_legal: isBarred, estimate, duration_minutes: length };
  const { startAt, endAt } = slot;
  const unusual = endAt > booking.endAt ? await requireUsual(slot, ctx, anyway, booking) : null;
  const jobs = toCustomer(await messagesOfChange(planNewWork, { ...booking, answer }, { startAt, endAt }, ctx));
  const news = jobs.filter(({ kind }) => !isQuiet || !isNewsOf("booked", kind));
  const outcome = await storeAt(slot, booking, news, ctx, anyway, { answer, details: work.details });
  // Other work keeps its day and time, so no other times are offered.
  if (outcome.kind === "taken") throw new BaysBusy(slot, []);
  return { outcome, unusual };
}

/** Stores a booking at another time, or with other work. */
async function storeAt(
  slot: OwnerSlot,
  booking: Booking,
  jobs: NewJob[],
  ctx: Context<never>,
  anyway: boolean,
  work?: { answer: object; details: object },
): Promise<ChangeOutcome> {
  const { catalog, now, store } = ctx;
  const { confirmationCode, changes } = booking;
  const { startAt, endAt } = slot;
  const reworded = await rewordedFor({ ...booking, ...(work && { answer: work.answer }) }, { startAt, endAt }, ctx);
  const change = {
    ...slot,
    ...(work && { work }),
    confirmationCode,
    changes,
    at: now.epochMilliseconds,
    jobs,
    reworded,
  };
  return store.rescheduleBooking(change, catalog.scheduling.bays, closedFor(slot, ctx, anyway));
}

/** The length that the owner gave a booking; undefined where it is the price list's. */
export function ownMinutes(booking: Booking, catalog: Shop): number | undefined {
  const [minutes, listed] = [bookedMinutes(booking, catalog), listedMinutes(booking, catalog)];
  return listed === undefined || minutes === listed ? undefined : minutes;
}

/** The shop needs no text about its own changes. */
function toCustomer(jobs: readonly NewJob[]): NewJob[] {
  return jobs.filter(({ kind }) => kind !== "notify_shop_sms");
}

// Corrections: who comes, with which car, the note, the agreed price, the work. The time stays.

const editRequest = (catalog: Shop) => {
  const { shape } = ownerBooking.input(catalog);
  return ownerBooking
    .input(catalog)
    .pick({
      ...{ customer_email: true, special_requests: true },
      ...{ vehicle_type: true, vehicle_year: true, vehicle_make: true, vehicle_model: true },
      ...{ film_type: true, coverage: true, addons: true, remove_old_film: true, shade: true },
    })
    .extend({ customer_name: shape.customer_name.optional(), customer_phone: shape.customer_phone.optional() });
};

/** The fields of an edit as those of a capability, for their names and checks. */
export const ownerEdit = {
  ...ownerBooking,
  input: editRequest,
  checks: { customer_phone: ownerBooking.checks.customer_phone },
};

/** The fields that ask for other work, so that price and length follow. */
const WORK = ["vehicle_type", "film_type", "coverage", "addons", "remove_old_film", "shade"] as const;

/** The other work that an edit asks for; null where it asks for none. @throws ApiError for a faulty field */
export function workIn(raw: object, catalog: Shop) {
  const asked = defined(pick(goodEdit(raw, catalog), ...WORK));
  return Object.keys(asked).length === 0 ? null : asked;
}

/** @throws ApiError for a faulty field */
export function goodEdit(raw: object, catalog: Shop) {
  return checked(ownerEdit, raw, catalog);
}

/**
 * An empty note or e-mail takes the old one away.
 * @param price the new agreed price in cents
 * @returns the booking, or null when it is gone
 * @throws ApiError for a faulty field, StoreUnavailable
 */
export async function editForOwner(
  booking: Booking,
  raw: object,
  price: number | undefined,
  ctx: Context,
): Promise<Booking | null> {
  const { catalog, store } = ctx;
  const { customer_name, customer_phone, customer_email, special_requests, ...car } = goodEdit(raw, catalog);
  const { vehicle_year, vehicle_make, vehicle_model } = car;
  // Elsewhere an empty text is the absence of its field.
  const isEmptied = (name: string) => {
    const given = field(raw, name);
    return typeof given === "string" && given.trim() === "";
  };
  const { confirmationCode, lead, changes } = booking;
  const customer = {
    name: customer_name ?? lead.name,
    phone: customer_phone === undefined ? lead.phone : phoneOf(customer_phone, catalog),
    email: isEmptied("customer_email") ? "" : (customer_email ?? lead.email),
  };
  // An answer that an unknown version of the program wrote stays as it is.
  let answer = Object(booking.answer);
  const before = storedConfirmation.safeParse(answer).data;
  if (before) {
    const note = isEmptied("special_requests") ? null : (special_requests ?? before.special_requests);
    const vehicle = { ...bookedJob(before), ...pick(car, "vehicle_year", "vehicle_make", "vehicle_model") };
    // Another make and model is another car, of another year.
    if (vehicle_make && vehicle_model) vehicle.vehicle_year = vehicle_year;
    answer = {
      ...before,
      vehicle: toVehicle(vehicle, catalog),
      customer: { name: customer.name },
      special_requests: note,
      estimate: price === undefined ? before.estimate : agreed(before.estimate, price, catalog),
    };
  }
  return store.editBooking({
    confirmationCode,
    ...customer,
    reworded: await rewordedFor({ ...booking, answer, lead: { ...lead, ...customer } }, { changes }, ctx),
    details: { vehicle_year, vehicle_make, vehicle_model },
    answer,
  });
}

/** The estimate with another total; its line replaces that of an earlier agreement. */
function agreed(estimate: Confirmation["estimate"], price: number, catalog: Shop): Confirmation["estimate"] {
  const lines = estimate ? listedIn(estimate) : [];
  const listed = lines.reduce((sum, { amount }) => sum + toCents(amount), 0);
  const amount = toUnits(price - listed);
  const line = { code: AGREED_PRICE, label: "Agreed price", quantity: 1, unit_price: amount, amount };
  return {
    currency: estimate?.currency ?? catalog.currency,
    ...taxed(price, catalog),
    line_items: amount === 0 ? lines : [...lines, line],
    locked: false,
  };
}
