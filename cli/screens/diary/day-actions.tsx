/** The key of the days of the diary that blocks a day, hours or a bay, or opens them again. */
import { blockDate, blockHours, unblockDate, unblockHours } from "../../../src/catalog/edit/everyday.ts";
import { editCatalog } from "../../../src/catalog/edit/save.ts";
import { type BlockedHours, blockInWords, isWholeDay } from "../../../src/domain/bays.ts";
import { dayAndDate, timeOfDay } from "../../../src/domain/dates-in-words.ts";
import { planOf } from "../../../src/domain/schedule.ts";
import { counted } from "../../../src/lib/text.ts";
import type { DiaryEntry } from "../../../src/store/diary-days.ts";
import type { Booking } from "../../../src/store/store.ts";
import { conflictNotice } from "../../catalog/edits.ts";
import { blockedTime, touchedBy, whichBays } from "../../diary/blocks.ts";
import { clean } from "../../terminal/output.ts";
import { firstOf } from "../../terminal/wording.ts";
import { readDayPart } from "../../typed/blocks.ts";
import { startNow } from "../../typed/times.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, useAsk } from "../kit/dialogs.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { useAct, useShop } from "../kit/shop.ts";

/**
 * The key that blocks a day, hours or a bay, or opens what is blocked.
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
  const ask = useAsk();
  const edit = useDayEdit();
  if (!catalog || date < today) return { keys: [], dialog: ask.dialog };
  const block = selected ?? planOf(catalog, date).block ?? null;
  const bookings = entries.map(({ booking }) => booking);
  const whatOf = (one: BlockedHours) => (isWholeDay(one) ? "" : ` ${blockedTime(one)}, ${whichBays(one, catalog)}`);
  const unblock = async (one: BlockedHours) => {
    const day = dayAndDate(one.date, today);
    const yes = isWholeDay(one) ? "unblock the day" : "unblock";
    if (!(await ask.yes(`Take bookings again on ${day}${whatOf(one)}?`, yes))) return;
    edit(
      { text: (text) => closed(text, one, false), said: `${day}${whatOf(one)}: bookings as usual.` },
      { text: (text) => closed(text, one, true), said: `${day}${whatOf(one)} is closed again.` },
    );
  };
  const closeSome = async () => {
    const standing = touchedBy({ date }, bookings, catalog);
    const some = await ask.read((typed) => readDayPart(typed, date, catalog, () => startNow(clock, now())), {
      label: `Block ${dayAndDate(date, today)}: 1 to 3 PM, afternoon, bay 2 …; Enter for all day${standing.length === 0 ? "" : `. ${counted(standing.length, "booking")} ${staying(standing)}`}`,
      submit: "next",
    });
    if (!some) return;
    const touched = touchedBy(some, bookings, catalog);
    const day = dayAndDate(some.date, today);
    const what = isWholeDay(some) ? "no bookings" : blockInWords(some, catalog);
    const left = touched.length === 0 ? "" : `; ${staying(touched)}`;
    const reason = await ask.text({
      label: `${day}, ${what}${left}. A reason for customers, if you like`,
      submit: "block",
    });
    if (reason === undefined) return;
    const closing = { ...some, ...(reason && { reason }) };
    edit(
      { text: (text) => closed(text, closing, true), said: `${day}: ${what}.` },
      { text: (text) => closed(text, closing, false), said: `${day}${whatOf(some)}: bookings as usual.` },
    );
  };
  return {
    dialog: ask.dialog,
    keys: [
      key(
        "o",
        block === null ? "close" : isWholeDay(block) ? "open the day" : "open",
        () => (block === null ? closeSome() : unblock(block)),
        "Take no bookings on this day, in some of its hours or in a bay, or take them again. Bookings already made stay.",
      ),
    ],
  };
}

/** The catalog with a day, hours or a bay closed, or taking bookings again. */
function closed(text: string, block: BlockedHours, isClosed: boolean): string {
  if (isWholeDay(block)) return isClosed ? blockDate(text, block.date, block.reason) : unblockDate(text, block.date);
  return isClosed ? blockHours(text, block) : unblockHours(text, block);
}

/** How many bookings a question names. */
const MOST_NAMED = 3;

/** `stay: 9:00 AM Jordan Sample, 1:00 PM Sam Rivera`. */
function staying(bookings: readonly Booking[]): string {
  const named = bookings.map(({ time, lead }) => `${timeOfDay(time)} ${clean(lead.name)}`);
  return `${bookings.length === 1 ? "stays" : "stay"}: ${firstOf(named, MOST_NAMED).join(", ")}`;
}

interface TextChange {
  text: (text: string) => string;
  said: string;
}

function useDayEdit(): (change: TextChange, back: TextChange) => void {
  const act = useAct();
  const work =
    ({ text, said }: TextChange) =>
    async ({ catalogSource, store, now }: OpenShop) =>
      said + (await conflictNotice(store, await editCatalog(catalogSource, text), now()));
  return (change, back) =>
    void act(async (shop) => ({ said: await work(change)(shop), step: { undo: work(back), redo: work(change) } }));
}
