/** Of every request about a booking: the proof that names it, the booking as it then is, the next steps. Source: contract 13. */

import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { BOOKING_STATUSES, type BookingStatus, heldAsOf } from "../../domain/lifecycle.ts";
import { jobQuery } from "../../job/forms.ts";
import { defined } from "../../lib/fields.ts";
import { readCode } from "../../lib/ids.ts";
import { email, inTool, LIMITS, line, linesFor, optional, phone, soft } from "../../schema/fields.ts";
import type { Booking, BookingContact } from "../../store/store.ts";
import { confirmation, storedConfirmation, timeIn } from "../booking/confirmation.ts";
import { asksForDeposits, type Payment, paidDeposit, paidDepositShape, toPayment } from "../booking/deposit.ts";
import { type Contact, canChange, changeableUntil, changes, stepsOfHold } from "../booking/policy.ts";
import { bookedJob, stillSold } from "../booking/work.ts";
import type { Answer, Capability, Context, Suggestion } from "../core/capability.ts";
import { SAMPLE_CODE, SAMPLE_PERSON, toFillIn, toShop } from "../core/samples.ts";
import { phoneIssue, phoneOf } from "../core/stored-requests.ts";

export const confirmationCode = () =>
  line(LIMITS.other)
    .min(1)
    .meta({ description: "Confirmation code of the booking, in any letter case.", example: SAMPLE_CODE });

/** The code, and who booked. A contact that is given must be the booking's. */
export const proof = {
  confirmation_code: confirmationCode(),
  phone: optional(phone()).meta({
    description: "Phone of the booking; phone or email is required.",
    ...inTool("This or email is required."),
    example: SAMPLE_PERSON.phone,
    ...soft,
  }),
  email: optional(email()).meta({
    description: "E-mail that the booking was made with, in any letter case.",
    example: SAMPLE_PERSON.email,
    ...soft,
  }),
};
type Proof = z.output<z.ZodObject<typeof proof>>;

/** For the documents, where nobody's booking is meant. */
export const SAMPLE_PROOF = { confirmation_code: SAMPLE_CODE, phone: SAMPLE_PERSON.phone };

export const PROOF_CHECKS = {
  phone(text, catalog, body) {
    if (text === undefined && body !== undefined && body.email === undefined)
      return { missing: "phone", or: "email", message: "is missing" };
    return phoneIssue(text, catalog);
  },
} satisfies Capability<z.ZodObject<typeof proof>>["checks"];

/** A confirmation as it is now. */
const asItStands = () => ({
  status: z.enum([...BOOKING_STATUSES, "dry_run"]).meta({
    description: "The state of the booking.",
    ...linesFor({ ...STATUS_LINES, dry_run: "Nothing was changed." }),
  }),
  deposit: paidDepositShape().optional(),
});

const STATUS_LINES: Record<BookingStatus, string> = {
  held: "The time is held, and not booked yet.",
  confirmed: "It stands.",
  completed: "The work is done.",
  no_show: "The customer did not come.",
  cancelled_by_shop: "The shop called it off.",
  cancelled_by_customer: "The customer called it off.",
  expired: "The time was held, and not confirmed in time.",
};

export const bookingStatusWord = () =>
  z.enum(BOOKING_STATUSES).meta({ description: "The state of the booking.", ...linesFor(STATUS_LINES) });

export const managedBooking = (catalog: Shop) => {
  const all = confirmation(catalog).extend(asItStands());
  // Safe, because a field that may be missing is left out of the documents of a shop without deposits.
  const some = asksForDeposits(catalog) ? all : (all.omit({ deposit: true }) as unknown as typeof all);
  return some.meta({ title: "ManagedBooking", description: "The booking as it is now." });
};
const storedBooking = storedConfirmation.extend(asItStands());
export type ManagedBooking = z.output<typeof storedBooking>;

/** There is nothing to prepare, and nothing to be reminded of. */
const NO_VISIT = { prepare: null, messages: { text: [], email: [], said: "No message about the visit will be sent." } };

