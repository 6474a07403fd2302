/** What may be done with a booking, the same in the diary and on the booking's own screen. */

import { type ReactNode, useState } from "react";
import type { BookingStatus } from "../../../src/domain/lifecycle.ts";
import type { Booking } from "../../../src/store/store.ts";
import { statusInWords } from "../../diary/entry-text.ts";
import { Failure } from "../../failure.ts";
import { clean } from "../../terminal/text.ts";
import { dayAndDate } from "../../terminal/times.ts";
import { type KeyBinding, key } from "../kit/input/keyboard.tsx";
import { useAct, useShop } from "../kit/shell/shop.ts";
import { Choice } from "../kit/widgets/dialogs.tsx";

type Question = "complete" | "cancel" | "no-show";

/** @param booking the one that the keys are about; null when there is none */
export function useBookingActions(booking: Booking | null): { keys: KeyBinding[]; dialog: ReactNode } {
  const { store, now } = useShop();
  const act = useAct();
  // The booking that was asked about, whatever comes and goes in the list meanwhile.
  const [asked, setAsked] = useState<{ question: Question; booking: Booking } | null>(null);
  if (asked) {
    const move = (to: BookingStatus) => () => {
      setAsked(null);
      act(async () => {
        const { confirmationCode, lead } = asked.booking;
        const outcome = await store.moveBooking(confirmationCode, to, now().epochMilliseconds);
        if (outcome.kind === "unknown") throw new Failure(`There is no booking ${confirmationCode}.`);
        if (outcome.kind === "refused")
          throw new Failure(`Booking ${confirmationCode} is ${statusInWords(outcome.booking.status)} already.`);
        if (outcome.kind === "too_early")
          throw new Failure(
            `Booking ${confirmationCode} begins ${dayAndDate(outcome.booking.date)} ${outcome.booking.time}; until then it can only be cancelled.`,
          );
        return `Booking ${confirmationCode} (${clean(lead.name)}) is ${statusInWords(to)}.`;
      });
    };
    return { keys: [], dialog: <Asking {...asked} move={move} close={() => setAsked(null)} /> };
  }
  if (booking?.status !== "confirmed") return { keys: [], dialog: null };
  const ask = (question: Question) => () => setAsked({ question, booking });
  return {
    keys: [
      key("c", "complete", ask("complete"), "Mark the booking as completed: the work is done."),
      key("x", "cancel", ask("cancel"), "Cancel the booking; its time can be booked again at once."),
      key("n", "no-show", ask("no-show"), "Mark that the customer did not come."),
    ],
    dialog: null,
  };
}

interface AskingProps {
  question: Question;
  booking: Booking;
  move: (to: BookingStatus) => () => void;
  close: () => void;
}

function Asking({ question, booking, move, close }: AskingProps) {
  const who = `${dayAndDate(booking.date)} ${booking.time}, ${clean(booking.lead.name)}`;
  const same = { onCancel: close, cancel: "go back" };
  if (question === "complete")
    return (
      <Choice
        question={`Is the work done? (${who})`}
        consequence="The booking is then completed. This cannot be undone."
        choices={[key("y", "yes, completed", move("completed"))]}
        {...same}
      />
    );
  if (question === "no-show")
    return (
      <Choice
        question={`Did the customer not come? (${who})`}
        consequence="The booking is then marked as a no-show. This cannot be undone."
        choices={[key("y", "yes, no-show", move("no_show"))]}
        {...same}
      />
    );
  return (
    <Choice
      question={`Who cancels? (${who})`}
      consequence="Its time can be booked again at once. This cannot be undone."
      choices={[
        key("s", "the shop cancels", move("cancelled_by_shop")),
        key("c", "the customer cancels", move("cancelled_by_customer")),
      ]}
      {...same}
    />
  );
}
