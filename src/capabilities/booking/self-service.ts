/** Whether, and until when, customers may change their bookings online, and what they are offered for it. */
import type { Shop } from "../../catalog/shop.ts";
import { rfc3339, secondsToMidnight, shopDate } from "../../domain/schedule.ts";
import { PERSON_LIMITS } from "../../errors.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import { counted } from "../../lib/text.ts";
import type { Booking } from "../../store/store.ts";
import type { Context, Suggestion } from "../core/capability.ts";

type Standing = Pick<Booking, "status" | "startAt" | "createdAt">;

/** Whether bookings are looked up and changed by phone only. */
export function isByPhone({ bookings }: Shop): boolean {
  return !bookings.self_service.enabled;
}

/** @throws ApiError FORBIDDEN with the phone when the shop changes bookings by phone only */
export function requireSelfService({ catalog, fail }: Context<never>): void {
  if (!isByPhone(catalog)) return;
  fail("FORBIDDEN", `Bookings are looked up and changed by phone here: call ${catalog.business.phone}.`);
}

/**
 * The last moment for a change, in epoch milliseconds: the cut-off before the appointment, or the end of the grace
 * after the booking was made. Null for a booking that is over or cancelled, or changed by phone only.
 */
export function canChangeUntil(
  { status, startAt, createdAt }: Standing,
  { catalog }: Pick<Context<never>, "catalog">,
): number | null {
  const { enabled, cutoff_hours, grace_minutes } = catalog.bookings.self_service;
  if (!enabled || status !== "confirmed") return null;
  const cutoff = startAt - cutoff_hours * HOUR_MS;
  return grace_minutes === 0 ? cutoff : Math.max(cutoff, Math.min(createdAt + grace_minutes * MINUTE_MS, startAt));
}

export function canChange(booking: Standing, ctx: Context<never>): boolean {
  const until = canChangeUntil(booking, ctx);
  return until !== null && ctx.now.epochMilliseconds <= until;
}

/** @throws ApiError TOO_LATE_TO_CHANGE with the phone */
export function requireChangeable(booking: Standing, ctx: Context<"TOO_LATE_TO_CHANGE">): void {
  if (canChange(booking, ctx)) return;
  const { catalog } = ctx;
  const until = canChangeUntil(booking, ctx);
  const why =
    until === null
      ? "This appointment was cancelled or is over"
      : `This appointment could be changed online until ${rfc3339(catalog, until)}`;
  ctx.fail("TOO_LATE_TO_CHANGE", `${why}. To change it call ${catalog.business.phone}.`);
}

/** Every change sends mail and texts, so there are only so many on one day. @throws ApiError RATE_LIMITED with the phone */
export function requireChangesLeft(
  { changedOn, changedTimes }: Pick<Booking, "changedOn" | "changedTimes">,
  { catalog, now, fail }: Context<never>,
): void {
  const limit = catalog.bookings.self_service.changes_per_day;
  const today = shopDate(catalog, now);
  if (changedOn !== today || changedTimes < limit) return;
  const wait = secondsToMidnight(catalog, now);
  fail(
    "RATE_LIMITED",
    `A booking can be changed online ${counted(limit, "time")} a day. To change it today call ${catalog.business.phone}.`,
    {
      retry_after_seconds: wait,
      limits: [{ scope: PERSON_LIMITS.changes_a_day, limit, remaining: 0, resetSeconds: wait }],
      agent_instruction: `There is room again at the shop's midnight: send the request again tomorrow. Today only the shop can change it: have the customer call ${catalog.business.phone}.`,
    },
  );
}

/** The contact as the caller gave it. */
export interface Contact {
  phone?: string | undefined;
  email?: string | undefined;
}

/** The steps that move and cancel a booking. Neither is complete as it stands, so neither acts by mistake. */
export function changes(confirmation_code: string, { phone, email }: Contact): Suggestion[] {
  return [
    {
      action: "reschedule_booking",
      description: "Move the booking: put in a date and time from check_availability that the customer agreed to.",
      input: { confirmation_code, ...(phone && { phone }), ...(email && { email }) },
      fillIn: ["date", "time"],
    },
    {
      action: "cancel_booking",
      description: "Cancel the booking: put in the customer's own phone or e-mail once they agree.",
      input: { confirmation_code },
      fillIn: ["phone"],
    },
  ];
}
