/** Keys for the days of the diary: one blocks a day, hours or a bay, or opens them again; one goes to any date. */
import { useState } from "react";
import { blockDate, blockHours, unblockDate, unblockHours } from "../../../src/catalog/edit/everyday.ts";
import { editCatalog } from "../../../src/catalog/edit/save.ts";
import { type BlockedHours, blockInWords, isWholeDay } from "../../../src/domain/blocked-hours.ts";
import { dayAndDate, timeOfDay } from "../../../src/domain/dates-in-words.ts";
import { planOf } from "../../../src/domain/schedule.ts";
import { counted } from "../../../src/lib/text.ts";
import type { DiaryEntry } from "../../../src/store/diary-days.ts";
import type { Booking } from "../../../src/store/store.ts";
import { blockedTime, touchedBy, whichBays } from "../../diary/blocks.ts";
import { conflictNotice } from "../../diary/conflicts.ts";
import { clean } from "../../terminal/output.ts";
import { readDayPart } from "../../typed/blocks.ts";
import { readDate } from "../../typed/dates.ts";
import { startNow } from "../../typed/times.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, Confirm, Prompt, TypedPrompt, useActions } from "../kit/dialogs.tsx";
import { useAct, useShop } from "../kit/shop.ts";

type DayQuestion =
  /** The day, hours or bay that take work again. */
  | { about: "open"; block: BlockedHours }
  | { about: "hours"; day: string }
  /** The hours and bays that were typed; none for the whole day. */
  | { about: "reason"; block: BlockedHours };

/**
 * The key that blocks a day, hours or a bay, or opens what is blocked, with its questions.
 * @param entries what stands on the day, and perhaps on others
 * @param selected the hours or bays that the selection is on
 */
export function useBlocking(
  date: string,
  today: string,
  entries: readonly DiaryEntry[],
  selected: BlockedHours | null,
): Actions {
  const { catalog, clock, now } = useShop();
  const edit = useDayEdit();
  const blockedDay = (catalog && planOf(catalog, date).block) ?? null;
  const block = selected ?? blockedDay;
  const [question, ask] = useState<DayQuestion | null>(null);
  const close = () => ask(null);
  if (!catalog) return { keys: [], dialog: null };
  if (question === null)
    return {
      keys:
        date < today
          ? []
          : [
              key(
                "b",
                block === null ? "block" : isWholeDay(block) ? "unblock day" : "unblock",
                () => ask(block === null ? { about: "hours", day: date } : { about: "open", block }),
                "Take no bookings on this day, in some of its hours or in a bay, or take them again. Bookings already made stay.",
              ),
            ],
      dialog: null,
    };
  const stay = (block: BlockedHours) =>
    touchedBy(
      block,
      entries.map(({ booking }) => booking),
      catalog,
    );
  switch (question.about) {
    case "open": {
      const { block } = question;
      const what = isWholeDay(block) ? "" : ` ${blockedTime(block)}, ${whichBays(block, catalog)}`;
      return {
        keys: [],
        dialog: (
          <Confirm
            question={`Take bookings again on ${dayAndDate(block.date)}${what}?`}
            yes={isWholeDay(block) ? "unblock the day" : "unblock"}
            onYes={() =>
              edit(
                (text) => (isWholeDay(block) ? unblockDate(text, block.date) : unblockHours(text, block)),
                `${dayAndDate(block.date)}${what}: bookings as usual.`,
              )
            }
            close={close}
          />
        ),
      };
    }
    case "hours": {
      const { day } = question;
      const read = (typed: string) => readDayPart(typed, day, catalog, () => startNow(clock, now()));
      const standing = stay({ date: day });
      return {
        keys: [],
        dialog: (
          <TypedPrompt
            key="hours"
            label={`Block ${dayAndDate(day)}: 1 to 3 PM, afternoon, bay 2 …; Enter for all day${standing.length === 0 ? "" : `. ${standingInWords(standing)}`}`}
            submit="next"
            read={read}
            onRead={(block) => ask({ about: "reason", block })}
            close={() => {}}
            onCancel={close}
          />
        ),
      };
    }
    case "reason": {
      const { block } = question;
      const touched = stay(block);
      const what = isWholeDay(block) ? "no bookings" : blockInWords(block, catalog);
      const left = touched.length === 0 ? "" : `; ${touched.length === 1 ? "stays" : "stay"}: ${namesInWords(touched)}`;
      return {
        keys: [],
        dialog: (
          <Prompt
            key="reason"
            label={`${dayAndDate(block.date)}, ${what}${left}. A reason for customers, if you like`}
            submit="block"
            onSubmit={(typed) => {
              const reason = typed || undefined;
              edit(
                (text) =>
                  isWholeDay(block)
                    ? blockDate(text, block.date, reason)
                    : blockHours(text, { ...block, ...(reason && { reason }) }),
                `${dayAndDate(block.date)}: ${what}.`,
              );
            }}
            close={close}
          />
        ),
      };
    }
  }
}

/** `2 bookings stay: 9:00 AM Jordan Sample, 1:00 PM Sam Rivera`. */
function standingInWords(bookings: readonly Booking[]): string {
  return `${counted(bookings.length, "booking")} ${bookings.length === 1 ? "stays" : "stay"}: ${namesInWords(bookings)}`;
}

/** How many bookings a question names. */
const MOST_NAMED = 3;

function namesInWords(bookings: readonly Booking[]): string {
  const named = bookings.slice(0, MOST_NAMED).map(({ time, lead }) => `${timeOfDay(time)} ${clean(lead.name)}`);
  const more = bookings.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function useDayEdit(): (change: (text: string) => string, done: string) => void {
  const { catalogSource, store, now } = useShop();
  const act = useAct();
  return (change, done) =>
    act(async () => done + (await conflictNotice(store, await editCatalog(catalogSource, change), now())));
}

/** The key that goes to any date of the diary. */
export function useDatePrompt(today: string, go: (date: string) => void): Actions {
  return useActions(
    (ask) => [key("g", "go to", () => ask({}), "Go to a date: friday, 11/27, Nov 27, tomorrow.")],
    (_question, close) => (
      <TypedPrompt
        label="Which day, like friday or 11/27"
        submit="go there"
        read={(typed) => readDate(typed, () => today, "nearest")}
        onRead={go}
        close={close}
      />
    ),
  );
}
