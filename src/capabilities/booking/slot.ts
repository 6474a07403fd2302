/** Service area, date and slot of a booking. */
import { placeOf } from "../../catalog/terms.ts";
import type { Occupancy } from "../../domain/bays.ts";
import { MOST_DAYS } from "../../domain/paused-work.ts";
import { dayOf, momentOf } from "../../domain/schedule.ts";
import { isOpen, openSlots, type Slot, type Start, slotAtTime, slotsOf, type WorkLength } from "../../domain/slots.ts";
import { whyNoStart } from "../../domain/why-no-time.ts";
import { pricedByOf, serviceOf } from "../../domain/work.ts";
import { bookUrl, withStart } from "../../job/forms.ts";
import { type Job, workOf } from "../../job/job.ts";
import { durationInWords } from "../../lib/durations.ts";
import { sentence } from "../../lib/text.ts";
import type { Context } from "../core/capability.ts";
import { toSlot } from "../core/shapes.ts";
import { nearestStarts } from "../shared/nearest.ts";
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
  const { service } = work;
  return (
    outsideArea(input.postal_code, service, ctx) ??
    slotAt(input, work, ctx, {
      linkTo: linkTo(job, ctx),
      whyLong: () => whyLong(input, job, ctx),
    })
  );
}

function linkTo(job: Job, { catalog }: BookingContext): LinkTo {
  const page = bookUrl({ ...job, service_type: job.work.service }, catalog);
  return (start) => withStart(page, start);
}

/** Explains the assumed length of the work, where shorter work could still begin at that time. */
function whyLong(start: Start, job: Job, { catalog, now }: BookingContext, busy: readonly Occupancy[] = []): string {
  const { service } = job.work;
  if (job.vehicle_type !== undefined || pricedByOf(catalog, service) !== "film") return "";
  const works = catalog.terms.vehicleTypes.map((vehicle_type) =>
    workOf({ ...job, service_type: service, vehicle_type }, catalog),
  );
  const shortest = works.reduce((least, work) => (work.minutes < least.minutes ? work : least));
  const slots = slotsOf(catalog, dayOf(catalog, start.date, now), shortest, busy, now);
  return slots.some((slot) => slot.time === start.time && isOpen(slot))
    ? ". No vehicle was named, so the longest work is assumed: name vehicle_type, and the time may fit"
    : "";
}

/** @param slot that the request names @throws ApiError SLOT_TAKEN, because every bay is busy for part of the work */
export async function refuseTaken(start: Start, job: Job, slot: Slot, ctx: BookingContext): Promise<never> {
  const busy = await ctx.store.busyBetween(slot.startAt, slot.busyUntil);
  return refuseStart("booked", start, job.work, ctx, {
    linkTo: linkTo(job, ctx),
    hint: whyLong(start, job, ctx, busy),
  });
}

function outsideArea(postalCode: string | undefined, service: string, ctx: BookingContext): Refusal | undefined {
  const { catalog } = ctx;
  const { name, address, service_area: area } = catalog.business;
  const { postal_prefixes: prefixes, label } = area;
  if (postalCode === undefined || prefixes.length === 0) return undefined;
  const code = postalCode.replace(/[\s-]/g, "").toUpperCase();
  if (prefixes.some((prefix) => code.startsWith(prefix.toUpperCase()))) return undefined;
  const isAtShop = placeOf(serviceOf(catalog, service)) === "shop";
  const bring = ` Bringing the vehicle is fine: this work is done at ${name} in ${address.locality}. Once the customer agrees to come there, book without postal_code.`;
  return async () =>
    ctx.fail(
      "OUT_OF_SERVICE_AREA",
      `Postal code ${postalCode} lies outside the service area, ${label}.${isAtShop ? bring : ""}`,
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
    const slots = slotsOf(catalog, day, work, [], now);
    const allowed = slots.filter(({ status }) => status === "available").map(({ time }) => time);
    const why = whyNoStart(input.date, input.time, work, catalog).replace(/\.$/, "");
    const message = `is not a time at which this work can start on ${input.date}: ${why}${whyLong()}`;
    return async () => {
      const others = await alternatives(input, work, ctx, { own, linkTo });
      return ctx.fail("BAD_REQUEST", `time ${message}.${callInstead(others, ctx)}`, {
        invalid_fields: [{ field: "time", message, allowed }],
        alternatives: others,
      });
    };
  }
  const { status } = slot;
  // Keeping the time that a booking has needs no notice.
  if (status === "too_soon" && own?.startAt === slot.startAt) return slot;
  return status === "available" ? slot : () => refuseStart(status, input, work, ctx, { own, linkTo });
}

/** @throws ApiError SLOT_TAKEN */
export function refuseStart(
  status: Exclude<Slot["status"], "available">,
  input: Start,
  work: WorkLength,
  ctx: SlotContext,
  { hint = "", ...options }: Pick<SlotOptions, "own" | "linkTo"> & { hint?: string } = {},
): Promise<never> {
  const message = `${input.date} ${input.time} ${reasonOf(status, work.minutes)}${hint}.`;
  return refuseSlot("SLOT_TAKEN", message, input, work, ctx, options);
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
  const { catalog, store, now } = ctx;
  const found = await nearestStarts(momentOf(catalog, date, time), ALTERNATIVES + 1, {
    catalog,
    now,
    busyBetween: store.busyBetween,
    startsOn: (day, busy) => openSlots(catalog, day, work, busy, now),
    ...(work.overNight && { lastsDays: MOST_DAYS }),
    own,
  });
  return found
    .filter(({ startAt }) => startAt !== own?.startAt)
    .slice(0, ALTERNATIVES)
    .map((slot) => {
      const page = linkTo?.(slot);
      return { ...toSlot(catalog, slot), ...(page && { book_url: page }) };
    });
}
