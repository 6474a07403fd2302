import { createHash } from "node:crypto";
import { z } from "zod";
import { type Context, defineCapability, type LimitState } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { estimateAutomotive } from "../domain/automotive.ts";
import { toUnits } from "../domain/money.ts";
import {
  bookableServices,
  dayOf,
  jobMinutes,
  nearestOpen,
  rfc3339,
  type Slot,
  shopDate,
  slotsOf,
  startOfDay,
} from "../domain/schedule.ts";
import { ApiError, badField, type ErrorCode } from "../errors.ts";
import {
  consent,
  coverage,
  date,
  email,
  filmType,
  LIMITS,
  line,
  optional,
  paragraph,
  personName,
  phone,
  soft,
  time,
  vehicleType,
  vehicleYear,
} from "../fields.ts";
import { newConfirmationCode, newId } from "../ids.ts";
import { toE164 } from "../phone.ts";
import { type Earlier, type NewBooking, type Quota, type QuotaUse, StoreUnavailable } from "../store/store.ts";
import { API_PREFIX, AUTOMOTIVE_SERVICES, COVERAGES, FILM_TYPES } from "../vocabulary.ts";
import { newLead } from "./leads.ts";
import {
  calendarDate,
  clockTime,
  consentFault,
  lineItem,
  money,
  phoneFault,
  SAMPLE_PERSON,
  sampleBooking,
  timestamp,
  toLineItem,
  toSlot,
  toVehicle,
  vehicle,
} from "./shapes.ts";

const bookingRequest = z.object({
  date: date().meta({ description: "Appointment date, from a slot of check_availability." }),
  time: time().meta({ description: "Appointment time HH:MM, from the same slot.", example: "09:00" }),
  customer_name: personName().meta({ description: "Customer's full name.", example: SAMPLE_PERSON.name }),
  customer_phone: phone().meta({ description: "Customer's phone.", example: SAMPLE_PERSON.phone }),
  customer_email: email().meta({ description: "Customer's e-mail.", example: SAMPLE_PERSON.email }),
  service_type: optional(line()).meta({
    description: "Key of a bookable service; default automotive.",
    example: "automotive",
  }),
  vehicle_year: optional(vehicleYear()).meta({ description: "Model year.", example: 2024, ...soft }),
  vehicle_make: optional(line()).meta({ description: "Make.", example: "Toyota", ...soft }),
  vehicle_model: optional(line()).meta({ description: "Model.", example: "Highlander", ...soft }),
  vehicle_type: optional(vehicleType()).meta({
    description: "Body type; makes length and price of the job exact.",
    example: "suv",
    ...soft,
  }),
  coverage: optional(coverage()).meta({ description: "full (default) or front2.", example: "full", ...soft }),
  film_type: optional(filmType()).meta({ description: "standard (default) or ceramic.", example: "ceramic", ...soft }),
  special_requests: optional(paragraph()).meta({ description: "Shade, add-ons, anything else the shop should know." }),
  booking_request_id: optional(line(LIMITS.bookingRequestId)).meta({
    description:
      "Your own id for this request: sending it again with the same body gives the same answer and books nothing twice. The Idempotency-Key header is an alias.",
    example: "order-7f3a",
  }),
  postal_code: optional(line()).meta({
    description: "The customer's postal code, checked against the service area.",
    example: "30060",
  }),
  consent: optional(consent()).meta({ description: "The end user's agreement." }),
});
type BookingRequest = z.output<typeof bookingRequest>;

