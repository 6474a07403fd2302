/** How many bookings a caller made and a customer holds, and the alert to the owner of many. */
import { OWNER } from "../../constants.ts";
import { parseAddress, widerNetworks } from "../../lib/network.ts";
import type { NewJob } from "./jobs.ts";
import { insertJobs } from "./jobs.ts";
import { allRows, get, run, type Steps, together } from "./steps.ts";

/**
 * At most `limit` bookings by one caller or for one customer.
 * - `key`: made with that key after `since`; `network` and `phone`: made without a key after `since`, `phone` without those that their customer cancelled.
 * - `held_by_phone` and `held_by_email`: bookings of that customer, confirmed or held, that end after `since`, whoever made them.
 *   E-mail addresses are compared without regard to letter case.
 * - `hold`: holds of that phone that are not over at `since`; `hold_of_day`: of an appointment on the shop's date `within`, ended ones too.
 */
export interface Quota {
  /** `networks`: bookings without a key and of keys that registered themselves, from a network or one around it. */
  by: "network" | "networks" | "phone" | "key" | "held_by_phone" | "held_by_email" | "hold" | "hold_of_day";
  value: string;
  /** The key or network among whose bookings an e-mail address counts; the date of a hold. */
  within?: string;
  since: number;
  /** Bookings dated later do not count: a date in the future means that the clock was set back since. */
  until: number;
  limit: number;
}

export interface QuotaUse extends Quota {
  used: number;
  /** When the oldest of the last `limit` bookings was made or, held by a customer, ends: then one more is allowed. */
  oldestAt: number | null;
}

/** The dates by which a quota counts bookings. Statements are made once: joining their texts takes as long as some queries. */
const datesOf = (which: string, date: "created_at" | "end_at") =>
  `SELECT ${date} AS at FROM bookings WHERE ${which} AND ${date} > ?2 AND ${date} <= ?3`;

/** The index by e-mail holds only the two states. */
const STANDS = "status IN ('confirmed', 'held') AND (status = 'confirmed' OR held_until > ?2)";

/** Cancelled bookings count, except those that their customer cancelled for the phone, and in what a customer holds (contract 6). */
const COUNTED = {
  network: datesOf("network = ?1 AND key_id IS NULL", "created_at"),
  // Bookings end after they were made, so the index by end also serves here.
  phone: datesOf(
    `phone = ?1 AND end_at > ?2 AND key_id IS NULL AND network <> '${OWNER}' AND status <> 'cancelled_by_customer'`,
    "created_at",
  ),
  key: datesOf("key_id = ?1", "created_at"),
  held_by_phone: datesOf(`phone = ?1 AND ${STANDS}`, "end_at"),
  held_by_email: datesOf(`email_key = ?1 AND ${STANDS} AND coalesce(key_id, network) = ?4`, "end_at"),
  // Whose appointment is over, had a hold that is over.
  hold: datesOf("phone = ?1 AND status = 'held' AND held_until > ?2", "end_at"),
  hold_of_day: datesOf("phone = ?1 AND date = ?4 AND held_until IS NOT NULL", "end_at"),
  // Few bookings are made within minutes, so those of one network are picked out afterwards.
  networks: `SELECT created_at AS at, network FROM bookings WHERE created_at > ?1 AND created_at <= ?2
    AND network <> '${OWNER}' AND (key_id IS NULL OR key_id IN (SELECT id FROM api_keys WHERE network IS NOT NULL))`,
};

export function* quotaUse(quotas: readonly Quota[]): Steps<QuotaUse[]> {
  const counted = yield* allRows<{ at: number; network?: string }>(
    quotas.map((quota) => ({ text: COUNTED[quota.by], values: quotaValues(quota), gives: "rows" })),
  );
  return quotas.map((quota, i) => {
    const rows = (counted[i] ?? []).filter(({ network }) => network === undefined || isIn(network, quota.value));
    // Sorted here: with ORDER BY, SQLite takes ten times as long for the few rows.
    const dates = rows.map(({ at }) => at).sort((a, b) => b - a);
    return { ...quota, used: dates.length, oldestAt: dates[Math.min(quota.limit, dates.length) - 1] ?? null };
  });
}

function quotaValues({ by, value, since, until, within }: Quota): (string | number)[] {
  if (by === "networks") return [since, until];
  if (by === "hold_of_day") return [value, since, until, within ?? ""];
  return by === "held_by_email" ? [value.toLowerCase(), since, until, within ?? ""] : [value, since, until];
}

/** @param around a network as bookings store it, or the prefix and the bits of one around it */
function isIn(network: string, around: string): boolean {
  if (network === around) return true;
  return widerNetworks(parseAddress(network.split("/")[0])).some((one) => `${one.prefix} ${one.network}` === around);
}

/** Warns of more than `above` bookings within `windowMs`: once, and again only after a whole window below that rate. */
export interface BookingsAlert {
  /** At least 1. */
  above: number;
  windowMs: number;
  job: NewJob;
}

/** A booking that may raise the alert. */
interface Alerting {
  /** Null for bookings that the owner makes. */
  alert: BookingsAlert | null;
  lead: { id: string };
  createdAt: number;
}

/** Clocks of machines that share a database may be this far apart. */
const CLOCKS_APART_MS = 4_000;

/** The oldest of the bookings that are too many for the alert, and how long the alert lasts. */
type Overfull = { at: number; until: number | null } | null;

/** Asked before the new booking is written, so one row less is skipped. */
export function* overfullWith({ alert, createdAt }: Alerting): Steps<Overfull> {
  return (
    alert &&
    (yield* get<NonNullable<Overfull>>(
      `SELECT created_at AS at, (SELECT lasts_until FROM alerts WHERE name = 'bookings') AS until
         FROM bookings WHERE created_at > ? AND created_at <= ? ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
      [createdAt - alert.windowMs, createdAt, alert.above - 1],
    ))
  );
}

/** Writes the job of an alert when the rate of bookings passes it. */
export function* warnOwner({ alert, lead, createdAt }: Alerting, overfull: Overfull): Steps<void> {
  if (!alert || !overfull) return;
  const { windowMs, job } = alert;
  const { at, until } = overfull;
  // An alert that seems to last longer than a window was written before the clock went back.
  const isOn = until !== null && until + windowMs > createdAt && until <= createdAt + windowMs + CLOCKS_APART_MS;
  yield* together(
    insertJobs(lead.id, isOn ? [] : [job], createdAt),
    run(
      `INSERT INTO alerts (name, lasts_until) VALUES ('bookings', ?)
       ON CONFLICT (name) DO UPDATE SET lasts_until = excluded.lasts_until`,
      [at + windowMs],
    ),
  );
}
