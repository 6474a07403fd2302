/** The work of a booking as a request again, how long it takes, and other work in its place. Source: contract 13. */

import type { z } from "zod";
import { modelOf } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import type { Position } from "../../constants.ts";
import { tintedPositions } from "../../domain/automotive.ts";
import { type ShopClock, shopDate } from "../../domain/schedule.ts";
import { type WorkLength, workedMinutes } from "../../domain/slots.ts";
import { GLASS_NAMES, isBarred, type Shades } from "../../domain/tint-law.ts";
import { mayStayOverNight } from "../../domain/work.ts";
import {
  CAR_NAME,
  estimateOf,
  JOB_FIELDS,
  type Job,
  type JobRequest,
  jobOf,
  SIDES,
  shadeOf,
  shadesOf,
  workOf,
} from "../../job/job.ts";
import { type PricedJob, priceJob } from "../../job/price.ts";
import { bookingWarnings } from "../../job/warnings.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { defined, pick } from "../../lib/fields.ts";
import { durationInWords } from "../../lib/text.ts";
import { serviceName } from "../../messages/words.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { inTool, MARKS } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { type Confirmation, extrasOf, hasAgreedPrice, storedConfirmation, workInBooking } from "./confirmation.ts";
import { acceptsShade, type LegalWish } from "./legal-shade.ts";
import type { Policy } from "./policy.ts";
import { bookingRequest } from "./shapes.ts";

const FIELDS = Object.fromEntries(JOB_FIELDS.map((name) => [name, true])) as Record<(typeof JOB_FIELDS)[number], true>;
/** The fields that ask for other work: those of a booking, and what is added to its extras or taken off. */
export const WORK_FIELDS = [...JOB_FIELDS, "add_addons", "remove_addons", "accept_not_legal"] as const;

/** The fields of a change. Those that are left out stay as booked, so an agent asks for none unless other work is wanted. */
export function workFields(catalog: Shop) {
  const { accept_not_legal } = bookingRequest(catalog).shape;
  const { shape } = bookingRequest(catalog).pick(FIELDS);
  const optional = Object.entries(shape).map(([name, field]) => {
    const about = field.meta();
    const isAsked = about?.["x-soft"] === true;
    return [name, isAsked ? field.meta({ ...about, "x-soft": false }).register(MARKS, { first: false }) : field];
  });
  const { addons, shade } = shape;
  return {
    // The same fields: only what documents say of them is another.
    ...(Object.fromEntries(optional) as typeof shape),
    addons: addons.meta({
      ...addons.meta(),
      description: "All extras from now on: others are taken out.",
      ...inTool("All from now on: others are taken out."),
    }),
    add_addons: addons.meta({ ...addons.meta(), description: "Extras to put beside those booked." }),
    remove_addons: addons.meta({ ...addons.meta(), description: "Extras to take out." }),
    shade: shade.meta({
      ...shade.meta(),
      description: "VLT of side and rear glass; one per position leaves the others.",
      ...inTool("One glass leaves the others."),
    }),
    accept_not_legal,
  };
}
export type WorkWish = Partial<z.output<z.ZodObject<ReturnType<typeof workFields>>>>;

export function removalIssue(removed: readonly string[] = [], _: Shop, body: Readonly<Record<string, unknown>> = {}) {
  const both = removed.filter((code) => Array.isArray(body.add_addons) && body.add_addons.includes(code));
  return both.length === 0 ? undefined : { message: `contradicts add_addons: ${both.join(", ")} is in both` };
}

/** The fields that change the price. A shade, or another car of the same type, does not. */
export const PRICED_FIELDS = [
  "vehicle_type",
  "film_type",
  "coverage",
  "addons",
  "remove_old_film",
  "estimate_id",
] as const;

export interface ChangedWork {
  answer: Confirmation;
  /** Fields of the lead's request; those that are undefined leave it. */
  details: object;
  warnings: Warning[];
  /** What the law is asked again; undefined where it judged the same before. */
  judged: LegalWish | undefined;
  /** The price of the list takes the place of one that the owner agreed to. */
  endsAgreement: boolean;
}

type WorkContext = Context<"SERVICE_NOT_FOUND" | "PRICE_CHANGED">;