const confirmation = z.object({
  confirmation_code: z.string().meta({ description: "8 characters; the customer needs it to change or cancel." }),
  booking_id: z.string(),
  status: z.literal("confirmed"),
  date: calendarDate(),
  time: clockTime(),
  start: timestamp(),
  end: timestamp(),
  timezone: z.string(),
  duration_minutes: z.int(),
  service: z.string(),
  vehicle: vehicle(),
  film_type: z.enum(FILM_TYPES).nullable(),
  coverage: z.enum(COVERAGES).nullable(),
  special_requests: z.string().nullable(),
  estimate: z
    .object({ currency: z.string(), total: money(), line_items: z.array(lineItem()) })
    .nullable()
    .meta({ description: "null when no vehicle_type was given." }),
  customer: z.object({ name: z.string() }),
  lead_id: z.string(),
  location: z.object({
    name: z.string(),
    address: z.object({
      street: z.string(),
      locality: z.string(),
      region: z.string(),
      postal_code: z.string(),
      country: z.string(),
    }),
    phone: z.string(),
  }),
  booking_request_id: z.string().nullable(),
});
type Confirmation = z.output<typeof confirmation>;

const WINDOW_MS = 10 * 60_000;
const ALTERNATIVES = 3;
const RETRY_SECONDS = 5;

/** Book a confirmed appointment. Source: spec sections 2.4 and 4.8, contract section 6, whose order of checks this follows. */
export const bookAppointment = defineCapability({
  id: "book_appointment",
  operationId: "book_appointment",
  title: "Book an appointment",
  method: "POST",
  path: "/bookings",
  description:
    "Books a confirmed automotive appointment, stores a lead and notifies the shop. Ask the end user's consent first. A key raises limits. Send booking_request_id, so that a retry can never book twice.",
  sideEffect: "books_appointment",
  returnsPrice: true,
  useWhen: ["The user agreed to a date and time that check_availability shows as available."],
  avoidWhen: [
    "The user has not agreed to the appointment.",
    "The work is on a building: send a quote_request.",
    "You do not have the user's own name, phone and e-mail.",
  ],
  input: bookingRequest,
  output: confirmation,
  status: 201,
  errors: [
    "SERVICE_NOT_FOUND",
    "INVALID_VEHICLE_TYPE",
    "API_KEY_REQUIRED",
    "DATE_BLOCKED",
    "SLOT_TAKEN",
    "IDEMPOTENCY_CONFLICT",
    "OUT_OF_SERVICE_AREA",
    "BOOKING_FAILED",
  ],
  acceptsKey: true,
  tool: false,
  sample: (catalog, now) =>
    sampleBooking(catalog, now, {
      vehicle_type: "suv",
      vehicle_year: 2024,
      vehicle_make: "Toyota",
      vehicle_model: "Highlander",
      film_type: "ceramic",
      coverage: "full",
    }),
  checks: {
    customer_phone: phoneFault,
    consent: consentFault,
    service_type(key, catalog) {
      const keys = bookableServices(catalog).map((service) => service.key);
      return key === undefined || keys.includes(key)
        ? undefined
        : { code: "SERVICE_NOT_FOUND", message: "must be a service that can be booked online", allowed: keys };
    },
  },
  async run(input, ctx) {
    const requestId = requestIdOf(input, ctx);
    const job = jobOf(input, ctx);
    const idempotency =
      requestId === null ? null : { scope: ctx.caller.keyId ?? "", id: requestId, bodyHash: bodyHash(input) };
    const earlier = idempotency && (await ctx.store.findEarlier(idempotency.scope, idempotency.id));
    if (earlier) return replay(earlier, bodyHash(input));

    const quotas = quotasOf(job.phone, ctx);
    const overQuota = quotaError(await ctx.store.quotaUse(quotas), ctx);
    if (overQuota) throw overQuota;
    refuseOutsideArea(input.postal_code, ctx.catalog);
    const slot = await chooseSlot(input, job.minutes, ctx);

    const booking = newBooking({ input, ctx, job, slot, requestId, idempotency });
    const outcome = await store(booking, quotas, ctx);
    switch (outcome.kind) {
      case "earlier":
        return replay(outcome.earlier, bodyHash(input));
      case "quota":
        throw quotaError(outcome.quotas, ctx) ?? new Error("a quota was refused that is not full");
      case "taken":
        throw await noRoom(
          "SLOT_TAKEN",
          `${input.date} ${input.time} was taken a moment ago.`,
          input,
          job.minutes,
          ctx,
        );
      case "booked":
        return { ...answerOf(booking.answer), limits: outcome.quotas.map(toLimit) };
    }
  },
});

