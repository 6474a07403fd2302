/** What a booking is made of: the job it asks for, its price, and the records that are stored. */

import type { Catalog } from "../../catalog/schema.ts";
import { estimateAutomotive, type Option } from "../../domain/automotive.ts";
import { toUnits } from "../../domain/money.ts";
import { jobMinutes, rfc3339, type Slot } from "../../domain/schedule.ts";
import { newConfirmationCode, newId } from "../../lib/ids.ts";
import { toE164 } from "../../lib/phone.ts";
import type { NewBooking } from "../../store/store.ts";
import { AUTOMOTIVE_SERVICES } from "../../vocabulary.ts";
import type { Context } from "../core/capability.ts";
import { toLineItem, toVehicle } from "../core/shapes.ts";
import { newLead } from "../shared/leads.ts";
import type { BookingRequest, Confirmation } from "./shapes.ts";

/** What is to be done, with the shop's defaults filled in. */
export interface Job {
  service: (typeof AUTOMOTIVE_SERVICES)[number];
  filmType: BookingRequest["film_type"] | null;
  coverage: BookingRequest["coverage"] | null;
  minutes: number;
  /** E.164. */
  phone: string;
}

export function jobOf(input: BookingRequest, { catalog }: Context): Job {
  const service = AUTOMOTIVE_SERVICES.find(
    (key) => key === (input.service_type ?? catalog.automotive.defaults.service),
  );
  if (!service) throw new Error(`${input.service_type} is bookable but has no price; the catalog's checks refuse that`);
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

export interface Facts {
  input: BookingRequest;
  ctx: Context;
  job: Job;
  slot: Slot;
  idempotency: NewBooking["idempotency"];
}

export async function newBooking({
  input,
  ctx,
  job,
  slot,
  idempotency,
}: Facts): Promise<NewBooking & { answer: Confirmation }> {
  const { catalog, caller, now } = ctx;
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const estimate = estimateOf(input, job, catalog);
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
      price: estimate?.total ?? null,
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
      estimate: estimate && {
        currency: catalog.currency,
        total: toUnits(estimate.total),
        line_items: estimate.lines.map(toLineItem),
      },
      customer: { name: input.customer_name },
      lead_id: lead.id,
      location: { name: business.name, address: business.address, phone: business.phone },
      booking_request_id: idempotency?.id ?? null,
    },
  };
}

/** Its price at the moment; null without a vehicle to price. */
function estimateOf(
  { vehicle_type, film_type, coverage }: BookingRequest,
  { service }: Job,
  catalog: Catalog,
): Option | null {
  if (vehicle_type === undefined) return null;
  return estimateAutomotive(catalog, {
    vehicle_type,
    service,
    ...(film_type && { film_type }),
    ...(coverage && { coverage }),
  }).chosen;
}
