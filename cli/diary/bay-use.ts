/** Whether work at any time finds a bay, and who stands in the bays. For the owner, who books off the grid of starts too. */
import type { Shop } from "../../src/catalog/shop.ts";
import { closedIn, mostAtOnce, type Occupancy } from "../../src/domain/bays.ts";
import { timeOfDay } from "../../src/domain/dates-in-words.ts";
import { stayOf } from "../../src/domain/lifecycle.ts";
import { momentOf, planOf } from "../../src/domain/schedule.ts";
import type { Slot } from "../../src/domain/slots.ts";
import type { DiaryEntry } from "../../src/store/diary-days.ts";
import { clean } from "../terminal/output.ts";
import { timeInWords } from "../terminal/wording.ts";

export interface BayUse {
  isFree: boolean;
  /** `10:30 AM, free until 1:00 PM`, or `busy: bay 1 Ray till 11:15 AM, bay 2 Ann from 12:00 PM`. */
  text: string;
}

/** @param entries all that stands on the day of the work and the day after */
export function bayUseAt(catalog: Shop, slot: Slot, entries: readonly DiaryEntry[]): BayUse {
  const { startAt, busyUntil } = slot;
  const busy = entries.filter(({ bay }) => bay !== null).map(({ booking }) => stayOf(booking));
  if (mostAtOnce(busy, startAt, busyUntil) < catalog.scheduling.bays) {
    const end = momentOf(catalog, slot.date, "24:00");
    const until = freeUntil(catalog, slot, [...busy, ...closedIn(catalog, startAt, end)]);
    return {
      isFree: true,
      text: `${timeOfDay(slot.time)}, free${until === null ? "" : ` until ${timeInWords(catalog, until)}`}`,
    };
  }
  return { isFree: false, text: `busy: ${jobsInTheWay(catalog, slot, entries).join(", ")}` };
}

/** Who stands in which bay meanwhile: `bay 1 Ray till 11:15 AM`. @param entries all that stands on the days of the work */
export function jobsInTheWay(
  catalog: Shop,
  { startAt, busyUntil }: Occupancy,
  entries: readonly DiaryEntry[],
): string[] {
  return entries
    .map(({ bay, booking }) => ({ bay, name: booking.lead.name, ...stayOf(booking) }))
    .filter((one) => one.bay !== null && one.startAt < busyUntil && one.busyUntil > startAt)
    .sort((a, b) => (a.bay ?? 0) - (b.bay ?? 0) || a.startAt - b.startAt)
    .map((one) => `bay ${one.bay} ${clean(one.name)} ${boundary(one, startAt, catalog)}`);
}

/** When a bay that is taken at the start comes free, or when one that is free then is needed. */
function boundary({ startAt, busyUntil }: Occupancy, start: number, catalog: Shop): string {
  return startAt <= start ? `till ${timeInWords(catalog, busyUntil)}` : `from ${timeInWords(catalog, startAt)}`;
}

/** When the last free bay is needed, or the shop closes; null outside opening hours with nothing to come. */
function freeUntil(catalog: Shop, { date, time, startAt }: Slot, busy: readonly Occupancy[]): number | null {
  const { bays } = catalog.scheduling;
  const needed = busy
    .map((one) => one.startAt)
    .filter((at) => at > startAt && mostAtOnce(busy, startAt, at + 1) >= bays);
  const open = planOf(catalog, date).hours.find(({ opens, closes }) => opens <= time && time < closes);
  const ends = [...needed, ...(open ? [momentOf(catalog, date, open.closes)] : [])];
  return ends.length === 0 ? null : Math.min(...ends);
}
