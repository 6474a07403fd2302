/** Who books by which rules. The machine is one (`place`, `change`), the policies are data: customers' on every way in, and the desk's. */
import { LIMITS } from "../../catalog/limits.ts";
import type { Shop } from "../../catalog/shop.ts";
import { JOBS, type JobKind } from "../../constants.ts";
import { rfc3339, secondsToMidnight, shopDate } from "../../domain/schedule.ts";
import { ANY_TIME, type Slot, type Start, type StartRules } from "../../domain/slots.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import type { Booking } from "../../store/store.ts";
import type { Context, Suggestion } from "../core/capability.ts";
import type { Confirmation } from "./confirmation.ts";

export interface Policy extends Required<StartRules> {
  /** Whether bookings and changes are counted, and changes end before the appointment. */
  quotas: boolean;
  /** Whether a request that was booked before is known, by its id or because it asks for the same. */
  repeats: boolean;
  /** Whether a booking waits for the deposit that the catalog asks for. */
  deposits: boolean;
  /** Whether the customer must live in the service area. */
  area: boolean;
  /** Whether a time that customers cannot have is taken without a question. */
  anyway: boolean;
  /** What a shade that is not legal meets: the catalog's rule for customers, a question to the owner, or nothing. */
  illegal: "ruled" | "asked" | "accepted";
  /** Whether the caller gets an answer when nothing can be stored, BOOKING_FAILED, and not the store's own error. */
  failures: boolean;
  /** Who gets messages: shop and customer, the customer, or the customer later, by reminders alone. */
  messages: "all" | "customer" | "reminders";
  /** Who names price and length of the work. */
  terms: "list" | "owner";
}

/** A customer, or whoever books and changes for them. */
export const CUSTOMER: Policy = {
  quotas: true,
  repeats: true,
  notice: true,
  grid: true,
  deposits: true,
  area: true,
  anyway: false,
  illegal: "ruled",
  failures: true,
  messages: "all",
  terms: "list",
};

/** What the owner says yes to. */
export interface Agreed {
  /** Also on a blocked day, outside opening hours, in the past. */
  anyway: boolean;
  /** Also with a shade that the law does not permit. */
  evenIllegal?: boolean;
  /** The customer gets no confirmation; reminders go out anyway. */
  isQuiet?: boolean;
}

/** The owner books at any time at which a bay is free, without quotas or notice. Nobody texts the shop about it. */
export function ownerPolicy({ anyway, evenIllegal = false, isQuiet = false }: Agreed): Policy {
  return {
    quotas: false,
    repeats: false,
    ...ANY_TIME,
    deposits: false,
    area: false,
    anyway,
    illegal: evenIllegal ? "accepted" : "asked",
    failures: false,
    messages: isQuiet ? "reminders" : "customer",
    terms: "owner",
  };
}

/** The messages that go out. @param news what a customer is told who is to hear of it */
export async function told<Message extends { kind: JobKind }>(
  messages: Message[],
  news: "booked" | "rescheduled",
  { messages: who }: Policy,
): Promise<Message[]> {
  if (who === "all") return messages;
  // Loaded on first use, as in `newLead`.
  const { isNewsOf } = await import("../../messages/customer-messages.ts");
  return messages.filter(({ kind }) => JOBS[kind].to !== "shop" && (who === "customer" || !isNewsOf(news, kind)));
}

// What the owner is asked, or told, where a customer is refused.

