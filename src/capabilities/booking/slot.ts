/** The slot of a booking: service area, date and time of a wish, and what is open near a time that cannot be had. */

import type { Shop } from "../../catalog/shop.ts";
import { placeOf } from "../../catalog/terms.ts";
import { blockInTheWay, closedIn, mostAtOnce, type Occupancy, without } from "../../domain/bays.ts";
import { dayAndTime } from "../../domain/dates-in-words.ts";
import { addDays, datesFrom, dayOf, momentOf, momentShown, shopDate, startOfDay } from "../../domain/schedule.ts";
import {
  type Appointed,
  clocksJump,
  isOpen,
  isPauseAlone,
  MOST_WORKDAYS,
  noticeInWords,
  openSlots,
  pauseInWords,
  type Slot,
  type Start,
  slotAt,
  type WorkLength,
  whyNoStart,
  whyUnusual,
} from "../../domain/slots.ts";
import { pricedByOf, serviceOf, type Work } from "../../domain/work.ts";
import { type Job, workOf } from "../../job/job.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { durationInWords, sentence } from "../../lib/text.ts";
import type { Context } from "../core/capability.ts";
import { toSlot } from "../core/shapes.ts";
import { BaysBusy, type Policy, UnusualTime } from "./policy.ts";

type SlotContext = Context<"DATE_BLOCKED" | "SLOT_TAKEN">;
type Surroundings = Pick<Context, "catalog" | "now"> & { store: Pick<Context["store"], "busyBetween"> };

/** How many open slots are offered in place of one that cannot be had. */
const ALTERNATIVES = 3;

export interface Wished {
  start: Start;
  work: WorkLength;
  /** The present time of the work, which counts as free. */
  own?: Occupancy;
  /** The page where a person takes another start; undefined where the shop has none. */
  linkTo: (start: Start) => string | undefined;
  /** Says more about a time that is no start for work of this length. */
  whyLong?: (busy: readonly Occupancy[]) => string;
}

export type Refusal = () => Promise<never>;

/** The slot asked for, unless catalog or clock refuse it. Only the transaction of the write knows whether a bay is free. */
export function chooseSlot(wished: Wished, ctx: SlotContext): Slot | Refusal {
  const { start, work, own, whyLong } = wished;
  const { date, time } = start;
  const { catalog, now } = ctx;
  const slot = slotAt(catalog, start, work, now);
  if (work.grid === false) {
    const isShown = momentShown(catalog, date, time) !== null;
    const why = isShown ? "The work would end before it begins." : `${clocksJump(date, time)}.`;
    return slot ?? (async () => ctx.fail("BAD_REQUEST", why));
  }
  const day = dayOf(catalog, date, now);
  if (day.status !== "open")
    return () => refuse("DATE_BLOCKED", `${date} cannot be booked. ${sentence(day.reason ?? "")}`.trim(), wished, ctx);
  if (!slot)
    return async () => {
      const allowed = openSlots(catalog, date, work, [], now);
      const why = whyNoStart(date, time, work, catalog);
      const message = `is not a time at which this work can start on ${date}: ${why}${whyLong?.([]) ?? ""}`;
      const others = await alternatives(wished, ctx);
      return ctx.fail("BAD_REQUEST", `time ${message}.${callInstead(others, ctx)}`, {
        invalid_fields: [{ field: "time", message, allowed: allowed.map(({ time }) => time) }],
        alternatives: others,
      });
    };
  const { status } = slot;
  // Keeping the time that a booking has needs no notice.
  if (status === "available" || (status === "too_soon" && own?.startAt === slot.startAt)) return slot;
  return () => refuse("SLOT_TAKEN", `${dayAndTime(date, time)} ${slotReason(status, work, catalog)}.`, wished, ctx);
}

/** @throws ApiError SLOT_TAKEN, at the desk BaysBusy, because every bay is busy for part of the work */
export async function refuseTaken(wished: Wished, slot: Slot, ctx: SlotContext): Promise<never> {
  const { start, work, own, whyLong } = wished;
  if (work.grid === false)
    // Other work keeps its day and time, so no other times are offered.
    throw new BaysBusy(
      slot,
      own?.startAt === slot.startAt ? [] : await nearestStarts(slot.startAt, ALTERNATIVES, work, ctx, own),
    );
  const all = await ctx.store.busyBetween(slot.startAt, slot.busyUntil, ctx.now.epochMilliseconds);
  const reason = isPauseAlone(ctx.catalog, slot, own ? without(own, all) : all)
    ? `is too close to another job: ${pauseInWords(ctx.catalog)}`
    : slotReason("booked", work, ctx.catalog);
  const hint = whyLong?.(all) ?? "";
  return refuse("SLOT_TAKEN", `${dayAndTime(start.date, start.time)} ${reason}${hint}.`, wished, ctx);
}

