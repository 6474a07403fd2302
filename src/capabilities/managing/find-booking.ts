/** A booking in the hands of its customer: found, confirmed, moved, changed, cancelled; its state for anybody. Source: contract 13. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { isOff } from "../../domain/lifecycle.ts";
import { addDays, laterDate, shopDate } from "../../domain/schedule.ts";
import { isOpen } from "../../domain/slots.ts";
import { ApiError } from "../../errors.ts";
import { jurisdictionIssue, otherVehicleIssue } from "../../job/job.ts";
import { tokenIssue } from "../../job/price.ts";
import { pick } from "../../lib/fields.ts";
import { toUnits } from "../../lib/money.ts";
import { scalarText } from "../../lib/text.ts";
import { date, inTool, optional, paragraph, soft, time } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import { cancelBooked, change } from "../booking/change.ts";
import { bookedPrice, storedWarnings, timeIn } from "../booking/confirmation.ts";
import { confirmHold } from "../booking/hold.ts";
import { toCompactDay } from "../booking/open-times.ts";
import { CUSTOMER, isByPhone, requireChangeable, requireSelfService } from "../booking/policy.ts";
import { bookedLength, type ChangedWork, removalIssue, WORK_FIELDS, workFields } from "../booking/work.ts";
import { type Answer, type Context, defineCapability, type FieldIssue } from "../core/capability.ts";
import { FORM_OF_START, firstStartOf, SAMPLE_CODE, sampleWork } from "../core/samples.ts";
import { calendarDate, clockTime, currencyUnits, timestamp } from "../core/shapes.ts";
import { callsOff } from "../core/ways-on.ts";
import {
  answerAbout,
  bookingStatusWord,
  bookingWithCode,
  CALL_THE_SHOP,
  confirmationCode,
  dryRunAnswer,
  identifyBooking,
  type ManagedBooking,
  managedBooking,
  PROOF_CHECKS,
  proof,
  SAMPLE_PROOF,
} from "./managed-booking.ts";

/** What is the same of every request of a booking's customer. */
const OF_CUSTOMER = {
  returnsPrice: true,
  status: 200 as const,
  refusesUnknown: true,
  sample: () => ({ ...SAMPLE_PROOF, dry_run: true }),
  demands: ["phone" as const],
  checks: PROOF_CHECKS,
};

/** A booking as it is now, for its customer. Source: contract 13. */
export const findBooking = defineCapability({
  ...OF_CUSTOMER,
  id: "find_booking",
  title: "Look up a booking",
  description: "The booking as it is now, and until when it can be changed.",
  inTools: ["The booking as it is, and until when it can be changed."],
  useWhen: ["The user wants to see or change an appointment."],
  avoidWhen: ["You lack code or contact: ask, never guess."],
  input: () => z.object(proof),
  output: managedBooking,
  errors: ["BOOKING_NOT_FOUND"],
  isByPhone,
  sample: () => SAMPLE_PROOF,
  async run(input, ctx) {
    requireSelfService(ctx);
    const booking = await identifyBooking(input, ctx);
    // An assistant may have changed it: the customer sees what was taken out.
    const warnings = storedWarnings.parse(booking.answer).warnings.filter(({ code }) => code === "REMOVED");
    return { ...(await answerAbout(booking, input, ctx)), warnings };
  },
});

/** The state of a booking, without anything about a person. Source: contract 13. */
export const bookingStatus = defineCapability({
  id: "booking_status",
  title: "Status of a booking",
  description: "Status and time of a booking; nothing about the customer.",
  inTools: ["Status and time of a booking, without its customer."],
  returnsPrice: false,
  useWhen: ["The user asks whether an appointment stands."],
  avoidWhen: ["The user wants to change it: {tool:find_booking}."],
  input: () => z.object({ confirmation_code: confirmationCode() }),
  output: () =>
    z
      .object({
        confirmation_code: z.string().describe("The code that was asked for."),
        status: bookingStatusWord().meta({ title: "BookingStatus" }),
        date: calendarDate(),
        time: clockTime(),
        start: timestamp(),
        end: timestamp(),
        service: z.string().describe("Key of the service."),
      })
      .meta({ title: "BookingState", description: "A booking without its customer." }),
  status: 200,
  errors: ["BOOKING_NOT_FOUND"],
  sample: () => ({ confirmation_code: SAMPLE_CODE }),
  async run({ confirmation_code }, ctx) {
    const booking = await bookingWithCode(confirmation_code, ctx);
    const { confirmationCode: code, status, service } = booking;
    const { split: _, ...when } = timeIn(booking, ctx.catalog);
    return {
      data: { confirmation_code: code, status, ...when, service },
      suggestions: ctx.catalog.bookings.self_service.enabled
        ? [
            {
              action: "find_booking",
              description: "See the whole booking: put in the customer's own phone or e-mail.",
              input: { confirmation_code: code },
              fillIn: ["phone"],
            },
          ]
        : [CALL_THE_SHOP],
    };
  },
});

