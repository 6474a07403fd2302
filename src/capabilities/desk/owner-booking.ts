/** The owner's own booking, on the phone or at the counter. Source: contract 17. */
import type { z } from "zod";
import { exemptionsIn } from "../../catalog/laws.ts";
import { toLine } from "../../catalog/price-list.ts";
import type { Shop } from "../../catalog/shop.ts";
import { type JobKind, OWNER } from "../../constants.ts";
import { type Occupancy, without } from "../../domain/bays.ts";
import { blockInTheWay, closedIn } from "../../domain/blocked-hours.ts";
import { type OwnerSlot, slotAtAnyTime, slotUntil, whyUnusual } from "../../domain/owner-slots.ts";
import { clocksJump, type Start, type WorkLength, workedMinutes } from "../../domain/slots.ts";
import type { Verdict } from "../../domain/tint-law.ts";
import type { Work } from "../../domain/work.ts";
import { jobOf } from "../../job/job.ts";
import { hasBarredFilm } from "../../job/legal-job.ts";
import { type JobPrice, priceJob } from "../../job/price.ts";
import { barredInWords, lawWarnings, workWarnings } from "../../job/warnings.ts";
import { isNewsOf } from "../../messages/customer-messages.ts";
import { email, optional, phone } from "../../schema/fields.ts";
import { bookAppointment } from "../book-appointment.ts";
import { AGREED_PRICE, type Confirmation, newBooking, withWarnings } from "../booking/confirmation.ts";
import { type BookingContext, bookingRequest } from "../booking/shapes.ts";
import { nearestStarts } from "../booking/slot.ts";
import type { Capability } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { phoneOf, storeWithNewCodes } from "../core/stored-requests.ts";
import { inputError, validate } from "../core/validate.ts";

