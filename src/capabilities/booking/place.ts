/** Books an appointment, for customers and the owner by `Policy`. Quotas are counted in the database. Source: contract 6. */
import { LIMITS } from "../../catalog/limits.ts";
import { closedIn, type Occupancy } from "../../domain/bays.ts";
import { heldAsOf, isCancelled } from "../../domain/lifecycle.ts";
import { rfc3339, secondsToMidnight, shopDate, startOfDay } from "../../domain/schedule.ts";
import { type Slot, type Start, workedMinutes } from "../../domain/slots.ts";
import { ApiError, ERRORS, type LimitState } from "../../errors.ts";
import { bookUrl, withStart } from "../../job/forms.ts";
import { type Job, jobOf, requestOf } from "../../job/job.ts";
import { type PricedJob, priceJob } from "../../job/price.ts";
import { bookingWarnings } from "../../job/warnings.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { newConfirmationCode, newId } from "../../lib/ids.ts";
import type { Phone } from "../../lib/phone.ts";
import type { EarlierBooking, NewBooking, Quota, QuotaUse } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { idempotencyBy } from "../core/idempotency.ts";
import { toAddress } from "../core/shapes.ts";
import { contactDoubts, NO_PHONE, newLead, phoneOf, storeBooking, storeWithNewCodes } from "../core/stored-requests.ts";
import { agreedEstimate, appointmentIn, type Confirmation, messagesIn, timeIn, workInBooking } from "./confirmation.ts";
import { depositAmount, dropPage, openPage, payUntil, toPayment } from "./deposit.ts";
import { bookHeld } from "./hold.ts";
import { acceptsShade, madeLegal, requireLegal } from "./legal-shade.ts";
import { changeableUntil, type Policy, told } from "./policy.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";
import { chooseSlot, isSlotFree, refuseOutside, refuseTaken, requireUsual, whyLong } from "./slot.ts";

export interface Wish {
  /** The request as it was sent. What is booked is its job, in which the defaults are filled in. */
  input: BookingRequest;
  /** In cents, in place of the price list's. */
  price?: number | undefined;
  /** How long the work takes, in place of the price list's length. It pauses when the shop closes. */
  minutes?: number | undefined;
  /** When the work ends, in epoch milliseconds, in place of a length. */
  until?: number | undefined;
}

export interface Placed {
  confirmation: Confirmation;
  job: Job;
  warnings: Warning[];
  /** Why customers could not have this time; null for a usual one. */
  unusual: string | null;
  /** The confirmation holds words that the shop has given up since. */
  hasOldWords: boolean;
  /** The caller's own rates. */
  limits: LimitState[];
}

/** Where the same request was answered before, the booking that it made. */
type Outcome = Placed | { earlier: EarlierBooking; limits: LimitState[] };

export const idempotent = idempotencyBy({
  field: "booking_request_id",
  phoneField: "customer_phone",
  makes: "booking",
  find: (store, { scope, id, bodyHash }) => store.findEarlier(scope, id, bodyHash),
  findSame: (store, same) => store.findSame(same),
  usual: ({ estimate_id }, { automotive: { defaults } }) => {
    const { service: service_type, film_type, coverage } = defaults;
    // An estimate has its own.
    return estimate_id === undefined ? { service_type, film_type, coverage, addons: [], remove_old_film: false } : {};
  },
  ended({ booking }: EarlierBooking, { now }) {
    const at = now.epochMilliseconds;
    const { status } = heldAsOf(booking, at);
    if (isCancelled(status)) return "was cancelled";
    if (status === "expired") return "was held and not confirmed in time";
    return (status !== "confirmed" && status !== "held") || booking.endAt <= at ? "is over" : undefined;
  },
});

