/** The keys that complete or cancel a booking, the same in the diary and on the booking's own screen. */
import type { BookingStatus } from "../../../src/domain/lifecycle.ts";
import type { Booking } from "../../../src/store/store.ts";
import { moveBooking, movedInWords } from "../../diary/moves.ts";
import { clean } from "../../terminal/text.ts";
import { dayAndDate } from "../../terminal/times.ts";
import { key } from "../kit/input/bindings.ts";
import { useAct, useShop } from "../kit/shell/shop.ts";
import { type Actions, useActions } from "../kit/widgets/actions.ts";
import { Choice } from "../kit/widgets/dialogs.tsx";

interface BookingQuestion {
  about: "complete" | "cancel" | "no-show";
  booking: Booking;
}

/** @param booking null when none is selected */
export function useBookingActions(booking: Booking | null): Actions {
  const move = useMove();
  return useActions<BookingQuestion>(
    (ask) =>
      booking?.status === "confirmed"
        ? [
            key(
              "c",
              "complete",
              () => ask({ about: "complete", booking }),
              "Mark the booking as completed: the work is done.",
            ),
            key(
              "x",
              "cancel",
              () => ask({ about: "cancel", booking }),
              "Cancel the booking; its time can be booked again at once.",
            ),
            key("s", "no-show", () => ask({ about: "no-show", booking }), "Mark that the customer did not come."),
          ]
        : [],
    (question, close) => (
      <BookingDialog
        {...question}
        moveTo={(to) => () => {
          close();
          move(question.booking, to);
        }}
        close={close}
      />
    ),
  );
}

function useMove(): (booking: Booking, to: BookingStatus) => void {
  const { store, now } = useShop();
  const act = useAct();
  return ({ confirmationCode }, to) =>
    act(async () => movedInWords(await moveBooking(store, confirmationCode, to, now().epochMilliseconds)));
}

interface BookingDialogProps extends BookingQuestion {
  moveTo: (to: BookingStatus) => () => void;
  close: () => void;
}

function BookingDialog({ about, booking, moveTo, close }: BookingDialogProps) {
  const who = `${dayAndDate(booking.date)} ${booking.time}, ${clean(booking.lead.name)}`;
  switch (about) {
    case "complete":
      return (
        <Choice
          question={`Is the work done? (${who})`}
          consequence="The booking is then completed. This cannot be undone."
          choices={[key("y", "yes, completed", moveTo("completed"))]}
          onCancel={close}
        />
      );
    case "no-show":
      return (
        <Choice
          question={`Did the customer not come? (${who})`}
          consequence="The booking is then marked as a no-show. This cannot be undone."
          choices={[key("y", "yes, no-show", moveTo("no_show"))]}
          onCancel={close}
        />
      );
    case "cancel":
      return (
        <Choice
          question={`Who cancels? (${who})`}
          consequence="Its time can be booked again at once. This cannot be undone."
          choices={[
            key("s", "the shop cancels", moveTo("cancelled_by_shop")),
            key("c", "the customer cancels", moveTo("cancelled_by_customer")),
          ]}
          onCancel={close}
        />
      );
  }
}
