/** The questions about what was paid for a booking: when its work is done, and before and after. */
import { useState } from "react";
import { storedConfirmation } from "../../../src/capabilities/booking/confirmation.ts";
import type { PaidBy } from "../../../src/constants.ts";
import { paidToward } from "../../../src/domain/payments.ts";
import type { Booking, NewPayment } from "../../../src/store/store.ts";
import { accountOf, doubtOf, dueInWords, readPayments, withTip } from "../../customers/payments.ts";
import { clean } from "../../terminal/output.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, Confirm, TypedPrompt } from "../kit/dialogs.tsx";
import { useShop } from "../kit/shop.ts";

interface CompleteDialogProps {
  /** When and for whom the booking is. */
  who: string;
  booking: Booking;
  /** Also takes the question down. */
  onComplete: (paid: readonly NewPayment[]) => void;
  /** Takes the question down. */
  close: () => void;
}

/** Asks what was paid, and how; a sum other than what is due is asked about once. */
export function CompleteDialog({ who, booking, onComplete, close }: CompleteDialogProps) {
  const { clock } = useShop();
  const [way, setWay] = useState<PaidBy | null>(null);
  const [other, setOther] = useState<{ paid: NewPayment[]; question: string } | null>(null);
  const account = accountOf(booking, clock.currency);
  const { due } = account;
  const note = clean(storedConfirmation.safeParse(booking.answer).data?.special_requests ?? "");
  if (other !== null) {
    const over = due === null ? 0 : paidToward(other.paid) - Math.max(0, due);
    const last = other.paid.findLast(({ kind }) => kind === "payment");
    return (
      <Choice
        question={other.question}
        choices={[
          key("y", "yes, that was paid", () => onComplete(other.paid)),
          ...(last && over > 0 && over < last.amount
            ? [key("t", "what is above it is a tip", () => onComplete(withTip(other.paid, over)))]
            : []),
          key("c", "correct it", () => setOther(null)),
        ]}
        onCancel={close}
      />
    );
  }
  if (way !== null)
    return (
      <TypedPrompt
        label={note === "" ? WAY_LABELS[way] : `Note: ${note}. ${WAY_LABELS[way]}`}
        initial={due === null || due <= 0 ? "" : (due / 100).toFixed(2)}
        submit="completed"
        read={(typed) => readPayments(typed, way)}
        onRead={(paid) => {
          const question = doubtOf(account, paid, true);
          if (question === null) onComplete(paid);
          else setOther({ paid, question });
        }}
        close={() => {}}
        onCancel={close}
      />
    );
  return (
    <Choice
      question={`Is the work done? (${who})`}
      consequence={[due !== null && dueInWords(due, account.currency), note && `Note: ${note}.`, "u undoes it."]
        .filter(Boolean)
        .join(" ")}
      choices={[
        key("y", "yes, completed", () => onComplete([])),
        key("c", "and paid in cash", () => setWay("cash")),
        key("k", "by card", () => setWay("card")),
        key("o", "otherwise", () => setWay("other")),
      ]}
      onCancel={close}
    />
  );
}

const WAY_LABELS: Record<PaidBy, string> = { cash: "Paid in cash", card: "Paid by card", other: "Paid otherwise" };

interface PayDialogProps extends Omit<CompleteDialogProps, "onComplete"> {
  onPaid: (paid: readonly NewPayment[]) => void;
}

/** Asks for a deposit, a payment, a tip or a refund; what is above what is due is asked about once. */
export function PayDialog({ who, booking, onPaid, close }: PayDialogProps) {
  const { clock } = useShop();
  const [doubtful, setDoubtful] = useState<{ paid: NewPayment[]; question: string } | null>(null);
  const account = accountOf(booking, clock.currency);
  if (doubtful !== null)
    return <Confirm question={doubtful.question} yes="yes, it was" onYes={() => onPaid(doubtful.paid)} close={close} />;
  return (
    <TypedPrompt
      label={`${who}. What was paid, like deposit 100 cash, 250 card +20 or refund 60 card`}
      submit="write it down"
      read={(typed) => readPayments(typed, null)}
      onRead={(paid) => {
        const question = doubtOf(account, paid);
        if (question !== null) return setDoubtful({ paid, question });
        close();
        onPaid(paid);
      }}
      close={() => {}}
      onCancel={close}
    />
  );
}
