/** The slot of a booking: service area, date and time of a wish, and what is open near a time that cannot be had. */
import type { Shop } from "../../catalog/shop.ts";
import { placeOf } from "../../catalog/terms.ts";
import { type Occupancy, without } from "../../domain/bays.ts";
import { addDays, datesFrom, dayOf, momentOf, shopDate, startOfDay } from "../../domain/schedule.ts";
import {
  isOpen,
  isPauseAlone,
  MOST_WORKDAYS,
  openSlots,
  pauseInWords,
  type Slot,
  type Start,
  slotAtTime,
  slotsOf,
  type WorkLength,
  whyNoStart,
} from "../../domain/slots.ts";
import { pricedByOf, serviceOf, type Work } from "../../domain/work.ts";
import { bookUrl, withStart } from "../../job/forms.ts";
import { type Job, workOf } from "../../job/job.ts";
import { DAY_MS, durationInWords } from "../../lib/durations.ts";
import { sentence } from "../../lib/text.ts";
import type { Context } from "../core/capability.ts";
import { toSlot } from "../core/shapes.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";

type SlotContext = Context<"DATE_BLOCKED" | "SLOT_TAKEN">;

/** How many open slots a 409 offers. */
const ALTERNATIVES = 3;

/** Refuses the booking. */
export type Refusal = () => Promise<never>;

/**
 * The slot that the request names, unless catalog or clock refuse it. Only the transaction that writes the booking knows
 * whether a bay is free.
 */
export function chooseSlot(input: BookingRequest, job: Job, ctx: BookingContext): Slot | Refusal {
  const { work } = job;
  const isOutside = input.postal_code !== undefined && isOutsideArea(input.postal_code, ctx.catalog);
  if (isOutside) return () => refuseOutside(input.postal_code, work.service, ctx);
  return slotAt(input, work, ctx, {
    linkTo: (start) => linkTo(job, start, ctx),
    whyLong: () => whyLong(input, job, ctx),
  });
}

function linkTo(job: Job, start: Start, { catalog }: BookingContext) {
  return withStart(bookUrl({ ...job, service_type: job.work.service }, catalog), start);
}

/** Explains the assumed length of the work, where shorter work could still begin at that time. */
function whyLong(start: Start, job: Job, { catalog, now }: BookingContext, busy: readonly Occupancy[] = []): string {
  const shortest = shortestWork(job, catalog);
  if (!shortest) return "";
  const slots = slotsOf(catalog, dayOf(catalog, start.date, now), shortest.work, busy, now);
  return slots.some((slot) => slot.time === start.time && isOpen(slot))
    ? ". No vehicle was named, so the longest work is assumed: name vehicle_type, and the time may fit"
    : "";
}

/** The vehicle with the shortest work, and that work; undefined where one is named, or makes no difference. */
export function shortestWork(job: Job, catalog: Shop): { vehicle: string; work: Work } | undefined {
  const { service } = job.work;
  if (job.vehicle_type !== undefined || pricedByOf(catalog, service) !== "film") return undefined;
  let shortest: { vehicle: string; work: Work } | undefined;
  for (const vehicle of catalog.terms.vehicleTypes) {
    const work = workOf({ ...job, service_type: service, vehicle_type: vehicle }, catalog);
    if (!shortest || work.minutes < shortest.work.minutes) shortest = { vehicle, work };
  }
  return shortest;
}

/** @param slot that the request names @throws ApiError SLOT_TAKEN, because every bay is busy for part of the work */
export async function refuseTaken(start: Start, job: Job, slot: Slot, ctx: BookingContext): Promise<never> {
  const busy = await ctx.store.busyBetween(slot.startAt, slot.busyUntil);
  return refuseStart("booked", start, job.work, ctx, {
    slot,
    linkTo: (other) => linkTo(job, other, ctx),
    hint: whyLong(start, job, ctx, busy),
  });
}