/** The work of a booking with what a wish asks for in its place. @throws ApiError for work that the shop does not sell */
export async function changedWork(
  wish: WorkWish,
  booking: Booking,
  policy: Policy,
  ctx: WorkContext,
): Promise<ChangedWork> {
  const { catalog } = ctx;
  const before = storedConfirmation.parse(booking.answer);
  const { add_addons: added = [], remove_addons: removed = [], ...named } = wish;
  const base = named.addons ?? before.addons;
  const isListed = added.length + removed.length > 0;
  const addons = isListed ? [...new Set([...base, ...added])].filter((code) => !removed.includes(code)) : named.addons;
  const asked = defined({ ...named, addons });
  // How much light the bare glass lets through, the request alone knows.
  const { factory_glass }: JobRequest = Object((await ctx.store.findLead(booking.lead.id))?.details);
  const kept = { ...bookedJob(before), service_type: booking.service, factory_glass };
  const priced = await priceJob(merged(asked, kept, before, ctx), ctx, asked.vehicle_model !== undefined);
  const work = workInBooking(priced, catalog);
  const isAgreed = hasAgreedPrice(before);
  const isPriced =
    (priced.model !== undefined || PRICED_FIELDS.some((field) => asked[field] !== undefined)) &&
    !(isAgreed && isSameWork(priced.job, before));
  const minutes = isPriced ? lengthAfter(work.duration_minutes, booking, catalog) : bookedMinutes(booking, catalog);
  const { estimate_id = isPriced ? null : before.estimate_id } = asked;
  const answer = {
    ...before,
    ...work,
    tint_law: work.tint_law ?? before.tint_law,
    duration_minutes: minutes,
    duration: durationInWords(minutes),
    estimate: isPriced ? work.estimate : before.estimate,
    estimate_id,
  };
  const isAnew = isJudgedAnew(
    !Bun.deepEquals(before.tint_law, answer.tint_law),
    lawBefore(kept, catalog),
    priced.price?.law,
  );
  const legal = { ...priced, input: asked };
  const accepted_not_legal = acceptsShade(legal, policy, isAnew ? undefined : before.accepted_not_legal);
  const absent = extrasOf({ ...NOTHING, addons: removed.filter((code) => !base.includes(code)) }, catalog);
  return {
    details: {
      ...Object.fromEntries([...JOB_FIELDS, "factory_glass" as const].map((name) => [name, priced.job[name]])),
      estimate_id: estimate_id ?? undefined,
      accept_not_legal: accepted_not_legal || undefined,
    },
    endsAgreement: isAgreed && isPriced,
    warnings: [
      ...bookingWarnings(priced, catalog),
      ...removedBetween(before, answer, catalog),
      ...warningOf("FIELD_IGNORED", "remove_addons", "The booking has no", absent),
    ],
    judged: isAnew ? legal : undefined,
    answer: { ...answer, accepted_not_legal },
  };
}

/** The work that is asked for, with what stays: all else, but for shades of glass that gets no film any more. */
function merged(asked: JobRequest, kept: JobRequest, before: Confirmation, ctx: WorkContext): JobRequest {
  const { catalog } = ctx;
  const { service_type } = kept;
  const isOtherCar = (["vehicle_type", ...CAR_NAME] as const).some(
    (name) => asked[name] !== undefined && (kept[name] ?? asked[name]) !== asked[name],
  );
  // An estimate fills in all of the work itself.
  const stays = asked.estimate_id === undefined ? kept : { service_type, ...pick(kept, ...CAR_NAME) };
  // Another model has its own type.
  const [model, known] = [{ ...kept, ...asked }, kept].map((car) => modelOf(car, ctx.catalog)?.name);
  const isOtherModel = asked.vehicle_model !== undefined && model !== undefined && model !== (known ?? model);
  const unlike = { ...(isOtherCar && { factory_glass: undefined }), ...(isOtherModel && { vehicle_type: undefined }) };
  const request: JobRequest = { ...stays, ...unlike, ...asked };
  requireSold(request, ctx);
  if (asked.estimate_id !== undefined) return request;
  const was = tintedIn(before, catalog);
  const tinted = tintedPositions(catalog, workOf(request, catalog));
  const { windshield, ...sides } = shadesOf(kept);
  // One shade is that of all glass with film.
  const isEach = typeof kept.shade === "object";
  const left = SIDES.filter((side) => tinted.includes(side) || (isEach && !was.includes(side)));
  const { shade = kept.shade } = asked;
  const isBared = was.includes("windshield") && !tinted.includes("windshield");
  return {
    ...request,
    // A shade for one glass leaves the others.
    shade: typeof shade === "object" ? shadeOf({ ...pick(sides, ...left), ...defined(Object(asked.shade)) }) : shade,
    windshield_shade: asked.windshield_shade ?? (isBared ? undefined : windshield),
  };
}

/** What the law says of booked work today; undefined without a vehicle that it knows. */
function lawBefore(booked: JobRequest, catalog: Shop): Law | undefined {
  const { job } = stillSold(booked, catalog);
  return job.vehicle_type === undefined ? undefined : estimateOf(jobOf(job, catalog), catalog).law;
}

type Law = NonNullable<NonNullable<PricedJob["price"]>["law"]>;

/** Whether a change of the work gave the law something else to judge: another verdict, or film that is not legal on other glass, or of another shade. */
function isJudgedAnew(isOtherVerdict: boolean, was: Law | undefined, now: Law | null | undefined): boolean {
  const barred = now?.checks.filter(isBarred) ?? [];
  const isKnown = ({ position, film_vlt }: Law["checks"][number]) =>
    was?.checks.some((one) => isBarred(one) && one.position === position && one.film_vlt === film_vlt) ?? false;
  return isOtherVerdict || !barred.every(isKnown);
}

