/** A booking in the making: the work it asks for, its price, and the records that are stored. */

import { manageUrl } from "../../catalog/page-addresses.ts";
import type { JobKind } from "../../constants.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { partsOf, type Slot } from "../../domain/slots.ts";
import { requestOf, toShades, toVehicle } from "../../job/job.ts";
import type { PricedJob } from "../../job/price.ts";
import { newConfirmationCode, newId } from "../../lib/ids.ts";
import { addsTax, taxOf } from "../../lib/money.ts";
import type { NewBooking } from "../../store/store.ts";
import { taxed } from "../core/price-shapes.ts";
import { toAddress, toLineItem, toSplit } from "../core/shapes.ts";
import { canChangeUntil } from "../shared/self-service.ts";
import { newLead } from "../shared/storing.ts";
import { type Confirmation, extrasOf, messagesIn } from "./confirmation.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";

export interface Facts extends PricedJob {
  /** The request; of its work the job counts. */
  input: BookingRequest;
  ctx: BookingContext;
  /** The customer's number in E.164; empty for a walk-in who left none. */
  phone: string;
  slot: Slot;
  idempotency: NewBooking["idempotency"];
  /** Whether a kind of message goes out; by default all do. */
  isSent?: (kind: JobKind) => boolean;
}

export async function newBooking({
  input,
  ctx,
  job,
  price,
  phone,
  slot,
  idempotency,
  isSent,
}: Facts): Promise<NewBooking & { answer: Confirmation }> {
  const { catalog, caller, now } = ctx;
  const { work } = job;
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const vehicle = toVehicle(job, catalog);
  const shades = toShades(job);
  const appointment = {
    code: confirmationCode,
    name: input.customer_name,
    service: work.service,
    startAt: slot.startAt,
    endAt: slot.endAt,
    price: price?.total ?? null,
    ...(price && addsTax(catalog) && { withTax: price.total + taxOf(price.total, catalog) }),
    extras: extrasOf({ addons: work.addons, remove_old_film: work.removal !== null, ...shades }, catalog),
    job: {
      phone,
      email: input.customer_email,
      vehicle,
      film: work.filmType,
      coverage: work.coverage,
    },
    note: input.special_requests ?? null,
  };
  const { lead: planned, alert } = await newLead(
    {
      kind: "booking",
      name: input.customer_name,
      phone,
      email: input.customer_email,
      serviceType: work.service,
      details: { ...input, ...requestOf(job) },
    },
    appointment,
    ctx,
  );
  const lead = isSent ? { ...planned, jobs: planned.jobs.filter(({ kind }) => isSent(kind)) } : planned;
  const { business } = catalog;
  const createdAt = now.epochMilliseconds;
  const until = canChangeUntil({ status: "confirmed", startAt: slot.startAt, createdAt }, ctx);
  const page = manageUrl(confirmationCode, catalog);
  return {
    id,
    confirmationCode,
    service: work.service,
    date: slot.date,
    time: slot.time,
    startAt: slot.startAt,
    endAt: slot.endAt,
    busyUntil: slot.busyUntil,
    network: caller.network,
    keyId: caller.keyId,
    idempotency,
    createdAt,
    lead,
    alert,
    answer: {
      confirmation_code: confirmationCode,
      booking_id: id,
      status: "confirmed",
      date: slot.date,
      time: slot.time,
      start: rfc3339(catalog, slot.startAt),
      end: rfc3339(catalog, slot.endAt),
      timezone: business.timezone,
      duration_minutes: work.minutes,
      ...toSplit(catalog, partsOf(catalog, slot)),
      service: work.service,
      vehicle,
      film_type: work.filmType,
      coverage: work.coverage,
      addons: work.addons,
      assumed: assumedIn(job),
      remove_old_film: work.removal !== null,
      ...shades,
      tint_law: price?.law ? { jurisdiction: price.law.jurisdiction, status: price.law.status } : null,
      special_requests: input.special_requests ?? null,
      estimate: price && {
        currency: catalog.currency,
        ...taxed(price.total, catalog),
        line_items: price.lines.map(toLineItem),
        locked: price.locked,
      },
      estimate_id: input.estimate_id ?? null,
      customer: { name: input.customer_name },
      lead_id: lead.id,
      location: { name: business.name, address: toAddress(business.address), phone: business.phone },
      booking_request_id: idempotency && idempotency.since === undefined ? idempotency.id : null,
      can_change_until: until === null ? null : rfc3339(catalog, until),
      ...(page && { manage_url: page }),
      messages: messagesIn(lead.jobs),
      prepare: catalog.bookings.prepare ?? null,
    },
  };
}

/** @param assumed fields of the work; a booking names the service under `service_type` */
function assumedIn({ vehicle_type, work }: PricedJob["job"]): string[] {
  const fields = work.assumed.map((field) => (field === "service" ? "service_type" : field));
  return vehicle_type === undefined ? ["vehicle_type", ...fields] : fields;
}
