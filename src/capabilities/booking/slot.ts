/** Service area, date and slot of a booking. */

import { dayOf, endOfHorizon, nearestOpen, type Slot, slotsOf, startOfDay } from "../../domain/schedule.ts";
import { toSlot } from "../core/shapes.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";

/** How many open slots a 409 offers. */
const ALTERNATIVES = 3;

/** @throws ApiError OUT_OF_SERVICE_AREA */
export function refuseOutsideArea(postalCode: string | undefined, ctx: BookingContext): void {
  const { postal_prefixes: prefixes, label } = ctx.catalog.business.service_area;
  if (postalCode === undefined || prefixes.length === 0) return;
  const code = postalCode.replace(/[\s-]/g, "").toUpperCase();
  if (!prefixes.some((prefix) => code.startsWith(prefix.toUpperCase()))) {
    ctx.fail("OUT_OF_SERVICE_AREA", `Postal code ${postalCode} lies outside the service area, ${label}.`);
  }
}

/**
 * From midnight to the end of the latest work of a date, with room to spare. A date lasts at most 25 hours, and the buffer
 * after its last work may reach into the next one.
 */
const LONGEST_DAY_MS = 3 * 86_400_000;

/** The open slot that the request names. @throws ApiError DATE_BLOCKED, BAD_REQUEST or SLOT_TAKEN */
export async function chooseSlot(input: BookingRequest, minutes: number, ctx: BookingContext): Promise<Slot> {
  const { catalog, now } = ctx;
  const day = dayOf(catalog, input.date, now);
  if (day.status !== "open") {
    const message = `${input.date} cannot be booked. ${day.reason ?? ""}`.trim();
    return refuseSlot("DATE_BLOCKED", message, input, minutes, ctx);
  }
  const from = startOfDay(catalog, input.date);
  const busy = await ctx.store.busyBetween(from, from + LONGEST_DAY_MS);
  const slots = slotsOf(catalog, day, minutes, busy, now);
  const slot = slots.find(({ time }) => time === input.time);
  if (!slot) {
    const allowed = slots.map(({ time }) => time);
    const message =
      allowed.length > 0
        ? `is not a time at which this work (${minutes} minutes) can start on ${input.date}`
        : `cannot be booked: this work (${minutes} minutes) is too long for the opening hours of ${input.date}`;
    return ctx.fail("BAD_REQUEST", `time ${message}.`, {
      invalid_fields: [{ field: "time", message, allowed }],
      alternatives: await alternatives(input, minutes, ctx),
    });
  }
  if (slot.status !== "available") {
    const message = `${input.date} ${input.time} ${REASONS[slot.status]}.`;
    return refuseSlot("SLOT_TAKEN", message, input, minutes, ctx);
  }
  return slot;
}

const REASONS: Record<Exclude<Slot["status"], "available">, string> = {
  past: "has passed",
  too_soon: "is too soon: the shop needs notice",
  booked: "is taken",
  blocked: "cannot be booked",
};

/** @throws ApiError with the open slots nearest to the one that was wished for */
export async function refuseSlot(
  code: "DATE_BLOCKED" | "SLOT_TAKEN",
  message: string,
  wished: BookingRequest,
  minutes: number,
  ctx: BookingContext,
): Promise<never> {
  return ctx.fail(code, message, { alternatives: await alternatives(wished, minutes, ctx) });
}

async function alternatives(wished: BookingRequest, minutes: number, { catalog, store, now }: BookingContext) {
  const busy = await store.busyBetween(now.epochMilliseconds, endOfHorizon(catalog, now));
  const slots = nearestOpen(catalog, wished, minutes, busy, now, ALTERNATIVES);
  return slots.map((slot) => toSlot(catalog, slot));
}
