/**
 * Finds the booking that a caller names. Wrong code, wrong contact and unknown code look alike in answer and time: each
 * costs one look-up and the same comparisons. Misses are limited (contract section 13).
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { readCode } from "../../lib/ids.ts";
import type { Booking, BookingContact } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { phoneOf } from "../shared/customer.ts";
import type { Proof } from "./shapes.ts";

type NotFound = Context<"BOOKING_NOT_FOUND">;

/** The booking with this code, for anybody. @throws ApiError BOOKING_NOT_FOUND, RATE_LIMITED */
export function bookingWithCode(code: string, ctx: NotFound): Promise<Booking> {
  const stored = readCode(code);
  return guess(stored, () => ctx.store.findBooking(stored), ctx);
}

/** The booking of the customer with this contact. @throws ApiError BOOKING_NOT_FOUND, RATE_LIMITED */
export function bookingOf({ confirmation_code, phone, email }: Proof, ctx: NotFound): Promise<Booking> {
  const code = readCode(confirmation_code);
  const given = {
    phone: phone === undefined ? undefined : phoneOf(phone, ctx.catalog),
    email: email?.toLowerCase(),
  };
  const find = async () => {
    const owner = await ctx.store.contactOf(code);
    return isOwner(given, owner ?? NOBODY) ? ctx.store.findBooking(code) : null;
  };
  return guess(code, find, ctx);
}

/** No request holds an empty contact. */
const NOBODY: BookingContact = { phone: "", email: "" };

/** Compares both contacts always, so that a mismatch of either takes the same time. */
function isOwner(given: Partial<BookingContact>, owner: BookingContact): boolean {
  const fits = [isSame(given.phone ?? owner.phone, owner.phone), isSame(given.email ?? owner.email, owner.email)];
  return !fits.includes(false);
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

async function guess(code: string, find: () => Promise<Booking | null>, ctx: NotFound): Promise<Booking> {
  const booking = await find();
  const limits = ctx.guesses.judge(code, booking !== null);
  return booking ?? ctx.fail("BOOKING_NOT_FOUND", "No booking matches this confirmation code and contact.", { limits });
}
