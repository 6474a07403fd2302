/** Bays, and hours in which some take no work. All are alike, and a car gets one when it arrives. Source: contract 17, `tint block`. */
import type { Shop } from "../catalog/shop.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { timeOfDay } from "./dates-in-words.ts";
import { isCatalog, momentOf, planOf, type ShopClock, shopDate } from "./schedule.ts";

/** A bay is occupied from `startAt` up to, but not including, `busyUntil`: the end of the work plus the buffer. */
export interface Occupancy {
  startAt: number;
  busyUntil: number;
}

/** The most bays that are busy at once in [from, until): bays are alike, so new work fits when this is below their number. */
export function mostAtOnce(busy: readonly Occupancy[], from: number, until: number): number {
  const overlapping: Occupancy[] = [];
  // The count rises only where a booking begins, so only those moments are counted; many begin together.
  const moments = new Set<number>();
  for (const one of busy)
    if (one.startAt < until && one.busyUntil > from) {
      overlapping.push(one);
      moments.add(Math.max(from, one.startAt));
    }
  let most = 0;
  for (const moment of moments) {
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
 * @param most how many the shop has
 */
export function assignBays(
  bookings: readonly Occupancy[],
  taken: readonly TakenBay[] = [],
  closed: readonly ClosedBay[] = [],
  most = Number.POSITIVE_INFINITY,
): number[] {
  const lowest = assign(bookings, taken, closed, most, ([first]) => first);
  if (closed.length === 0) return lowest;
  const closing = assign(bookings, taken, closed, most, (open, startAt) => {
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
  most: number,
  choose: (open: readonly number[], startAt: number) => number | undefined,
): number[] {
  const freeFrom: number[] = [];
  for (const { bay, busyUntil } of taken)
    for (let i = 0; i < bay; i++) freeFrom[i] = Math.max(freeFrom[i] ?? 0, i === bay - 1 ? busyUntil : 0);
  const highest = Math.max(0, ...closed.map(({ bay }) => bay));
  const bays: number[] = bookings.map(() => 0);
  const byStart = bookings.map((booking, i) => ({ ...booking, i })).sort((a, b) => a.startAt - b.startAt || a.i - b.i);
  for (const { startAt, busyUntil, i } of byStart) {
    const all = Array.from({ length: Math.max(freeFrom.length, highest) + 1 }, (_, bay) => bay);
    const free = all.filter((bay) => (freeFrom[bay] ?? 0) <= startAt);
    const open = free.filter((bay) => closesAt(closed, bay, startAt) >= busyUntil);
    // Work that was booked before its bay was closed stays there, where the shop has no other.
    const own = [open, free].map((some) => some.filter((bay) => bay < most)).find((some) => some.length > 0);
    const bay = choose(own ?? open, startAt) ?? 0;
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

export type BlockedHours = Shop["scheduling"]["blocked_hours"][number];

/** An entry of the blocked hours, in moments of the shop's clock. */
interface Block {
  entry: BlockedHours;
  from: number;
  to: number;
  /** One for each closed bay. */
  occupied: Occupancy[];
}

function toBlock(entry: BlockedHours, catalog: Shop): Block {
  const from = momentOf(catalog, entry.date, entry.from ?? "00:00");
  const to = momentOf(catalog, entry.date, entry.to ?? "24:00");
  // Work may end when the block begins. Only the buffer behind the work reaches into the block.
  const startAt = Math.min(from + catalog.scheduling.buffer_minutes * MINUTE_MS, to - 1);
  return { entry, from, to, occupied: Array(baysOf(entry, catalog)).fill({ startAt, busyUntil: to }) };
}

/** The blocks that lie in part between two moments, in the order of the catalog. */
function blocksIn(catalog: Shop, from: number, until: number): Block[] {
  const [first, last] = [shopDate(catalog, from), shopDate(catalog, until)];
  const blocks = [];
  for (const entry of catalog.scheduling.blocked_hours) {
    if (entry.date < first || entry.date > last) continue;
    const block = toBlock(entry, catalog);
    if (block.from < until && from < block.to) blocks.push(block);
  }
  return blocks;
}

/** How many bays are closed; none where the shop no longer has the one that was meant. */
function baysOf({ bay, bays }: BlockedHours, { scheduling }: Shop): number {
  if (bay !== undefined) return bay <= scheduling.bays ? 1 : 0;
  return Math.min(bays ?? scheduling.bays, scheduling.bays);
}

/** The bays that are closed by their number, and when; none where the catalog is not known. */
export function baysClosedByNumber(clock: ShopClock): ClosedBay[] {
  if (!isCatalog(clock)) return [];
  return clock.scheduling.blocked_hours.flatMap((entry) => {
    const { bay } = entry;
    return bay === undefined ? [] : toBlock(entry, clock).occupied.map((stretch) => ({ ...stretch, bay }));
  });
}

/** What is blocked on a date by time: the whole day, and then hours and bays. */
export function blocksOn(catalog: Shop, date: string): BlockedHours[] {
  const { block } = planOf(catalog, date);
  const hours = catalog.scheduling.blocked_hours.filter((entry) => entry.date === date);
  return [...(block ? [block] : []), ...hours.toSorted((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1))];
}

/** The bays that are closed to work in [startAt, busyUntil), of which the end is its buffer, as if work were in them. */
export function closedIn(catalog: Shop, startAt: number, busyUntil: number): Occupancy[] {
  const { blocked_hours: entries, buffer_minutes: buffer } = catalog.scheduling;
  return entries.length === 0 ? [] : stretchesOf(blocksIn(catalog, startAt, busyUntil - buffer * MINUTE_MS));
}

/** The stretches of all blocks. A bay that two of them close by its number is one bay, where they overlap too. */
function stretchesOf(blocks: readonly Block[]): Occupancy[] {
  const all = blocks.flatMap(({ entry: { bay }, occupied }) => occupied.map((stretch) => ({ bay, ...stretch })));
  const closedUntil = new Map<number, number>();
  return all
    .sort((a, b) => a.startAt - b.startAt)
    .flatMap(({ bay, startAt, busyUntil }) => {
      if (bay === undefined) return [{ startAt, busyUntil }];
      const from = Math.max(startAt, closedUntil.get(bay) ?? startAt);
      if (from >= busyUntil) return [];
      closedUntil.set(bay, busyUntil);
      return [{ startAt: from, busyUntil }];
    });
}

/** Hours in which the shop is open. */
export interface Stretch {
  from: number;
  until: number;
}

/** The minutes of all bays in these hours: with work in them, and open. A bay with work in it is open, blocked or not. */
export function bayUse(catalog: Shop, openings: readonly Stretch[], busy: readonly Occupancy[]) {
  let [used, open] = [0, 0];
  for (const { from, until } of openings) {
    const blocks = blocksIn(catalog, from, until);
    const jobs = busy.filter(({ startAt, busyUntil }) => startAt < until && from < busyUntil);
    const stretches = [...blocks, ...jobs.map(({ startAt, busyUntil }) => ({ from: startAt, to: busyUntil }))];
    const edges = stretches.flatMap(({ from, to }) => [from, to]).filter((edge) => from < edge && edge < until);
    let at = from;
    for (const end of [...edges, until].sort((a, b) => a - b)) {
      const working = jobs.filter(({ startAt, busyUntil }) => startAt <= at && at < busyUntil).length;
      used += (end - at) * working;
      open += (end - at) * Math.max(working, openBaysAt(catalog, at, blocks));
      at = end;
    }
  }
  return { usedMinutes: used / MINUTE_MS, openMinutes: open / MINUTE_MS };
}

/** A bay that two blocks close by its number is one bay. */
function openBaysAt(catalog: Shop, moment: number, blocks: readonly Block[]): number {
  const closing = blocks.filter(({ from, to }) => from <= moment && moment < to);
  const numbered = new Set(
    closing.filter(({ occupied }) => occupied.length > 0).flatMap(({ entry }) => entry.bay ?? []),
  );
  const others = closing.reduce((sum, { entry }) => sum + (entry.bay === undefined ? baysOf(entry, catalog) : 0), 0);
  return Math.max(0, catalog.scheduling.bays - numbered.size - others);
}

/** Although one would be free without the blocked hours, as the end of a sentence; null when none is in the way. */
export function blockInTheWay(
  catalog: Shop,
  { startAt, busyUntil }: Occupancy,
  busy: readonly Occupancy[],
): string | null {
  const { bays, buffer_minutes: buffer } = catalog.scheduling;
  const blocks = blocksIn(catalog, startAt, busyUntil - buffer * MINUTE_MS);
  const most = (closed: readonly Occupancy[]) => mostAtOnce([...busy, ...closed], startAt, busyUntil);
  const isInTheWay = most([]) < bays && most(stretchesOf(blocks)) >= bays;
  return isInTheWay ? blocks.map(({ entry }) => blockInWords(entry, catalog)).join(", and ") : null;
}

/** `1 bay is closed from 12:00 PM to 2:00 PM (Sam is ill)`. */
export function blockInWords(entry: BlockedHours, catalog: Shop): string {
  const bays = baysOf(entry, catalog);
  const { bays: all } = catalog.scheduling;
  const some = entry.bay === undefined ? `${bays} of ${all} bays` : `bay ${entry.bay}`;
  const which = bays >= all ? "no work is taken" : `${some} ${bays > 1 ? "are" : "is"} closed`;
  return `${which} ${stretchInWords(entry)}${entry.reason === undefined ? "" : ` (${entry.reason})`}`;
}

export function isWholeDay({ from, to, bay, bays }: BlockedHours): boolean {
  return [from, to, bay, bays].every((one) => one === undefined);
}

/** `from 12:00 PM to 2:00 PM`, `until 2:00 PM` or `all day`. */
function stretchInWords({ from, to }: Pick<BlockedHours, "from" | "to">): string {
  if (from === undefined) return to === undefined ? "all day" : `until ${timeOfDay(to)}`;
  return `from ${timeOfDay(from)}${to === undefined ? "" : ` to ${timeOfDay(to)}`}`;
}
