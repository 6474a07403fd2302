/**
 * Finds the booking that a caller names. Wrong code, wrong contact and unknown code look alike in answer and time: each
 * costs one look-up and the same comparisons. Misses are limited (contract 13).
 */
import { readCode } from "../../lib/ids.ts";
import type { Booking, BookingContact } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { SAMPLE_CODE } from "../core/sample-person.ts";
import { phoneOf } from "../core/stored-requests.ts";
import type { Proof } from "./shapes.ts";

type NotFound = Context<"BOOKING_NOT_FOUND">;

/** The booking with this code, for anybody. @throws ApiError BOOKING_NOT_FOUND, RATE_LIMITED */
export async function bookingWithCode(typed: string, ctx: NotFound): Promise<Booking> {
  const code = readCode(typed);
  const owner = await ctx.store.contactOf(code);
  return reveal(code, owner, owner !== null, "No booking has this confirmation code.", ctx);
}

/** The booking of the customer with this contact. @throws ApiError BOOKING_NOT_FOUND, RATE_LIMITED */
export async function identifyBooking({ confirmation_code, phone, email }: Proof, ctx: NotFound): Promise<Booking> {
  const code = readCode(confirmation_code);
  const given = {
    ...(phone !== undefined && { phone: phoneOf(phone, ctx.catalog) }),
    ...(email !== undefined && { email: email.toLowerCase() }),
  };
  const owner = await ctx.store.contactOf(code);
  const isRight = isOwner(given, owner ?? NOBODY);
  return reveal(code, owner, isRight, "No booking has this confirmation code and contact.", ctx);
}

/** The limit comes before the booking is read: over the limit, right and wrong guesses must take the same time. */
async function reveal(
  code: string,
  owner: BookingContact | null,
  isRight: boolean,
  missed: string,
  ctx: NotFound,
): Promise<Booking> {
  if (code === SAMPLE_CODE && !isRight) return ctx.fail("BOOKING_NOT_FOUND", `${missed} ${SAMPLE}`);
  const limits = await ctx.codeAttempts.check(`code ${code}`, { isRight, madeFrom: owner?.network });
  const booking = isRight ? await ctx.store.findBooking(code) : null;
  return booking ?? ctx.fail("BOOKING_NOT_FOUND", missed, { limits });
}

/** No booking has the code of the samples, so sending a sample as it stands is not counted as a guess. */
const SAMPLE = "It is the sample's: put in the one of the booking.";

/** Compared where a code is unknown. Its texts are as long as real ones, and no valid request can match them. */
const NOBODY: BookingContact = { phone: "+00000000000", email: "nobody without a host", network: "" };

/** Compares both contacts always, so that a mismatch of either takes the same time. */
function isOwner(given: Partial<Pick<BookingContact, "phone" | "email">>, owner: BookingContact): boolean {
  const fits = [isSame(given.phone ?? owner.phone, owner.phone), isSame(given.email ?? owner.email, owner.email)];
  return !fits.includes(false);
}

function isSame(one: string, other: string): boolean {
  return crypto.timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}
