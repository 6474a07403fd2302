/** The bookings of one day, and everything that is done with them. */
import { isCancelled } from "../../../src/domain/lifecycle.ts";
import { addDays } from "../../../src/domain/schedule.ts";
import { dayAndDate } from "../../../src/domain/spoken-dates.ts";
import { counted } from "../../../src/lib/text.ts";
import { readDiary } from "../../diary/entries.ts";
import { key, pair } from "../kit/input/bindings.ts";
import { useNav } from "../kit/shell/navigation.ts";
import { useLive, useShop } from "../kit/shell/shop.ts";
import { ONE_MOMENT } from "../kit/text/words.ts";
import { Frame } from "../kit/widgets/frame.tsx";
import { useSelection } from "../kit/widgets/list.tsx";
import { useBlocking } from "./blocking.tsx";
import { useBookingActions } from "./booking-actions.tsx";
import { BookingTable } from "./booking-table.tsx";
import { useDatePrompt } from "./date-prompt.tsx";
import { type DiaryPlace, hoursInWords } from "./days.ts";

export function DayView({ date, today, go, openWeek }: DiaryPlace & { openWeek: () => void }) {
  const { catalog } = useShop();
  const { open } = useNav();
  const entries = useLive(({ store }) => readDiary(store, date, date), date);
  const selection = useSelection(
    entries?.length ?? 0,
    entries?.map(({ booking }) => booking.id),
  );
  const booking = entries?.[selection.index]?.booking ?? null;
  const actions = useBookingActions(booking);
  const blocking = useBlocking(date, today);
  const dates = useDatePrompt(today, (to) => turn(to));
  const turn = (to: string) => {
    go(to);
    selection.select(0);
  };
  const working = (entries ?? []).filter((entry) => !isCancelled(entry.booking.status));
  return (
    <Frame
      title={`Diary: ${dayAndDate(date, today)}${date === today ? ", today" : ""}`}
      status={[hoursInWords(catalog, date), counted(working.length, "booking")]
        .filter((part) => part !== "")
        .join(" · ")}
      about="The bookings of a day by time and bay. Bays are a proposal: cars may go to any that is free."
      keys={[
        pair(["left"], ["right"], { label: "← →", does: "day", help: "Go to the day before or after." }, (by) =>
          turn(addDays(date, by)),
        ),
        ...dates.keys,
        ...selection.keys,
        ...(booking
          ? [key("enter", "open", () => open("booking", booking.confirmationCode), "Open the booking.")]
          : []),
        ...actions.keys,
        key("n", "new booking", () => open("book", date < today ? "" : date), "Book a customer."),
        ...blocking.keys,
        key("w", "week", openWeek, "Show the week."),
        ...(date === today ? [] : [key("t", "today", () => turn(today), "Go back to today.")]),
      ]}
      dialog={actions.dialog ?? blocking.dialog ?? dates.dialog}
    >
      {({ columns, rows }) => (
        <BookingTable
          entries={entries ?? []}
          selected={selection.index}
          width={columns}
          height={rows}
          empty={entries === null ? ONE_MOMENT : "Nothing is booked on this day."}
        />
      )}
    </Frame>
  );
}
