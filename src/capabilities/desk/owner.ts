/** The owner's own bookings, inquiries and changes. Customers get the messages that the catalog switches on. Source: contract 17. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { OWNER } from "../../constants.ts";
import { type BookingStatus, isCancelled } from "../../domain/lifecycle.ts";
import { nextOpenMoment } from "../../domain/schedule.ts";
import { CAR_NAME, toVehicle, type Vehicle } from "../../job/job.ts";
import { defined, field, pick } from "../../lib/fields.ts";
import { afterWork, mayBeTexted, ready, reopening } from "../../messages/customer-messages.ts";
import { email, optional, phone } from "../../schema/fields.ts";
import type { AddedMessage, Booking, LeadInFull, NewJob, NewLead } from "../../store/store.ts";
import { bookAppointment } from "../book-appointment.ts";
import { messagesOfCancellation, messagesOfChange, rewordedFor } from "../booking/change.ts";
import { agreedEstimate, storedConfirmation } from "../booking/confirmation.ts";
import { isToldOf } from "../booking/deposit.ts";
import { type Placed, place, type Wish } from "../booking/place.ts";
import { type Agreed, ownerPolicy, told } from "../booking/policy.ts";
import { type BookingContext, bookingRequest } from "../booking/shapes.ts";
import { bookedJob, removalIssue, WORK_FIELDS, workFields } from "../booking/work.ts";
import type { Capability, Context } from "../core/capability.ts";
import { NO_PHONE, newLead, phoneOf, storeWithNewCodes } from "../core/stored-requests.ts";
import { inputError, validate } from "../core/validate.ts";
import { quoteRequest } from "../quote-request.ts";

/** The request of a customer's booking. A walk-in leaves no phone, and few have an e-mail address at hand. */
const ownerRequest = (catalog: Shop) =>
  bookingRequest(catalog)
    .omit({ hold: true })
    .extend({
      customer_phone: optional(phone()).meta({ description: "Customer's phone." }),
      customer_email: optional(email()).meta({ description: "Customer's e-mail." }),
    });

/** The owner's booking as a capability, for the names and the checks of its fields. */
export const ownerBooking = {
  ...bookAppointment,
  input: ownerRequest,
  checks: {
    ...bookAppointment.checks,
    consent: () => undefined,
    /** Work on buildings has no appointments online; the owner writes it into the diary all the same. */
    service_type: (key: string | undefined, { services }: Shop) =>
      key === undefined || services.some((service) => service.key === key)
        ? undefined
        : { message: "must be a service of the shop", allowed: services.map((service) => service.key) },
  },
};

export const OWNER_CALLER = {
  network: OWNER,
  wider: [],
  keyId: null,
  isSelfRegistered: false,
  agentClass: OWNER,
  userAgent: null,
};

/** A request, read and checked as the API reads a customer's. @throws ApiError for a faulty field */
export function checked<Input extends z.ZodObject>(
  capability: Omit<Capability, "input"> & { input: (catalog: Shop) => Input },
  raw: object,
  catalog: Shop,
): z.output<Input> {
  const { input, issues } = validate(capability, raw, catalog);
  if (!input || issues.size > 0) throw inputError(issues);
  return capability.input(catalog).parse(input);
}

/** By the owner's policy, never in a full bay. Throws ApiError, BaysBusy, UnusualTime, ShadeNotLegal, StoreUnavailable. */
export async function bookForOwner(
  raw: object,
  ctx: BookingContext,
  { price, minutes, until, ...agreed }: Agreed & Omit<Wish, "input">,
): Promise<Placed> {
  const { customer_email = "", customer_phone = "", ...given } = checked(ownerBooking, raw, ctx.catalog);
  const input = { ...given, customer_email, customer_phone, consent: CONSENT };
  const placed = await place({ input, price, minutes, until }, ownerPolicy(agreed), ctx);
  if ("earlier" in placed) throw new Error("the owner's bookings have no id");
  return placed;
}

/** Who speaks with the shop itself agrees to hear from it about the matter. */
export const CONSENT = {
  confirmed_by_user: true as const,
  // The owner spoke with the customer, and answers for it.
  sms: true,
  statement: "Booked with the shop itself.",
  captured_at: undefined,
  agent_name: undefined,
};

/** The request of a customer; on the phone few say more than a name and what they want. */
const inquiry = (catalog: Shop) => {
  const request = quoteRequest.input(catalog);
  return request.extend({
    phone: optional(phone()).meta({ description: "For the call back." }),
    email: optional(email()).meta({ description: "Customer's e-mail, if there is one." }),
    service_type: request.shape.service_type.optional(),
  });
};

/** The inquiry as a capability, for the names and the checks of its fields. */
export const ownerInquiry = {
  ...quoteRequest,
  input: inquiry,
  checks: { ...quoteRequest.checks, consent: () => undefined },
};

