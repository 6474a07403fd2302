import { API_PREFIX } from "../constants.ts";
import { mostAtOnce } from "../domain/bays.ts";
import { closedIn } from "../domain/blocked-hours.ts";
import { isCancelled } from "../domain/lifecycle.ts";
import { ApiError, type LimitState } from "../errors.ts";
import { bookUrl, withStart } from "../job/forms.ts";
import { type JobRequest, jurisdictionIssue, requestOf } from "../job/job.ts";
import { priceJob, tokenIssue, withoutHeldWords } from "../job/price.ts";
import { bookingWarnings } from "../job/warnings.ts";
import type { EarlierBooking, NewBooking, Quota } from "../store/store.ts";
import {
  type BookingAnswer,
  bookingAnswer,
  type Confirmation,
  type Facts,
  newBooking,
  storedConfirmation,
  storedWarnings,
  withWarnings,
} from "./booking/confirmation.ts";
import { legally } from "./booking/legal-shade.ts";
import { quotasOf, quotaWarnings, refuseOverQuota, toLimits } from "./booking/quotas.ts";
import { changes } from "./booking/self-service.ts";
import { BOOKING_ERRORS, type BookingContext, type BookingRequest, bookingRequest } from "./booking/shapes.ts";
import { chooseSlot, refuseTaken } from "./booking/slot.ts";
import { type Answer, defineCapability, type Suggestion } from "./core/capability.ts";
import type { Warning } from "./core/envelope.ts";
import { idempotencyBy } from "./core/idempotency.ts";
import { SAMPLE_PERSON } from "./core/sample-person.ts";
import { firstStartOf, sampleBooking, sampleWork } from "./core/samples.ts";
import {
  asDryRun,
  consentIssue,
  ownData,
  phoneIssue,
  phoneOf,
  storeBooking,
  storeWithNewCodes,
} from "./core/stored-requests.ts";
import { toManagedBooking } from "./managing/managed-booking.ts";

const idempotent = idempotencyBy({
  field: "booking_request_id",
  phoneField: "customer_phone",
  makes: "booking",
  find: (store, { scope, id, bodyHash }) => store.findEarlier(scope, id, bodyHash),
  findSame: (store, scope, bodyHash, since) => store.findSame(scope, bodyHash, since),
  ended({ booking: { status, endAt } }: EarlierBooking, { now }) {
    if (isCancelled(status)) return "was cancelled";
    return status !== "confirmed" || endAt <= now.epochMilliseconds ? "is over" : undefined;
  },
});
const ownDataIssue = ownData("customer_email");

/** Book a confirmed appointment. Source: contract 6. */
export const bookAppointment = defineCapability({
  id: "book_appointment",
  title: "Book an appointment",
  description:
    "Books a confirmed automotive appointment, stores a lead and notifies the shop. Ask the end user's consent first; dry_run shows what will be booked. With booking_request_id a retry never books twice.",
  returnsPrice: true,
  useWhen: ["The user agreed to a date and time that check_availability shows as open."],
  avoidWhen: ["The work is on a building: use flat_glass_estimate.", "You lack the user's own name, phone or e-mail."],
  input: bookingRequest,
  output: bookingAnswer,
  status: 201,
  errors: BOOKING_ERRORS,
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  asksFirst: ["vehicle_type"],
  acceptsKey: true,
  refusesUnknown: true,
  prepare: withoutHeldWords,
  sample: (catalog, now, start = firstStartOf(sampleWork(catalog), catalog, now)) => ({
    ...sampleBooking(catalog, sampleWork(catalog), start),
    dry_run: true,
  }),
  demands: ["consent"],
  checks: {
    jurisdiction: jurisdictionIssue,
    customer_name: (name, _catalog, body) => ownDataIssue(name, body, SAMPLE_PERSON.name),
    customer_phone: (phone, catalog, body) =>
      ownDataIssue(phone, body, SAMPLE_PERSON.phone) ?? phoneIssue(phone, catalog),
    customer_email: (email, _catalog, body) => ownDataIssue(email, body, SAMPLE_PERSON.email),
    consent: consentIssue,
    estimate_id: (token) => tokenIssue(token, "automotive"),
    service_type(key, catalog) {
      const keys = catalog.bookable.map((service) => service.key);
      return key === undefined || keys.includes(key)
        ? undefined
        : { code: "SERVICE_NOT_FOUND", message: "must be a service that can be booked online", allowed: keys };
    },
  },
  async replay(input, ctx) {
    const found = await idempotent.replayOf(input, input.customer_phone, ctx);
    return found && repeated(found.earlier, input, ctx);
  },
  async run(input, ctx) {
    const phone = phoneOf(input.customer_phone, ctx.catalog);
    const quotas = quotasOf({ phone, email: input.customer_email }, ctx);
    try {
      const idempotency = idempotent.of(input, phone, ctx);
      // A repeated booking gets its first answer, even if its estimate has expired since.
      if (input.estimate_id !== undefined) {
        const earlier = await idempotent.earlier({ request: idempotency, input, phone }, ctx);
        if (earlier) return await replay(earlier, { input, ctx }, quotas);
      }
      return await book({ ...(await priceJob(input, ctx)), input, ctx, phone, idempotency }, quotas);
    } catch (refusal) {
      // The refusal is answered even when the quotas cannot be read.
      if (refusal instanceof ApiError && refusal.code !== "BOOKING_FAILED" && refusal.code !== "RATE_LIMITED") {
        const { limits = [] } = refusal.details;
        refusal.details.limits = [...limits, ...(await limitsOf(quotas, ctx).catch(() => []))];
      }
      throw refusal;
    }
  },
});