/** Every bay is busy for part of the work. */
export class BaysBusy extends Error {
  override readonly name = "BaysBusy";
  constructor(
    readonly slot: Slot,
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

/** Other work needs a price anew, because the owner agreed one for the work of before. */
export class PriceToAgree extends Error {
  override readonly name = "PriceToAgree";
  constructor(
    readonly before: Confirmation["estimate"],
    /** The price list's. */
    readonly listed: Confirmation["estimate"],
  ) {
    super();
  }
}

// Until when customers may change their bookings online, and how often.

type Standing = Pick<Booking, "status" | "startAt" | "createdAt"> & Partial<Pick<Booking, "heldUntil">>;

/** Whether bookings are looked up and changed by phone only. */
export function isByPhone({ bookings }: Shop): boolean {
  return !bookings.self_service.enabled;
}

/** @throws ApiError FORBIDDEN with the phone when the shop changes bookings by phone only */
export function requireSelfService({ catalog, fail }: Context<never>): void {
  if (!isByPhone(catalog)) return;
  fail("FORBIDDEN", `Bookings are looked up and changed by phone here: call ${catalog.business.phone}.`);
}

/** In epoch milliseconds: the cut-off, the end of the grace, or of a hold. Null when it is over, cancelled, or changed by phone only. */
export function canChangeUntil(
  { status, startAt, createdAt, heldUntil = null }: Standing,
  { catalog }: Pick<Context<never>, "catalog">,
): number | null {
  const { enabled, cutoff_hours, grace_minutes } = catalog.bookings.self_service;
  if (enabled && status === "held") return heldUntil;
  if (!enabled || status !== "confirmed") return null;
  const cutoff = startAt - cutoff_hours * HOUR_MS;
  return grace_minutes === 0 ? cutoff : Math.max(cutoff, Math.min(createdAt + grace_minutes * MINUTE_MS, startAt));
}

export function changeableUntil(booking: Standing, { catalog }: Pick<Context<never>, "catalog">): string | null {
  const until = canChangeUntil(booking, { catalog });
  return until === null ? null : rfc3339(catalog, until);
}

export function canChange(booking: Standing, ctx: Context<never>): boolean {
  const until = canChangeUntil(booking, ctx);
  return until !== null && ctx.now.epochMilliseconds <= until;
}

/** @throws ApiError TOO_LATE_TO_CHANGE with the phone */
export function requireChangeable(booking: Standing, ctx: Context<"TOO_LATE_TO_CHANGE">): void {
  if (canChange(booking, ctx)) return;
  const { catalog } = ctx;
  const until = changeableUntil(booking, ctx);
  const why =
    until === null
      ? "This appointment was cancelled or is over"
      : `This appointment could be changed online until ${until}`;
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
  fail("RATE_LIMITED", `${LIMITS.changes.said(limit)}. To change it today call ${catalog.business.phone}.`, {
    retry_after_seconds: wait,
    limits: [{ scope: LIMITS.changes.scope, limit, remaining: 0, resetSeconds: wait }],
    agent_instruction: LIMITS.changes.wayOut,
  });
}

/** @throws ApiError TOO_LATE_TO_CHANGE for a hold, which is confirmed or cancelled */
export function requireMovable({ status }: Pick<Booking, "status">, { fail }: Context<"TOO_LATE_TO_CHANGE">): void {
  if (status !== "held") return;
  fail(
    "TOO_LATE_TO_CHANGE",
    "This time is only held: it can be confirmed or cancelled, and moved once it is confirmed.",
    {
      agent_instruction:
        "Confirm it first ({request:confirm_booking}) once the end user agrees, or cancel it ({request:cancel_booking}) and book another time.",
    },
  );
}

export interface Contact {
  phone?: string | undefined;
  email?: string | undefined;
}

/** The steps that confirm and cancel a hold, as careful as those of a booking. */
export function stepsOfHold(
  confirmation_code: string,
  shop: Shop,
  { url }: { url?: string | null } = {},
): Suggestion[] {
  const action = url ? "find_booking" : "confirm_booking";
  const description = url
    ? "Give the customer payment.url. Once the deposit is paid there, the booking is confirmed: look here."
    : "Book what is held: put in the customer's own phone or e-mail once they agree.";
  const step: Suggestion = { action, description, input: { confirmation_code }, fillIn: ["phone"] };
  return [step, ...(isByPhone(shop) ? [] : changes(confirmation_code, {}).slice(1))];
}

/** The steps that move and cancel a booking. Neither is complete as it is, so neither acts by mistake. */
export function changes(confirmation_code: string, { phone, email }: Contact): Suggestion[] {
  return [
    {
      action: "reschedule_booking",
      description:
        "Move the booking: put in a date and time from {tool:check_availability} that the customer agreed to.",
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
