/** How many bookings one caller may make (contract 6). The database counts them, so that a restart loses none. */
import { addDays, shopDate, startOfDay } from "../../domain/schedule.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { counted } from "../../lib/text.ts";
import type { Quota, QuotaUse } from "../../store/store.ts";
import type { Context, LimitState } from "../core/capability.ts";

const WINDOW_MS = 10 * MINUTE_MS;
/** Requests that run at the same time may be dated this far apart. A later date shows that the clock went back. */
const SAME_TIME_MS = 60_000;

/**
 * The quotas that count a booking: the rate of its caller, and the bookings that its customer holds.
 * @param customer with the phone number in E.164
 */
export function quotasOf(customer: { phone: string; email: string }, ctx: Context<never>): Quota[] {
  return [...rateOf(customer.phone, ctx), ...heldBy(customer, ctx)];
}

/** Keys and networks are cheap to change, so bookings are also limited per customer, whoever makes them. */
function heldBy({ phone, email }: { phone: string; email: string }, { catalog, now }: Context<never>): Quota[] {
  const held = {
    since: now.epochMilliseconds,
    until: Number.MAX_SAFE_INTEGER,
    limit: catalog.bookings.open_per_customer,
  };
  return [
    { by: "held_by_phone", value: phone, ...held },
    { by: "held_by_email", value: email, ...held },
  ];
}

function rateOf(phoneNumber: string, { catalog, caller, now }: Context<never>): Quota[] {
  const { rate_limits: limits } = catalog;
  const until = now.epochMilliseconds + SAME_TIME_MS;
  const recent = { since: now.epochMilliseconds - WINDOW_MS, until, limit: limits.bookings_per_10_minutes };
  if (caller.keyId !== null) return [{ by: "key", value: caller.keyId, ...recent }];
  return [
    { by: "network", value: caller.network, ...recent },
    // The day begins at the shop's midnight; one millisecond earlier, because `since` itself does not count.
    {
      by: "phone",
      value: phoneNumber,
      since: startOfDay(catalog, shopDate(catalog, now)) - 1,
      until,
      limit: limits.bookings_per_phone_per_day,
    },
  ];
}

function isHeld({ by }: Quota): boolean {
  return by === "held_by_phone" || by === "held_by_email";
}

/** When the first of the bookings that fill the quota is over. A full quota counts at least one. */
function heldUntil({ by, oldestAt }: QuotaUse): number {
  if (oldestAt === null) throw new Error(`the quota ${by} is full, but names no booking`);
  return oldestAt;
}

type Used = Omit<QuotaUse, "oldestAt">;

/** The caller's own rate, for the headers. Strangers must not learn how many bookings a customer holds. */
export function toLimits(uses: readonly Used[]): LimitState[] {
  return uses.filter((use) => !isHeld(use)).map(toLimit);
}

function toLimit({ limit, used }: Used): LimitState {
  return { limit, remaining: Math.max(0, limit - used) };
}

/** @throws ApiError RATE_LIMITED when one of the quotas is used up */
export function refuseOverQuota(quotas: QuotaUse[], ctx: Context<never>): void {
  const { catalog, now } = ctx;
  const full = quotas.filter(({ used, limit }) => used >= limit);
  const [first] = full;
  if (!first) return;
  const midnight = startOfDay(catalog, addDays(shopDate(catalog, now), 1));
  const frees = full.map((use) => {
    if (use.by === "phone") return midnight;
    if (isHeld(use)) return heldUntil(use);
    return Math.min(use.oldestAt ?? Infinity, now.epochMilliseconds) + WINDOW_MS;
  });
  const seconds = Math.max(1, Math.ceil((Math.max(...frees) - now.epochMilliseconds) / 1000));
  const bookings = counted(first.limit, "booking");
  const taken = `No more than ${bookings} ${first.limit === 1 ? "is" : "are"} taken`;
  const reasons = {
    phone: `${taken} from this phone number today.`,
    network: `${taken} from this address within 10 minutes.`,
    key: `${taken} from this API key within 10 minutes.`,
    held_by_phone: `This phone number has ${bookings} to come; no more are taken until one is over or cancelled.`,
    held_by_email: `This e-mail address has ${bookings} to come; no more are taken until one is over or cancelled.`,
  };
  ctx.fail("RATE_LIMITED", reasons[first.by], {
    retry_after_seconds: seconds,
    limits: full.map(toLimit),
  });
}
