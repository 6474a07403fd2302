/** The states of bookings and leads, and the ways between them. Source: contract section 6 and the built-in CRM. */

export const BOOKING_STATUSES = [
  "confirmed",
  "completed",
  "no_show",
  "cancelled_by_shop",
  "cancelled_by_customer",
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** A booking that is no longer confirmed stays as it is. */
export function bookingMayBecome(from: BookingStatus, to: BookingStatus): boolean {
  return from === "confirmed" && to !== "confirmed";
}

/** What has not begun can be neither done nor missed. */
export function isTooEarly({ startAt }: { startAt: number }, to: BookingStatus, now: number): boolean {
  return (to === "completed" || to === "no_show") && now < startAt;
}

/** A cancelled job occupies no bay. */
export function isCancelled(status: BookingStatus): boolean {
  return status === "cancelled_by_shop" || status === "cancelled_by_customer";
}

export const LEAD_STATUSES = ["new", "contacted", "quoted", "won", "lost"] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];
export const OPEN_LEADS: readonly LeadStatus[] = ["new", "contacted", "quoted"];

const STEP: Record<LeadStatus, number> = { new: 0, contacted: 1, quoted: 2, won: 3, lost: 3 };

/** Forward only; steps may be left out, and won and lost are both the end. */
export function leadMayBecome(from: LeadStatus, to: LeadStatus): boolean {
  return STEP[from] < STEP[to];
}

/** The states a lead in this one has reached, those it skipped included; won and lost end whatever waits for either. */
export function reachedBy(status: LeadStatus): LeadStatus[] {
  return LEAD_STATUSES.filter((other) => STEP[other] <= STEP[status]);
}