/** With the time that it has left out, and its own bay free; where none of the days has a time, also the next one that has. */
export async function timesToMove(booking: Booking, from: string | undefined, count: number, ctx: Context<never>) {
  const { catalog, now, diary } = ctx;
  const work = bookedLength(booking, catalog);
  const today = shopDate(catalog, now);
  const found = await diary.days(from ?? today, count, work, { catalog, now }, booking);
  const others = found.map(({ slots, ...day }) => ({
    ...day,
    open: slots.filter((slot) => isOpen(slot) && slot.startAt !== booking.startAt),
  }));
  const hasTime = others.some(({ open }) => open.length > 0);
  const first = hasTime ? null : await diary.firstOpen(work, { catalog, now });
  const next = first && laterDate(first.date, addDays(found.at(-1)?.date ?? today, 1));
  const isBookable = next !== null && next <= addDays(today, catalog.scheduling.horizon_days);
  return { days: others.map(toCompactDay), next: isBookable ? next : undefined };
}

const dryRunOfChange = () => optional(z.boolean()).meta({ description: "true checks everything and changes nothing." });

export const confirmBooking = defineCapability({
  ...OF_CUSTOMER,
  id: "confirm_booking",
  title: "Confirm a held booking",
  description: "Books a time that is held.",
  inTools: ["Books a time that {tool:book_appointment} held. Ask the end user first."],
  useWhen: ["The user wants the held time."],
  avoidWhen: ["Nothing is held: {tool:book_appointment}."],
  input: () => z.object({ ...proof, dry_run: dryRunOfChange() }),
  output: managedBooking,
  errors: ["BOOKING_NOT_FOUND", "HOLD_OVER", "BOOKING_FAILED"],
  async run(input, ctx) {
    const found = await identifyBooking(input, ctx);
    if (input.dry_run) {
      if (found.status !== "held" && found.status !== "confirmed") return holdOver(ctx);
      return dryRunAnswer("confirm_booking", "Book it, once the customer agrees to that.", input, found, ctx);
    }
    const outcome = await confirmHold(found, CUSTOMER, ctx);
    return outcome.kind === "confirmed" || outcome.kind === "waits"
      ? answerAbout(outcome.booking, input, ctx)
      : holdOver(ctx);
  },
});

function holdOver({ fail }: Context<"HOLD_OVER">): never {
  return fail("HOLD_OVER", "This time is no longer held: it was not confirmed in time, was cancelled, or is over.");
}

const rescheduleRequest = (catalog: Shop) =>
  z.object({
    ...proof,
    date: optional(date()).meta({
      description: "New date, from an open slot; needed but for other work.",
      ...inTool("Needed but for other work."),
      ...soft,
    }),
    time: optional(time()).meta({ description: "New time HH:MM, from the same slot.", example: "09:00", ...soft }),
    ...workFields(catalog),
    dry_run: dryRunOfChange(),
  });
type RescheduleRequest = z.output<ReturnType<typeof rescheduleRequest>>;

const RESCHEDULE_ERRORS = [
  "BOOKING_NOT_FOUND",
  "TOO_LATE_TO_CHANGE",
  "PRICE_AGREED",
  "DATE_BLOCKED",
  "SLOT_TAKEN",
  "NOT_LEGAL_SHADE",
  "PRICE_CHANGED",
  "SERVICE_NOT_FOUND",
  "INVALID_VEHICLE_TYPE",
  "BOOKING_FAILED",
] as const;

const changedBooking = (catalog: Shop) =>
  managedBooking(catalog)
    .extend({
      previous_total: currencyUnits().optional().meta({ description: "Before other work was asked for." }),
      price_change: currencyUnits()
        .optional()
        .meta({ description: "What the other work costs more; less, where negative." }),
    })
    .meta({ title: "ChangedBooking", description: "The booking as it is now." });
type ChangedBooking = ManagedBooking & { previous_total?: number | undefined; price_change?: number | undefined };

