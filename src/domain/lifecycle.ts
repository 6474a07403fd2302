/** The states of bookings and leads, and the moves between them. Source: contract 6 and the built-in CRM. */
import type { Occupancy } from "./bays.ts";

export const BOOKING_STATUSES = [
  "held",
  "confirmed",
  "completed",
  "no_show",
  "cancelled_by_shop",
  "cancelled_by_customer",
  "expired",
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** A confirmed booking may end in every way, a held one be confirmed, expire or be cancelled. */
export function bookingMayBecome(from: BookingStatus, to: BookingStatus): boolean {
  if (from === "held") return to === "confirmed" || isOff(to);
  return from === "confirmed" && to !== "confirmed" && to !== "held" && to !== "expired";
}

/** A booking as it stands: a hold that is over has expired, whether or not a job has written so. */
export function heldAsOf<One extends Ended & { heldUntil: number | null }>(booking: One, now: number): One {
  const { status, heldUntil } = booking;
  return status === "held" && heldUntil !== null && heldUntil <= now
    ? { ...booking, status: "expired", endedAt: heldUntil }
    : booking;
}

/** A booking cannot be completed or missed before it begins. */
export function isTooEarly({ startAt }: { startAt: number }, to: BookingStatus, now: number): boolean {
  return (to === "completed" || to === "no_show") && now < startAt;
}

export function isCancelled(status: BookingStatus): boolean {
  return status === "cancelled_by_shop" || status === "cancelled_by_customer";
}

/** Whether a booking was cancelled, or its hold expired: it occupies no bay, because nobody comes for it. */
export function isOff(status: BookingStatus): boolean {
  return isCancelled(status) || status === "expired";
}

/** Whether a booking was never confirmed, so that nobody was told of it: its answer still says that it is held. */
export function isOnlyHeld({ answer }: { answer: unknown }): boolean {
  return Object(answer).status === "held";
}

/** Neither held nor off. */
export function isBooked(status: BookingStatus): boolean {
  return status !== "held" && !isOff(status);
}

/** When the work ended: it may be done, or its customer be missed, before the planned end. */
export function workEnd({ status, endAt, endedAt }: Ended & { endAt: number }): number {
  return endedAt === null || isOff(status) ? endAt : Math.min(endAt, endedAt);
}

export interface Ended {
  status: BookingStatus;
  endedAt: number | null;
}

/** How long a booking that is not off keeps its bay. Whoever is done, or did not come, gives it back at once. */
export function stayOf({ startAt, busyUntil, endedAt }: Occupancy & { endedAt: number | null }): Occupancy {
  return { startAt, busyUntil: endedAt === null ? busyUntil : Math.min(busyUntil, endedAt) };
}

/** A booking that is held, off or missed brings no money. */
export function bringsMoney(status: BookingStatus): boolean {
  return status === "confirmed" || status === "completed";
}

/** Whether a booking is over by its time and still confirmed: nobody said what became of it. */
export function isOverAndOpen({ status, endAt }: { status: BookingStatus; endAt: number }, now: number): boolean {
  return status === "confirmed" && endAt <= now;
}

export const LEAD_STATUSES = ["new", "contacted", "quoted", "won", "lost"] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];
export const OPEN_LEADS: readonly LeadStatus[] = ["new", "contacted", "quoted"];

const STEP: Record<LeadStatus, number> = { new: 0, contacted: 1, quoted: 2, won: 3, lost: 3 };

/** A lead moves forward. It may skip steps, and ends as won or lost; an end can be undone, and who was lost may buy after all. */
export function leadMayBecome(from: LeadStatus, to: LeadStatus): boolean {
  return STEP[from] < STEP[to] || (hasEnded(from) && !hasEnded(to)) || (from === "lost" && to === "won");
}

function hasEnded(status: LeadStatus): boolean {
  return STEP[status] === STEP.won;
}

/** The states that a lead has reached. The end counts as both won and lost, so that a job that waits for either lapses. */
export function reachedBy(status: LeadStatus): LeadStatus[] {
  return LEAD_STATUSES.filter((other) => STEP[other] <= STEP[status]);
}

interface LeadEvent {
  status: LeadStatus;
  note: string | null;
}

/** The state before the last step, where an undo goes back to; null for a lead that has taken none. @param history its states, in order */
export function leadStateBefore(history: readonly LeadEvent[]): LeadStatus | null {
  const steps: LeadEvent[] = [{ status: "new", note: null }];
  for (const { status, note } of history) {
    // What a booking won is lost and won again with it: one step, which is taken back as one.
    const code = note?.startsWith(BOOKED_AS) ? note : null;
    const undone = steps.findIndex((step) => step.note !== null && note === noLonger(step.note));
    const again = steps.findLastIndex((step) => (code === null ? step.status === status : step.note === code));
    // A later booking takes the place of one that stands.
    const isInstead = code !== null && again < 0 && steps.at(-1)?.note !== null && steps.at(-1)?.status === "won";
    const at = undone > 0 ? undone - 1 : note === WITH_BOOKING || isInstead ? steps.length - 1 : again;
    if (at < 0) steps.push({ status, note: code });
    else steps.splice(at, steps.length, { status, note: code ?? steps[at]?.note ?? null });
  }
  return steps.at(-2)?.status ?? null;
}

/** The note of a lead that ended with its booking, so that both can be reopened together. */
export const WITH_BOOKING = "with its booking";

const BOOKED_AS = "booked as ";

/** The note of a lead that a booking won. */
export function bookedAs(confirmationCode: string): string {
  return BOOKED_AS + confirmationCode;
}

/** The note of a lead for which that was taken back. */
export function noLonger(booked: string): string {
  return `no longer ${booked}`;
}