/** In the order of contract 6. Whether a bay is free is decided by the store alone, in the transaction that writes the booking. */
export async function place(wish: Wish, policy: Policy, ctx: BookingContext): Promise<Outcome> {
  const { input } = wish;
  const { catalog, store } = ctx;
  const phone = input.customer_phone ? phoneOf(input.customer_phone, catalog) : NO_PHONE;
  const customer = { phone: phone.phone, email: input.customer_email, hold: input.hold ? input.date : undefined };
  const quotas = policy.quotas ? quotasOf(customer, ctx) : [];
  const limits = async () => toLimits(await store.quotaUse(quotas), ctx);
  // The booking stands, even if the quotas cannot be read.
  const replay = async (found: EarlierBooking) => {
    const isBooked = found.isSame && found.booking.status === "held" && !input.hold && !input.dry_run;
    const earlier = isBooked
      ? { ...found, booking: await bookHeld(found.booking, policy, ctx), isChanged: true }
      : found;
    return { earlier, limits: await limits().catch(() => []) };
  };
  try {
    const idempotency = policy.repeats ? idempotent.of(input, phone, ctx) : null;
    const same = policy.repeats ? idempotent.sameOf(input, phone, ctx) : null;
    const asked = { request: idempotency, same, input, phone };
    // A repeated booking gets its first answer, even if its estimate has expired since.
    const first = input.estimate_id === undefined ? null : await idempotent.earlier(asked, ctx);
    if (first) return await replay(first);
    const { service_type: service } = input;
    // The shop's default service has prices for vehicles.
    const isPriced = service === undefined || catalog.terms.pricedBy.has(service);
    const listed: PricedJob = isPriced ? await priceJob(input, ctx) : unpriced(service, wish, ctx);
    const { job } = listed;
    const isOwnLength = wish.minutes !== undefined || wish.until !== undefined;
    const { minutes = 0, until } = wish;
    const length = isOwnLength ? { minutes, until, overNight: true } : job.work;
    const wished = {
      start: input,
      work: { ...length, grid: policy.grid, notice: policy.notice },
      linkTo: (other: Start) => withStart(bookUrl({ ...job, service_type: job.work.service }, catalog), other),
      whyLong: (busy: readonly Occupancy[]) => whyLong(input, job, ctx, busy),
    };
    const outside = policy.area ? refuseOutside(input.postal_code, job.work.service, ctx) : undefined;
    const chosen = outside ?? chooseSlot(wished, ctx);
    const slot = madeLegal(chosen, { ...listed, input }, policy, ctx);
    const isRefused = typeof slot === "function";
    const isDryRun = input.dry_run === true;
    // Read before the earlier answer: another process may book the same request meanwhile, and fill a quota.
    const uses = isRefused || isDryRun ? await store.quotaUse(quotas) : [];
    // A replay needs no lock, so it is answered even while nothing can be written.
    const earlier = await idempotent.earlier(asked, ctx);
    if (earlier) return await replay(earlier);
    if (isRefused && !isDryRun) refuseOverQuota(uses, ctx);
    if (isRefused) return await slot();
    const unusual = policy.grid ? null : await requireUsual(slot, policy, ctx);
    requireLegal(listed.price?.law, policy, catalog);
    if (isOwnLength) job.work.minutes = wished.work.minutes = workedMinutes(catalog, slot);
    const warnings = [...bookingWarnings(listed, catalog), ...contactDoubts(customer, catalog, "customer_")];
    const placed = { job, unusual, hasOldWords: listed.isOffList ?? false };
    const closed = policy.anyway ? [] : closedIn(catalog, slot.startAt, slot.busyUntil);
    const isAsked = policy.deposits && ctx.payments;
    const due = isAsked ? depositAmount(job.work.service, listed.price?.total ?? null, catalog) : null;
    // A page to pay on is made only for what can be booked.
    const isPaged = due !== null && !input.hold && !isDryRun;
    const facts = { wish, job, price: listed.price, phone, slot, idempotency, same, policy, due, isPaged };
    if (isPaged) refuseOverQuota(await store.quotaUse(quotas), ctx);
    if ((isPaged || isDryRun) && !(await isSlotFree(slot, ctx))) return await refuseTaken(wished, slot, ctx);
    if (isDryRun) {
      const { answer: confirmation } = await newBooking(facts, ctx);
      return { ...placed, confirmation, warnings: [...warnings, ...quotaWarnings(uses)], limits: toLimits(uses, ctx) };
    }
    const { made, outcome } = await storeWithNewCodes(async () => {
      const made = await newBooking(facts, ctx);
      const booking = warnings.length === 0 ? made : { ...made, answer: { ...made.answer, warnings } };
      const write = () => store.book(booking, catalog.scheduling.bays, quotas, closed);
      const outcome = await storeBooking(write, policy, ctx, notStored(idempotency));
      if (made.deposit && outcome.kind !== "booked") await dropPage(made.deposit, ctx);
      return { made, outcome };
    });
    switch (outcome.kind) {
      case "earlier":
        await idempotent.requireSame(outcome.earlier, asked, ctx);
        return await replay(outcome.earlier);
      case "quota":
        refuseOverQuota(outcome.quotas, ctx);
        throw new Error("the store refused a quota that is not full");
      case "taken":
        return await refuseTaken(wished, slot, ctx);
      case "code_in_use":
        throw new Error("storeWithNewCodes returned code_in_use");
      case "booked": {
        const used = quotas.map((quota, i) => ({ ...quota, used: outcome.used[i] ?? 0, oldestAt: null }));
        return { ...placed, confirmation: made.answer, warnings, limits: toLimits(used, ctx) };
      }
    }
  } catch (refusal) {
    // The refusal is answered even when the quotas cannot be read.
    if (refusal instanceof ApiError && !["wait", "retry"].includes(ERRORS[refusal.code].remedy))
      refusal.details.limits = [...(refusal.details.limits ?? []), ...(await limits().catch(() => []))];
    throw refusal;
  }
}