function requestIdOf(input: BookingRequest, { idempotencyKey }: Context): string | null {
  const { booking_request_id: id } = input;
  if (idempotencyKey === undefined) return id ?? null;
  const header = line(LIMITS.bookingRequestId).min(1).safeParse(idempotencyKey.trim().normalize("NFC"));
  if (!header.success)
    throw badField("Idempotency-Key", `must be 1 to ${LIMITS.bookingRequestId} characters without control characters`);
  if (id !== undefined && id !== header.data) {
    throw badField("booking_request_id", "must be the same as the Idempotency-Key header, or one of the two left out");
  }
  return header.data;
}

interface Job {
  service: (typeof AUTOMOTIVE_SERVICES)[number];
  filmType: BookingRequest["film_type"] | null;
  coverage: BookingRequest["coverage"] | null;
  minutes: number;
  /** E.164. */
  phone: string;
}

function jobOf(input: BookingRequest, { catalog }: Context): Job {
  const service = AUTOMOTIVE_SERVICES.find(
    (key) => key === (input.service_type ?? catalog.automotive.defaults.service),
  );
  if (!service) throw new ApiError("SERVICE_NOT_FOUND", `${input.service_type} has no price to book at.`);
  const { defaults } = catalog.automotive;
  const filmType = service === "automotive" ? (input.film_type ?? defaults.film_type) : null;
  const coverage = service === "clearplex" ? null : (input.coverage ?? defaults.coverage);
  return {
    service,
    filmType,
    coverage,
    minutes: jobMinutes(catalog, { service, vehicleType: input.vehicle_type, filmType, coverage }),
    phone: toE164(input.customer_phone, catalog.business.address.country) ?? input.customer_phone,
  };
}