function isOutsideArea(postalCode: string, { business }: Shop): boolean {
  const { postal_prefixes: prefixes } = business.service_area;
  const code = postalCode.replace(/[\s-]/g, "").toUpperCase();
  return prefixes.length > 0 && !prefixes.some((prefix) => code.startsWith(prefix.toUpperCase()));
}

/** @throws ApiError OUT_OF_SERVICE_AREA */
async function refuseOutside(postalCode = "", service: string, { catalog, fail }: BookingContext): Promise<never> {
  const { name, address, service_area: area } = catalog.business;
  const isAtShop = placeOf(serviceOf(catalog, service)) === "shop";
  const bring = ` Bringing the vehicle is fine: this work is done at ${name} in ${address.locality}. Once the customer agrees to come there, book without postal_code.`;
  return fail(
    "OUT_OF_SERVICE_AREA",
    `Postal code ${postalCode} lies outside the service area, ${area.label}.${isAtShop ? bring : ""}`,
  );
}

/** The page where a person takes another start; undefined where the shop has none. */
type LinkTo = (start: Start) => string | undefined;

interface SlotOptions {
  /** The present time of the work, which counts as free when alternatives are sought. */
  own?: Occupancy | undefined;
  linkTo?: LinkTo | undefined;
  /** Says more about a time that is no start for work of this length. */
  whyLong?: () => string;
}

/** The slot of a wished start; a function that refuses the booking where the catalog or the clock does not allow it. */
export function slotAt(
  input: Start,
  work: WorkLength,
  ctx: SlotContext,
  { own, linkTo, whyLong = () => "" }: SlotOptions = {},
): Slot | Refusal {
  const { catalog, now } = ctx;
  const day = dayOf(catalog, input.date, now);
  if (day.status !== "open") {
    const message = `${input.date} cannot be booked. ${sentence(day.reason ?? "")}`.trim();
    return () => refuseSlot("DATE_BLOCKED", message, input, work, ctx, { own, linkTo });
  }
  const slot = slotAtTime(catalog, day, input.time, work, now);
  if (!slot) {
    return async () => {
      const allowed = slotsOf(catalog, day, work, [], now).filter(isOpen);
      const why = whyNoStart(input.date, input.time, work, catalog).replace(/\.$/, "");
      const message = `is not a time at which this work can start on ${input.date}: ${why}${whyLong()}`;
      const others = await alternatives(input, work, ctx, { own, linkTo });
      return ctx.fail("BAD_REQUEST", `time ${message}.${callInstead(others, ctx)}`, {
        invalid_fields: [{ field: "time", message, allowed: allowed.map(({ time }) => time) }],
        alternatives: others,
      });
    };
  }
  const { status } = slot;
  // Keeping the time that a booking has needs no notice.
  if (status === "available" || (status === "too_soon" && own?.startAt === slot.startAt)) return slot;
  return () => refuseStart(status, input, work, ctx, { own, linkTo });
}

/** @throws ApiError SLOT_TAKEN */
export async function refuseStart(
  status: Exclude<Slot["status"], "available">,
  input: Start,
  work: WorkLength,
  ctx: SlotContext,
  { hint = "", slot, ...options }: Pick<SlotOptions, "own" | "linkTo"> & { hint?: string; slot?: Slot } = {},
): Promise<never> {
  const isPause = slot !== undefined && (await isTooClose(slot, ctx, options.own));
  const reason = isPause ? `is too close to another job: ${pauseInWords(ctx.catalog)}` : reasonOf(status, work.minutes);
  const message = `${input.date} ${input.time} ${reason}${hint}.`;
  return refuseSlot("SLOT_TAKEN", message, input, work, ctx, options);
}

/** Whether only the pause between two jobs is in the way of a time that the store refused. */
async function isTooClose(slot: Slot, { catalog, store }: SlotContext, own: Occupancy | undefined): Promise<boolean> {
  const busy = await store.busyBetween(slot.startAt, slot.busyUntil);
  return isPauseAlone(catalog, slot, own ? without(own, busy) : busy);
}