type Wish = Omit<Facts, "slot">;

async function limitsOf(quotas: Quota[], ctx: BookingContext): Promise<LimitState[]> {
  return toLimits(await ctx.store.quotaUse(quotas), ctx);
}

/**
 * Checks in the order of contract 6. Whether a bay is free for a request that catalog and clock allow is decided by the
 * store alone, in the transaction that writes the booking.
 */
async function book(wish: Wish, quotas: Quota[]): Promise<Answer<BookingAnswer>> {
  const { input, ctx, job, idempotency, isOffList: hasOldWords = false } = wish;
  const slot = legally(chooseSlot(input, job, ctx), wish, ctx);
  const isRefused = typeof slot === "function";
  const isDryRun = input.dry_run === true;
  // Read before the earlier answer: another process may book the same request meanwhile, and fill a quota.
  const uses = isRefused || isDryRun ? await ctx.store.quotaUse(quotas) : [];
  // A replay needs no lock, so it is answered even while nothing can be written.
  const { phone } = wish;
  const asked = { request: idempotency, input, phone };
  const earlier = await idempotent.earlier(asked, ctx);
  if (earlier) return replay(earlier, wish, quotas);
  if (isRefused && !isDryRun) refuseOverQuota(uses, ctx);
  if (isRefused) return slot();
  const warnings = bookingWarnings(wish, ctx.catalog);
  if (isDryRun) {
    const busy = await ctx.store.busyBetween(slot.startAt, slot.busyUntil);
    const closed = closedIn(ctx.catalog, slot.startAt, slot.busyUntil);
    if (mostAtOnce([...busy, ...closed], slot.startAt, slot.busyUntil) >= ctx.catalog.scheduling.bays)
      return refuseTaken(input, job, slot, ctx);
    const { answer } = await newBooking({ ...wish, slot });
    const all = [...warnings, ...quotaWarnings(uses)];
    return {
      ...dryRunAnswer(answer, { ...input, ...requestOf(job) }, ctx),
      warnings: all,
      hasOldWords,
      limits: toLimits(uses, ctx),
    };
  }

  const { made, outcome } = await storeWithNewCodes(async () => {
    const made = await newBooking({ ...wish, slot });
    const booking = { ...made, answer: withWarnings(made.answer, warnings) };
    return { made, outcome: await store(booking, quotas, idempotency?.since === undefined, ctx) };
  });
  switch (outcome.kind) {
    case "earlier":
      await idempotent.requireSame(outcome.earlier, asked, ctx);
      return replay(outcome.earlier, wish, quotas);
    case "quota":
      refuseOverQuota(outcome.quotas, ctx);
      throw new Error("the store refused a quota that is not full");
    case "taken":
      return refuseTaken(input, job, slot, ctx);
    case "code_in_use":
      throw new Error("storeWithNewCodes returned code_in_use");
    case "booked": {
      const uses = quotas.map((quota, i) => ({ ...quota, used: outcome.used[i] ?? 0, oldestAt: null }));
      return { ...answerOf(made.answer, input, ctx), warnings, hasOldWords, limits: toLimits(uses, ctx) };
    }
  }
}

