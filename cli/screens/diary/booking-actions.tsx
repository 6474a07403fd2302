/** The keys that complete, cancel, move or correct a booking, the same in the diary and on the booking's own screen. */
import { useState } from "react";
import { UnusualTime } from "../../../src/capabilities/desk/owner-booking.ts";
import { priceOf } from "../../../src/capabilities/managing/store-change.ts";
import { type BookingStatus, isTooEarly } from "../../../src/domain/lifecycle.ts";
import type { Start } from "../../../src/domain/slots.ts";
import type { Booking } from "../../../src/store/store.ts";
import type { PaidBy } from "../../../src/vocabulary.ts";
import {
  type EditField,
  editBooking,
  endedInWords,
  moveBooking,
  nowInWords,
  readCorrection,
  reopenBooking,
  rescheduleBooking,
} from "../../diary/moves.ts";
import { type KeyBinding, key } from "../kit/input/bindings.tsx";
import { useNav } from "../kit/shell/navigation.ts";
import { useAct, useShop } from "../kit/shell/shop.ts";
import { type Actions, Confirm, useActions } from "../kit/widgets/dialogs.tsx";
import { BookingDialog, type BookingQuestion } from "./booking-dialog.tsx";

/** @param booking null when none is selected */
export function useBookingActions(booking: Booking | null): Actions {
  const { notice } = useNav();
  const { now } = useShop();
  const [moved, setMoved] = useState<(Move & { told: string }) | null>(null);
  const [unusual, setUnusual] = useState<(Move & { why: string }) | null>(null);
  const work = useWork(setMoved, setUnusual);
  const selected = booking?.status === "confirmed" ? booking : null;
  const isSelected = selected !== null && moved?.booking.confirmationCode === selected.confirmationCode;
  // A booking that went to another day is no longer in the list; the key works as long as the notice names it.
  const isTold = moved !== null && notice?.text === moved.told;
  // Nothing can be completed or missed before it begins.
  const hasBegun = booking !== null && !isTooEarly(booking, "completed", now().epochMilliseconds);
  // Right after the move the list may still hold the booking as it was.
  const last = isTold ? moved.booking : isSelected ? selected : null;
  const undo = moved && last ? [undoKey(() => work.reschedule(last, moved.to, true))] : [];
  const actions = useActions<BookingQuestion>(
    (ask) =>
      booking?.status === "confirmed"
        ? [
            ...(hasBegun ? [complete(() => ask({ about: "complete", booking }))] : []),
            key(
              "x",
              "cancel",
              () => ask({ about: "cancel", booking }),
              "Cancel the booking; its time can be booked again at once.",
            ),
            key(
              "e",
              "edit",
              () => ask({ about: "edit", booking }),
              "Correct name, phone, e-mail, vehicle, note or price.",
            ),
            key(
              "m",
              "move",
              () => ask({ about: "move", booking }),
              "Move the booking to another time; code and price stay.",
            ),
            ...(hasBegun ? [noShow(() => ask({ about: "no-show", booking }))] : []),
            ...undo,
          ]
        : booking && !isTold
          ? [key("u", "undo", () => ask({ about: "reopen", booking }), "Make the booking confirmed again.")]
          : undo,
    (question, close) => (
      <BookingDialog
        {...question}
        moveTo={(to, paidBy) => () => {
          close();
          work.end(question.booking, to, paidBy);
        }}
        reopen={() => {
          close();
          work.reopen(question.booking);
        }}
        correct={(field, typed) => {
          close();
          work.edit(question.booking, field, typed);
        }}
        moveTime={(to) => {
          close();
          work.reschedule(question.booking, to, false);
        }}
        close={close}
      />
    ),
  );
  if (unusual === null) return actions;
  const close = () => setUnusual(null);
  return {
    keys: [],
    dialog: (
      <Confirm
        question={`Customers could not book this: ${unusual.why}.`}
        consequence="You can move it there all the same; a full bay is refused always."
        yes="move it anyway"
        onYes={() => {
          close();
          work.reschedule(unusual.booking, unusual.to, true);
        }}
        onNo={close}
      />
    ),
  };
}

interface Move {
  booking: Booking;
  to: Start;
}

function complete(run: () => void): KeyBinding {
  return key("c", "complete", run, "Mark the booking as completed: the work is done.");
}

function noShow(run: () => void): KeyBinding {
  return key("s", "no-show", run, "Mark that the customer did not come.");
}

function undoKey(run: () => void): KeyBinding {
  return key("u", "undo the move", run, "Move the booking back to where it was.");
}

/** @param moved gets the way back, and the notice that tells of it; @param unusual gets a move that needs a second yes */
function useWork(moved: (back: Move & { told: string }) => void, unusual: (move: Move & { why: string }) => void) {
  const { store, catalog, now } = useShop();
  const act = useAct();
  const desk = () => ({ store, catalog, now: now() });
  const reschedule = async (booking: Booking, to: Start, anyway: boolean) => {
    try {
      const { booking: now } = await rescheduleBooking(desk(), booking, to, anyway);
      const told = `${nowInWords(now)} u undoes it.`;
      moved({ booking: now, to: { date: booking.date, time: booking.time }, told });
      return told;
    } catch (error) {
      if (!(error instanceof UnusualTime)) throw error;
      unusual({ booking, to, why: error.message });
      return null;
    }
  };
  return {
    end: (booking: Booking, to: BookingStatus, paidBy?: PaidBy) =>
      act(async () => {
        const price = priceOf(booking);
        const paid = paidBy === undefined || price === null ? null : { amount: price, by: paidBy };
        const moved = await moveBooking(desk(), booking.confirmationCode, to, paid);
        return `${endedInWords(moved)} u undoes it.`;
      }),
    edit: (booking: Booking, field: EditField, typed: string) =>
      act(async () => {
        const { fields, price } = catalog ? readCorrection(field, typed, catalog) : { fields: {} };
        await editBooking(desk(), booking, fields, price);
        return `Booking ${booking.confirmationCode} is corrected. e corrects it again.`;
      }),
    reopen: ({ confirmationCode: code }: Booking) =>
      act(async () => {
        await reopenBooking(desk(), code);
        return `Booking ${code} is confirmed again.`;
      }),
    reschedule: (booking: Booking, to: Start, anyway: boolean) => act(() => reschedule(booking, to, anyway)),
  };
}
