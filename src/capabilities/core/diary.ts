/**
 * The diary of the days to come, in memory: read from the store day by day when asked for, and dropped with every write.
 * For information only: the store decides whether a booking fits, in the transaction that writes it.
 */
import type { Catalog } from "../../catalog/schema.ts";
import type { Occupancy } from "../../domain/bays.ts";
import { type Day, datesFrom, dayOf, shopDate, startOfDay } from "../../domain/schedule.ts";
import { firstStart, isOpen, type Slot, type Start, slotsOf, unchangedUntil } from "../../domain/slots.ts";
import type { Store } from "../../store/store.ts";
import { ifStoreAnswers } from "./if-store-answers.ts";

/** A date with its slots. */
export interface DiaryDay extends Day {
  slots: Slot[];
}

export interface Diary {
  /**
   * `count` dates in a row, with the starts of work of this length. Includes every write that was acknowledged before
   * the call, by this process or another. While nothing changes, the same list is given again.
   */
  days: (first: string, count: number, minutes: number, shop: Shop) => DiaryDay[] | Promise<DiaryDay[]>;
  /**
   * The first open slot up to the horizon, for samples. It may be a second old. While the database is away, the diary
   * counts as empty.
   */
  firstOpen: (minutes: number, shop: Shop) => Start | null | Promise<Start | null>;
  /**
   * Call this after this process writes a booking. Writes of other processes show in the store's version.
   * @param date of the booking; samples on other dates stay
   */
  forget: (date: string) => void;
}

interface Shop {
  catalog: Catalog;
  now: Temporal.Instant;
}

/** Bookings and slots, kept until the next change of bookings, catalog or date. */
interface Kept {
  version: number;
  catalog: Catalog;
  today: string;
  /** By date; only of dates that can be booked, so never more than the horizon has. */
  busy: Map<string, Occupancy[]>;
  /** By date and length of work. */
  days: Map<string, Timed<DiaryDay>>;
  /** Days in a row, by the first date, their number and the length of work. */
  spans: Map<string, Timed<DiaryDay[]>>;
}

/** A value that holds from one moment of the shop's clock up to, but not including, another. */
interface Timed<T> {
  value: T;
  from: number;
  until: number;
}

/** Days kept, of all lengths of work together. The most that one answer shows is 30. */
const MOST_DAYS = 500;
const MOST_SPANS = 100;
const SAMPLE_MS = 1000;
/** Days read at a time while looking for an open slot. */
const WEEK = 7;

