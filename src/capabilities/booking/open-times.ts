/** The answer about open times: days with every slot, one day alone, or in the compact form of contract 15. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { isOpen, type Slot, type WorkLength, whyNoStart, whyNoTime } from "../../domain/slots.ts";
import { sentence } from "../../lib/text.ts";
import type { Suggestion } from "../core/capability.ts";
import type { DiaryDay } from "../core/diary.ts";
import { fillPath, OPERATIONS, urlOf } from "../core/operations.ts";
import {
  bookUrlField,
  calendarDate,
  clockTime,
  dayStatus,
  durationSaid,
  serviceRef,
  slot,
  timestamp,
  timezone,
  toSlot,
  weekday,
} from "../core/shapes.ts";

const reason = () =>
  z.string().optional().meta({ description: "Why the day is not open, or what is special about it." });
const common = () => ({
  timezone: timezone(),
  generated_at: timestamp(),
  service: serviceRef(),
  book_url: bookUrlField(),
});
const day = () =>
  z
    .object({
      date: calendarDate(),
      weekday: weekday(),
      status: dayStatus(),
      reason: reason(),
      available_count: z.int().describe("Slots that can be booked."),
      slots: z.array(slot()).describe("Every time of the grid on this day."),
    })
    .meta({ title: "AvailabilityDay", description: "A day with its times." });

const compactDay = () =>
  z
    .object({
      date: calendarDate(),
      weekday: weekday(),
      status: dayStatus(),
      open: z.array(clockTime()).meta({ description: "Start times that can be booked." }),
      over_night: z.array(clockTime()).optional().meta({
        description: "Of these, the starts whose work continues on another day: the vehicle stays over night.",
      }),
      reason: reason(),
    })
    .meta({ title: "CompactDay", description: "A day with its open times." });
type CompactDay = z.output<ReturnType<typeof compactDay>>;

export const availability = () =>
  z.union([
    z.object({ ...common(), ...day().omit({ available_count: true }).shape }).describe("One day, where date is given."),
    z
      .object({
        ...common(),
        from: calendarDate().describe("First day of the answer."),
        to: calendarDate().describe("Last day of the answer."),
        days: z.array(day()).describe("One entry for each day."),
      })
      .describe("Several days."),
    z
      .object({
        today: calendarDate().describe("Today at the shop."),
        timezone: timezone(),
        duration_minutes: z.int().meta({ description: "Length of the work for which these times are open." }),
        duration: durationSaid(),
        book_url: bookUrlField(),
        days: z.array(compactDay()).describe("One entry for each day."),
      })
      .describe("With view compact."),
  ]);

type Data = z.output<ReturnType<typeof availability>>;
/** The fields of an answer of open times that are beside its days. */
type Head = Pick<Extract<Data, { service: unknown }>, "timezone" | "generated_at" | "service" | "book_url">;
type CompactHead = Omit<Extract<Data, { duration_minutes: unknown }>, "days">;

interface OfferedDay extends DiaryDay {
  /** The slots of the day that can be booked. */
  open: readonly Slot[];
}

const OTHERS = "Only other times of this day are open.";

/** The day with the times from `after` up to `before`, and with the reason where none of them is open. */
export function offeredDays(
  day: DiaryDay,
  { after, before }: { after?: string | undefined; before?: string | undefined },
  work: WorkLength,
  catalog: Shop,
): OfferedDay {
  const slots = day.slots.filter(
    ({ time }) => (after === undefined || time >= after) && (before === undefined || time < before),
  );
  const open = slots.filter(isOpen);
  if (open.length > 0) return { ...day, slots, open };
  const isElsewhere = day.slots.some(isOpen);
  const isBetween = slots.length === 0 && after !== undefined && day.slots.some(({ time }) => time > after);
  const between = isBetween ? ` ${whyNoStart(day.date, after, work, catalog)}.` : "";
  const why = isElsewhere ? `${OTHERS}${between}` : whyNoTime(day, work.minutes, day.slots, catalog);
  const reason = why ? [day.reason && sentence(day.reason), why].filter(Boolean).join(" ") : day.reason;
  return { ...day, reason, slots, open };
}

export function toDays(head: Head, days: readonly [OfferedDay, ...OfferedDay[]], catalog: Shop): Data {
  const last = days.at(-1) ?? days[0];
  const listed = days.map((day) => {
    const { slots, ...about } = toDay(day, catalog);
    return { ...about, available_count: day.open.length, slots };
  });
  return { ...head, from: days[0].date, to: last.date, days: listed };
}

export function toOneDay(head: Head, day: OfferedDay, catalog: Shop): Data {
  return { ...head, ...toDay(day, catalog) };
}

function toDay({ date, weekday, status, reason, slots }: OfferedDay, catalog: Shop) {
  return {
    ...{ date, weekday, status, ...(reason !== null && { reason }) },
    slots: slots.map((one) => toSlot(catalog, one)),
  };
}

export function toCompactDay({ date, weekday, status, reason, open }: Omit<OfferedDay, "slots">): CompactDay {
  const paused = open.filter(({ parts }) => parts !== undefined);
  return {
    date,
    weekday,
    status,
    open: open.map(({ time }) => time),
    ...(paused.length > 0 && { over_night: paused.map(({ time }) => time) }),
    ...(reason !== null && { reason }),
  };
}

/** The most bytes that a whole compact answer may have (contract 15). */
const MOST_BYTES = 3.5 * 1024;
/** Bytes that the envelope and the next step take of an answer whose last days are left out, beside its fields and address. */
const REST_BYTES = 420;
const ENVELOPE = '{"success":true,"data":,"days":[],"next_actions":[]}';

/** The open times of as many days as fit beside the warnings, and a step for the others. @param work fields of the next query */
export function toCompact(
  head: CompactHead,
  found: readonly OfferedDay[],
  work: object,
  warnings: readonly object[],
  catalog: Shop,
): { data: Data; suggestions: Suggestion[] } {
  const room = MOST_BYTES - jsonBytes(head) - (warnings.length > 0 ? jsonBytes({ warnings }) : 0);
  const next = fillPath(OPERATIONS.check_availability, { ...work, view: "compact" });
  const step = REST_BYTES + jsonBytes(next.rest) + jsonBytes(urlOf(next, catalog));
  const days: CompactDay[] = [];
  let bytes = 0;
  let count = 0;
  for (const one of found) {
    const day = toCompactDay(one);
    days.push(day);
    // With a comma behind each day, also the last.
    bytes += jsonBytes(day) + 1;
    if (bytes <= room - step) count = days.length;
    if (bytes > room - ENVELOPE.length + 1) break;
  }
  if (bytes <= room - ENVELOPE.length + 1) return { data: { ...head, days }, suggestions: [] };
  const left = found.length - count;
  return {
    data: { ...head, days: days.slice(0, count) },
    suggestions: [
      {
        action: "check_availability",
        description: `This answer holds ${count} of ${found.length} days: ask for the other ${left} where they matter.`,
        input: { ...work, from: found[count]?.date, days: left, view: "compact" },
      },
    ],
  };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
