/** Bays. All bays are alike, and a car gets one when it arrives. */

/** A bay is occupied from `startAt` up to, but not including, `busyUntil`: the end of the work plus the buffer. */
export interface Occupancy {
  startAt: number;
  busyUntil: number;
}

/**
 * The highest number of busy bays at any moment of [from, until). Bays are alike and a car gets a bay on arrival, so
 * new work fits exactly when this number is below the number of bays.
 */
export function mostAtOnce(busy: readonly Occupancy[], from: number, until: number): number {
  const overlapping: Occupancy[] = [];
  for (const one of busy) if (one.startAt < until && one.busyUntil > from) overlapping.push(one);
  let most = 0;
  // The count rises only where a booking begins, so only those moments are counted.
  for (const { startAt } of overlapping) {
    const moment = Math.max(from, startAt);
    let count = 0;
    for (const one of overlapping) if (one.startAt <= moment && moment < one.busyUntil) count += 1;
    most = Math.max(most, count);
  }
  return most;
}

/** A bay, counted from 1, that earlier work keeps. */
export interface TakenBay {
  bay: number;
  busyUntil: number;
}

/** A bay, counted from 1, that takes no work for a while. */
export interface ClosedBay extends Occupancy {
  bay: number;
}

/**
 * The bay of each booking, counted from 1, in the order given. By start time, each booking takes the lowest free bay that stays
 * open for it, so no more bays are used than bookings overlap, and neither a later booking nor a bay that is closed at another
 * time moves a car. Only where that takes more bays, each takes the one that closes soonest, which leaves the others free.
 * Bays are alike: this is a proposal for the day sheet, and the same bookings always give the same bays.
 *
 * @param taken bays that earlier work is still in
 */
export function assignBays(
  bookings: readonly Occupancy[],
  taken: readonly TakenBay[] = [],
  closed: readonly ClosedBay[] = [],
): number[] {
  const lowest = assign(bookings, taken, closed, ([first]) => first);
  if (closed.length === 0) return lowest;
  const closing = assign(bookings, taken, closed, (open, startAt) => {
    const closes = open.map((bay) => closesAt(closed, bay, startAt));
    return open[closes.indexOf(Math.min(...closes))];
  });
  return Math.max(0, ...closing) < Math.max(0, ...lowest) ? closing : lowest;
}

/** @param choose one of the bays, counted from 0, that are free at a moment and stay open for the booking */
function assign(
  bookings: readonly Occupancy[],
  taken: readonly TakenBay[],
  closed: readonly ClosedBay[],
  choose: (open: readonly number[], startAt: number) => number | undefined,
): number[] {
  const freeFrom: number[] = [];
  for (const { bay, busyUntil } of taken)
    for (let i = 0; i < bay; i++) freeFrom[i] = Math.max(freeFrom[i] ?? 0, i === bay - 1 ? busyUntil : 0);
  const highest = Math.max(0, ...closed.map(({ bay }) => bay));
  const bays: number[] = bookings.map(() => 0);
  const byStart = bookings.map((booking, i) => ({ ...booking, i })).sort((a, b) => a.startAt - b.startAt || a.i - b.i);
  for (const { startAt, busyUntil, i } of byStart) {
    const open = Array.from({ length: Math.max(freeFrom.length, highest) + 1 }, (_, bay) => bay).filter(
      (bay) => (freeFrom[bay] ?? 0) <= startAt && closesAt(closed, bay, startAt) >= busyUntil,
    );
    const bay = choose(open, startAt) ?? 0;
    freeFrom[bay] = busyUntil;
    bays[i] = bay + 1;
  }
  return bays;
}

/** When a bay, counted from 0, is next closed: at once where it is closed at that moment. */
function closesAt(closed: readonly ClosedBay[], bay: number, moment: number): number {
  const next = closed.filter((one) => one.bay === bay + 1 && one.busyUntil > moment);
  return Math.min(Number.POSITIVE_INFINITY, ...next.map(({ startAt }) => startAt));
}

/** The occupied times without those of one booking. Bays are alike, so any equal time may be left out. */
export function without({ startAt, busyUntil }: Occupancy, busy: readonly Occupancy[]): Occupancy[] {
  const own = busy.findIndex((one) => one.startAt === startAt && one.busyUntil === busyUntil);
  return busy.filter((_, i) => i !== own);
}
