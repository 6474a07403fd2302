/** Other work for a booking: another vehicle, film, glass, shade or extra, with its price and length. Source: contract 13. */
import type { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { Shop } from "../../catalog/shop.ts";
import { type ShopClock, shopDate } from "../../domain/schedule.ts";
import { type WorkLength, workedMinutes } from "../../domain/slots.ts";
import { mayStayOverNight, resolveWork } from "../../domain/work.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { defined } from "../../lib/fields.ts";
import type { Booking } from "../../store/store.ts";
import { type Confirmation, hasAgreedPrice, storedConfirmation } from "../booking/confirmation.ts";
import {
  type BookingPrice,
  type PricedJob,
  type PricingContext,
  pricedJob,
  pricedWarnings,
} from "../booking/priced-job.ts";
import { type BookingRequest, bookingRequest } from "../booking/shapes.ts";
import type { Warning } from "../core/envelope.ts";
import { toLineItem } from "../core/shapes.ts";
import { toShades } from "../shared/job.ts";
import { taxed } from "../shared/tax.ts";
import { toVehicle } from "../shared/vehicle.ts";

/** The fields that ask for other work, as a booking has them. */
export const workFields = perCatalog((catalog) => {
  const { shape } = bookingRequest(catalog).pick({
    ...{ vehicle_type: true, vehicle_year: true, vehicle_make: true, vehicle_model: true },
    ...{ film_type: true, coverage: true, addons: true, remove_old_film: true, shade: true, estimate_id: true },
  });
  // An agent asks for them only when the customer wants other work.
  const optionally = <Field extends z.ZodType>(field: Field) => field.meta({ ...field.meta(), "x-soft": false });
  return {
    ...shape,
    vehicle_type: optionally(shape.vehicle_type),
    vehicle_year: optionally(shape.vehicle_year),
    vehicle_make: optionally(shape.vehicle_make),
    vehicle_model: optionally(shape.vehicle_model),
    film_type: optionally(shape.film_type),
    coverage: optionally(shape.coverage),
  };
});
type WorkWish = Partial<z.output<z.ZodObject<ReturnType<typeof workFields>>>>;

/** A shade, or which car of its type it is, costs nothing. */
const PRICED = ["vehicle_type", "film_type", "coverage", "addons", "remove_old_film", "estimate_id"] as const;

/** The booking with the work that is asked for. */
export interface ChangedWork {
  answer: Confirmation;
  minutes: number;
  /** Fields of the lead's request. */
  details: object;
  warnings: Warning[];
  /** Null where no vehicle or no film is priced. */
  law: BookingPrice["law"];
  /** The price of the list takes the place of one that the owner agreed to. */
  endsAgreement: boolean;
}

/** Undefined where a request asks for no other work. */
export async function changedWork(
  wish: WorkWish,
  booking: Booking,
  ctx: PricingContext,
): Promise<ChangedWork | undefined> {
  const asked = defined(wish);
  if (Object.keys(asked).length === 0) return undefined;
  const before = storedConfirmation.parse(booking.answer);
  const merged: BookingRequest = { ...requestOf(booking, before, wish.estimate_id !== undefined), ...asked };
  refuseOldWords(merged, ctx);
  const job = await pricedJob(merged, ctx, asked.vehicle_model !== undefined);
  const { input, work, price } = job;
  const isAgreed = hasAgreedPrice(before);
  const isPriced =
    (job.model !== undefined || PRICED.some((field) => asked[field] !== undefined)) &&
    !(isAgreed && isSameWork(job, before));
  const kept = { estimate: before.estimate, minutes: bookedMinutes(booking, ctx.catalog) };
  const minutes = lengthAfter(work.minutes, booking, ctx.catalog);
  const changed = isPriced ? { estimate: toEstimate(price, ctx), minutes } : kept;
  const { estimate_id: id = isPriced ? null : before.estimate_id } = asked;
  return {
    minutes: changed.minutes,
    details: asked,
    endsAgreement: isAgreed && isPriced,
    warnings: pricedWarnings(job, ctx.catalog),
    law: price?.law ?? null,
    answer: {
      ...before,
      vehicle: toVehicle(input, ctx.catalog),
      film_type: work.filmType,
      coverage: work.coverage,
      addons: work.addons,
      remove_old_film: work.removal !== null,
      ...toShades(input, ctx.catalog),
      tint_law: price?.law ? { jurisdiction: price.law.jurisdiction, status: price.law.status } : before.tint_law,
      duration_minutes: changed.minutes,
      estimate: changed.estimate,
      estimate_id: id,
    },
  };
}

/** Whether a request names the work that is booked. */
function isSameWork({ input, work }: PricedJob, { vehicle, ...booked }: Confirmation): boolean {
  const now = [input.vehicle_type ?? null, work.filmType, work.coverage, work.addons.toSorted(), work.removal !== null];
  const before = [vehicle.type, booked.film_type, booked.coverage, booked.addons.toSorted(), booked.remove_old_film];
  return input.estimate_id === undefined && Bun.deepEquals(now, before);
}

/**
 * How long other work takes. Where the owner gave the booking more time than the price list, that time stays, and longer work
 * adds to it.
 * @param minutes by the price list
 */
function lengthAfter(minutes: number, booking: Booking, catalog: Shop): number {
  const [booked, listed] = [bookedMinutes(booking, catalog), listedMinutes(booking, catalog)];
  return listed === undefined || booked <= listed ? minutes : booked + Math.max(0, minutes - listed);
}

/** The booking as a request, so that what is not asked for stays. An estimate fills in all of the work itself. */
function requestOf(booking: Booking, before: Confirmation, hasEstimate: boolean): BookingRequest {
  const { vehicle, shade, windshield_shade: windshield, tint_law: law } = before;
  const sides = typeof shade === "object" && shade !== null ? withoutNulls(shade) : (shade ?? undefined);
  const car = withoutNulls({
    vehicle_year: vehicle.year,
    vehicle_make: vehicle.make,
    vehicle_model: vehicle.model,
  });
  const work = {
    ...withoutNulls({ vehicle_type: vehicle.type, film_type: before.film_type, coverage: before.coverage }),
    addons: before.addons,
    remove_old_film: before.remove_old_film,
    shade: sides,
    ...withoutNulls({ windshield_shade: windshield, jurisdiction: law?.jurisdiction ?? null }),
  };
  return {
    date: booking.date,
    time: booking.time,
    customer_name: booking.lead.name,
    customer_phone: booking.lead.phone,
    customer_email: booking.lead.email,
    service_type: booking.service,
    ...car,
    ...(hasEstimate ? {} : work),
  } as BookingRequest;
}

function withoutNulls<Group extends object>(group: Group): Partial<{ [Key in keyof Group]: NonNullable<Group[Key]> }> {
  return Object.fromEntries(Object.entries(group).filter(([, value]) => value !== null)) as Partial<{
    [Key in keyof Group]: NonNullable<Group[Key]>;
  }>;
}

/**
 * How long the work of a booking takes, without pauses. Of work on several days the stored length counts: the shop's hours
 * may have changed since it was booked, and with them where it pauses.
 */
export function bookedMinutes(booking: Booking, clock: ShopClock): number {
  const isOneDay = shopDate(clock, booking.startAt) === shopDate(clock, booking.endAt);
  const stored = isOneDay ? undefined : storedConfirmation.safeParse(booking.answer).data?.duration_minutes;
  return stored ?? workedMinutes(clock, booking);
}

/** The same, and whether the work pauses over night, or may do so at another time. */
export function bookedLength(booking: Booking, catalog: Shop): Required<Pick<WorkLength, "minutes" | "overNight">> {
  const minutes = bookedMinutes(booking, catalog);
  const isPaused = minutes * MINUTE_MS < booking.endAt - booking.startAt;
  return { minutes, overNight: isPaused || mayStayOverNight(catalog, booking.service) };
}

/** How long the work of a booking takes by today's catalog; undefined where the catalog no longer knows it. */
export function listedMinutes(booking: Booking, catalog: Shop): number | undefined {
  const before = storedConfirmation.safeParse(booking.answer).data;
  const request = before && requestOf(booking, before, false);
  if (!request || !catalog.terms.pricedBy.has(booking.service) || oldWords(request, catalog).length > 0)
    return undefined;
  return resolveWork(catalog, { ...request, service: booking.service }).minutes;
}

/** The fields whose words the shop has given up. */
function oldWords(
  { vehicle_type: type, film_type: film, coverage, addons = [] }: BookingRequest,
  catalog: Shop,
): string[] {
  const { vehicleTypes, films, coverages, addons: sold } = catalog.terms;
  return [
    ...(type !== undefined && !vehicleTypes.includes(type) ? ["vehicle_type"] : []),
    ...(film !== undefined && !films.includes(film) ? ["film_type"] : []),
    ...(coverage !== undefined && !coverages.includes(coverage) ? ["coverage"] : []),
    ...(addons.some((code) => !sold.includes(code)) ? ["addons"] : []),
  ];
}

/** @throws ApiError BAD_REQUEST where the booking has words that the shop has given up since */
function refuseOldWords(request: BookingRequest, ctx: PricingContext) {
  const old = oldWords(request, ctx.catalog);
  if (old.length === 0) return;
  const message = "of this booking is no longer sold: send another one";
  ctx.fail("BAD_REQUEST", `${old.join(", ")} ${message}, or call ${ctx.catalog.business.phone}.`, {
    invalid_fields: old.map((field) => ({ field, message })),
  });
}

/** Today's price, or that of the estimate. */
function toEstimate(price: BookingPrice | null, { catalog }: PricingContext): Confirmation["estimate"] {
  return (
    price && {
      currency: catalog.currency,
      ...taxed(price.total, catalog),
      line_items: price.lines.map(toLineItem),
      locked: price.locked,
    }
  );
}