const NOTHING = {
  addons: [],
  remove_old_film: false,
  shade: null,
  windshield_shade: null,
  accepted_not_legal: false,
};

/** What a change took out of a booking, asked to or not. */
export function removedBetween(before: Confirmation, after: Confirmation, catalog: Shop): Warning[] {
  const addons = before.addons.filter((code) => !after.addons.includes(code));
  const remove_old_film = before.remove_old_film && !after.remove_old_film;
  const [was, is]: [Shades, Shades] = [shadesOf(shadeFields(before)), shadesOf(shadeFields(after))];
  // One shade is that of all glass with film.
  const had = typeof before.shade === "number" ? tintedIn(before, catalog) : SIDES;
  const gone = (glass: readonly Position[]) => glass.filter((one) => was[one] !== undefined && is[one] === undefined);
  const inWords = (glass: readonly Position[]) =>
    [...Map.groupBy(gone(glass), (one) => was[one])].map(
      ([vlt, on]) => `${vlt}% on the ${joinWithAnd(on.map((one) => GLASS_NAMES[one]))}`,
    );
  const removed = {
    addons: extrasOf({ ...NOTHING, addons }, catalog),
    remove_old_film: extrasOf({ ...NOTHING, remove_old_film }, catalog),
    shade: inWords(SIDES.filter((side) => had.includes(side))),
    windshield_shade: inWords(["windshield"]),
  };
  return Object.entries(removed).flatMap(([field, names]) =>
    warningOf("REMOVED", field, "No longer in the booking:", names),
  );
}

function tintedIn(booked: Confirmation, catalog: Shop): readonly Position[] {
  return tintedPositions(catalog, { ...booked, filmType: booked.film_type });
}

function warningOf(code: Warning["code"], field: string, what: string, names: readonly string[]): Warning[] {
  return names.length === 0 ? [] : [{ code, field, message: `${what} ${joinWithAnd(names)}.` }];
}

/** Whether a request names the work that is booked. */
function isSameWork({ work, ...asked }: Job, { vehicle, ...booked }: Confirmation): boolean {
  const now = [asked.vehicle_type ?? null, work.filmType, work.coverage, work.addons.toSorted(), work.removal !== null];
  const before = [vehicle.type, booked.film_type, booked.coverage, booked.addons.toSorted(), booked.remove_old_film];
  return asked.estimate_id === undefined && Bun.deepEquals(now, before);
}

/** The work of a booking as the fields of a request. */
export function bookedJob(booked: Omit<Confirmation, "status">): JobRequest {
  const { vehicle, tint_law: law } = booked;
  const { type: vehicle_type, year: vehicle_year, make: vehicle_make, model: vehicle_model } = vehicle;
  const car = { vehicle_type, vehicle_year, vehicle_make, vehicle_model };
  const job = { ...booked, ...car, ...shadeFields(booked), jurisdiction: law?.jurisdiction, estimate_id: undefined };
  return pick(job, ...JOB_FIELDS);
}

/** The shades of an answer as a request has them. */
function shadeFields({ shade, windshield_shade }: Pick<Confirmation, "shade" | "windshield_shade">) {
  const sides = typeof shade === "object" && shade !== null ? pick(shade, ...SIDES) : (shade ?? undefined);
  return { shade: sides, windshield_shade: windshield_shade ?? undefined };
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

/** @throws ApiError where the shop has given up the service of the booking or its words since, or never had prices for it */
function requireSold(request: JobRequest, { catalog, fail }: WorkContext) {
  const { phone } = catalog.business;
  const { service_type: service = "" } = request;
  if (!catalog.terms.pricedBy.has(service))
    fail("SERVICE_NOT_FOUND", `The work of this booking (${serviceName(service, catalog)}) has no price online.`, {
      agent_instruction: `Have the end user call the shop (${phone}) for other work. It can still be moved and cancelled online.`,
    });
  const { old } = stillSold(request, catalog);
  if (old.length === 0) return;
  const message = "of this booking is no longer sold: send another one";
  fail("BAD_REQUEST", `${old.join(", ")} ${message}, or call ${phone}.`, {
    invalid_fields: old.map((field) => ({ field, message })),
  });
}

/** Without pauses. Of work on several days the stored length counts, because the shop's hours may have changed since. */
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

/** Where the owner gave the booking more time than the price list's minutes, that time stays, and longer work adds to it. */
function lengthAfter(minutes: number, booking: Booking, catalog: Shop): number {
  const [booked, listed] = [bookedMinutes(booking, catalog), listedMinutes(booking, catalog)];
  return listed === undefined || booked <= listed ? minutes : booked + Math.max(0, minutes - listed);
}
