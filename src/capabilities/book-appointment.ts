import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { bookUrl, withStart } from "../job/forms.ts";
import { type JobRequest, jurisdictionIssue, otherVehicleIssue, requestOf } from "../job/job.ts";
import { tokenIssue, withoutHeldWords } from "../job/price.ts";
import type { EarlierBooking } from "../store/store.ts";
import {
  type BookingAnswer,
  bookingAnswer,
  type Confirmation,
  storedConfirmation,
  storedWarnings,
} from "./booking/confirmation.ts";
import { asksForDeposits } from "./booking/deposit.ts";
import { idempotent, place } from "./booking/place.ts";
import { CUSTOMER, changes, stepsOfHold } from "./booking/policy.ts";
import { BOOKING_ERRORS, type BookingContext, type BookingRequest, bookingRequest } from "./booking/shapes.ts";
import { type Answer, defineCapability } from "./core/capability.ts";
import type { Warning } from "./core/envelope.ts";
import { firstStartOf, SAMPLE_PERSON, sampleBooking, sampleWork, toShop } from "./core/samples.ts";
import { asDryRun, consentIssue, nameIssue, ownData, phoneIssue, postalIssue } from "./core/stored-requests.ts";
import { toManagedBooking } from "./managing/managed-booking.ts";

const ownDataIssue = ownData("customer_email");

/** Book a confirmed appointment. Source: contract 6. */
export const bookAppointment = defineCapability({
  id: "book_appointment",
  title: "Book an appointment",
  description: (shop) =>
    `Books a confirmed automotive appointment, stores a lead and notifies the shop. Ask the end user's consent first; dry_run shows what will be booked. With booking_request_id a retry never books twice. ${depositText(shop)}`.trim(),
  inTools: [
    "Books an appointment at a time that {tool:check_availability} shows as open.",
    "Ask the end user first; dry_run shows what will be booked.",
    "For work on a building use {tool:flat_glass_estimate}.",
    depositText,
  ],
  returnsPrice: true,
  useWhen: ["The user agreed to a date and time that {tool:check_availability} shows as open."],
  avoidWhen: [
    "The work is on a building: use {tool:flat_glass_estimate}.",
    "You lack the user's own name, phone or e-mail.",
    (shop) => (asksForDeposits(shop) ? "The user does not agree to the deposit and its note." : ""),
  ],
  input: bookingRequest,
  output: bookingAnswer,
  status: 201,
  errors: BOOKING_ERRORS,
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  refusesUnknown: true,
  prepare: withoutHeldWords,
  sample: (catalog, now, start = firstStartOf(sampleWork(catalog), catalog, now)) => ({
    ...sampleBooking(catalog, sampleWork(catalog), start),
    dry_run: true,
  }),
  demands: ["consent", "vehicle_type"],
  checks: {
    jurisdiction: jurisdictionIssue,
    vehicle_type: otherVehicleIssue,
    customer_name: (name, catalog, body) => nameIssue(name, catalog) ?? ownDataIssue(name, body, SAMPLE_PERSON.name),
    customer_phone: (phone, catalog, body) =>
      ownDataIssue(phone, body, SAMPLE_PERSON.phone) ?? phoneIssue(phone, catalog),
    customer_email: (email, _catalog, body) => ownDataIssue(email, body, SAMPLE_PERSON.email),
    postal_code: postalIssue,
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
    return found && repeatedBooking(found.earlier, input, ctx);
  },
  async run(input, ctx) {
    const placed = await place({ input }, CUSTOMER, ctx);
    const { limits } = placed;
    if ("earlier" in placed) return { ...repeatedBooking(placed.earlier, input, ctx), limits };
    const { confirmation, job, warnings, hasOldWords } = placed;
    const answer = input.dry_run
      ? bookingDryRun(confirmation, { ...input, ...requestOf(job) }, ctx)
      : answerOf(confirmation, input, ctx);
    return { ...answer, warnings, hasOldWords, limits };
  },
});

/** The first answer again, or the booking as changed since; in a dry run, what a repeated request would get. */
function repeatedBooking(
  { answer, booking, isChanged, isSame }: EarlierBooking,
  input: BookingRequest,
  ctx: BookingContext,
): Answer<BookingAnswer> {
  // A request is answered again only while what it made is held or confirmed.
  const status = booking.status === "held" ? "held" : "confirmed";
  const data: Confirmation = isChanged
    ? { ...toManagedBooking(booking, ctx), status }
    : storedConfirmation.parse(answer);
  const { warnings } = storedWarnings.parse(isChanged ? booking.answer : answer);
  const all = [...(isSame ? [REPEATED] : []), ...(isChanged ? [replayedAsOf(data)] : []), ...warnings];
  return input.dry_run
    ? { ...bookingDryRun(data, input, ctx), warnings: all }
    : { ...answerOf(data, input, ctx), warnings: all, replayed: true };
}

const REPEATED: Warning = {
  code: "REPEATED",
  field: "another",
  message:
    "The same booking was made a few minutes ago, so this is that one again. For a second vehicle send it with another: true.",
};

function replayedAsOf({ date, time }: Confirmation): Warning {
  const message = `This request was answered before, and its booking has changed since. The answer is the booking as it is now: on ${date} at ${time}.`;
  return { code: "REPLAYED", message };
}

function bookingDryRun(
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
  const { catalog, now } = ctx;
  const { confirmation_code, can_change_until: until, status } = data;
  const isHeld = status === "held";
  const isChangeable = until !== null && now.epochMilliseconds <= Date.parse(until);
  const find = {
    action: "find_booking" as const,
    description: "Later: see the booking as it then is, and until when it can be changed.",
    input: { confirmation_code, phone },
  };
  return {
    data,
    location: `${API_PREFIX}/bookings/${confirmation_code}`,
    suggestions: [
      ...(isHeld ? stepsOfHold(confirmation_code, catalog, data.payment) : []),
      toShop("Tell the customer where the shop is and when it is open."),
      {
        action: "list_faq" as const,
        description: "Tell the customer what to expect: how long it takes, how the film cures.",
        input: catalog.terms.faqQueries.get(data.service) ?? {},
      },
      ...(catalog.bookings.self_service.enabled ? [find] : []),
      ...(isChangeable && !isHeld ? changes(confirmation_code, { phone }) : []),
    ],
  };
}

/** Where a deposit is asked for, what an assistant does with it. */
function depositText(shop: Shop): string {
  return asksForDeposits(shop)
    ? "Where the answer has a payment, tell the user its note, and give them its url: the booking is held until they have paid there."
    : "";
}
