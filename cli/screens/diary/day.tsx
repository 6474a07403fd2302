import { isCancelled } from "../../../src/domain/lifecycle.ts";
import { readDiary } from "../../diary/entries.ts";
import { dayAndDate } from "../../terminal/times.ts";
import { key, pair } from "../kit/input/keyboard.tsx";
import { useNav } from "../kit/shell/navigation.ts";
import { useLive, useShop } from "../kit/shell/shop.ts";
import { Frame } from "../kit/widgets/frame.tsx";
import { Table, useSelection } from "../kit/widgets/list.tsx";
import { useBookingActions } from "./booking-actions.tsx";
import { dayCells, dayColumns } from "./booking-table.ts";
import { addDays, type DiaryPlace, dayInWords, useBlocking } from "./day-status.tsx";

export function DayView({ date, today, go, openWeek }: DiaryPlace & { openWeek: () => void }) {
  const { catalog, clock } = useShop();
  const { open } = useNav();
  const entries = useLive(({ store }) => readDiary(store, date, date), date);
  const selection = useSelection(entries?.length ?? 0);
  const booking = entries?.[selection.index]?.booking ?? null;
  const actions = useBookingActions(booking);
  const blocking = useBlocking(date, today);
  const turn = (to: string) => {
    go(to);
    selection.select(0);
  };
  const working = (entries ?? []).filter((entry) => !isCancelled(entry.booking.status)).length;
  return (
    <Frame
      title={`Diary: ${dayAndDate(date)}${date === today ? ", today" : ""}`}
      status={[dayInWords(catalog, date), `${working} ${working === 1 ? "booking" : "bookings"}`]
        .filter((part) => part !== "")
        .join(" · ")}
      about="The bookings of a day by time and bay. Bays are a proposal: cars may go to any that is free."
      keys={[
        pair(["left"], ["right"], { label: "← →", does: "day", help: "Go to the day before or after." }, (by) =>
          turn(addDays(date, by)),
        ),
        ...selection.keys,
        ...(booking
          ? [key("enter", "open", () => open("booking", booking.confirmationCode), "Open the booking.")]
          : []),
        ...actions.keys,
        ...blocking.keys,
        key("w", "week", openWeek, "Show the week."),
        ...(date === today ? [] : [key("t", "today", () => turn(today), "Go back to today.")]),
      ]}
      dialog={actions.dialog ?? blocking.dialog}
    >
      {({ columns, rows }) => (
        <Table
          columns={dayColumns(columns)}
          rows={(entries ?? []).map((entry) => ({
            key: entry.booking.id,
            cells: dayCells(entry, clock),
            dim: entry.booking.status !== "confirmed",
          }))}
          selected={selection.index}
          width={columns}
          height={rows}
          empty={entries === null ? "One moment…" : "Nothing is booked on this day."}
        />
      )}
    </Frame>
  );
}
