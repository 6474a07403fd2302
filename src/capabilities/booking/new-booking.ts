/** A booking in the making: the work it asks for, its price, and the records that are stored. */

import type { Catalog } from "../../catalog/schema.ts";
import { entryOf } from "../../catalog/words.ts";
import type { AutomotiveEstimate, LineItem } from "../../domain/automotive.ts";
import { toUnits } from "../../domain/money.ts";
import { rfc3339, type Slot } from "../../domain/schedule.ts";
import { resolveWork, serviceOf, type Work } from "../../domain/work.ts";
import { newConfirmationCode, newId } from "../../lib/ids.ts";
import type { NewBooking } from "../../store/store.ts";
import { OWNER } from "../../vocabulary.ts";
import { toLineItem } from "../core/shapes.ts";
import { toShades } from "../shared/job.ts";
import { estimateOfJob } from "../shared/job-estimate.ts";
import { jobPlans, newLead } from "../shared/leads.ts";
import { toVehicle } from "../shared/vehicle.ts";
import type { Confirmation } from "./confirmation.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";

/** @throws Error when the service has no price; the check of `service_type` refuses such a service */
export function workOf({ service_type: key, ...input }: BookingRequest, catalog: Catalog): Work {
  return resolveWork(catalog, { ...input, service: key });
}

export interface Facts {
  input: BookingRequest;
  ctx: BookingContext;
  work: Work;
  /** The customer's number in E.164. */
  phone: string;
  slot: Slot;
  idempotency: NewBooking["idempotency"];
  /** The price that owner and customer agreed on, in cents; the catalog's where it is left out. */
  agreed?: number | undefined;
}

export async function newBooking({
  input,
  ctx,
  work,
  phone,
  slot,
  idempotency,
  agreed,
}: Facts): Promise<NewBooking & { answer: Confirmation }> {
  const { catalog, caller, now } = ctx;
  const { bookingsAlert } = await jobPlans();
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const estimate = estimateOf(input, work, catalog);
  const price = priceOf(estimate, agreed);
  const lead = await newLead(
    {
      kind: "booking",
      name: input.customer_name,
      phone,
      email: input.customer_email,
      serviceType: work.service,
      details: input,
    },
    {
      code: confirmationCode,
      name: input.customer_name,
      service: work.service,
      startAt: slot.startAt,
      endAt: slot.endAt,
      price: price?.total ?? null,
      extras: extrasOf(input, work, catalog),
    },
    ctx,
  );
  const { business } = catalog;
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
    createdAt: now.epochMilliseconds,
    lead,
    alert: caller.agentClass === OWNER ? null : bookingsAlert(confirmationCode, now.epochMilliseconds, catalog),
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
      service: work.service,
      vehicle: toVehicle(input),
      film_type: work.filmType,
      coverage: work.coverage,
      addons: work.addons,
      remove_old_film: work.removal !== null,
      ...toShades(input, catalog),
      tint_law: estimate && { jurisdiction: estimate.law.jurisdiction, status: estimate.law.status },
      special_requests: input.special_requests ?? null,
      estimate: price && {
        currency: catalog.currency,
        total: toUnits(price.total),
        line_items: price.lines.map(toLineItem),
      },
      customer: { name: input.customer_name },
      lead_id: lead.id,
      location: { name: business.name, address: business.address, phone: business.phone },
      booking_request_id: idempotency?.id ?? null,
    },
  };
}

/** Today's price and the law; null without a vehicle. */
function estimateOf(input: BookingRequest, { service }: Work, catalog: Catalog): AutomotiveEstimate | null {
  const { vehicle_type } = input;
  if (vehicle_type === undefined) return null;
  return estimateOfJob(catalog, { ...input, vehicle_type, service });
}

/** The price with its lines. An agreed one adds a line with the difference. */
function priceOf(estimate: AutomotiveEstimate | null, agreed: number | undefined) {
  if (agreed === undefined) return estimate?.chosen ?? null;
  const { total, lines } = estimate?.chosen ?? { total: 0, lines: [] };
  return { total: agreed, lines: agreed === total ? lines : [...lines, agreedLine(agreed - total)] };
}

/** @param amount what the agreed price is more, or less, than the catalog's; cents */
function agreedLine(amount: number): LineItem {
  return { code: "agreed_price", label: "Agreed price", quantity: 1, unitPrice: amount, amount };
}

/** Add-ons and shades for the shop's text, in few words. */
function extrasOf(input: BookingRequest, { addons, removal }: Work, catalog: Catalog): string[] {
  const { shade, windshield_shade: windshield } = toShades(input, catalog);
  const sides = shade !== null && typeof shade === "object" ? Object.values(shade).map((one) => one ?? "-") : [shade];
  return [
    ...(removal === null ? [] : [serviceOf(catalog, removal).name]),
    ...addons.map((code) => entryOf(catalog.automotive.addons, code).name),
    ...(shade === null ? [] : [`shade ${sides.join("/")}`]),
    ...(windshield === null ? [] : [`windshield ${windshield}`]),
  ];
}
