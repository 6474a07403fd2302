/** The work of a booking as a request again, how long it takes, and other work in its place. Source: contract 13. */
import type { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { type ShopClock, shopDate } from "../../domain/schedule.ts";
import { type WorkLength, workedMinutes } from "../../domain/slots.ts";
import { mayStayOverNight } from "../../domain/work.ts";
import { JOB_FIELDS, type Job, type JobRequest, SIDES, workOf } from "../../job/job.ts";
import { type JobPrice, priceJob } from "../../job/price.ts";
import { bookingWarnings } from "../../job/warnings.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { pick } from "../../lib/fields.ts";
import type { Booking } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { type Confirmation, hasAgreedPrice, storedConfirmation, workIn } from "./confirmation.ts";
import { bookingRequest } from "./shapes.ts";

const FIELDS = Object.fromEntries(JOB_FIELDS.map((name) => [name, true])) as Record<(typeof JOB_FIELDS)[number], true>;

/** The fields that ask for other work, as a booking has them. An agent asks for them only when the customer wants other work. */
export function workFields(catalog: Shop) {
  const { shape } = bookingRequest(catalog).pick(FIELDS);
  const optional = Object.entries(shape).map(([name, field]) => {
    const about = field.meta();
    return [name, about?.["x-soft"] ? field.meta({ ...about, "x-soft": false }) : field];
  });
  // The same fields: only what documents say of them is another.
  return Object.fromEntries(optional) as typeof shape;
}
export type WorkWish = Partial<z.output<z.ZodObject<ReturnType<typeof workFields>>>>;

/** A shade, or which car of its type it is, costs nothing. */
const PRICED = ["vehicle_type", "film_type", "coverage", "addons", "remove_old_film", "estimate_id"] as const;

export interface ChangedWork {
  answer: Confirmation;
  /** Fields of the lead's request. */
  details: object;
  warnings: Warning[];
  /** Null where no vehicle or no film is priced. */
  law: JobPrice["law"];
  /** The price of the list takes the place of one that the owner agreed to. */
  endsAgreement: boolean;
}

type WorkContext = Context<"SERVICE_NOT_FOUND" | "PRICE_CHANGED">;

/** The work of a booking with what a wish asks for in its place. @throws ApiError for work that the shop does not sell */
export async function changedWork(asked: WorkWish, booking: Booking, ctx: WorkContext): Promise<ChangedWork> {
  const { catalog } = ctx;
  const before = storedConfirmation.parse(booking.answer);
  // An estimate fills in all of the work itself; otherwise what is not asked for stays.
  const kept = bookedJob(before);
  const named = asked.estimate_id === undefined ? kept : pick(kept, "vehicle_year", "vehicle_make", "vehicle_model");
  const request: JobRequest = { service_type: booking.service, ...named, ...asked };
  refuseOldWords(request, ctx);
  const priced = await priceJob(request, ctx, asked.vehicle_model !== undefined);
  const work = workIn(priced, catalog);
  const isAgreed = hasAgreedPrice(before);
  const isPriced =
    (priced.model !== undefined || PRICED.some((field) => asked[field] !== undefined)) &&
    !(isAgreed && isSameWork(priced.job, before));
  const minutes = isPriced ? lengthAfter(work.duration_minutes, booking, catalog) : bookedMinutes(booking, catalog);
  const { estimate_id = isPriced ? null : before.estimate_id } = asked;
  return {
    details: asked,
    endsAgreement: isAgreed && isPriced,
    warnings: bookingWarnings(priced, catalog),
    law: priced.price?.law ?? null,
    answer: {
      ...before,
      ...work,
      tint_law: work.tint_law ?? before.tint_law,
      duration_minutes: minutes,
      estimate: isPriced ? work.estimate : before.estimate,
      estimate_id,
    },
  };
}

/** Whether a request names the work that is booked. */
function isSameWork({ work, ...asked }: Job, { vehicle, ...booked }: Confirmation): boolean {
  const now = [asked.vehicle_type ?? null, work.filmType, work.coverage, work.addons.toSorted(), work.removal !== null];
  const before = [vehicle.type, booked.film_type, booked.coverage, booked.addons.toSorted(), booked.remove_old_film];
  return asked.estimate_id === undefined && Bun.deepEquals(now, before);
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

/** The work as far as the shop still sells it. @returns also the fields whose words the shop has given up */
export function stillSold(asked: JobRequest, { terms }: Shop) {
  const { vehicle_type, film_type, coverage, addons } = asked;
  const known = (list: readonly string[], word = "") => (list.includes(word) ? word : undefined);
  const words = {
    vehicle_type: known(terms.vehicleTypes, vehicle_type),
    film_type: known(terms.films, film_type),
    coverage: known(terms.coverages, coverage),
    addons: addons?.filter((code) => terms.addons.includes(code)),
    remove_old_film: (asked.remove_old_film && terms.removal !== undefined) || undefined,
  };
  const fields = ["vehicle_type", "film_type", "coverage", "addons"] as const;
  return { job: { ...asked, ...words }, old: fields.filter((field) => !Bun.deepEquals(words[field], asked[field])) };
}

/** @throws ApiError BAD_REQUEST where the booking has words that the shop has given up since */
function refuseOldWords(request: JobRequest, { catalog, fail }: WorkContext) {
  const { old } = stillSold(request, catalog);
  if (old.length === 0) return;
  const message = "of this booking is no longer sold: send another one";
  fail("BAD_REQUEST", `${old.join(", ")} ${message}, or call ${catalog.business.phone}.`, {
    invalid_fields: old.map((field) => ({ field, message })),
  });
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

/** The length that the owner gave a booking; undefined where it is the price list's. */
export function ownMinutes(booking: Booking, catalog: Shop): number | undefined {
  const [minutes, listed] = [bookedMinutes(booking, catalog), listedMinutes(booking, catalog)];
  return listed === undefined || minutes === listed ? undefined : minutes;
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
