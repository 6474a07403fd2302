/** How many bookings one caller may make (spec section 8). The database counts them, so that a restart loses none. */

import { shopDate, startOfDay } from "../../domain/schedule.ts";
import type { Quota, QuotaUse } from "../../store/store.ts";
import type { Context, LimitState } from "../core/capability.ts";

const WINDOW_MS = 10 * 60_000;
/** Requests that run at the same time may be dated this far apart. A later date shows that the clock went back. */
const SAME_TIME_MS = 60_000;

/** @param phoneNumber of the customer, in E.164 */
export function quotasOf(phoneNumber: string, { catalog, caller, now }: Context<never>): Quota[] {
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

export function toLimit({ limit, used }: QuotaUse): LimitState {
  return { limit, remaining: Math.max(0, limit - used) };
}

/** @throws ApiError RATE_LIMITED when one of the quotas is used up */
export function refuseOverQuota(quotas: QuotaUse[], ctx: Context<never>): void {
  const { catalog, now } = ctx;
  const full = quotas.filter(({ used, limit }) => used >= limit);
  const [first] = full;
  if (!first) return;
  const midnight = startOfDay(catalog, Temporal.PlainDate.from(shopDate(catalog, now)).add({ days: 1 }).toString());
  const frees = full.map(({ by, oldestAt }) =>
    by === "phone" ? midnight : Math.min(oldestAt ?? Infinity, now.epochMilliseconds) + WINDOW_MS,
  );
  const seconds = Math.max(1, Math.ceil((Math.max(...frees) - now.epochMilliseconds) / 1000));
  const whose = {
    phone: "this phone number today",
    network: "this address within 10 minutes",
    key: "this API key within 10 minutes",
  };
  ctx.fail("RATE_LIMITED", `No more than ${first.limit} bookings are taken from ${whose[first.by]}.`, {
    retry_after_seconds: seconds,
    limits: full.map(toLimit),
  });
}