/** Digest of the request as understood, its id left out: two bodies with the same digest ask for the same booking. */
function bodyHash({ booking_request_id: _, ...body }: BookingRequest): string {
  return createHash("sha256").update(canonical(body)).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function replay(earlier: Earlier, hash: string) {
  if (earlier.bodyHash !== hash) {
    throw new ApiError("IDEMPOTENCY_CONFLICT", "This booking_request_id was used before with a different body.");
  }
  return { ...answerOf(confirmation.parse(earlier.answer)), replayed: true };
}

function answerOf(data: Confirmation) {
  return {
    data,
    location: `${API_PREFIX}/bookings/${data.confirmation_code}`,
    suggestions: [
      {
        action: "business_location" as const,
        description: "Tell the customer where the shop is and when it is open.",
        input: {},
      },
      {
        action: "list_faq" as const,
        description: "Tell the customer what to expect: how long it takes, how the film cures.",
        input: { category: "automotive" },
      },
    ],
  };
}

function quotasOf(phoneNumber: string, { catalog, caller, now }: Context): Quota[] {
  const { rate_limits: limits } = catalog;
  const since = now.epochMilliseconds - WINDOW_MS;
  if (caller.keyId !== null) return [{ by: "key", value: caller.keyId, since, limit: limits.bookings_per_10_minutes }];
  return [
    { by: "network", value: caller.network, since, limit: limits.bookings_per_10_minutes },
    // The day begins at the shop's midnight; one millisecond earlier, because `since` itself does not count.
    {
      by: "phone",
      value: phoneNumber,
      since: startOfDay(catalog, shopDate(catalog, now)) - 1,
      limit: limits.bookings_per_phone_per_day,
    },
  ];
}

function toLimit({ limit, used }: QuotaUse): LimitState {
  return { limit, remaining: Math.max(0, limit - used) };
}

function quotaError(quotas: QuotaUse[], { catalog, now }: Context): ApiError | undefined {
  const full = quotas.filter(({ used, limit }) => used >= limit);
  const [first] = full;
  if (!first) return undefined;
  const midnight = startOfDay(catalog, Temporal.PlainDate.from(shopDate(catalog, now)).add({ days: 1 }).toString());
  const frees = full.map(({ by, oldestAt }) =>
    by === "phone" ? midnight : (oldestAt ?? now.epochMilliseconds) + WINDOW_MS,
  );
  const seconds = Math.max(1, Math.ceil((Math.max(...frees) - now.epochMilliseconds) / 1000));
  const whose = {
    phone: "this phone number today",
    network: "this address within 10 minutes",
    key: "this API key within 10 minutes",
  };
  return new ApiError("RATE_LIMITED", `No more than ${first.limit} bookings are taken from ${whose[first.by]}.`, {
    retry_after_seconds: seconds,
    limit: toLimit(first),
  });
}

function refuseOutsideArea(postalCode: string | undefined, { business }: Catalog): void {
  const { postal_prefixes: prefixes, label } = business.service_area;
  if (postalCode === undefined || prefixes.length === 0) return;
  const code = postalCode.replace(/[\s-]/g, "").toUpperCase();
  if (!prefixes.some((prefix) => code.startsWith(prefix.toUpperCase()))) {
    throw new ApiError("OUT_OF_SERVICE_AREA", `Postal code ${postalCode} lies outside the service area, ${label}.`);
  }
}

/** The open slot the request names. @throws ApiError DATE_BLOCKED, BAD_REQUEST or SLOT_TAKEN */
async function chooseSlot(input: BookingRequest, minutes: number, ctx: Context): Promise<Slot> {
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
async function noRoom(
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

interface Facts {
  input: BookingRequest;
  ctx: Context;
  job: Job;
  slot: Slot;
  requestId: string | null;
  idempotency: NewBooking["idempotency"];
}

function newBooking({ input, ctx, job, slot, requestId, idempotency }: Facts): NewBooking & { answer: Confirmation } {
  const { catalog, caller, now } = ctx;
  const lead = newLead(
    {
      kind: "booking",
      name: input.customer_name,
      phone: job.phone,
      email: input.customer_email,
      serviceType: job.service,
      details: input,
    },
    ctx,
  );
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const { business } = catalog;
  return {
    id,
    confirmationCode,
    service: job.service,
    date: slot.date,
    time: slot.time,
    startAt: slot.startAt,
    endAt: slot.endAt,
    busyUntil: slot.busyUntil,
    network: caller.network,
    keyId: caller.keyId,
    idempotency,
    createdAt: now.epochMilliseconds,
    lead,
    answer: {
      confirmation_code: confirmationCode,
      booking_id: id,
      status: "confirmed",
      date: slot.date,
      time: slot.time,
      start: rfc3339(catalog, slot.startAt),
      end: rfc3339(catalog, slot.endAt),
      timezone: business.timezone,
      duration_minutes: job.minutes,
      service: job.service,
      vehicle: toVehicle(input),
      film_type: job.filmType ?? null,
      coverage: job.coverage ?? null,
      special_requests: input.special_requests ?? null,
      estimate: priceOf(input, job, catalog),
      customer: { name: input.customer_name },
      lead_id: lead.id,
      location: { name: business.name, address: business.address, phone: business.phone },
      booking_request_id: requestId,
    },
  };
}

function priceOf(
  { vehicle_type, film_type, coverage }: BookingRequest,
  { service }: Job,
  catalog: Catalog,
): Confirmation["estimate"] {
  if (vehicle_type === undefined) return null;
  const { chosen } = estimateAutomotive(catalog, {
    vehicle_type,
    service,
    ...(film_type && { film_type }),
    ...(coverage && { coverage }),
  });
  return { currency: catalog.currency, total: toUnits(chosen.total), line_items: chosen.lines.map(toLineItem) };
}

async function store(booking: NewBooking, quotas: Quota[], { catalog, store }: Context) {
  try {
    return await store.book(booking, catalog.scheduling.bays, quotas);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new ApiError(
      "BOOKING_FAILED",
      "The booking could not be stored just now. Nothing was booked.",
      {
        retry_after_seconds: RETRY_SECONDS,
      },
      { cause: error },
    );
  }
}