/** Work without a price for vehicles, like a visit to a house, is the owner's alone: its length is theirs, or the service's usual one. */
function unpriced(key: string, { input, minutes, until }: Wish, { catalog, fail }: BookingContext): PricedJob {
  const service = catalog.services.find((one) => one.key === key);
  const usual = until === undefined ? catalog.scheduling.default_minutes[service?.id ?? 0] : 0;
  const length = minutes ?? usual;
  if (length === undefined)
    return fail("BAD_REQUEST", `${service?.name ?? key} has no usual length: say how long it takes.`);
  const none = { filmType: null, coverage: null, removal: null, assumed: [], addons: [], notApplicable: [] };
  return { job: jobOf(input, catalog, { service: key, ...none, minutes: length, overNight: false }), price: null };
}

interface Facts extends Pick<PricedJob, "job" | "price"> {
  wish: Wish;
  phone: Phone;
  slot: Slot;
  idempotency: NewBooking["idempotency"];
  same: NewBooking["same"];
  policy: Policy;
  /** The deposit in cents; null where none is asked for. */
  due: number | null;
  isPaged: boolean;
}

async function newBooking(
  { wish, job, price, phone, slot, idempotency, same, policy, due, isPaged }: Facts,
  ctx: BookingContext,
): Promise<NewBooking & { answer: Confirmation }> {
  const { input, price: agreed } = wish;
  const { catalog, caller, now } = ctx;
  const { business, bookings, pages } = catalog;
  const { date, time, startAt, endAt, busyUntil } = slot;
  const { service } = job.work;
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const createdAt = now.epochMilliseconds;
  const deposit = due !== null && isPaged ? await openPage({ confirmationCode, startAt }, due, ctx) : undefined;
  const held = input.hold ? Math.min(createdAt + bookings.hold_minutes * MINUTE_MS, startAt) : null;
  const heldUntil = due === null || input.hold ? held : payUntil({ startAt }, ctx);
  const status = heldUntil === null ? ("confirmed" as const) : ("held" as const);
  const work = workInBooking({ job, price }, catalog);
  const unnamed = job.vehicle_type === undefined ? ["vehicle_type"] : [];
  const booked = {
    confirmation_code: confirmationCode,
    booking_id: id,
    status,
    ...(heldUntil !== null && { held_until: rfc3339(catalog, heldUntil) }),
    ...(due !== null && { payment: toPayment(due, deposit ?? null, catalog) }),
    ...timeIn(slot, catalog),
    timezone: business.timezone,
    ...work,
    // A booking names the service under another name.
    assumed: [...unnamed, ...job.work.assumed.map((field) => (field === "service" ? "service_type" : field))],
    estimate: agreed === undefined ? work.estimate : agreedEstimate(work.estimate, agreed, catalog),
    accepted_not_legal: acceptsShade({ job, price, input }, policy),
    special_requests: input.special_requests ?? null,
    estimate_id: input.estimate_id ?? null,
    customer: { name: input.customer_name },
    location: { name: business.name, address: toAddress(business.address), phone: business.phone },
    booking_request_id: idempotency?.id ?? null,
    can_change_until: changeableUntil({ status, startAt, createdAt, heldUntil }, ctx),
    ...(pages.manage !== undefined && { manage_url: pages.manage + confirmationCode }),
    prepare: bookings.prepare ?? null,
  };
  const customer = { name: input.customer_name, ...phone, email: input.customer_email };
  const details = { ...input, ...requestOf(job) };
  const { lead, alert } = await newLead(
    { kind: "booking", ...customer, serviceType: service, details },
    appointmentIn({ confirmationCode, service, startAt, endAt, lead: customer }, booked, catalog),
    ctx,
  );
  // What is only held is told to nobody.
  const jobs = heldUntil === null ? await told(lead.jobs, "booked", policy) : [];
  return {
    ...{ id, confirmationCode, service, date, time, startAt, endAt, busyUntil, createdAt, heldUntil },
    ...{ idempotency, same, alert, deposit },
    network: caller.network,
    keyId: caller.keyId,
    lead: { ...lead, jobs },
    answer: { ...booked, lead_id: lead.id, messages: messagesIn(jobs, pages.manage !== undefined) },
  };
}

