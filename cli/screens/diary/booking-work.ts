/** The actions behind the keys of bookings, on one or several, each with the one step that undoes it. */
import { useState } from "react";
import { UnusualTime } from "../../../src/capabilities/booking/policy.ts";
import type { BookingStatus } from "../../../src/domain/lifecycle.ts";
import { standing } from "../../../src/domain/payments.ts";
import type { Start } from "../../../src/domain/slots.ts";
import { counted } from "../../../src/lib/text.ts";
import type { Booking, NewPayment, Payment } from "../../../src/store/store.ts";
import { pay, requireAccount, signedBy, undoPayments } from "../../customers/payments.ts";
import {
  changeOfState,
  closeBooking,
  confirmBooking,
  inTurn,
  type KnownNews,
  nowInWords,
  paymentsInWords,
  paymentsOnlyOf,
  reopenBooking,
  rescheduleBooking,
  stepInWords,
} from "../../diary/actions.ts";
import { callAfter } from "../../diary/calls.ts";
import { moneyLeftInWords } from "../../diary/deposits.ts";
import { requireBooking } from "../../diary/entries.ts";
import { CliError, clean } from "../../terminal/output.ts";
import { type Ask, anywayConsequence } from "../kit/dialogs.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { deskOf, noticeOf, undoable, useAct, useNav } from "../kit/screen.ts";

interface Moved {
  booking: Booking;
  to: Start;
}

/** A change of one booking as it is now. */
type Change = (before: Booking, shop: OpenShop) => Promise<Changed>;

interface Changed {
  booking: Booking;
  payments?: readonly Payment[];
  /** Said before the payments: nothing where they were made, not taken back. */
  head?: "";
  note?: string;
  news?: KnownNews;
}

export function useWork(ask: Ask) {
  const acting = useAct();
  const { notice } = useNav();
  // Whom the notice of a move names, to be called.
  const [moved, setMoved] = useState<readonly Booking[]>([]);
  const act: typeof acting = (work) => {
    setMoved([]);
    return acting(work);
  };
  /** Moves bookings, and asks about the times that customers could not book. */
  const move = async (all: readonly Moved[], isQuiet: boolean): Promise<void> => {
    // One step undoes all moves: those made at once, and those made after a yes.
    const gone: Moved[] = [];
    const step = {
      undo: (shop: OpenShop) => moving(gone.map(wayBack), isQuiet, true, () => {}, "moved back")(shop),
      redo: (shop: OpenShop) => moving(gone, isQuiet, true)(shop),
    };
    const unusual: { one: Moved; why: string }[] = [];
    const run = (some: readonly Moved[], anyway: boolean) =>
      act(async (shop) => {
        const isFirst = gone.length === 0;
        const said = await moving(some, isQuiet, anyway, (one, why) => unusual.push({ one, why }))(shop);
        gone.push(...some.filter(({ booking }) => said.done.includes(booking)));
        setMoved(said.after === "" ? [] : said.done);
        if (isFirst && said.done.length > 0) return { said, step };
        return said.said === "" ? null : { said: noticeOf(said, "") };
      });
    await run(all, false);
    const [first] = unusual;
    if (!first) return;
    const which = unusual.length === 1 ? "this" : `${unusual.length} of these, the first because`;
    const question = `Customers could not book ${which}: ${first.why}.`;
    const others = unusual.map(({ one }) => one);
    if (await ask.yes(question, "move it anyway", anywayConsequence("move it there"))) await run(others, true);
  };
  return {
    untold: notice?.kind === "done" && /must be called|: call /.test(notice.text) ? moved : [],
    /** Who asked for the move need not be called. */
    knows: () =>
      void act(async ({ store }) => {
        for (const { id } of moved) await store.endCall(id);
        return `${moved.map(({ lead }) => clean(lead.name)).join(", ")} need not be called.`;
      }),
    confirm: (held: Booking, isQuiet: boolean) => {
      const confirm: Change = async ({ confirmationCode: code }, shop) => {
        return { booking: await confirmBooking(deskOf(shop), code, isQuiet) };
      };
      void act(async (shop) => ({ said: noticeOf(await onEach([held], isQuiet, confirm)(shop), "") }));
    },
    move,
    end: (bookings: readonly Booking[], to: BookingStatus, paid: Paid, isQuiet: boolean) => {
      let ended: readonly Booking[] = [];
      const inWords = (count: string) => `${count}: ${changeOfState("confirmed", to)}.`;
      const end = onEach(bookings, isQuiet, ending(to, paid, isQuiet), inWords);
      const redo = async (shop: OpenShop) => {
        const said = await end(shop);
        ended = said.done;
        return said;
      };
      const undo = (shop: OpenShop) =>
        onEach(ended, isQuiet, reopening(isQuiet), (count) => `${count} confirmed again.`)(shop);
      return act(undoable({ redo, undo }));
    },
    reopen: (before: Booking, isQuiet: boolean) => {
      const close = ending(before.status, () => paidAtEnd(before), isQuiet);
      void act(
        undoable({ redo: onEach([before], isQuiet, reopening(isQuiet)), undo: onEach([before], isQuiet, close) }),
      );
    },
    pay: (booking: Booking, paid: readonly NewPayment[]) => void act(paying(booking.confirmationCode, paid)),
  };
}

