/** What the day and the week of the diary share: where they are, and blocking a day. */

import { type ReactNode, useState } from "react";
import { blockDate, unblockDate } from "../../../src/catalog/edit/everyday.ts";
import { editCatalog } from "../../../src/catalog/edit/save.ts";
import type { Catalog } from "../../../src/catalog/schema.ts";
import { hoursOf } from "../../../src/domain/schedule.ts";
import { dayAndDate } from "../../terminal/times.ts";
import { type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { useAct, useShop } from "../kit/shell/shop.ts";
import { Confirm, Prompt } from "../kit/widgets/dialogs.tsx";

export interface DiaryPlace {
  /** The shop's date that is looked at. */
  date: string;
  today: string;
  go: (date: string) => void;
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Whether bookings are taken: `09:00–18:00`, `closed`, `blocked: Stocktaking`. Nothing while there is no good catalog. */
export function dayInWords(catalog: Catalog | null, date: string): string {
  if (!catalog) return "";
  const blocked = catalog.scheduling.blocked_dates.find((entry) => entry.date === date);
  if (blocked) return `blocked${blocked.reason ? `: ${blocked.reason}` : ""}`;
  const special = catalog.business.special_hours.find((entry) => entry.date === date);
  const hours = hoursOf(catalog, date).map(({ opens, closes }) => `${opens}–${closes}`);
  const reason = special?.reason ? ` (${special.reason})` : "";
  return (hours.length === 0 ? "closed" : hours.join(", ")) + reason;
}

/** The key that blocks or unblocks a day, and its question. */
export function useBlocking(date: string, today: string): { keys: KeyBinding[]; dialog: ReactNode } {
  const { catalog, catalogFile } = useShop();
  const act = useAct();
  const [asked, setAsked] = useState<string | null>(null);
  const isBlocked = (day: string) => catalog?.scheduling.blocked_dates.some((entry) => entry.date === day);
  const edit = (day: string, change: (text: string) => string, says: string) => {
    setAsked(null);
    act(async () => {
      await editCatalog(catalogFile, change);
      return `${dayAndDate(day)}: ${says}.`;
    });
  };
  if (asked !== null) {
    const dialog = isBlocked(asked) ? (
      <Confirm
        question={`Take bookings again on ${dayAndDate(asked)}?`}
        yes="unblock the day"
        onYes={() => edit(asked, (text) => unblockDate(text, asked), "bookings as usual")}
        onNo={() => setAsked(null)}
      />
    ) : (
      <Prompt
        label={`No bookings on ${dayAndDate(asked)}; a reason, if you like`}
        submit="block the day"
        onSubmit={(reason) => edit(asked, (text) => blockDate(text, asked, reason || undefined), "no more bookings")}
        onCancel={() => setAsked(null)}
      />
    );
    return { keys: [], dialog };
  }
  if (!catalog || date < today) return { keys: [], dialog: null };
  return {
    keys: [
      key(
        "b",
        isBlocked(date) ? "unblock day" : "block day",
        () => setAsked(date),
        "Take no bookings on this day, or take them again. Bookings already made stay.",
      ),
    ],
    dialog: null,
  };
}
