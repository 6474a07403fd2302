/** Where and when a booking can be: service area, date, slot. */
import type { Context } from "../../capability.ts";
import type { Catalog } from "../../catalog/schema.ts";
import { dayOf, nearestOpen, type Slot, slotsOf, startOfDay } from "../../domain/schedule.ts";
import { ApiError, badField, type ErrorCode } from "../../errors.ts";
import { toSlot } from "../shared/shapes.ts";
import type { BookingRequest } from "./shapes.ts";

/** How many open slots a 409 offers. */
const ALTERNATIVES = 3;

/** @throws ApiError OUT_OF_SERVICE_AREA */
export function refuseOutsideArea(postalCode: string | undefined, { business }: Catalog): void {
  const { postal_prefixes: prefixes, label } = business.service_area;
  if (postalCode === undefined || prefixes.length === 0) return;
  const code = postalCode.replace(/[\s-]/g, "").toUpperCase();
  if (!prefixes.some((prefix) => code.startsWith(prefix.toUpperCase()))) {
    throw new ApiError("OUT_OF_SERVICE_AREA", `Postal code ${postalCode} lies outside the service area, ${label}.`);
  }
}

/** The open slot the request names. @throws ApiError DATE_BLOCKED, BAD_REQUEST or SLOT_TAKEN */
export async function chooseSlot(input: BookingRequest, minutes: number, ctx: Context): Promise<Slot> {
  const { catalog, now } = ctx;
  const day = dayOf(catalog, input.date, now);
  if (day.status !== "open")
    throw await noRoom(
      "DATE_BLOCKED",
      `${input.date} cannot be booked. ${day.reason ?? ""}`.trim(),
      input,
      minutes,
      ctx,
    );
  const from = startOfDay(catalog, input.date);
  const busy = await ctx.store.busyBetween(from, from + 3 * 86_400_000);
  const slots = slotsOf(catalog, day, minutes, busy, now);
  const slot = slots.find(({ time }) => time === input.time);
  if (!slot) {
    throw badField(
      "time",
      `is not a time at which this job (${minutes} minutes) can start on ${input.date}`,
      slots.map(({ time }) => time),
    );
  }
  if (slot.status !== "available") {
    const reason =
      { past: "has passed", too_soon: "is too soon: the shop needs notice" }[slot.status as string] ?? "is taken";
    throw await noRoom("SLOT_TAKEN", `${input.date} ${input.time} ${reason}.`, input, minutes, ctx);
  }
  return slot;
}

/** A 409 that says what could be booked instead. */
export async function noRoom(
  code: ErrorCode,
  message: string,
  wished: BookingRequest,
  minutes: number,
  ctx: Context,
): Promise<ApiError> {
  const { catalog, now } = ctx;
  const busy = await ctx.store.busyBetween(now.epochMilliseconds, Number.MAX_SAFE_INTEGER);
  const slots = nearestOpen(catalog, wished, minutes, busy, now, ALTERNATIVES);
  return new ApiError(code, message, { alternatives: slots.map((slot) => toSlot(catalog, slot)) });
}
