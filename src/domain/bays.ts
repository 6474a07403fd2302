import type { Occupancy } from "./schedule.ts";

/**
 * The bay of each job, counted from 1, in the order of the jobs given. By order of start every job takes the lowest bay
 * that is free, which never needs more bays than there are jobs at once. Bays are alike, so this is a proposal for the
 * day sheet; it stays the same as long as the jobs do.
 */
export function assignBays(jobs: readonly Occupancy[]): number[] {
  const freeFrom: number[] = [];
  const bays: number[] = jobs.map(() => 0);
  const byStart = jobs.map((job, i) => ({ job, i })).sort((a, b) => a.job.startAt - b.job.startAt || a.i - b.i);
  for (const { job, i } of byStart) {
    const free = freeFrom.findIndex((moment) => moment <= job.startAt);
    const bay = free === -1 ? freeFrom.length : free;
    freeFrom[bay] = job.busyUntil;
    bays[i] = bay + 1;
  }
  return bays;
}
