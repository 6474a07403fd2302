/** How many bookings one caller may make (contract 6). The database counts them, so that a restart loses none. */

import { LIMITS } from "../../catalog/limits.ts";
import { secondsToMidnight, shopDate, startOfDay } from "../../domain/schedule.ts";
import type { LimitState } from "../../errors.ts";
import type { Quota, QuotaUse } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";

/** Requests that run at the same time may be dated this far apart. A later date shows that the clock went back. */
const SAME_TIME_MS = 60_000;

/**
 * The quotas that count a booking: the rate of its caller, and the bookings that its customer holds. Keys and networks are
 * cheap to change, so bookings are also limited per customer, whoever makes them: by phone, and by e-mail among the
 * bookings of one caller. An address alone, which anybody can type, shuts nobody out.
 * @param customer with the phone number in E.164; `hold`: the date of a time that is to be held
 */
export function quotasOf(
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

type Used = Omit<QuotaUse, "oldestAt"> & { oldestAt?: number | null };
type Clock = Pick<Context<never>, "catalog" | "now">;

/** The caller's own rates, for the headers. */
export function toLimits(uses: readonly Used[], clock: Clock): LimitState[] {
  const limits: LimitState[] = [];
  for (const use of uses) if (OWN.has(use.by)) limits.push(toLimit(use, clock));
  return limits;
}

function toLimit({ by, limit, used, oldestAt }: Used, { catalog, now }: Clock): LimitState {
  const remaining = Math.max(0, limit - used);
  const state = { scope: LIMITS[by].scope, limit, remaining };
  if (remaining > 0) return { ...state, resetSeconds: 0 };
  if (by === "phone") return { ...state, resetSeconds: secondsToMidnight(catalog, now) };
  const at = now.epochMilliseconds;
  const from = OWN.has(by) ? Math.min(oldestAt ?? at, at) : at;
  const wait = from + LIMITS[by].windowMs - at;
  return { ...state, resetSeconds: Math.max(1, Math.ceil(wait / 1000)) };
}

/**
 * Sentence, wait and headers speak of one quota: the one that takes longest to have room.
 * @throws ApiError RATE_LIMITED when one of the quotas is used up
 */
export function refuseOverQuota(quotas: QuotaUse[], ctx: Context<never>): void {
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
export function quotaWarnings(quotas: readonly QuotaUse[]): Warning[] {
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
