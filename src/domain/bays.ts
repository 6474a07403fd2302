import type { Occupancy } from "./schedule.ts";

/**
 * The bay of each booking, counted from 1, in the order given. By start time, each booking takes the lowest free bay,
 * so no more bays are used than bookings overlap. Bays are alike: this is a proposal for the day sheet, and the same
 * bookings always give the same bays.
 */
export function assignBays(bookings: readonly Occupancy[]): number[] {
  const freeFrom: number[] = [];
  const bays: number[] = bookings.map(() => 0);
  const byStart = bookings.map((booking, i) => ({ ...booking, i })).sort((a, b) => a.startAt - b.startAt || a.i - b.i);
  for (const { startAt, busyUntil, i } of byStart) {
    const free = freeFrom.findIndex((moment) => moment <= startAt);
    const bay = free === -1 ? freeFrom.length : free;
    freeFrom[bay] = busyUntil;
    bays[i] = bay + 1;
  }
  return bays;
}

/** The occupied times without those of one booking. Bays are alike, so any equal time may be left out. */
export function besides({ startAt, busyUntil }: Occupancy, busy: readonly Occupancy[]): Occupancy[] {
  const own = busy.findIndex((one) => one.startAt === startAt && one.busyUntil === busyUntil);
  return busy.filter((_, i) => i !== own);
}
