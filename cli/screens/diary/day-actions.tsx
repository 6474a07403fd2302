/** Keys for the days of the diary: one blocks a day or opens it again, one goes to any date. */
import { blockDate, unblockDate } from "../../../src/catalog/edit/everyday.ts";
import { editCatalog } from "../../../src/catalog/edit/save.ts";
import { dayAndDate } from "../../../src/domain/dates-in-words.ts";
import { conflictNotice } from "../../diary/conflicts.ts";
import { readDate } from "../../typed/dates.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, Confirm, Prompt, TypedPrompt, useActions } from "../kit/dialogs.tsx";
import { useAct, useShop } from "../kit/shop.ts";

/** The day that is to be blocked, or opened again if it is blocked now. */
interface DayQuestion {
  day: string;
}

/** The key that blocks a day, or opens a blocked one, with its question. */
export function useBlocking(date: string, today: string): Actions {
  const { catalog } = useShop();
  const edit = useDayEdit();
  const isBlocked = (day: string) => catalog?.scheduling.blocked_dates.some((entry) => entry.date === day) ?? false;
  return useActions<DayQuestion>(
    (ask) =>
      catalog && date >= today
        ? [
            key(
              "b",
              isBlocked(date) ? "unblock day" : "block day",
              () => ask({ day: date }),
              "Take no bookings on this day, or take them again. Bookings already made stay.",
            ),
          ]
        : [],
    ({ day }, close) => {
      const save = (change: (text: string) => string, outcome: string) =>
        edit(change, `${dayAndDate(day)}: ${outcome}.`);
      return isBlocked(day) ? (
        <Confirm
          question={`Take bookings again on ${dayAndDate(day)}?`}
          yes="unblock the day"
          onYes={() => save((text) => unblockDate(text, day), "bookings as usual")}
          close={close}
        />
      ) : (
        <Prompt
          label={`No bookings on ${dayAndDate(day)}; a reason, if you like`}
          submit="block the day"
          onSubmit={(reason) => save((text) => blockDate(text, day, reason || undefined), "no more bookings")}
          close={close}
        />
      );
    },
  );
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