/** The answer to a repeated request, with the quotas as they are. */
async function replay(
  earlier: EarlierBooking,
  { input, ctx }: Pick<Wish, "input" | "ctx">,
  quotas: Quota[],
): Promise<Answer<BookingAnswer>> {
  // The booking stands, whether or not the quotas can be read.
  return { ...repeated(earlier, input, ctx), limits: await limitsOf(quotas, ctx).catch(() => []) };
}

/** The first answer again, or the booking as it stands since a change; in a dry run, what a repeated request would get. */
function repeated(
  { answer, booking, isChanged }: EarlierBooking,
  input: BookingRequest,
  ctx: BookingContext,
): Answer<BookingAnswer> {
  const data: Confirmation = isChanged
    ? { ...toManagedBooking(booking, ctx), status: "confirmed" }
    : storedConfirmation.parse(answer);
  const { warnings } = storedWarnings.parse(isChanged ? booking.answer : answer);
  const hasId = input.booking_request_id !== undefined || ctx.idempotencyKey !== undefined;
  const all = [...(hasId ? [] : [REPEATED]), ...(isChanged ? [replayedAsOf(data)] : []), ...warnings];
  return input.dry_run
    ? { ...dryRunAnswer(data, input, ctx), warnings: all }
    : { ...answerOf(data, input, ctx), warnings: all, replayed: true };
}

const REPEATED: Warning = {
  code: "REPEATED",
  field: "booking_request_id",
  message:
    "The same booking was made a few minutes ago, so this is that one again. For a second vehicle send a booking_request_id of its own.",
};

function replayedAsOf({ date, time }: Confirmation): Warning {
  const message = `This request was answered before, and its booking has changed since. The answer is the booking as it stands now: on ${date} at ${time}.`;
  return { code: "REPLAYED", message };
}

function dryRunAnswer(
  { manage_url: _, ...data }: Confirmation,
  input: Omit<BookingRequest, keyof JobRequest> & JobRequest,
  { catalog }: BookingContext,
): Answer<BookingAnswer> {
  const none = { confirmation_code: null, booking_id: null, lead_id: null };
  const page = withStart(bookUrl({ ...input, service_type: data.service }, catalog), data);
  return asDryRun(
    "book_appointment",
    input,
    { ...data, ...none, status: "dry_run" as const },
    { id: data.booking_request_id, bookUrl: page },
  );
}

function answerOf(data: Confirmation, { customer_phone: phone }: BookingRequest, ctx: BookingContext) {
  const { catalog } = ctx;
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
        input: catalog.terms.faqQueries.get(data.service) ?? {},
      },
      ...(catalog.bookings.self_service.enabled ? managing(data, phone, ctx) : []),
    ],
  };
}

/** The next steps with the booking: see, move or cancel it. */
function managing(booking: Confirmation, phone: string, ctx: BookingContext): Suggestion[] {
  const until = booking.can_change_until;
  const isChangeable = until !== null && ctx.now.epochMilliseconds <= Date.parse(until);
  return [
    {
      action: "find_booking",
      description: "Later: see the booking as it then stands, and until when it can be changed.",
      input: { confirmation_code: booking.confirmation_code, phone },
    },
    ...(isChangeable ? changes(booking.confirmation_code, { phone }) : []),
  ];
}

function store(booking: NewBooking, quotas: Quota[], hasId: boolean, ctx: BookingContext) {
  const closed = closedIn(ctx.catalog, booking.startAt, booking.busyUntil);
  return storeBooking(() => ctx.store.book(booking, ctx.catalog.scheduling.bays, quotas, closed), ctx, {
    unknown: `Whether the booking was stored is not known. ${hasId ? SEND_AGAIN : ASK_FIRST}`,
    notStored: "The booking could not be stored just now. This request booked nothing.",
  });
}

const SEND_AGAIN = "Sent again with the same booking_request_id, it is not booked twice.";
const ASK_FIRST = "Without a booking_request_id it could be booked twice: ask the shop before it is sent again.";