export function createDiary(store: Pick<Store, "busyBetween" | "dataVersion">): Diary {
  let kept: Kept | undefined;
  let samples: { catalog: Catalog; starts: Map<number, Timed<Start | null>>; readAt: number } | undefined;

  function current(version: number, { catalog, now }: Shop): Kept {
    const today = shopDate(catalog, now);
    if (kept?.version !== version || kept.catalog !== catalog || kept.today !== today) {
      kept = { version, catalog, today, busy: new Map(), days: new Map(), spans: new Map() };
    }
    return kept;
  }

  function days(first: string, count: number, minutes: number, shop: Shop): DiaryDay[] | Promise<DiaryDay[]> {
    const version = store.dataVersion();
    return version instanceof Promise
      ? daysLater(version, first, count, minutes, shop)
      : daysAt(version, first, count, minutes, shop);
  }

  async function daysLater(version: Promise<number>, first: string, count: number, minutes: number, shop: Shop) {
    return daysAt(await version, first, count, minutes, shop);
  }

  function daysAt(version: number, first: string, count: number, minutes: number, shop: Shop) {
    const book = current(version, shop);
    const key = `${first} ${count} ${minutes}`;
    return valid(book.spans.get(key), shop.now.epochMilliseconds) ?? readDays(key, first, count, minutes, book, shop);
  }

  async function readDays(key: string, first: string, count: number, minutes: number, book: Kept, shop: Shop) {
    const found = await findDays(datesFrom(first, count), minutes, book, shop);
    const value = found.map((day) => day.value);
    if (book.spans.size >= MOST_SPANS) book.spans.clear();
    book.spans.set(key, {
      value,
      from: Math.max(...found.map(({ from }) => from)),
      until: Math.min(...found.map(({ until }) => until)),
    });
    return value;
  }

  async function findDays(dates: string[], minutes: number, book: Kept, shop: Shop): Promise<Timed<DiaryDay>[]> {
    const at = shop.now.epochMilliseconds;
    const known = dates.map((date) => {
      const day = book.days.get(`${date} ${minutes}`);
      return day && isValid(day, at) ? day : undefined;
    });
    if (known.every((day) => day !== undefined)) return known;
    const plans = dates.map((date) => dayOf(shop.catalog, date, shop.now));
    await read(
      plans.filter(({ status }) => status === "open").map(({ date }) => date),
      book,
    );
    return plans.map((day, i) => known[i] ?? open(day, minutes, book, shop));
  }

  /** Reads the bookings of the dates that are not in memory. */
  async function read(dates: readonly string[], { busy, catalog }: Kept): Promise<void> {
    const missing = dates.filter((date) => !busy.has(date));
    const [first] = missing;
    const last = missing.at(-1);
    if (first === undefined || last === undefined) return;
    // One day more, because work that starts on a date may end on the next one.
    const span = (from: string, to: string) => {
      const after = datesFrom(to, 3)[2] ?? to;
      return [startOfDay(catalog, from), startOfDay(catalog, after)] as const;
    };
    const found = await store.busyBetween(...span(first, last));
    for (const date of missing) {
      const [from, until] = span(date, date);
      busy.set(
        date,
        found.filter(({ startAt, busyUntil }) => startAt < until && busyUntil > from),
      );
    }
  }

  function open(day: Day, minutes: number, { busy, days: known }: Kept, { catalog, now }: Shop): Timed<DiaryDay> {
    const value = { ...day, slots: slotsOf(catalog, day, minutes, busy.get(day.date) ?? [], now) };
    if (known.size >= MOST_DAYS) known.clear();
    const made = { value, from: now.epochMilliseconds, until: unchangedUntil(catalog, value.slots, now) };
    known.set(`${day.date} ${minutes}`, made);
    return made;
  }

  function firstOpen(minutes: number, shop: Shop): Start | null | Promise<Start | null> {
    const { catalog, now } = shop;
    const at = now.epochMilliseconds;
    // The monotonic clock, because the shop's clock stands still in a test.
    if (samples?.catalog !== catalog || performance.now() - samples.readAt > SAMPLE_MS) {
      samples = { catalog, starts: new Map(), readAt: performance.now() };
    }
    const { starts } = samples;
    const known = starts.get(minutes);
    return known && isValid(known, at) ? known.value : readFirstOpen(minutes, shop, starts);
  }

  async function readFirstOpen(minutes: number, shop: Shop, starts: Map<number, Timed<Start | null>>) {
    const at = shop.now.epochMilliseconds;
    const read = await ifStoreAnswers(findOpen(minutes, shop));
    const found = read ? read.answer : { value: firstStart(shop.catalog, shop.now, minutes), until: Infinity };
    starts.set(minutes, {
      value: found?.value ?? null,
      from: at,
      until: Math.min(at + SAMPLE_MS, found?.until ?? Infinity),
    });
    return found?.value ?? null;
  }

  async function findOpen(minutes: number, shop: Shop): Promise<Timed<Start> | undefined> {
    const { catalog, now } = shop;
    const dates = datesFrom(shopDate(catalog, now), catalog.scheduling.horizon_days + 1);
    for (let i = 0; i < dates.length; i += WEEK) {
      const week = await days(dates[i] ?? "", Math.min(WEEK, dates.length - i), minutes, shop);
      const slot = week.flatMap(({ slots }) => slots).find(isOpen);
      if (slot) {
        const { date, time } = slot;
        return { value: { date, time }, from: now.epochMilliseconds, until: unchangedUntil(catalog, [slot], now) };
      }
    }
    return undefined;
  }

  return {
    days,
    firstOpen,
    forget(date) {
      kept = undefined;
      for (const [minutes, { value }] of samples?.starts ?? []) {
        if (value?.date === date) samples?.starts.delete(minutes);
      }
    },
  };
}

/** The diary of a shop without bookings, for quotes without a database. */
export function emptyDiary(): Diary {
  return createDiary({ busyBetween: async () => [], dataVersion: async () => 0 });
}

function isValid({ from, until }: Timed<unknown>, at: number): boolean {
  return from <= at && at < until;
}

function valid<T>(timed: Timed<T> | undefined, at: number): T | undefined {
  return timed && isValid(timed, at) ? timed.value : undefined;
}
