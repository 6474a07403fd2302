/** The diary of the days to come. For information only: the store decides whether a booking fits, in its transaction. */
import type { Shop } from "../../catalog/shop.ts";
import { type Occupancy, without } from "../../domain/bays.ts";
import { addDays, type Day, datesFrom, dayOf, shopDate } from "../../domain/schedule.ts";
import {
  firstStart,
  fittingStarts,
  isOpen,
  type Slot,
  type Start,
  slotsOf,
  spanOf,
  type WorkLength,
} from "../../domain/slots.ts";
import { TimedOut, withTimeout } from "../../lib/durations.ts";
import type { Store } from "../../store/store.ts";
import { StoreUnavailable } from "../../store/store-errors.ts";

export interface DiaryDay extends Day {
  slots: Slot[];
}

export interface Diary {
  /** `count` dates, with the starts of work of this length, from one read. `own`, the time that the work has so far, counts as free. */
  days: (from: string, count: number, work: WorkLength, moment: Moment, own?: Occupancy) => Promise<DiaryDay[]>;
  /** The first open slot up to the horizon, for samples: up to a second old, and of an empty diary while the database is away. */
  firstOpen: (work: WorkLength, moment: Moment) => Promise<Start | null>;
  /** Call this after a booking is written or changed: the next sample shows a time that is still open. */
  forget: () => void;
}

interface Moment {
  catalog: Shop;
  now: Temporal.Instant;
}

/** How long a start for samples is shown. Source: docs/decisions/0021-the-one-cache.md. */
const SAMPLE_MS = 1000;
/** Days read at a time while looking for an open slot. */
const WEEK = 7;

export function createDiary(store: Pick<Store, "busyBetween">): Diary {
  const days: Diary["days"] = async (from, count, work, { catalog, now }, own) => {
    const plans = datesFrom(from, count).map((date) => {
      const day = dayOf(catalog, date, now);
      const starts = fittingStarts(catalog, day, work);
      return { day, starts, span: day.status === "open" ? spanOf(starts, catalog) : null };
    });
    const first = plans.find(({ span }) => span)?.span;
    const last = plans.findLast(({ span }) => span)?.span;
    const all = first && last ? await store.busyBetween(first.startAt, last.busyUntil, now.epochMilliseconds) : [];
    const byStart = (own ? without(own, all) : all).toSorted((a, b) => a.startAt - b.startAt);
    let next = 0;
    let begun: Occupancy[] = [];
    return plans.map(({ day, starts, span }) => {
      const { date, weekday, status, reason } = day;
      // Days come in order, so each booking is compared only with the days that it can overlap.
      if (span) {
        for (let one = byStart[next]; one && one.startAt < span.busyUntil; one = byStart[++next]) begun.push(one);
        begun = begun.filter(({ busyUntil }) => busyUntil > span.startAt);
      }
      return { date, weekday, status, reason, slots: slotsOf(catalog, day, work, span ? begun : [], now, starts) };
    });
  };

  async function findOpen(work: WorkLength, moment: Moment): Promise<Start | null> {
    const { catalog, now } = moment;
    const today = shopDate(catalog, now);
    const count = catalog.scheduling.horizon_days + 1;
    for (let i = 0; i < count; i += WEEK) {
      for (const { slots } of await days(addDays(today, i), Math.min(WEEK, count - i), work, moment)) {
        const slot = slots.find(isOpen);
        if (slot) return { date: slot.date, time: slot.time };
      }
    }
    return null;
  }

  let samples: { catalog: Shop; at: number; readAt: number; starts: Map<string, Promise<Start | null>> } | undefined;
  return {
    days,
    firstOpen(work, moment) {
      const { catalog, now } = moment;
      // The shop's clock is compared as well, because tests move it.
      const second = Math.floor(now.epochMilliseconds / SAMPLE_MS);
      const isFresh = samples && performance.now() - samples.readAt < SAMPLE_MS;
      if (!samples || !isFresh || samples.catalog !== catalog || samples.at !== second)
        samples = { catalog, at: second, readAt: performance.now(), starts: new Map() };
      const { starts } = samples;
      const key = `${work.minutes} ${work.overNight === true}`;
      const known = starts.get(key);
      if (known) return known;
      const start = ifStoreAnswers(findOpen(work, moment)).then((read) =>
        read ? read.answer : firstStart(catalog, now, work),
      );
      starts.set(key, start);
      // A failed search is not cached.
      start.catch(() => starts.delete(key));
      return start;
    },
    forget() {
      samples = undefined;
    },
  };
}

/** The diary of a shop without bookings, for quotes without a database. */
export function emptyDiary(): Diary {
  return createDiary({ busyBetween: async () => [] });
}

/** Prices and documents go on while the database is away, so they wait no longer than this. */
const PATIENCE_MS = 250;

/** An answer of the store, for work that goes on without it. @returns null while the store is away */
export async function ifStoreAnswers<Answer>(answer: Promise<Answer>): Promise<{ answer: Answer } | null> {
  try {
    return { answer: await withTimeout(answer, PATIENCE_MS) };
  } catch (error) {
    if (error instanceof TimedOut || error instanceof StoreUnavailable) return null;
    throw error;
  }
}
