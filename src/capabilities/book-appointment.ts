import { bookableServices } from "../domain/schedule.ts";
import { ApiError, STORE_RETRY_SECONDS } from "../errors.ts";
import { type NewBooking, OutcomeUnknown, type Quota, type StoredAnswer, StoreUnavailable } from "../store/store.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { type Confirmation, confirmation } from "./booking/confirmation.ts";
import { earlierAnswer, findEarlier, idempotencyOf } from "./booking/idempotency.ts";
import { type Facts, newBooking, workOf } from "./booking/new-booking.ts";
import { quotasOf, refuseOverQuota, toLimits } from "./booking/quotas.ts";
import { BOOKING_ERRORS, type BookingContext, type BookingRequest, bookingRequest } from "./booking/shapes.ts";
import { chooseSlot, refuseStart } from "./booking/slot.ts";
import { type Answer, defineCapability, type LimitState, type Suggestion } from "./core/capability.ts";
import { notApplicable } from "./estimate/not-applicable.ts";
import { changes } from "./managing/next-steps.ts";
import { canChange } from "./managing/self-service.ts";
import { consentFault, phoneFault, phoneOf } from "./shared/customer.ts";
import { JOB_CHECKS } from "./shared/job.ts";
import { storeWithNewCodes } from "./shared/leads.ts";
import { firstStartOf, sampleBooking, sampleWork } from "./shared/samples.ts";

/** Book a confirmed appointment. Source: spec sections 2.4 and 4.8, contract section 6. */
export const bookAppointment = defineCapability({
  id: "book_appointment",
  title: "Book an appointment",
  description:
    "Books a confirmed automotive appointment, stores a lead and notifies the shop. Ask the end user's consent first. A key raises limits. Send booking_request_id, so that a retry can never book twice.",
  returnsPrice: true,
  useWhen: ["The user agreed to a date and time that check_availability shows as available."],
  avoidWhen: [
    "The user has not agreed to the appointment.",
    "The work is on a building: send a quote_request.",
    "You do not have the user's own name, phone and e-mail.",
  ],
  input: bookingRequest,
  output: confirmation,
  status: 201,
  errors: BOOKING_ERRORS,
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  acceptsKey: true,
  refusesUnknown: true,
  tool: false,
  sample: (catalog, now, start = firstStartOf(sampleWork(catalog), catalog, now)) =>
    sampleBooking(catalog, sampleWork(catalog), start),
  checks: {
    ...JOB_CHECKS,
    customer_phone: phoneFault,
    consent: consentFault,
    service_type(key, catalog) {
      const keys = bookableServices(catalog).map((service) => service.key);
      return key === undefined || keys.includes(key)
        ? undefined
        : { code: "SERVICE_NOT_FOUND", message: "must be a service that can be booked online", allowed: keys };
    },
  },
  async replay(input, ctx) {
    const idempotency = idempotencyOf(input, ctx);
    const earlier = await findEarlier(idempotency, ctx);
    if (earlier?.bodyHash !== idempotency?.bodyHash || !earlier) return undefined;
    return { ...answerOf(earlierAnswer(earlier, idempotency, ctx), input, ctx), replayed: true };
  },
  async run(input, ctx) {
    const work = workOf(input, ctx.catalog);
    const phone = phoneOf(input.customer_phone, ctx.catalog);
    const quotas = quotasOf({ phone, email: input.customer_email }, ctx);
    try {
      return await book({ input, ctx, work, phone, idempotency: idempotencyOf(input, ctx) }, quotas);
    } catch (refusal) {
      // A refusal is told even when the quotas cannot be read.
      if (refusal instanceof ApiError) refusal.details.limits ??= await limitsOf(quotas, ctx).catch(() => []);
      throw refusal;
    }
  },
});

type Wish = Omit<Facts, "slot">;

async function limitsOf(quotas: Quota[], { store }: BookingContext): Promise<LimitState[]> {
  return toLimits(await store.quotaUse(quotas));
}

/**
 * Checks in the order of contract section 6. A request that catalog and clock allow is judged only once, by the store, in
 * the transaction that writes the booking.
 */
async function book(wish: Wish, quotas: Quota[]): Promise<Answer<Confirmation>> {
  const { input, ctx, work, idempotency } = wish;
  const replay = async (earlier: StoredAnswer) => ({
    ...answerOf(earlierAnswer(earlier, idempotency, ctx), input, ctx),
    replayed: true,
    limits: await limitsOf(quotas, ctx),
  });
  const slot = chooseSlot(input, work, ctx);
  const isRefused = typeof slot === "function";
  // Read before the earlier answer: another process may book the same request meanwhile, and fill a quota.
  const uses = isRefused ? await ctx.store.quotaUse(quotas) : [];
  // A replay needs no lock, so it is answered even while nothing can be written.
  const earlier = await findEarlier(idempotency, ctx);
  if (earlier) return replay(earlier);
  if (isRefused) {
    refuseOverQuota(uses, ctx);
    return slot();
  }

  const { made: booking, outcome } = await storeWithNewCodes(
    () => newBooking({ ...wish, slot }),
    (booking) => store(booking, quotas, ctx),
    ({ kind }) => kind === "code_in_use",
  );
  switch (outcome.kind) {
    case "earlier":
      return replay(outcome.earlier);
    case "quota":
      refuseOverQuota(outcome.quotas, ctx);
      throw new Error("the store refused a quota that is not full");
    case "taken":
      return refuseStart("booked", input, work.minutes, ctx);
    case "code_in_use":
      throw new Error("storeWithNewCodes returned code_in_use");
    case "booked":
      return {
        ...answerOf(booking.answer, input, ctx),
        warnings: notApplicable(work, input, ctx.catalog),
        limits: toLimits(outcome.quotas),
      };
  }
}

function answerOf(data: Confirmation, { customer_phone: phone }: BookingRequest, ctx: BookingContext) {
  const { catalog } = ctx;
  const category = catalog.services.find(({ key }) => key === data.service)?.faq_category;
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
        input: { ...(category && { category }) },
      },
      ...(catalog.bookings.self_service.enabled ? managing(data, phone, ctx) : []),
    ],
  };
}

/** For later: the customer may want to see, move or cancel it. */
function managing(booking: Confirmation, phone: string, ctx: BookingContext): Suggestion[] {
  const startAt = Date.parse(booking.start);
  return [
    {
      action: "find_booking",
      description: "Later: see the booking as it then stands, and until when it can be changed.",
      input: { confirmation_code: booking.confirmation_code, phone },
    },
    ...(canChange({ status: "confirmed", startAt }, ctx) ? changes(booking, { phone }) : []),
  ];
}

async function store(booking: NewBooking, quotas: Quota[], ctx: BookingContext) {
  try {
    return await ctx.store.book(booking, ctx.catalog.scheduling.bays, quotas);
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) throw error;
    return ctx.fail(
      "BOOKING_FAILED",
      error instanceof OutcomeUnknown
        ? "Whether the booking was stored is not known. Sent again with the same booking_request_id, it is not booked twice."
        : "The booking could not be stored just now. Nothing was booked.",
      { retry_after_seconds: STORE_RETRY_SECONDS },
      { cause: error },
    );
  } finally {
    ctx.diary.forget(booking.date);
  }
}
