/** How many bookings one caller may make (contract 6). The database counts them, so that a restart loses none. */

import type { Catalog } from "../../catalog/schema.ts";
import { addDays, shopDate, startOfDay } from "../../domain/schedule.ts";
import type { LimitState } from "../../errors.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import { counted } from "../../lib/text.ts";
import type { Quota, QuotaUse } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";

const WINDOW_MS = 10 * MINUTE_MS;
/** Requests that run at the same time may be dated this far apart. A later date shows that the clock went back. */
const SAME_TIME_MS = 60_000;
/** The longest Retry-After of a limit per person. The true wait would show when somebody's appointment ends. */
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * The quotas that count a booking: the rate of its caller, and the bookings that its customer holds.
 * @param customer with the phone number in E.164
 */
export function quotasOf(customer: { phone: string; email: string }, ctx: Context<never>): Quota[] {
  return [...ratesOf(customer.phone, ctx), ...heldBy(customer, ctx)];
}

/**
 * Keys and networks are cheap to change, so bookings are also limited per customer, whoever makes them: by phone, and by
 * e-mail among the bookings of one caller. An address alone, which anybody can type, shuts nobody out.
 */
function heldBy({ phone, email }: { phone: string; email: string }, { catalog, caller, now }: Context<never>): Quota[] {
  const held = {
    since: now.epochMilliseconds,
    until: Number.MAX_SAFE_INTEGER,
    limit: catalog.bookings.open_per_customer,
  };
  return [
    { by: "held_by_phone", value: phone, ...held },
    { by: "held_by_email", value: email, within: caller.keyId ?? caller.network, ...held },
  ];
}

function ratesOf(phoneNumber: string, { catalog, caller, now }: Context<never>): Quota[] {
  const { rate_limits: limits } = catalog;
  const until = now.epochMilliseconds + SAME_TIME_MS;
  const limit = limits.bookings_per_10_minutes;
  const recent = { since: now.epochMilliseconds - WINDOW_MS, until };
  if (caller.keyId !== null) {
    const own: Quota = { by: "key", value: caller.keyId, limit, ...recent };
    if (!caller.isSelfRegistered) return [own];
    const shared = limit * limits.self_registered_times;
    const around = ({ prefix, network }: (typeof caller.wider)[number]): Quota => {
      return { by: "networks", value: `${prefix} ${network}`, limit: shared * timesOf(prefix, catalog), ...recent };
    };
    return [own, { by: "networks", value: caller.network, limit: shared, ...recent }, ...caller.wider.map(around)];
  }
  return [
    { by: "network", value: caller.network, limit, ...recent },
    ...caller.wider.map(
      ({ prefix, network }): Quota => ({
        by: "networks",
        value: `${prefix} ${network}`,
        limit: limit * timesOf(prefix, catalog),
        ...recent,
      }),
    ),
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

function timesOf(prefix: 56 | 48, { rate_limits: limits }: Catalog): number {
  return prefix === 56 ? limits.ipv6_56_times : limits.ipv6_48_times;
}

/**
 * The quotas that count the caller's own bookings. The other quotas are shown to nobody, because they tell what
 * somebody else has booked.
 */
const OWN = {
  network: "bookings-per-network",
  networks: "bookings-per-network",
  key: "bookings-per-key",
} as const;
const isOwn = ({ by }: Quota): boolean => by in OWN;

type Used = Omit<QuotaUse, "oldestAt"> & { oldestAt?: number | null };

/** The caller's own rates, for the headers. */
export function toLimits(uses: readonly Used[], now: Temporal.Instant): LimitState[] {
  return uses.filter(isOwn).map((use) => toLimit(use, now));
}

function toLimit(use: Used, now: Temporal.Instant): LimitState {
  const { by, limit, used } = use;
  const remaining = Math.max(0, limit - used);
  const scope = by in OWN ? OWN[by as keyof typeof OWN] : "bookings-per-customer";
  return { scope, limit, remaining, resetSeconds: remaining > 0 ? 0 : secondsUntilFree(use, now) };
}

function secondsUntilFree(use: Used, { epochMilliseconds: now }: Temporal.Instant): number {
  const wait = isOwn(use) ? Math.min(use.oldestAt ?? now, now) + WINDOW_MS - now : LONGEST_WAIT_MS;
  return Math.max(1, Math.ceil(wait / 1000));
}

/** @throws ApiError RATE_LIMITED when one of the quotas is used up */
export function refuseOverQuota(quotas: QuotaUse[], ctx: Context<never>): void {
  const { now } = ctx;
  const full = quotas.filter(isFull);
  const [first] = full;
  if (!first) return;
  ctx.fail("RATE_LIMITED", reasonOf(first), {
    retry_after_seconds: Math.max(...full.map((use) => waitFor(use, ctx))),
    agent_instruction: wayOut(first, ctx),
    limits: toLimits(quotas, now),
  });
}

/** A phone number has room again at the shop's midnight, which is no secret. */
function waitFor(use: QuotaUse, { catalog, now }: Context<never>): number {
  const wait = secondsUntilFree(use, now);
  if (use.by !== "phone") return wait;
  const midnight = startOfDay(catalog, addDays(shopDate(catalog, now), 1));
  return Math.min(wait, Math.ceil((midnight - now.epochMilliseconds) / 1000));
}

/** What a dry run says when the booking itself would be refused for the caller's own rate. */
export function quotaWarnings(quotas: readonly QuotaUse[]): Warning[] {
  const full = quotas.find((use) => isOwn(use) && isFull(use));
  return full ? [{ code: "QUOTA", message: `${reasonOf(full)} The booking itself would be refused now.` }] : [];
}

function isFull({ used, limit }: QuotaUse): boolean {
  return used >= limit;
}

function reasonOf({ by, limit }: Quota): string {
  const bookings = counted(limit, "booking");
  const taken = `No more than ${bookings} ${limit === 1 ? "is" : "are"} taken`;
  const reasons = {
    phone: `${taken} from this phone number today.`,
    network: `${taken} from this address within 10 minutes.`,
    networks: `${taken} from this network within 10 minutes.`,
    key: `${taken} from this API key within 10 minutes.`,
    held_by_phone: `This phone number has ${bookings} to come; no more are taken until one is over or cancelled.`,
    held_by_email: `This e-mail address has ${bookings} to come from you; no more are taken until one is over or cancelled.`,
  };
  return reasons[by];
}

/** What this caller can do. A key is named only where it would raise the limit. */
function wayOut({ by }: Quota, { caller }: Context<never>): string {
  const byPhone = "Have the customer call the shop, or send a quote request.";
  if (by === "held_by_phone" || by === "held_by_email")
    return `Do not wait: it helps only once an appointment is over. Cancel a booking that is not needed. ${byPhone}`;
  if (by === "phone") return `This number can book again tomorrow. ${byPhone}`;
  const wait = "Wait for the number of seconds in the Retry-After header, then send the request again.";
  return caller.keyId === null && by === "network"
    ? `${wait} An API key has a number of its own. ${byPhone}`
    : `${wait} ${byPhone}`;
}
