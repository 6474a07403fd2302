/** One booking in full. @see diary.tsx */
import { storedConfirmation } from "../../../src/capabilities/booking/confirmation.ts";
import { isToldOf } from "../../../src/capabilities/booking/deposit.ts";
import type { PaidBy } from "../../../src/constants.ts";
import { type BookingStatus, isCancelled, isTooEarly } from "../../../src/domain/lifecycle.ts";
import { paidToward } from "../../../src/domain/payments.ts";
import type { Start } from "../../../src/domain/slots.ts";
import { counted } from "../../../src/lib/text.ts";
import { type News, tellsCustomers } from "../../../src/messages/customer-messages.ts";
import type { Booking, NewPayment } from "../../../src/store/store.ts";
import { accountOf, doubtOf, dueInWords, readPayments, withTip } from "../../customers/payments.ts";
import { unpaidInWords } from "../../diary/deposits.ts";
import { diaryEntryOf } from "../../diary/entries.ts";
import { entryFacts, stateInWords } from "../../diary/entry-text.ts";
import { hasCrm } from "../../server/outbox.ts";
import { clean } from "../../terminal/output.ts";
import { startInWords } from "../../terminal/wording.ts";
import { readStart, startNow } from "../../typed/times.ts";
import { key } from "../kit/bindings.tsx";
import { type Actions, type Ask, askToTell } from "../kit/dialogs.tsx";
import { FactsFrame } from "../kit/frame.tsx";
import { type ScreenProps, useLive, useScreen } from "../kit/screen.ts";
import { useWork } from "./booking-work.ts";
import { usePaper } from "./paper.tsx";

export function Screen({ about }: ScreenProps) {
  const { clock, now, open } = useScreen();
  const live = useLive(async ({ store }) => {
    const booking = await store.findBooking(about);
    const deposit = booking && (await store.depositOf(booking.id));
    return booking && { entry: await diaryEntryOf(store, booking, clock), deposit };
  }, about);
  const booking = live?.entry.booking ?? null;
  const actions = useBookingActions(booking ? [booking] : []);
  const paper = usePaper(undefined, booking);
  return (
    <FactsFrame
      title={`Booking ${about}`}
      status={booking ? stateInWords(booking.status) : ""}
      about="Everything about one booking."
      keys={[
        ...actions.keys,
        ...paper.keys,
        booking &&
          hasCrm() &&
          key("l", "its lead", () => open("lead", booking.lead.reference), "Open the customer's lead."),
      ]}
      dialog={actions.dialog ?? paper.dialog}
      facts={live && entryFacts(live.entry, clock, now(), live.deposit)}
      otherwise={`There is no booking ${about}.`}
    />
  );
}