function paying(code: string, paid: readonly NewPayment[]) {
  let made: readonly Payment[] = [];
  const accountIn = async (shop: OpenShop) =>
    [{ ...shop, now: shop.now() }, await requireAccount(shop.store, code, shop.clock)] as const;
  return undoable({
    async redo(shop) {
      const done = await pay(...(await accountIn(shop)), paid);
      made = done.made;
      return done.told;
    },
    async undo(shop) {
      const ids = made.map(({ id }) => id);
      return (await undoPayments(...(await accountIn(shop)), ids)).told;
    },
  });
}

type Paid = (booking: Booking) => readonly NewPayment[];

/** The payments recorded when the work was completed; reopening takes them back. */
function paidAtEnd({ payments, endedAt }: Booking): NewPayment[] {
  const ofEnd = standing(payments).filter(({ recordedAt }) => recordedAt === null || recordedAt === endedAt);
  return ofEnd.map(({ amount, by, kind, paidAt, note }) => ({ amount, by, kind, paidAt, note }));
}

function ending(to: BookingStatus, paid: Paid, isQuiet: boolean): Change {
  return async (before, shop) => {
    const code = before.confirmationCode;
    const booking = await closeBooking(deskOf(shop), code, to, signedBy(paid(before)), isQuiet);
    const note = moneyLeftInWords(booking, await shop.store.depositOf(booking.id), shop.clock);
    return { booking, payments: paymentsOnlyOf(booking, before), head: "", note };
  };
}

function reopening(isQuiet: boolean): Change {
  return async ({ confirmationCode: code }, shop) => {
    const { booking, gone, note, news } = await reopenBooking(deskOf(shop), code, isQuiet);
    return { booking, payments: gone, note, news };
  };
}

function wayBack({ booking }: Moved): Moved {
  return { booking, to: booking };
}

/** @param onUnusual gets those that customers could not book; they stay */
function moving(
  all: readonly Moved[],
  isQuiet: boolean,
  anyway: boolean,
  onUnusual: (one: Moved, why: string) => void = () => {},
  done = "moved",
) {
  const places = new Map(all.map(({ booking, to }) => [booking.id, to]));
  const change: Change = async (before, shop) => {
    const to = places.get(before.id) ?? before;
    try {
      const { booking, news } = await rescheduleBooking(deskOf(shop), before, to, anyway, isQuiet);
      return { booking, news };
    } catch (error) {
      if (!(error instanceof UnusualTime)) throw error;
      onUnusual({ booking: before, to }, error.message);
      throw new CliError("");
    }
  };
  const bookings = all.map(({ booking }) => booking);
  return onEach(bookings, isQuiet, change, (count) => `${count} ${done}.`);
}

/** The same change of several bookings. Those that cannot be changed stay, and are named. @throws CliError where none could be */
function onEach(
  bookings: readonly Booking[],
  isQuiet: boolean,
  change: Change,
  inWords: (count: string) => string = (count) => count,
) {
  return async (shop: OpenShop) => {
    const { changed, stay } = await inTurn(bookings, async ({ confirmationCode }) => {
      const before = await requireBooking(shop.store, confirmationCode);
      const { booking, news, ...more } = await change(before, shop);
      const isMoved = booking.startAt !== before.startAt;
      const said = isMoved ? nowInWords(booking, before, shop.now()) : stepInWords(booking, before.status, shop.now());
      return { ...more, said, call: await callAfter(deskOf(shop), before, booking, isQuiet, news) };
    });
    const done = bookings.filter((one) => !stay.some(({ booking }) => booking === one));
    const reasons = stay.flatMap(({ why }) => why || []);
    if (done.length === 0 && reasons.length > 0) throw new CliError(reasons.join(" "));
    const toCall = changed.map(({ call }) => call.trim()).filter(Boolean);
    const told = done.length > 1 ? inWords(counted(done.length, "booking")) : changed[0]?.said;
    const payments = changed.flatMap(({ payments = [] }) => payments);
    const paid = done[0] && paymentsInWords(payments, done[0], shop.clock.currency, changed[0]?.head);
    return {
      done,
      said: [told, paid, ...changed.map(({ note }) => note), ...reasons].filter(Boolean).join(" "),
      after: toCall.length > 1 ? `${toCall.length} customers must be called: tint calls` : toCall.join(""),
    };
  };
}
