/** The questions when the work of a booking is done: whether it was paid, how, and how much. */
import { useState } from "react";
import type { PaidBy } from "../../../src/constants.ts";
import type { Booking, Payment } from "../../../src/store/store.ts";
import { otherThanPrice } from "../../diary/actions.ts";
import { dueOf } from "../../diary/amounts.ts";
import { readPrice } from "../../diary/owner.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, TypedPrompt } from "../kit/dialogs.tsx";

interface CompleteDialogProps {
  /** When and for whom the booking is. */
  who: string;
  booking: Booking;
  /** Also takes the question down. */
  onComplete: (paid: Payment | null) => void;
  /** Takes the question down. */
  close: () => void;
}

/** Asks what was paid, and how; a sum other than the price is asked about once. */
export function CompleteDialog({ who, booking, onComplete, close }: CompleteDialogProps) {
  const [way, setWay] = useState<PaidBy | null>(null);
  const [other, setOther] = useState<{ amount: number; question: string } | null>(null);
  const due = dueOf(booking);
  if (other !== null)
    return (
      <Choice
        question={other.question}
        choices={[
          key("y", "yes, that was paid", () => onComplete({ amount: other.amount, by: way })),
          key("c", "correct it", () => setOther(null)),
        ]}
        onCancel={close}
      />
    );
  if (way !== null)
    return (
      <TypedPrompt
        label={WAY_LABELS[way]}
        initial={due === null ? "" : (due / 100).toFixed(2)}
        submit="completed"
        read={readPrice}
        onRead={(amount) => {
          const question = otherThanPrice(booking, amount);
          if (question === null) onComplete({ amount, by: way });
          else setOther({ amount, question });
        }}
        close={() => {}}
        onCancel={close}
      />
    );
  return (
    <Choice
      question={`Is the work done? (${who})`}
      consequence="The booking is then completed. u undoes it."
      choices={[
        key("y", "yes, completed", () => onComplete(null)),
        key("c", "and paid in cash", () => setWay("cash")),
        key("k", "by card", () => setWay("card")),
        key("o", "otherwise", () => setWay("other")),
      ]}
      onCancel={close}
    />
  );
}

const WAY_LABELS: Record<PaidBy, string> = { cash: "Paid in cash", card: "Paid by card", other: "Paid otherwise" };