/** @param bookings the marked ones, or the selected one */
export function useBookingActions(bookings: readonly Booking[]): Actions {
  const { store, catalog, clock, now, open, ask } = useScreen();
  const work = useWork(ask);
  const one = bookings.length === 1 ? (bookings[0] ?? null) : null;
  const confirmed = bookings.filter(({ status }) => status === "confirmed");
  const isHeld = one !== null && one.status === "held";
  const isEnded = one !== null && !isHeld && one.status !== "confirmed";
  const hasBegun = confirmed.every((booking) => !isTooEarly(booking, "completed", now().epochMilliseconds));
  const who = one ? `${startInWords(one, now())}, ${clean(one.lead.name)}` : counted(confirmed.length, "booking");
  /** @returns whether nobody is told; undefined when the owner goes back */
  const telling = async (what: News, about: readonly Booking[]) => {
    const isAsked = about.some(({ lead }) => catalog && tellsCustomers(what, lead, catalog));
    return isAsked ? askToTell(ask) : false;
  };

  const end = async (to: BookingStatus, paidFor: (booking: Booking) => readonly NewPayment[], what: News | null) => {
    const about = isHeld ? bookings : confirmed;
    const isQuiet = what === null || !about.some(isToldOf) || (await telling(what, about));
    if (isQuiet !== undefined) work.end(about, to, paidFor, isQuiet);
  };
  const complete = async () => {
    const answers = [
      ["y", "yes", "done"],
      ["c", one ? "paid in cash" : "each paid in cash", "cash"],
      ["k", "by card", "card"],
      ["o", "otherwise", "other"],
      ["n", "did not come", "no_show"],
    ] as const;
    const how = await ask.choose(`Is the work done? (${who})`, answers, one ? whatIsDue(one, clock.currency) : "");
    if (how === undefined) return;
    if (how === "no_show") return end("no_show", () => [], null);
    if (how === "done") return end("completed", () => [], "completed");
    if (!one) return end("completed", (booking) => allThatIsDue(booking, how), "completed");
    const paid = await askForPayment(ask, one, how, clock.currency);
    if (paid) await end("completed", () => paid, "completed");
  };
  const cancel = async () => {
    const answers = [
      ["s", "the shop cancels", "cancelled_by_shop"],
      ["c", "the customer cancels", "cancelled_by_customer"],
    ] as const;
    const to = await ask.choose(`Who cancels? (${who})`, answers, "The time can be booked again at once.");
    if (to) await end(to, () => [], "cancelled");
  };
  const move = async () => {
    const today = startNow(clock, now());
    const read = (typed: string) => {
      readStart(typed, today, one ?? today);
      return (booking: Booking): Start => readStart(typed, today, booking);
    };
    const label = one ? `${who}. To which day and time, like friday 9am` : `${who}. To which day, like friday`;
    const to = await ask.read(read, { label, submit: "move" });
    if (!to) return;
    const moves = confirmed.map((booking) => ({ booking, to: to(booking) }));
    const isQuiet = await telling("rescheduled", confirmed);
    if (isQuiet !== undefined) work.move(moves, isQuiet);
  };
  const reopen = async (booking: Booking) => {
    const rest = isCancelled(booking.status) ? "" : " for the rest of its time";
    const consequence = `It takes its bay again, if that is still free${rest}.`;
    if (!(await ask.yes(`Make this booking confirmed again? (${who})`, "reopen it", consequence))) return;
    // A customer who got no message about the cancellation gets none about its end.
    const isQuiet = !isCancelled(booking.status) || (await telling("booked", [booking]));
    if (isQuiet !== undefined) work.reopen(booking, isQuiet);
  };
  const confirm = async (booking: Booking) => {
    const unpaid = unpaidInWords(await store.depositOf(booking.id));
    const consequence = `${unpaid} The customer gets the messages of a new booking.`.trim();
    if (!(await ask.yes(`Book what is held? (${who})`, "book it", consequence))) return;
    const isQuiet = await telling("booked", [booking]);
    if (isQuiet !== undefined) work.confirm(booking, isQuiet);
  };
  const pay = async (booking: Booking) => {
    const paid = await ask.read((typed) => readPayments(typed, null), {
      label: `${who}. What was paid, like deposit 100 cash, 250 card +20 or refund 60 card`,
      submit: "write it down",
    });
    const doubt = paid && doubtOf(accountOf(booking, clock.currency), paid);
    if (paid && (doubt === null || (await ask.yes(doubt ?? "", "it was")))) work.pay(booking, paid);
  };

  const editHelp = "Correct name, phone, e-mail, vehicle, work, note or price.";
  const doneHelp = "Say that the work is done, with what was paid, or that the customer did not come.";
  return {
    dialog: ask.dialog,
    keys: [
      work.untold.length > 0 &&
        key("y", "the customer knows", () => work.knows(), "The customer asked for the move: no call."),
      confirmed.length > 0 && hasBegun && key("c", "done", () => complete(), doneHelp),
      isHeld && key("y", "book it", () => confirm(one), "Book what is held."),
      isHeld && key("x", "cancel", () => cancel(), "Give the time that is held free again."),
      isEnded && key("c", "reopen", () => reopen(one), "Make the booking confirmed again."),
      confirmed.length > 0 && key("x", "cancel", () => cancel(), "Cancel; the time can be booked again at once."),
      confirmed.length > 0 && key("m", "move", () => move(), "Move to another time; code and price stay."),
      one?.status === "confirmed" && key("e", "edit", () => open("edit", one.confirmationCode), editHelp),
      one && !isHeld && key("$", "pay", () => pay(one), "Write down a deposit, a payment, a tip or a refund."),
    ],
  };
}

function noteOf({ answer }: Booking): string {
  return clean(storedConfirmation.safeParse(answer).data?.special_requests ?? "");
}

function whatIsDue(booking: Booking, currency: string | undefined): string {
  const account = accountOf(booking, currency);
  const note = noteOf(booking);
  return [account.due !== null && dueInWords(account.due, account.currency), note && `Note: ${note}.`]
    .filter(Boolean)
    .join(" ");
}

function allThatIsDue(booking: Booking, by: PaidBy): NewPayment[] {
  const { due } = accountOf(booking);
  return due !== null && due > 0 ? [{ amount: due, by, kind: "payment" }] : [];
}

const WAY_LABELS: Record<PaidBy, string> = { cash: "Paid in cash", card: "Paid by card", other: "Paid otherwise" };

/** Asks what was paid; a sum other than what is due is asked about once. */
async function askForPayment(ask: Ask, booking: Booking, way: PaidBy, currency: string | undefined) {
  const account = accountOf(booking, currency);
  const { due } = account;
  const note = noteOf(booking);
  for (;;) {
    const paid = await ask.read((typed) => readPayments(typed, way), {
      label: note === "" ? WAY_LABELS[way] : `Note: ${note}. ${WAY_LABELS[way]}`,
      initial: due === null || due <= 0 ? "" : (due / 100).toFixed(2),
      submit: "completed",
    });
    const question = paid && doubtOf(account, paid, true);
    if (!paid || !question) return paid;
    const over = due === null ? 0 : paidToward(paid) - Math.max(0, due);
    const last = paid.findLast(({ kind }) => kind === "payment");
    const tip = last && over > 0 && over < last.amount ? withTip(paid, over) : null;
    const answer = await ask.choose<NewPayment[] | null>(question, [
      ["y", "yes, that was paid", paid],
      ...(tip ? [["t", "what is above it is a tip", tip] as const] : []),
      ["c", "correct it", null],
    ]);
    if (answer !== null) return answer;
  }
}