function reasonOf(status: Exclude<Slot["status"], "available">, minutes: number): string {
  if (status === "booked") return `is taken: every bay is busy during the ${durationInWords(minutes)} of this work`;
  return { past: "has passed", too_soon: "is too soon: the shop needs notice", blocked: "cannot be booked" }[status];
}

/** @throws ApiError with the open slots nearest to the one that was wished for */
async function refuseSlot(
  code: "DATE_BLOCKED" | "SLOT_TAKEN",
  message: string,
  wished: Start,
  work: WorkLength,
  ctx: SlotContext,
  options: Pick<SlotOptions, "own" | "linkTo">,
): Promise<never> {
  const others = await alternatives(wished, work, ctx, options);
  return ctx.fail(code, message + callInstead(others, ctx), { alternatives: others });
}

/** A refusal without another time leads to the phone. */
function callInstead(others: readonly object[], { catalog }: SlotContext): string {
  return others.length > 0 ? "" : ` No other time can be booked online for this work: call ${catalog.business.phone}.`;
}

async function alternatives(
  { date, time }: Start,
  work: WorkLength,
  ctx: SlotContext,
  { own, linkTo }: Pick<SlotOptions, "own" | "linkTo">,
) {
  const { catalog } = ctx;
  const found = await nearestStarts(momentOf(catalog, date, time), ALTERNATIVES + 1, work, ctx, own);
  return found
    .filter(({ startAt }) => startAt !== own?.startAt)
    .slice(0, ALTERNATIVES)
    .map((slot) => {
      const page = linkTo?.(slot);
      return { ...toSlot(catalog, slot), ...(page && { book_url: page }) };
    });
}

/** The shop and its bookings, as the search asks for them. */
interface Surroundings extends Pick<Context, "catalog" | "now"> {
  store: Pick<Context["store"], "busyBetween">;
}

/** Days on each side of the wished one that are looked at first. */
const FIRST_DAYS = 1;

/**
 * Up to `howMany` free starts on the dates that can be booked, the nearest first. Reads the days around the wished moment, and
 * twice as many on each side while a day further away could hold a nearer start. A long diary therefore costs no more than an
 * empty one.
 * @param wished epoch milliseconds @param own the present time of the work, which counts as free
 */
export async function nearestStarts(
  wished: number,
  howMany: number,
  work: WorkLength,
  { catalog, now, store }: Surroundings,
  own?: Occupancy,
): Promise<Slot[]> {
  // The most days, beside the first, that the work may last.
  const lastsDays = work.overNight ? MOST_WORKDAYS : 1;
  const dates = datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1);
  const last = dates.length - 1;
  const beginOf = (day: number) => startOfDay(catalog, dates[day] ?? addDays(dates[last] ?? "", day - last));
  const distance = ({ startAt }: Slot) => Math.abs(startAt - wished);
  const middle = Math.min(Math.max(Math.floor((wished - beginOf(0)) / DAY_MS), 0), last);
  for (let days = FIRST_DAYS; ; days *= 2) {
    const first = Math.max(middle - days, 0);
    const end = Math.min(middle + days, last) + 1;
    // Some days more, because work that starts on a date may end on a later one.
    const all = await store.busyBetween(beginOf(first), beginOf(end + lastsDays));
    const busy = own ? without(own, all) : all;
    const found = dates
      .slice(first, end)
      .flatMap((date) => openSlots(catalog, date, work, busy, now))
      .sort((a, b) => distance(a) - distance(b) || a.startAt - b.startAt)
      .slice(0, howMany);
    const furthest = found.at(-1);
    const reach = furthest && found.length === howMany ? distance(furthest) : Number.POSITIVE_INFINITY;
    const isEarliest = first === 0 || wished - reach >= beginOf(first);
    const isLatest = end > last || wished + reach < beginOf(end);
    if (isEarliest && isLatest) return found;
  }
}
