/** The keys that complete, cancel, move or correct a booking, the same in the diary and on the booking's own screen. */
import { useState } from "react";
import { isTooEarly } from "../../../src/domain/lifecycle.ts";
import type { Booking } from "../../../src/store/store.ts";
import { withoutVlt } from "../../estimates/quote-text.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, Confirm, useActions } from "../kit/dialogs.tsx";
import { useNav } from "../kit/navigation.ts";
import { useShop } from "../kit/shop.ts";
import { BookingDialog, type BookingQuestion, type Move, useWork } from "./booking-dialog.tsx";

/** @param booking null when none is selected */
export function useBookingActions(booking: Booking | null): Actions {
  const { notice } = useNav();
  const { now } = useShop();
  const [moved, setMoved] = useState<(Move & { told: string }) | null>(null);
  const [unusual, setUnusual] = useState<Parameters<Parameters<typeof useWork>[1]>[0] | null>(null);
  const work = useWork(setMoved, setUnusual);
  const selected = booking?.status === "confirmed" ? booking : null;
  const isSelected = selected !== null && moved?.booking.confirmationCode === selected.confirmationCode;
  // A booking that went to another day is no longer in the list; the key works as long as the notice names it.
  const isTold = moved !== null && notice?.text === moved.told;
  const hasBegun = booking !== null && !isTooEarly(booking, "completed", now().epochMilliseconds);
  // Right after the move the list may still hold the booking as it was.
  const last = isTold ? moved.booking : isSelected ? selected : null;
  const undo =
    moved && last
      ? [
          key(
            "u",
            "undo the move",
            () => work.reschedule({ ...moved, booking: last }, true),
            "Move the booking back to where it was.",
          ),
        ]
      : [];
  const actions = useActions<BookingQuestion>(
    (ask) =>
      booking?.status === "confirmed"
        ? [
            ...CHANGES.filter(({ isAfterwards }) => hasBegun || !isAfterwards).map(({ about, on, help }) =>
              key(on, about, () => ask({ about, booking }), help),
            ),
            ...undo,
          ]
        : booking?.status === "held"
          ? [
              key("y", "book it", () => ask({ about: "confirm", booking }), "Book what is held."),
              key("x", "cancel", () => ask({ about: "cancel", booking }), "Give the time that is held free again."),
            ]
          : booking && !isTold
            ? [
                key("u", "undo", () => ask({ about: "reopen", booking }), "Make the booking confirmed again."),
                key("$", "pay", () => ask({ about: "pay", booking }), PAY_HELP),
              ]
            : undo,
    (question, close) => <BookingDialog {...question} work={work} close={close} />,
  );
  if (unusual === null) return actions;
  if ("edit" in unusual)
    return {
      keys: [],
      dialog: (
        <Confirm
          question={`${unusual.shade.message}: change it anyway?`}
          consequence={unusual.shade.reasons.map(withoutVlt).join(" ")}
          yes="change it anyway"
          onYes={() => work.edit(unusual.edit, true)}
          close={() => setUnusual(null)}
        />
      ),
    };
  return {
    keys: [],
    dialog: (
      <Confirm
        question={`Customers could not book this: ${unusual.why}.`}
        consequence="You can move it there anyway; a full bay is always refused."
        yes="move it anyway"
        onYes={() => work.reschedule(unusual, true)}
        close={() => setUnusual(null)}
      />
    ),
  };
}

interface Change {
  about: BookingQuestion["about"];
  on: string;
  help: string;
  /** Nothing can be completed or missed before it begins. */
  isAfterwards?: true;
}

const PAY_HELP = "Write down a deposit, a payment, a tip or a refund.";

/** What can be done with a confirmed booking, in the order of the footer. */
const CHANGES: readonly Change[] = [
  { about: "complete", on: "c", help: "Mark the booking as completed: the work is done.", isAfterwards: true },
  { about: "cancel", on: "x", help: "Cancel the booking; its time can be booked again at once." },
  { about: "edit", on: "e", help: "Correct name, phone, e-mail, vehicle, work, note or price." },
  { about: "move", on: "m", help: "Move the booking to another time; code and price stay." },
  { about: "no-show", on: "s", help: "Mark that the customer did not come.", isAfterwards: true },
  { about: "pay", on: "$", help: PAY_HELP },
];
