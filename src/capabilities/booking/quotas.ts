/** How many bookings one caller may make (contract 6). The database counts them, so that a restart loses none. */

import { secondsToMidnight, shopDate, startOfDay } from "../../domain/schedule.ts";
import { type LimitState, PERSON_LIMITS } from "../../errors.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import { counted } from "../../lib/text.ts";
import type { Quota, QuotaUse } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";

const WINDOW_MS = 10 * MINUTE_MS;
/** Requests that run at the same time may be dated this far apart. A later date shows that the clock went back. */
const SAME_TIME_MS = 60_000;
/** Told for bookings to come: the true wait would show when somebody's appointment ends. */
const WAIT_OF_HELD_MS = HOUR_MS;

/**
 * The quotas that count a booking: the rate of its caller, and the bookings that its customer holds. Keys and networks are
 * cheap to change, so bookings are also limited per customer, whoever makes them: by phone, and by e-mail among the
 * bookings of one caller. An address alone, which anybody can type, shuts nobody out.
 * @param customer with the phone number in E.164
 */
export function quotasOf(
  customer: { phone: string; email: string },
  { catalog, caller, now }: Context<never>,
): Quota[] {
  const { rate_limits: limits, bookings } = catalog;
  const { keyId, network, wider, isSelfRegistered } = caller;
  const at = now.epochMilliseconds;
  const recent = { since: at - WINDOW_MS, until: at + SAME_TIME_MS };
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
  return quotas;
}

/** The name of each limit, what it keeps few, and for whom. Of a person, only the limit is said: anybody can type a phone number, to learn what it has. */
const KINDS: Readonly<Record<Quota["by"], readonly [scope: string, kept: string, whose: string]>> = {
  network: ["bookings-per-network", "taken", "from this address within 10 minutes"],
  networks: ["bookings-per-network", "taken", "from this network within 10 minutes"],
  key: ["bookings-per-key", "taken", "from this API key within 10 minutes"],
  phone: [PERSON_LIMITS.bookings_a_day, "taken", "for one phone number"],
  held_by_phone: [PERSON_LIMITS.bookings_to_come, "kept", "for one phone number"],
  held_by_email: [PERSON_LIMITS.bookings_to_come, "kept", "for one e-mail address and caller"],
};

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
  const state = { scope: KINDS[by][0], limit, remaining };
  if (remaining > 0) return { ...state, resetSeconds: 0 };
  if (by === "phone") return { ...state, resetSeconds: secondsToMidnight(catalog, now) };
  const at = now.epochMilliseconds;
  const wait = OWN.has(by) ? Math.min(oldestAt ?? at, at) + WINDOW_MS - at : WAIT_OF_HELD_MS;
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
  ctx.fail("RATE_LIMITED", reasonOf(longest.use), {
    retry_after_seconds: longest.state.resetSeconds,
    agent_instruction: wayOut(longest.use, ctx),
    limits: [longest.state],
  });
}

/** What a dry run says of limits: which of the caller's own would refuse the booking, and to everybody that there are others. */
export function quotaWarnings(quotas: readonly QuotaUse[]): Warning[] {
  const full = quotas.filter((use) => OWN.has(use.by) && isFull(use));
  const messages = new Set(full.map((use) => `${reasonOf(use)} The booking itself would be refused now.`));
  return [...[...messages].map((message) => ({ code: "QUOTA" as const, message })), AT_BOOKING];
}

const AT_BOOKING: Warning = {
  code: "QUOTA_AT_BOOKING",
  message: "The limits of the customer's phone and e-mail are known only when it is booked.",
};

function isFull({ used, limit }: QuotaUse): boolean {
  return used >= limit;
}

function reasonOf({ by, limit }: Quota): string {
  const [, kept, whose] = KINDS[by];
  const which = kept === "kept" ? " to come" : by === "phone" ? " a day" : "";
  return `No more than ${counted(limit, "booking")}${which} ${limit === 1 ? "is" : "are"} ${kept} ${whose}.`;
}

/** What this caller can do. A key is named only where it would raise the limit. */
function wayOut({ by }: Quota, { caller }: Context<never>): string {
  const byPhone = "Have the customer call the shop ({phone}), or send a quote request.";
  if (by === "held_by_phone" || by === "held_by_email")
    return `There is room once an appointment is over or cancelled: cancel one that is not needed, or try again after the time in {wait}. ${byPhone}`;
  if (by === "phone") return `There is room again at the shop's midnight: send the request again tomorrow. ${byPhone}`;
  const wait = "Wait for the number of seconds in {wait}, then send the request again.";
  return caller.keyId === null && by === "network" ? `${wait} {keys} ${byPhone}` : `${wait} ${byPhone}`;
}