/** Whether a bay is free for the whole slot, as far as is known before the booking is written. */
export async function isSlotFree(slot: Slot, { catalog, store, now }: Surroundings, own?: Occupancy): Promise<boolean> {
  const { startAt, busyUntil } = slot;
  const busy = await store.busyBetween(startAt, busyUntil, now.epochMilliseconds);
  const taken = [...(own ? without(own, busy) : busy), ...closedIn(catalog, startAt, busyUntil)];
  return mostAtOnce(taken, startAt, busyUntil) < catalog.scheduling.bays;
}

/** Why customers could not book a time of the owner's; null for a usual one. Throws UnusualTime unless the policy permits it. */
export async function requireUsual(
  slot: Appointed & Occupancy,
  { anyway }: Policy,
  { catalog, now, store }: Surroundings,
  own?: Occupancy,
): Promise<string | null> {
  const busy = await store.busyBetween(slot.startAt, slot.busyUntil, now.epochMilliseconds);
  const unusual = whyUnusual(catalog, slot, now) ?? blockInTheWay(catalog, slot, own ? without(own, busy) : busy);
  if (unusual !== null && !anyway) throw new UnusualTime(unusual);
  return unusual;
}

/** Explains the assumed length of the work, where shorter work could still begin at that time. */
export function whyLong(
  start: Start,
  job: Job,
  { catalog, now }: Pick<Context, "catalog" | "now">,
  busy: readonly Occupancy[],
): string {
  const shortest = shortestWork(job, catalog);
  const slot = shortest && slotAt(catalog, start, shortest.work, now, busy);
  return slot && isOpen(slot)
    ? ". No vehicle was named, so the longest work is assumed: name its type, and the time may fit"
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

/** Refuses a customer from outside the service area; undefined for all others. */
export function refuseOutside(
  postalCode: string | undefined,
  service: string,
  { catalog, fail }: Context<"OUT_OF_SERVICE_AREA">,
): Refusal | undefined {
  const { name, address, service_area: area } = catalog.business;
  if (postalCode === undefined || area.postal_prefixes.length === 0) return undefined;
  const code = postalCode.replace(/[\s-]/g, "").toUpperCase();
  if (area.postal_prefixes.some((prefix) => code.startsWith(prefix.toUpperCase()))) return undefined;
  const isAtShop = placeOf(serviceOf(catalog, service)) === "shop";
  const bring = ` Bringing the vehicle is fine: this work is done at ${name} in ${address.locality}. Once the customer agrees to come there, book without postal_code.`;
  const message = `Postal code ${postalCode} lies outside the service area, ${area.label}.${isAtShop ? bring : ""}`;
  return async () => fail("OUT_OF_SERVICE_AREA", message);
}

function slotReason(status: Exclude<Slot["status"], "available">, { minutes }: WorkLength, catalog: Shop): string {
  const reasons = {
    booked: `is taken: every bay is busy during the ${durationInWords(minutes)} of this work`,
    past: "has passed",
    too_soon: `is too soon: ${noticeInWords(catalog)}`,
    blocked: "cannot be booked: the shop takes no bookings at this time",
  };
  return reasons[status];
}

/** @throws ApiError with the open slots nearest to the one that was wished for */
async function refuse(
  code: "DATE_BLOCKED" | "SLOT_TAKEN",
  message: string,
  wished: Wished,
  ctx: SlotContext,
): Promise<never> {
  const others = await alternatives(wished, ctx);
  return ctx.fail(code, message + callInstead(others, ctx), { alternatives: others });
}

/** A refusal without another time leads to the phone. */
function callInstead(others: readonly object[], { catalog }: SlotContext): string {
  return others.length > 0 ? "" : ` No other time can be booked online for this work: call ${catalog.business.phone}.`;
}

async function alternatives({ start: { date, time }, work, own, linkTo }: Wished, ctx: SlotContext) {
  const { catalog } = ctx;
  const found = await nearestStarts(momentOf(catalog, date, time), ALTERNATIVES + 1, work, ctx, own);
  return found
    .filter(({ startAt }) => startAt !== own?.startAt)
    .slice(0, ALTERNATIVES)
    .map((slot) => {
      const page = linkTo(slot);
      return { ...toSlot(catalog, slot), ...(page && { book_url: page }) };
    });
}

/** Days on each side of the wished one that are looked at first. */
const FIRST_DAYS = 1;

/** Up to `howMany` free starts, the nearest to `wished` first, read outwards: a long diary costs no more than an empty one. */
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
    const all = await store.busyBetween(beginOf(first), beginOf(end + lastsDays), now.epochMilliseconds);
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