/** The request of a customer's booking. A walk-in leaves no phone, and few have an e-mail address at hand. */
const ownerRequest = (catalog: Shop) =>
  bookingRequest(catalog).extend({
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

interface Terms {
  /** Also on a blocked day, outside opening hours, in the past. */
  anyway: boolean;
  /** Also with a shade that the law does not permit. */
  evenIllegal?: boolean;
  /** The agreed price in cents; the catalog's where it is left out. */
  price?: number | undefined;
  /** The customer gets no confirmation; reminders go out all the same. */
  isQuiet?: boolean;
  /** How long the work takes, in place of the price list's length. It pauses when the shop closes. */
  minutes?: number | undefined;
  /** When the work ends, in epoch milliseconds, in place of a length. */
  until?: number | undefined;
}

/** Every bay is busy for part of the work. */
export class BaysBusy extends Error {
  override readonly name = "BaysBusy";
  constructor(
    readonly slot: OwnerSlot,
    readonly nearest: readonly Start[],
  ) {
    super();
  }
}

/** Says why a time needs `anyway`. */
export class UnusualTime extends Error {
  override readonly name = "UnusualTime";
}

/** Says which shade needs `evenIllegal`. */
export class ShadeNotLegal extends Error {
  override readonly name = "ShadeNotLegal";
  constructor(
    message: string,
    /** What the law asks, and who is exempt, in sentences. */
    readonly reasons: readonly string[],
  ) {
    super(message);
  }
}

interface Booked {
  confirmation: Confirmation;
  warnings: Warning[];
  /** Why customers could not have booked this time; null for a usual one. */
  unusual: string | null;
  /** That the film does not come in a shade, with the nearest. */
  unstocked: readonly string[];
}

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

/**
 * Books without quotas and notice time, never in a bay that is full. Nobody texts the shop about it; the customer gets
 * the messages that are switched on.
 * @throws ApiError for a faulty request, BaysBusy, UnusualTime without `anyway`, ShadeNotLegal without `evenIllegal`, StoreUnavailable
 */
export async function bookForOwner(
  raw: object,
  ctx: BookingContext,
  { anyway, evenIllegal = false, price, isQuiet = false, minutes, until }: Terms,
): Promise<Booked> {
  const { catalog, store } = ctx;
  const { customer_email = "", customer_phone = "", ...given } = checked(ownerBooking, raw, catalog);
  const asked = { ...given, customer_email, customer_phone, consent: CONSENT };
  const own = minutes ?? (until === undefined ? undefined : LATER);
  // The shop's default service has prices for vehicles.
  const isPriced = asked.service_type === undefined || catalog.terms.pricedBy.has(asked.service_type);
  const listed = isPriced
    ? await priceJob(asked, ctx)
    : { job: jobOf(asked, catalog, unpricedWork(asked.service_type, own, ctx)), price: null };
  const pauses = own !== undefined || listed.job.work.overNight;
  const start = slotAtAnyTime(catalog, asked.date, asked.time, own ?? listed.job.work.minutes, pauses);
  if (!start) return ctx.fail("BAD_REQUEST", clocksJump(asked.date, asked.time));
  if (until !== undefined && until <= start.startAt)
    return ctx.fail("BAD_REQUEST", "The work would end before it begins.");
  const found = until === undefined ? start : slotUntil(start, until, catalog);
  const work = own === undefined ? listed.job.work : { ...listed.job.work, minutes: workedMinutes(catalog, found) };
  const job = { ...listed.job, work };
  const unusual = await requireUsual(found, ctx, anyway);
  if (!evenIllegal && listed.price?.law) requireLegal(listed.price.law, catalog);
  const slot = { ...found, status: "available" as const, remaining: 1 };
  const facts = {
    job,
    input: { ...asked, ...(hasBarredFilm(listed.price?.law) && { accept_not_legal: true }) },
    price: agreedPrice(listed.price, price),
    ctx,
    phone: customer_phone === "" ? "" : phoneOf(customer_phone, catalog),
    slot,
    idempotency: null,
    isSent: (kind: JobKind) => !isQuiet || !isNewsOf("booked", kind),
  };
  const warnings = listed.price?.law ? lawWarnings(listed.price.law) : [];
  const closed = closedFor(slot, ctx, anyway);
  const { made, outcome } = await storeWithNewCodes(async () => {
    const made = await newBooking(facts);
    const booking = { ...made, answer: withWarnings(made.answer, warnings) };
    return { made, outcome: await store.book(booking, catalog.scheduling.bays, [], closed) };
  });
  if (outcome.kind === "booked")
    return {
      confirmation: made.answer,
      warnings,
      unusual,
      unstocked: workWarnings(job, catalog).flatMap(({ code, message }) =>
        code === "SHADE_NOT_STOCKED" ? [message] : [],
      ),
    };
  throw await baysBusy(slot, { minutes: work.minutes, overNight: pauses }, ctx);
}

/** @param own the time that the work has so far */
export async function baysBusy(
  slot: OwnerSlot,
  work: WorkLength,
  ctx: Pick<BookingContext, "catalog" | "now" | "store">,
  own?: Occupancy,
): Promise<BaysBusy> {
  const nearest = await nearestStarts(slot.startAt, NEAREST, { ...work, withoutNotice: true }, ctx, own);
  return new BaysBusy(slot, nearest);
}

/**
 * Validates a time that the owner chose.
 * @param own the time that the work has so far
 * @returns why customers could not book this time; null for a usual one
 * @throws UnusualTime without `anyway`
 */
export async function requireUsual(
  slot: OwnerSlot,
  { catalog, now, store }: Pick<BookingContext, "catalog" | "now" | "store">,
  anyway: boolean,
  own?: Occupancy,
): Promise<string | null> {
  const busy = await store.busyBetween(slot.startAt, slot.busyUntil);
  const unusual = whyUnusual(catalog, slot, now) ?? blockInTheWay(catalog, slot, own ? without(own, busy) : busy);
  if (unusual !== null && !anyway) throw new UnusualTime(unusual);
  return unusual;
}

/** @throws ShadeNotLegal */
export function requireLegal(
  law: Pick<Verdict, "jurisdiction" | "name" | "checks">,
  { tint_law, currency }: Shop,
): void {
  const barred = barredInWords(law);
  const here = tint_law.jurisdictions[law.jurisdiction];
  if (barred) throw new ShadeNotLegal(barred.which, [...barred.asks, ...(here ? exemptionsIn(here, currency) : [])]);
}

/** The bays that are closed to the owner: those of the catalog's blocked hours, unless booked anyway. */
export function closedFor(
  { startAt, busyUntil }: Occupancy,
  { catalog }: Pick<BookingContext, "catalog">,
  anyway: boolean,
): Occupancy[] {
  return anyway ? [] : closedIn(catalog, startAt, busyUntil);
}

/** Stands for a length until the end of the work is known. */
const LATER = 1;

/** Work without a price for vehicles, like a visit to a house: its length is the owner's, or the service's usual one. */
function unpricedWork(key = "", minutes: number | undefined, { catalog, fail }: BookingContext): Work {
  const service = catalog.services.find((one) => one.key === key);
  const length = minutes ?? catalog.scheduling.default_minutes[service?.id ?? 0];
  if (length === undefined)
    return fail("BAD_REQUEST", `${service?.name ?? key} has no usual length: say how long it takes.`);
  const none = {
    filmType: null,
    coverage: null,
    removal: null,
    assumed: [],
    addons: [],
    notApplicable: [],
    overNight: false,
  };
  return { service: key, ...none, minutes: length };
}

/** The catalog's price, or the agreed one with a line for the difference. */
function agreedPrice(listed: JobPrice | null, agreed: number | undefined): JobPrice | null {
  if (agreed === undefined) return listed;
  const { total, lines, law } = listed ?? { total: 0, lines: [], law: null };
  const amount = agreed - total;
  const line = toLine(AGREED_PRICE, "Agreed price", amount);
  return { total: agreed, lines: amount === 0 ? lines : [...lines, line], locked: false, law };
}

const NEAREST = 3;
/** Who books with the shop itself agrees to hear from it about the appointment. */
const CONSENT = {
  confirmed_by_user: true as const,
  // The owner spoke with the customer, and answers for it.
  sms: true,
  statement: "Booked with the shop itself.",
  captured_at: undefined,
  agent_name: undefined,
};
