import { type Context, defineCapability } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { estimateAutomotive } from "../domain/automotive.ts";
import { toUnits } from "../domain/money.ts";
import { bookableServices, jobMinutes, rfc3339, type Slot } from "../domain/schedule.ts";
import { ApiError } from "../errors.ts";
import { newConfirmationCode, newId } from "../ids.ts";
import { toE164 } from "../phone.ts";
import { type NewBooking, type Quota, StoreUnavailable } from "../store/store.ts";
import { API_PREFIX, AUTOMOTIVE_SERVICES } from "../vocabulary.ts";
import { bodyHash, earlierAnswer, requestIdOf } from "./booking/idempotency.ts";
import { quotaError, quotasOf, toLimit } from "./booking/quotas.ts";
import { type BookingRequest, bookingRequest, type Confirmation, confirmation } from "./booking/shapes.ts";
import { chooseSlot, noRoom, refuseOutsideArea } from "./booking/slot.ts";
import { consentFault, phoneFault } from "./shared/customer.ts";
import { newLead } from "./shared/leads.ts";
import { sampleBooking } from "./shared/samples.ts";
import { toLineItem, toVehicle } from "./shared/shapes.ts";

/** What a caller is told to wait when the store cannot write. */
const RETRY_SECONDS = 5;

/** Book a confirmed appointment. Source: spec sections 2.4 and 4.8, contract section 6, whose order of checks this follows. */
export const bookAppointment = defineCapability({
  id: "book_appointment",
  title: "Book an appointment",
  description:
    "Books a confirmed automotive appointment, stores a lead and notifies the shop. Ask the end user's consent first. A key raises limits. Send booking_request_id, so that a retry can never book twice.",
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
    if (earlier) return replay(earlierAnswer(earlier, bodyHash(input)));

    const quotas = quotasOf(job.phone, ctx);
    let slot: Slot;
    try {
      const overQuota = quotaError(await ctx.store.quotaUse(quotas), ctx);
      if (overQuota) throw overQuota;
      refuseOutsideArea(input.postal_code, ctx.catalog);
      slot = await chooseSlot(input, job.minutes, ctx);
    } catch (refusal) {
      // The same request may have been booked by another process since we looked: then that is the answer.
      const meanwhile = idempotency && (await ctx.store.findEarlier(idempotency.scope, idempotency.id));
      if (meanwhile) return replay(earlierAnswer(meanwhile, bodyHash(input)));
      throw refusal;
    }

    const booking = await newBooking({ input, ctx, job, slot, requestId, idempotency });
    const outcome = await store(booking, quotas, ctx);
    switch (outcome.kind) {
      case "earlier":
        return replay(earlierAnswer(outcome.earlier, bodyHash(input)));
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

function replay(answer: Confirmation) {
  return { ...answerOf(answer), replayed: true };
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
interface Facts {
  input: BookingRequest;
  ctx: Context;
  job: Job;
  slot: Slot;
  requestId: string | null;
  idempotency: NewBooking["idempotency"];
}

async function newBooking({
  input,
  ctx,
  job,
  slot,
  requestId,
  idempotency,
}: Facts): Promise<NewBooking & { answer: Confirmation }> {
  const { catalog, caller, now } = ctx;
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const price = priceOf(input, job, catalog);
  const lead = await newLead(
    {
      kind: "booking",
      name: input.customer_name,
      phone: job.phone,
      email: input.customer_email,
      serviceType: job.service,
      details: input,
    },
    {
      code: confirmationCode,
      name: input.customer_name,
      service: job.service,
      startAt: slot.startAt,
      endAt: slot.endAt,
      price: price && Math.round(price.total * 100),
    },
    ctx,
  );
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
      estimate: price,
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
