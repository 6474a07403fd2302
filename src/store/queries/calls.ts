/** Customers who must be called: nothing told them of a move or cancellation. Functions that write run inside the transaction of their caller. */
import { type Booking, bookingsById } from "./bookings.ts";
import { all, run, type Steps } from "./steps.ts";

/** A booking whose customer must be called. */
export interface CallToMake {
  booking: Booking;
  /** The start of which the customer knows. */
  knownAt: number;
  since: number;
}

/** One customer is on the list once, with the start that they know. */
export function* addCall(bookingId: string, knownAt: number, at: number): Steps<void> {
  yield* run(
    "INSERT INTO calls (booking_id, known_at, since) VALUES (?, ?, ?) ON CONFLICT (booking_id) DO NOTHING",
    bookingId,
    knownAt,
    at,
  );
}

/** @returns whether there was one */
export function* endCall(bookingId: string): Steps<boolean> {
  return (yield* run("DELETE FROM calls WHERE booking_id = ?", bookingId)) > 0;
}

/** The longest waiting first; of people who were erased there is nothing to call. */
export function* callsToMake(): Steps<CallToMake[]> {
  const rows = yield* all<{ id: string; knownAt: number; since: number }>(
    `SELECT booking_id AS id, known_at AS "knownAt", since FROM calls`,
  );
  const bookings = new Map((yield* bookingsById(rows.map(({ id }) => id))).map((one) => [one.id, one]));
  const inOrder = rows.toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
  return inOrder.flatMap(({ id, ...call }) => {
    const booking = bookings.get(id);
    // Who cancelled meanwhile needs to hear no more.
    return booking && booking.status !== "cancelled_by_customer" ? [{ ...call, booking }] : [];
  });
}