const SEND_AGAIN = "Sent again with the same booking_request_id, it is not booked twice.";
const ASK_FIRST = "Without a booking_request_id it could be booked twice: ask the shop before it is sent again.";

const notStored = (idempotency: NewBooking["idempotency"]) => ({
  unknown: `Whether the booking was stored is not known. ${idempotency ? SEND_AGAIN : ASK_FIRST}`,
  notStored: "The booking could not be stored just now. This request booked nothing.",
});

/** Requests that run at the same time may be dated this far apart. A later date shows that the clock went back. */
const SAME_TIME_MS = 60_000;

/**
 * The quotas that count a booking: the rate of its caller, and the bookings that its customer holds. Keys and networks are
 * cheap to change, so bookings are also limited per customer, whoever makes them: by phone, and by e-mail among the
 * bookings of one caller. An address alone, which anybody can type, shuts nobody out.
 * @param customer with the phone number in E.164; `hold`: the date of a time that is to be held
 */
function quotasOf(
  customer: { phone: string; email: string; hold?: string | undefined },
  { catalog, caller, now }: Context<never>,
): Quota[] {
  const { rate_limits: limits, bookings } = catalog;
  const { keyId, network, wider, isSelfRegistered } = caller;
  const at = now.epochMilliseconds;
  const recent = { since: at - LIMITS.network.windowMs, until: at + SAME_TIME_MS };
  const limit = limits.bookings_per_10_minutes;
  const quotas: Quota[] = [
    keyId === null
      ? { by: "network", value: network, limit, ...recent }
      : { by: "key", value: keyId, limit, ...recent },
  ];
  if (keyId === null || isSelfRegistered) {
    // The keys of one network that registered themselves share it.
    const shared = keyId === null ? limit : limit * limits.self_registered_times;
    if (keyId !== null) quotas.push({ by: "networks", value: network, limit: shared, ...recent });
    for (const { prefix, network: around } of wider) {
      const times = prefix === 56 ? limits.ipv6_56_times : limits.ipv6_48_times;
      quotas.push({ by: "networks", value: `${prefix} ${around}`, limit: shared * times, ...recent });
    }
  }
  if (keyId === null) {
    // The day begins at the shop's midnight; one millisecond earlier, because `since` itself does not count.
    const since = startOfDay(catalog, shopDate(catalog, now)) - 1;
    const day = { since, until: recent.until, limit: limits.bookings_per_phone_per_day };
    quotas.push({ by: "phone", value: customer.phone, ...day });
  }
  const held = { since: at, until: Number.MAX_SAFE_INTEGER, limit: bookings.open_per_customer };
  quotas.push({ by: "held_by_phone", value: customer.phone, ...held });
  quotas.push({ by: "held_by_email", value: customer.email, within: keyId ?? network, ...held });
  const { hold } = customer;
  if (hold !== undefined) {
    const one = { value: customer.phone, until: held.until, limit: 1 };
    quotas.push({ by: "hold", since: at, ...one }, { by: "hold_of_day", within: hold, since: 0, ...one });
  }
  return quotas;
}