/**
 * Stores an inquiry with a reminder in the owner's lists.
 * @param callAt when to call back, in epoch milliseconds; moved into opening hours. Without it the next opening
 * @throws ApiError for a faulty request, StoreUnavailable
 */
export async function addInquiry(raw: object, callAt: number | null, ctx: Context): Promise<NewLead> {
  const { catalog, now, store } = ctx;
  const { consent: _, dry_run: __, ...input } = checked(ownerInquiry, raw, catalog);
  const dueAt = nextOpenMoment(catalog, Math.max(callAt ?? 0, now.epochMilliseconds));
  const { made } = await storeWithNewCodes(async () => {
    const { lead } = await newLead(
      {
        kind: "quote_request",
        name: [input.first_name, input.last_name].filter((part) => part !== undefined).join(" "),
        ...(input.phone === undefined ? NO_PHONE : phoneOf(input.phone, catalog)),
        email: input.email ?? "",
        serviceType: input.service_type ?? catalog.automotive.defaults.service,
        details: input,
      },
      null,
      ctx,
    );
    const reminder = { kind: "remind_owner" as const, payload: {}, dueAt, unless: "contacted" as const };
    const made = { ...lead, jobs: [...lead.jobs, reminder] };
    return { made, outcome: await store.addLead(made) };
  });
  return made;
}

/** The car of an inquiry: another one takes the place of all of it. */
const CAR: readonly string[] = ["vehicle_type", ...CAR_NAME];

/** An empty text takes away what was there. Null when the lead is gone. Throws ApiError, StoreUnavailable. */
export async function editInquiry(
  lead: LeadInFull,
  raw: object,
  { catalog, store }: Context,
): Promise<LeadInFull | null> {
  const { consent: _, dry_run: __, ...input } = checked(ownerInquiry, { first_name: lead.name, ...raw }, catalog);
  const isGiven = (name: string) => Object.hasOwn(raw, name);
  const kept = Object.entries(Object(lead.details)).filter(
    ([name]) =>
      !isGiven(name) &&
      !(CAR.includes(name) && CAR.some(isGiven)) &&
      !(name === "windows" && isGiven("square_footage")) &&
      !(name === "last_name" && isGiven("first_name")),
  );
  const said = Object.entries(input).filter(([name]) => isGiven(name));
  return store.editLead({
    id: lead.id,
    name: isGiven("first_name") ? input.first_name : lead.name,
    ...(isEmptied(raw, "phone") ? NO_PHONE : input.phone === undefined ? lead : phoneOf(input.phone, catalog)),
    email: isEmptied(raw, "email") ? "" : (input.email ?? lead.email),
    serviceType: input.service_type ?? lead.serviceType,
    details: Object.fromEntries([...kept, ...said]),
  });
}

/** Whether a correction empties a field. In other requests an empty text counts as no value. */
function isEmptied(raw: object, name: string): boolean {
  const given = field(raw, name);
  return typeof given === "string" && given.trim() === "";
}

export async function messagesOfEnd(booking: Booking, to: BookingStatus, ctx: Context<never>): Promise<NewJob[]> {
  if (to === "completed") return messagesOfChange(afterWork, booking, {}, ctx);
  return isCancelled(to) && isToldOf(booking)
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

/** Texts the customer that the vehicle is ready. Returns why not; null when the text is on its way. */
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
  const asked = defined(pick(checked(ownerEdit, raw, catalog), ...WORK));
  return Object.keys(asked).length === 0 ? null : asked;
}

/** An empty note or e-mail takes the old one away; `price` is in cents. */
export async function editForOwner(booking: Booking, raw: object, price: number | undefined, ctx: Context) {
  const { catalog, store } = ctx;
  const { customer_name, customer_phone, customer_email, special_requests, ...car } = checked(ownerEdit, raw, catalog);
  const name = pick(car, ...CAR_NAME);
  const { confirmationCode, lead, changes } = booking;
  const customer = {
    name: customer_name ?? lead.name,
    ...(customer_phone === undefined
      ? { phone: lead.phone, extension: lead.extension }
      : phoneOf(customer_phone, catalog)),
    email: isEmptied(raw, "customer_email") ? "" : (customer_email ?? lead.email),
  };
  // An answer that an unknown version of the program wrote stays as it is.
  let answer = Object(booking.answer);
  let details: object = name;
  const before = storedConfirmation.safeParse(answer).data;
  if (before) {
    const note = isEmptied(raw, "special_requests") ? null : (special_requests ?? before.special_requests);
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
    ...{ confirmationCode, changes, ...customer },
    reworded: await rewordedFor({ ...booking, answer, lead: { ...lead, ...customer } }, { changes }, ctx),
    details,
    answer,
  });
}
