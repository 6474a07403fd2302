/**
 * The owner's changes to a booking beside time and work (`change`): how it ends, who comes, with which car, the note, the agreed
 * price. The customer gets the messages that the catalog switches on, the shop none. Source: contract 17.
 */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { type BookingStatus, isCancelled } from "../../domain/lifecycle.ts";
import { CAR_NAME, toVehicle, type Vehicle } from "../../job/job.ts";
import { defined, field, pick } from "../../lib/fields.ts";
import { afterWork, mayBeTexted, ready, reopening } from "../../messages/customer-messages.ts";
import type { AddedMessage, Booking, NewJob } from "../../store/store.ts";
import { messagesOfCancellation, messagesOfChange, rewordedFor } from "../booking/change.ts";
import { agreedEstimate, storedConfirmation } from "../booking/confirmation.ts";
import { ownerPolicy, told } from "../booking/policy.ts";
import { bookedJob, removalIssue, WORK_FIELDS, workFields } from "../booking/work.ts";
import type { Context } from "../core/capability.ts";
import { phoneOf } from "../core/contact.ts";
import { checked, ownerBooking } from "./owner-booking.ts";

export async function messagesOfEnd(booking: Booking, to: BookingStatus, ctx: Context<never>): Promise<NewJob[]> {
  if (to === "completed") return messagesOfChange(afterWork, booking, {}, ctx);
  // Nobody was told of what is held.
  return isCancelled(to) && booking.status !== "held"
    ? told(await messagesOfCancellation(to, booking, {}, ctx), "booked", ownerPolicy({ anyway: false }))
    : [];
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

/** Why a message that the owner asked for is not sent. */
export type NotSent =
  | "off"
  | "no_consent"
  | "no_address"
  | "number"
  | "stopped"
  | "no_link"
  | Exclude<AddedMessage, "added">;

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
  const outcome = await store.addMessage(booking.lead.id, job, now.epochMilliseconds);
  return outcome === "added" ? null : outcome;
}

// Corrections: who comes, with which car, the note, the agreed price, the work. The time stays.

const editRequest = (catalog: Shop) => {
  const { customer_name, customer_phone, ...shape } = ownerBooking.input(catalog).shape;
  return z.object({
    ...{ customer_name: customer_name.optional(), customer_phone: customer_phone.optional() },
    ...{ customer_email: shape.customer_email, special_requests: shape.special_requests },
    ...workFields(catalog),
  });
};

/** The fields of an edit as those of a capability, for their names and checks. */
export const ownerEdit = {
  ...ownerBooking,
  input: editRequest,
  checks: {
    ...pick(ownerBooking.checks, "customer_phone", "jurisdiction", "estimate_id"),
    remove_addons: removalIssue,
  },
};

const WORK = WORK_FIELDS.filter((field) => !CAR_NAME.some((name) => name === field));

/** The other work that an edit asks for; null where it asks for none. @throws ApiError for a faulty field */
export function workInRequest(raw: object, catalog: Shop) {
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
  const name = pick(car, ...CAR_NAME);
  // Elsewhere an empty text is the absence of its field.
  const isEmptied = (name: string) => {
    const given = field(raw, name);
    return typeof given === "string" && given.trim() === "";
  };
  const { confirmationCode, lead, changes } = booking;
  const customer = {
    name: customer_name ?? lead.name,
    ...(customer_phone === undefined
      ? { phone: lead.phone, extension: lead.extension }
      : phoneOf(customer_phone, catalog)),
    email: isEmptied("customer_email") ? "" : (customer_email ?? lead.email),
  };
  // An answer that an unknown version of the program wrote stays as it is.
  let answer = Object(booking.answer);
  let details: object = name;
  const before = storedConfirmation.safeParse(answer).data;
  if (before) {
    const note = isEmptied("special_requests") ? null : (special_requests ?? before.special_requests);
    const vehicle: Vehicle = { ...bookedJob(before), ...name };
    // Another make and model is another car, of another year.
    if (name.vehicle_make && name.vehicle_model) vehicle.vehicle_year = name.vehicle_year;
    details = {
      ...Object.fromEntries(CAR_NAME.map((field) => [field, vehicle[field]])),
      special_requests: note ?? undefined,
    };
    answer = {
      ...before,
      ...pick(answer, "warnings"),
      vehicle: toVehicle(vehicle, catalog),
      customer: { name: customer.name },
      special_requests: note,
      estimate: price === undefined ? before.estimate : agreedEstimate(before.estimate, price, catalog),
    };
  }
  return store.editBooking({
    confirmationCode,
    ...customer,
    reworded: await rewordedFor({ ...booking, answer, lead: { ...lead, ...customer } }, { changes }, ctx),
    details,
    answer,
  });
}