/** Whether it counts the caller's own bookings. How far the others are used would tell what somebody else has booked. */
const OWN: ReadonlySet<Quota["by"]> = new Set(["network", "networks", "key"]);

type Clock = Pick<Context<never>, "catalog" | "now">;

/** The caller's own rates, for the headers. */
function toLimits(uses: readonly QuotaUse[], clock: Clock): LimitState[] {
  const limits: LimitState[] = [];
  for (const use of uses) if (OWN.has(use.by)) limits.push(toLimit(use, clock));
  return limits;
}

function toLimit({ by, limit, used, oldestAt }: QuotaUse, { catalog, now }: Clock): LimitState {
  const remaining = Math.max(0, limit - used);
  const state = { scope: LIMITS[by].scope, limit, remaining };
  if (remaining > 0) return { ...state, resetSeconds: 0 };
  if (by === "phone") return { ...state, resetSeconds: secondsToMidnight(catalog, now) };
  const at = now.epochMilliseconds;
  const from = OWN.has(by) ? Math.min(oldestAt ?? at, at) : at;
  const wait = from + LIMITS[by].windowMs - at;
  return { ...state, resetSeconds: Math.max(1, Math.ceil(wait / 1000)) };
}

/** Sentence, wait and headers speak of one quota: the one that takes longest to have room. */
function refuseOverQuota(quotas: QuotaUse[], ctx: Context<never>): void {
  const [longest] = quotas
    .filter(isFull)
    .map((use) => ({ use, state: toLimit(use, ctx) }))
    .sort((one, other) => other.state.resetSeconds - one.state.resetSeconds);
  if (!longest) return;
  ctx.fail("RATE_LIMITED", quotaReason(longest.use), {
    retry_after_seconds: longest.state.resetSeconds,
    agent_instruction: LIMITS[longest.use.by].wayOut,
    limits: [longest.state],
  });
}

/** What a dry run says of limits: which of the caller's own would refuse the booking, and to everybody that there are others. */
function quotaWarnings(quotas: readonly QuotaUse[]): Warning[] {
  const full = quotas.filter((use) => OWN.has(use.by) && isFull(use));
  const messages = new Set(full.map((use) => `${quotaReason(use)} The booking itself would be refused now.`));
  return [...[...messages].map((message) => ({ code: "QUOTA" as const, message })), AT_BOOKING];
}

const AT_BOOKING: Warning = {
  code: "QUOTA_AT_BOOKING",
  message: "The limits of the customer's phone and e-mail are known only when it is booked.",
};

function isFull({ used, limit }: QuotaUse): boolean {
  return used >= limit;
}

function quotaReason({ by, limit }: Quota): string {
  return `${LIMITS[by].said(limit)}.`;
}