/** The booked work comes from the stored answer; time and state come from the columns. Parsed again, which puts the fields in their order. */
export function toManagedBooking(
  booking: Booking,
  ctx: Context<never>,
  more: Pick<ManagedBooking, "payment" | "deposit"> = {},
): ManagedBooking {
  const { split: _, held_until, payment, ...answer } = storedConfirmation.parse(booking.answer);
  const managed = storedBooking.parse({
    ...answer,
    ...timeIn(booking, ctx.catalog),
    status: booking.status,
    ...(booking.status === "held" && { held_until, payment }),
    ...more,
    can_change_until: changeableUntil(booking, ctx),
  });
  return booking.status === "confirmed" || booking.status === "held" ? managed : { ...managed, ...NO_VISIT };
}

// The next steps of a caller with a booking.

export const CALL_THE_SHOP = toShop("Get the shop's phone and hours: online nothing can be changed.");
const ASK_FOR_TIMES = toShop(
  "Get the shop's phone and hours, to ask for open times: this work is no longer booked online.",
);

/** The booking as it is now, after a look-up or a change. @param to how it would end, for its deposit */
export async function answerAbout(
  booking: Booking,
  contact: Contact,
  ctx: Context<never>,
  to?: BookingStatus,
): Promise<Answer<ManagedBooking>> {
  const paid = await paidDeposit(booking, ctx, to);
  const payment = paid ? undefined : await askedOf(booking, ctx);
  const data = toManagedBooking(booking, ctx, { ...(paid && { deposit: paid }), ...(payment && { payment }) });
  const { catalog } = ctx;
  const isOldDeposit = !asksForDeposits(catalog) && (data.payment ?? data.deposit) !== undefined;
  return {
    data,
    suggestions: stepsAfter(booking, data, contact, ctx),
    hasOldWords: isOldDeposit || stillSold(bookedJob(data), catalog).old.length > 0,
  };
}

/** What the shop asks for a booking that stands; undefined where it asks for none. */
async function askedOf({ id, status }: Booking, { catalog, store, now }: Context<never>): Promise<Payment | undefined> {
  if (status !== "confirmed" || !asksForDeposits(catalog)) return undefined;
  const deposit = await store.depositOf(id);
  const isOpen = deposit?.state === "open" && now.epochMilliseconds < deposit.payUntil;
  return isOpen ? toPayment(deposit.amount, deposit, catalog) : undefined;
}

/** The answer that a change would get, and the change as the next step. */
export async function dryRunAnswer(
  action: Suggestion["action"],
  description: string,
  { dry_run: _, ...real }: Proof & { dry_run?: boolean | undefined },
  booking: Booking,
  ctx: Context<never>,
  to?: BookingStatus,
): Promise<Answer<ManagedBooking>> {
  const answer = await answerAbout(booking, real, ctx, to);
  const suggestions = [{ action, description, ...toFillIn(defined(real)) }];
  return { ...answer, data: { ...answer.data, status: "dry_run" }, suggestions };
}

function stepsAfter(booking: Booking, shown: ManagedBooking, contact: Contact, ctx: Context<never>): Suggestion[] {
  if (booking.status === "held") return stepsOfHold(shown.confirmation_code, ctx.catalog, shown.payment);
  if (booking.status !== "confirmed") return suggestOtherTimes(shown, "See open times for another booking.", ctx);
  if (!canChange(booking, ctx)) return [CALL_THE_SHOP];
  return [
    ...suggestOtherTimes(shown, "See the times to which this booking can move.", ctx),
    ...changes(shown.confirmation_code, contact),
  ];
}

/** Open times for the same work, without what the shop has given up since; none when it no longer sells the work online. */
function suggestOtherTimes(shown: ManagedBooking, description: string, { catalog }: Context<never>): Suggestion[] {
  const service = catalog.bookable.find(({ key }) => key === shown.service);
  if (!service) return [ASK_FOR_TIMES];
  // Which law was checked changes no time.
  const { addons = [], jurisdiction: _, ...job } = stillSold(bookedJob(shown), catalog).job;
  const input = jobQuery({ ...job, ...(addons.length > 0 && { addons }) }, service.id);
  return [{ action: "check_availability", description, input }];
}

// Finds the booking that a caller names. Wrong code, wrong contact and unknown code look alike in answer and time: each
// costs one look-up and the same comparisons. Misses are limited (contract 13).

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
    ...(phone !== undefined && { phone: phoneOf(phone, ctx.catalog).phone }),
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
  return booking ? heldAsOf(booking, ctx.now.epochMilliseconds) : ctx.fail("BOOKING_NOT_FOUND", missed, { limits });
}

/** No booking has the code of the samples, so sending a sample as it is is not counted as a guess. */
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