/** A customer moves a booking to another time, or asks for other work. Source: contract 13. */
export const rescheduleBooking = defineCapability({
  ...OF_CUSTOMER,
  id: "reschedule_booking",
  title: "Move a booking",
  description: "Moves a booking to another open time, changes its work, or both; price and length follow the work.",
  inTools: [
    "Moves a booking, changes its work, or both; a warning REMOVED names what was taken out. Ask the end user first.",
    "For a second vehicle use {tool:book_appointment}.",
  ],
  useWhen: ["The user agreed to another time that is open.", "The user wants other work in the same booking."],
  avoidWhen: ["The work is on a second vehicle: {tool:book_appointment}."],
  input: rescheduleRequest,
  output: changedBooking,
  errors: RESCHEDULE_ERRORS,
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  isByPhone,
  sample: (catalog, now, start = firstStartOf(sampleWork(catalog), catalog, now)) => ({
    ...SAMPLE_PROOF,
    ...(start ?? FORM_OF_START),
    dry_run: true,
  }),
  demands: ["phone", "date", "time", "vehicle_type"],
  checks: {
    ...PROOF_CHECKS,
    date: startIssue("date", "time"),
    time: startIssue("time", "date"),
    remove_addons: removalIssue,
    jurisdiction: jurisdictionIssue,
    vehicle_type: otherVehicleIssue,
    estimate_id: (token) => tokenIssue(token, "automotive"),
  },
  async run(input, ctx) {
    requireSelfService(ctx);
    const { date, time, dry_run: isDryRun } = input;
    for (;;) {
      const booking = await identifyBooking(input, ctx);
      requireWholeStart(input, booking);
      const wish = { ...(date && time && { start: { date, time } }), work: pick(input, ...WORK_FIELDS), isDryRun };
      const { outcome, work } = await change(booking, wish, CUSTOMER, ctx);
      // Somebody else changed it meanwhile: try again.
      if (outcome.kind !== "changed") continue;
      const later = "Make this move, once the customer agrees to it.";
      const answer = await (isDryRun
        ? dryRunAnswer("reschedule_booking", later, input, outcome.booking, ctx)
        : answerAbout(outcome.booking, input, ctx));
      return withChange(answer, booking, work);
    }
  },
});

const FORM = { date: /^\d{4}-\d\d-\d\d$/, time: /^\d\d:\d\d$/ };

/** A date needs its time, and the other way round, which is asked at once where the booking is not looked up. */
function startIssue(field: "date" | "time", other: "date" | "time") {
  return (value: unknown, _: Shop, body?: Readonly<Record<string, unknown>>): FieldIssue | undefined => {
    if (value !== undefined || body === undefined || callsOff(body)) return undefined;
    const isKnown =
      body[other] === undefined
        ? WORK_FIELDS.some((name) => body[name] !== undefined)
        : FORM[other].test(scalarText(body[other])) &&
          body.confirmation_code !== undefined &&
          (body.phone ?? body.email) !== undefined;
    return isKnown ? undefined : { missing: field, message: "is missing" };
  };
}

/** Refuses a date without its time, and the other way round, with that of the booking in the sample. @throws ApiError */
function requireWholeStart({ date, time }: RescheduleRequest, booking: Booking): void {
  if ((date === undefined) === (time === undefined)) return;
  const missing = date === undefined ? "date" : "time";
  const known = { [missing]: booking[missing] };
  throw new ApiError("MISSING_FIELD", `${missing} is missing.`, { missing_fields: [missing], known });
}

/** What the change of the work costs, and what the customer should know of it. */
function withChange(
  answer: Answer<ManagedBooking>,
  booking: Booking,
  work: ChangedWork | undefined,
): Answer<ChangedBooking> {
  if (!work) return answer;
  const [before, now] = [bookedPrice(booking), bookedPrice({ answer: work.answer })];
  return {
    ...answer,
    warnings: work.warnings,
    data: {
      ...answer.data,
      ...(before !== null && { previous_total: toUnits(before) }),
      ...(before !== null && now !== null && { price_change: toUnits(now - before) }),
    },
  };
}

/** A customer gives up a booking. Source: contract 13. */
export const cancelBooking = defineCapability({
  ...OF_CUSTOMER,
  id: "cancel_booking",
  title: "Cancel a booking",
  description: "Cancels a booking and frees its time at once.",
  inTools: [
    "Cancels a booking and frees its time. Ask the end user first.",
    "For another time use {tool:reschedule_booking}.",
  ],
  useWhen: ["The user gives up an appointment."],
  avoidWhen: ["The user wants another time: {tool:reschedule_booking}."],
  input: () =>
    z.object({
      ...proof,
      reason: optional(paragraph()).meta({ description: "Why, in the customer's words; the shop sees it." }),
      dry_run: dryRunOfChange(),
    }),
  output: managedBooking,
  errors: ["BOOKING_NOT_FOUND", "TOO_LATE_TO_CHANGE", "BOOKING_FAILED"],
  isByPhone,
  async run(input, ctx) {
    requireSelfService(ctx);
    for (;;) {
      const booking = await identifyBooking(input, ctx);
      const isOver = isOff(booking.status);
      if (input.dry_run) {
        if (!isOver) requireChangeable(booking, ctx);
        const later = "Cancel it, once the customer agrees to that.";
        const to = isOver ? booking.status : "cancelled_by_customer";
        return dryRunAnswer("cancel_booking", later, input, booking, ctx, to);
      }
      if (isOver) return answerAbout(booking, input, ctx);
      const outcome = await cancelBooked(booking, input.reason ?? null, ctx);
      // Otherwise somebody else changed it meanwhile: try again.
      if (outcome.kind === "changed") return answerAbout(outcome.booking, input, ctx);
    }
  },
});
