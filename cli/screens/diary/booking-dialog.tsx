/** The questions before a booking is completed, cancelled, moved or corrected, and the work that follows a yes. */

import { useState } from "react";
import { ShadeNotLegal, UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import { dayAndTime } from "../../../src/domain/dates-in-words.ts";
import { type BookingStatus, isCancelled } from "../../../src/domain/lifecycle.ts";
import type { Start } from "../../../src/domain/slots.ts";
import { type News, tellsCustomers } from "../../../src/messages/customer-messages.ts";
import type { Booking, NewPayment } from "../../../src/store/store.ts";
import { accountOf, pay, signedBy } from "../../customers/payments.ts";
import {
  closeBooking,
  confirmBooking,
  correctedInWords,
  type EditField,
  editBooking,
  isPriced,
  nowInWords,
  readCorrection,
  reopenBooking,
  rescheduleBooking,
  stepInWords,
} from "../../diary/actions.ts";
import { callAfter } from "../../diary/calls.ts";
import { CliError, clean } from "../../terminal/output.ts";
import { readStart, startNow } from "../../typed/times.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, Tell, TypedPrompt } from "../kit/dialogs.tsx";
import { useAct, useShop } from "../kit/shop.ts";
import { CompleteDialog, PayDialog } from "./complete-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";

export interface BookingQuestion {
  about: "confirm" | "complete" | "cancel" | "no-show" | "reopen" | "move" | "edit" | "pay";
  booking: Booking;
}

interface BookingDialogProps extends BookingQuestion {
  work: ReturnType<typeof useWork>;
  /** Takes the question down. */
  close: () => void;
}

export function BookingDialog({ about, booking, work, close }: BookingDialogProps) {
  const { catalog } = useShop();
  const [act, askFirst] = useState<((isQuiet: boolean) => void) | null>(null);
  /** Does it at once, or after the question whether the customer hears of it, where the shop tells of such a change. */
  const telling = (what: News, run: (isQuiet: boolean) => void) => () => {
    const closing = (isQuiet: boolean) => {
      close();
      run(isQuiet);
    };
    if (catalog && tellsCustomers(what, booking.lead, catalog)) askFirst(() => closing);
    else closing(false);
  };
  const end =
    (to: BookingStatus, paid: readonly NewPayment[] = []) =>
    (isQuiet: boolean) =>
      work.end(booking, to, paid, isQuiet);
  const reopen = (isQuiet: boolean) => work.reopen(booking, isQuiet);
  const quietly = (run: (isQuiet: boolean) => void) => () => {
    close();
    run(true);
  };
  // Nobody was told of what is held.
  const tellingEnd = (run: (isQuiet: boolean) => void) =>
    booking.status === "held" ? quietly(run) : telling("cancelled", run);
  const who = `${dayAndTime(booking.date, booking.time)}, ${clean(booking.lead.name)}`;
  if (act !== null) return <Tell onAnswer={act} close={close} />;
  switch (about) {
    case "complete":
      return (
        <CompleteDialog
          who={who}
          booking={booking}
          onComplete={(paid) => telling("completed", end("completed", paid))()}
          close={close}
        />
      );
    case "confirm":
      return (
        <Choice
          question={`Book what is held? (${who})`}
          consequence="The customer gets the messages of a new booking."
          choices={[
            key(
              "y",
              "yes, book it",
              telling("booked", (isQuiet) => work.confirm(booking, isQuiet)),
            ),
          ]}
          onCancel={close}
        />
      );
    case "reopen":
      return (
        <Choice
          question={`Make this booking confirmed again? (${who})`}
          consequence={`It takes its bay again, if that is still free${isCancelled(booking.status) ? "" : " for the rest of its time"}.`}
          choices={[
            // A customer who got no message about the cancellation gets none about its end.
            key("y", "yes, reopen it", isCancelled(booking.status) ? telling("booked", reopen) : quietly(reopen)),
          ]}
          onCancel={close}
        />
      );
    case "edit":
      return (
        <EditDialog
          who={who}
          booking={booking}
          save={(field, typed, price) => {
            const save = (isQuiet: boolean) => work.edit({ booking, field, typed, price, isQuiet });
            // The customer hears of other work alone.
            if (isPriced(field) || field === "shade") return telling("booked", save)();
            close();
            save(false);
          }}
          close={close}
        />
      );
    case "pay":
      return <PayDialog who={who} booking={booking} onPaid={(paid) => work.pay(booking, paid)} close={close} />;
    case "move":
      return <MoveDialog who={who} booking={booking} work={work} close={close} />;
    case "no-show":
      return (
        <Choice
          question={`Did the customer not come? (${who})`}
          consequence="The booking is then marked as a no-show, and its bay is free. u undoes it."
          choices={[key("y", "yes, no-show", quietly(end("no_show")))]}
          onCancel={close}
        />
      );
    case "cancel":
      return (
        <Choice
          question={`Who cancels? (${who})`}
          consequence="Its time can be booked again at once. u undoes it."
          choices={[
            key("s", "the shop cancels", tellingEnd(end("cancelled_by_shop"))),
            key("c", "the customer cancels", tellingEnd(end("cancelled_by_customer"))),
          ]}
          onCancel={close}
        />
      );
  }
}

function MoveDialog({ who, booking, work, close }: Omit<BookingDialogProps, "about"> & { who: string }) {
  const { catalog, clock, now } = useShop();
  const [to, setTo] = useState<Start | null>(null);
  const isAsked = catalog !== null && tellsCustomers("rescheduled", booking.lead, catalog);
  if (to !== null)
    return (
      <Tell
        onAnswer={(isQuiet) => {
          close();
          work.reschedule({ booking, to, isQuiet }, false);
        }}
        close={close}
      />
    );
  return (
    <TypedPrompt
      label={`${who}. To which day and time, like friday 9am`}
      submit="move it"
      read={(typed) => readStart(typed, startNow(clock, now()), booking)}
      onRead={(start) => (isAsked ? setTo(start) : work.reschedule({ booking, to: start, isQuiet: false }, false))}
      close={isAsked ? () => {} : close}
      onCancel={close}
    />
  );
}

export interface Move {
  booking: Booking;
  to: Start;
  /** The customer gets no message. */
  isQuiet: boolean;
}

/** A correction as it was typed. */
export interface Edit {
  booking: Booking;
  field: EditField;
  typed: string;
  /** Of other work, in cents; the price list's where it is left out. */
  price: number | undefined;
  /** The customer gets no message. */
  isQuiet: boolean;
}

/** @param moved gets the way back, and the notice that tells of it; @param unusual gets what needs a second yes */
export function useWork(
  moved: (back: Move & { told: string }) => void,
  unusual: (work: (Move & { why: string }) | { edit: Edit; shade: ShadeNotLegal }) => void,
) {
  const { store, catalog, clock, now } = useShop();
  const act = useAct();
  const desk = () => ({ store, catalog, now: now() });
  const reschedule = async ({ booking, to, isQuiet }: Move, anyway: boolean) => {
    try {
      const { booking: now } = await rescheduleBooking(desk(), booking, to, anyway, isQuiet);
      const call = await callAfter(desk(), booking, now, isQuiet);
      const told = `${nowInWords(now, booking)} u undoes it. ${call}`.trim();
      // A move that is undone before any message went out sends none.
      moved({ booking: now, to: { date: booking.date, time: booking.time }, isQuiet, told });
      return told;
    } catch (error) {
      if (!(error instanceof UnusualTime)) throw error;
      unusual({ booking, to, isQuiet, why: error.message });
      return null;
    }
  };
  return {
    end: (booking: Booking, to: BookingStatus, paid: readonly NewPayment[], isQuiet = false) =>
      act(async () => {
        const moved = await closeBooking(desk(), booking.confirmationCode, to, signedBy(paid), isQuiet);
        const call = await callAfter(desk(), booking, moved, isQuiet);
        return `${stepInWords(moved, booking.status)} u undoes it. ${call}`.trim();
      }),
    pay: (booking: Booking, paid: readonly NewPayment[]) =>
      act(async () => {
        const { told, undo } = await pay({ store, clock, now: now() }, accountOf(booking, clock.currency), paid);
        return `${told} ${undo}`;
      }),
    edit: (edit: Edit, evenIllegal = false) =>
      act(async () => {
        const { booking, field, typed, isQuiet } = edit;
        const { fields, price = edit.price } = catalog ? readCorrection(field, typed, catalog) : { fields: {} };
        const listPrice = price === undefined && isPriced(field);
        const terms = { price, listPrice, anyway: false, evenIllegal, isQuiet };
        const edited = await editBooking(desk(), booking, fields, terms).catch((error: unknown) => {
          if (error instanceof ShadeNotLegal) {
            unusual({ edit, shade: error });
            return null;
          }
          if (!(error instanceof UnusualTime)) throw error;
          const code = booking.confirmationCode;
          throw new CliError(`Not changed: ${error.message}. To change it anyway: tint bookings edit ${code} --anyway`);
        });
        return edited && `${correctedInWords(edited, booking, clock, catalog)} e corrects it again.`;
      }),
    confirm: (before: Booking, isQuiet: boolean) =>
      act(async () => stepInWords(await confirmBooking(desk(), before.confirmationCode, isQuiet), before.status)),
    reopen: (before: Booking, isQuiet: boolean) =>
      act(async () => {
        const { booking, note } = await reopenBooking(desk(), before.confirmationCode, isQuiet);
        const call = await callAfter(desk(), before, booking, isQuiet);
        return [stepInWords(booking, before.status), note, call.trim()].filter(Boolean).join(" ");
      }),
    reschedule: (move: Move, anyway: boolean) => act(() => reschedule(move, anyway)),
  };
}
