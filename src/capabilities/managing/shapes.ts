/** The requests and answers of managing a booking. Source: contract 13. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { BOOKING_STATUSES, type BookingStatus } from "../../domain/lifecycle.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { partsOf } from "../../domain/slots.ts";
import { email, LIMITS, line, linesFor, optional, phone, soft } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import { confirmation, storedConfirmation } from "../booking/confirmation.ts";
import { canChangeUntil } from "../booking/self-service.ts";
import type { Capability, Context } from "../core/capability.ts";
import { SAMPLE_CODE, SAMPLE_PERSON } from "../core/sample-person.ts";
import { toSplit } from "../core/shapes.ts";
import { phoneIssue } from "../core/stored-requests.ts";

export const confirmationCode = () =>
  line(LIMITS.other)
    .min(1)
    .meta({ description: "Confirmation code of the booking, in any letter case.", example: SAMPLE_CODE });

/** The code, and who booked. A contact that is given must be the booking's. */
export const proof = {
  confirmation_code: confirmationCode(),
  phone: optional(phone()).meta({
    description: "Phone that the booking was made with; phone or email is required.",
    example: SAMPLE_PERSON.phone,
    ...soft,
  }),
  email: optional(email()).meta({
    description: "E-mail that the booking was made with, in any letter case.",
    example: SAMPLE_PERSON.email,
    ...soft,
  }),
};
export type Proof = z.output<z.ZodObject<typeof proof>>;

/** For the documents, where nobody's booking is meant. */
export const SAMPLE_PROOF = { confirmation_code: SAMPLE_CODE, phone: SAMPLE_PERSON.phone };

export const PROOF_CHECKS = {
  phone(text, catalog, body) {
    if (text === undefined && body !== undefined && body.email === undefined)
      return { missing: "phone", or: "email", message: "is missing" };
    return phoneIssue(text, catalog);
  },
} satisfies Capability<z.ZodObject<typeof proof>>["checks"];

/** A confirmation as it stands now. */
const asItStands = () => ({
  status: z.enum([...BOOKING_STATUSES, "dry_run"]).meta({
    description: "The state of the booking.",
    ...linesFor({ ...STATUS_LINES, dry_run: "Nothing was changed." }),
  }),
});

const STATUS_LINES: Record<BookingStatus, string> = {
  confirmed: "It stands.",
  completed: "The work is done.",
  no_show: "The customer did not come.",
  cancelled_by_shop: "The shop called it off.",
  cancelled_by_customer: "The customer called it off.",
};

export const bookingStatusWord = () =>
  z.enum(BOOKING_STATUSES).meta({ description: "The state of the booking.", ...linesFor(STATUS_LINES) });

export const managedBooking = (catalog: Shop) =>
  confirmation(catalog)
    .extend(asItStands())
    .meta({ title: "ManagedBooking", description: "The booking as it stands now." });
const storedBooking = storedConfirmation.extend(asItStands());
export type ManagedBooking = z.output<typeof storedBooking>;

/** The booked work comes from the stored answer; time and state come from the columns. */
export function toManagedBooking(booking: Booking, ctx: Context<never>): ManagedBooking {
  const { catalog } = ctx;
  const until = canChangeUntil(booking, ctx);
  const { split: _, ...answer } = storedConfirmation.parse(booking.answer);
  return storedBooking.parse({
    ...answer,
    ...toSplit(catalog, partsOf(catalog, booking)),
    status: booking.status,
    date: booking.date,
    time: booking.time,
    start: rfc3339(catalog, booking.startAt),
    end: rfc3339(catalog, booking.endAt),
    can_change_until: until === null ? null : rfc3339(catalog, until),
  });
}
