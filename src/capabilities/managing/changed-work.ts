/** Other work for a booking: another vehicle, film, glass, shade or extra, with its price and length. Source: contract 13. */
import type { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { type ShopClock, shopDate } from "../../domain/schedule.ts";
import { type WorkLength, workedMinutes } from "../../domain/slots.ts";
import { mayStayOverNight } from "../../domain/work.ts";
import { JOB_FIELDS, type Job, type JobRequest, SIDES, toShades, toVehicle, workOf } from "../../job/job.ts";
import { accepts, isJudgedAnew } from "../../job/legal-job.ts";
import { type JobPrice, type PricedJob, priceJob } from "../../job/price.ts";
import { bookingWarnings } from "../../job/warnings.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { defined, pick } from "../../lib/fields.ts";
import type { Booking } from "../../store/store.ts";
import { type Confirmation, hasAgreedPrice, storedConfirmation } from "../booking/confirmation.ts";
import { type BookingRequest, bookingRequest } from "../booking/shapes.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { taxed } from "../core/price-shapes.ts";
import { toLineItem } from "../core/shapes.ts";

/** The fields that ask for other work, as a booking has them. */
export const WORK_FIELDS = [
  "vehicle_type",
  "vehicle_year",
  "vehicle_make",
  "vehicle_model",
  "film_type",
  "coverage",
  "addons",
  "remove_old_film",
  "shade",
  "estimate_id",
  "accept_not_legal",
] as const;

export const workFields = (catalog: Shop) => {
  const { shape } = bookingRequest(catalog);
  // An agent asks for them only when the customer wants other work.
  const optionally = <Field extends z.ZodType>(field: Field) => field.meta({ ...field.meta(), "x-soft": false });
  return {
    vehicle_type: optionally(shape.vehicle_type),
    vehicle_year: optionally(shape.vehicle_year),
    vehicle_make: optionally(shape.vehicle_make),
    vehicle_model: optionally(shape.vehicle_model),
    film_type: optionally(shape.film_type),
    coverage: optionally(shape.coverage),
    addons: shape.addons,
    remove_old_film: shape.remove_old_film,
    shade: shape.shade,
    estimate_id: shape.estimate_id,
    accept_not_legal: shape.accept_not_legal,
  } satisfies Record<(typeof WORK_FIELDS)[number], z.ZodType>;
};
type WorkWish = Partial<z.output<z.ZodObject<ReturnType<typeof workFields>>>>;

/** A shade, or which car of its type it is, costs nothing. */
const PRICED = ["vehicle_type", "film_type", "coverage", "addons", "remove_old_film", "estimate_id"] as const;

export interface ChangedWork {
  answer: Confirmation;
  minutes: number;
  /** Fields of the lead's request. */
  details: object;
  warnings: Warning[];
  /** What the law is asked again; undefined where it judged the same before. */
  judged: (PricedJob & { input: WorkWish }) | undefined;
  /** The price of the list takes the place of one that the owner agreed to. */
  endsAgreement: boolean;
}

type ChangeContext = Context<"SERVICE_NOT_FOUND" | "PRICE_CHANGED">;

/** Undefined where a request asks for no other work. */
export async function changedWork(
  wish: WorkWish,
  booking: Booking,
  ctx: ChangeContext,
): Promise<ChangedWork | undefined> {
  const asked = defined(wish);
  if (Object.keys(asked).length === 0) return undefined;
  const before = storedConfirmation.parse(booking.answer);
  const merged: BookingRequest = { ...requestOf(booking, before, wish.estimate_id !== undefined), ...asked };
  refuseOldWords(merged, ctx);
  const priced = await priceJob(merged, ctx, asked.vehicle_model !== undefined);
  const { job, price } = priced;
  const { work } = job;
  const isAgreed = hasAgreedPrice(before);
  const isPriced =
    (priced.model !== undefined || PRICED.some((field) => asked[field] !== undefined)) &&
    !(isAgreed && isSameWork(job, before));
  const kept = { estimate: before.estimate, minutes: bookedMinutes(booking, ctx.catalog) };
  const minutes = lengthAfter(work.minutes, booking, ctx.catalog);
  const changed = isPriced ? { estimate: toEstimate(price, ctx), minutes } : kept;
  const { estimate_id: id = isPriced ? null : before.estimate_id } = asked;
  const law = price?.law ? { jurisdiction: price.law.jurisdiction, status: price.law.status } : before.tint_law;
  const shades = { ...toShades(job), tint_law: law };
  return {
    minutes: changed.minutes,
    details: asked,
    endsAgreement: isAgreed && isPriced,
    warnings: bookingWarnings(priced, ctx.catalog),
    judged: isJudgedAnew(before, shades) ? { ...priced, input: asked } : undefined,
    answer: {
      ...before,
      vehicle: toVehicle(job, ctx.catalog),
      film_type: work.filmType,
      coverage: work.coverage,
      addons: work.addons,
      remove_old_film: work.removal !== null,
      ...shades,
      accepted_not_legal: accepts(price?.law, asked, before, shades),
      duration_minutes: changed.minutes,
      estimate: changed.estimate,
      estimate_id: id,
    },
  };
}

/** Whether a request names the work that is booked. */
function isSameWork({ work, ...asked }: Job, { vehicle, ...booked }: Confirmation): boolean {
  const now = [asked.vehicle_type ?? null, work.filmType, work.coverage, work.addons.toSorted(), work.removal !== null];
  const before = [vehicle.type, booked.film_type, booked.coverage, booked.addons.toSorted(), booked.remove_old_film];
  return asked.estimate_id === undefined && Bun.deepEquals(now, before);
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

/** The work of a booking as the fields of a request. */
export function bookedJob(booked: Omit<Confirmation, "status">): JobRequest {
  const { vehicle, shade, tint_law: law } = booked;
  const { type: vehicle_type, year: vehicle_year, make: vehicle_make, model: vehicle_model } = vehicle;
  const sides = typeof shade === "object" && shade !== null ? pick(shade, ...SIDES) : shade;
  const car = { vehicle_type, vehicle_year, vehicle_make, vehicle_model };
  const job = { ...booked, ...car, shade: sides, jurisdiction: law?.jurisdiction, estimate_id: undefined };
  return pick(job, ...JOB_FIELDS);
}

/** The booking as a request, so that what is not asked for stays. An estimate fills in all of the work itself. */
function requestOf(booking: Booking, before: Confirmation, hasEstimate = false): BookingRequest {
  const job = bookedJob(before);
  return {
    date: booking.date,
    time: booking.time,
    customer_name: booking.lead.name,
    customer_phone: booking.lead.phone,
    customer_email: booking.lead.email,
    service_type: booking.service,
    ...(hasEstimate ? pick(job, "vehicle_year", "vehicle_make", "vehicle_model") : job),
  } as BookingRequest;
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
  if (!before || !catalog.terms.pricedBy.has(booking.service)) return undefined;
  const { job, old } = stillSold({ ...bookedJob(before), service_type: booking.service }, catalog);
  return old.length > 0 ? undefined : workOf(job, catalog).minutes;
}

/** The work as far as the shop still sells it. @returns also the fields whose words the shop has given up */
export function stillSold(asked: JobRequest, { terms }: Shop) {
  const { vehicle_type, film_type, coverage, addons } = asked;
  const known = (list: readonly string[], word = "") => (list.includes(word) ? word : undefined);
  const words = {
    vehicle_type: known(terms.vehicleTypes, vehicle_type),
    film_type: known(terms.films, film_type),
    coverage: known(terms.coverages, coverage),
    addons: addons?.filter((code) => terms.addons.includes(code)),
  };
  const fields = ["vehicle_type", "film_type", "coverage", "addons"] as const;
  return { job: { ...asked, ...words }, old: fields.filter((field) => !Bun.deepEquals(words[field], asked[field])) };
}

/** @throws ApiError BAD_REQUEST where the booking has words that the shop has given up since */
function refuseOldWords(request: BookingRequest, ctx: ChangeContext) {
  const { old } = stillSold(request, ctx.catalog);
  if (old.length === 0) return;
  const message = "of this booking is no longer sold: send another one";
  ctx.fail("BAD_REQUEST", `${old.join(", ")} ${message}, or call ${ctx.catalog.business.phone}.`, {
    invalid_fields: old.map((field) => ({ field, message })),
  });
}

/** Today's price, or that of the estimate. */
function toEstimate(price: JobPrice | null, { catalog }: ChangeContext): Confirmation["estimate"] {
  return (
    price && {
      currency: catalog.currency,
      ...taxed(price.total, catalog),
      line_items: price.lines.map(toLineItem),
      locked: price.locked,
    }
  );
}
