/** The questions of the booking form: another day or time, a time that is not the usual, and leaving what was typed. */
import type { Start } from "../../../src/domain/slots.ts";
import { withoutVlt } from "../../estimates/quote-text.ts";
import { readDate } from "../../typed/dates.ts";
import { readTime } from "../../typed/times.ts";
import { key } from "../kit/bindings.tsx";
import { Choice, Confirm, Tell, TypedPrompt } from "../kit/dialogs.tsx";
import type { BookForm } from "./book-form.ts";

export type BookQuestion =
  /** @param typed the character that opened the question */
  | { about: "day" | "time"; typed: string }
  | { about: "telling"; terms: BookTerms }
  | { about: "anyway"; why: string; terms: BookTerms }
  | { about: "illegal"; why: string; reasons: readonly string[]; terms: BookTerms }
  | { about: "unstocked"; why: string; terms: BookTerms }
  | { about: "leaving"; leave: () => void };

/** What the owner has answered so far. */
export interface BookTerms {
  anyway?: boolean;
  evenIllegal?: boolean;
  /** Also a shade that the film does not come in. */
  evenUnstocked?: boolean;
  /** The customer gets no confirmation. */
  isQuiet?: boolean;
}

interface BookDialogProps {
  question: BookQuestion;
  form: BookForm;
  /** Date and time at the shop. */
  now: Start;
  change: (change: (form: BookForm) => BookForm) => void;
  save: (terms: BookTerms) => void;
  close: () => void;
}

export function BookDialog({ question, form, now, change, save, close }: BookDialogProps) {
  switch (question.about) {
    case "day":
      return (
        <TypedPrompt
          label="Which day, like friday or 11/27"
          begun={question.typed}
          read={(text) => readDate(text, () => now.date)}
          submit="take it"
          onRead={(date) => change(() => ({ ...form, date, time: "", isDayTyped: true }))}
          close={close}
        />
      );
    case "time":
      return (
        <TypedPrompt
          label="Which time, like 9am or 2:30pm"
          begun={question.typed}
          read={(text) => readTime(text, () => now.time)}
          submit="take it"
          onRead={(time) => change(() => ({ ...form, time }))}
          close={close}
        />
      );
    case "telling":
      return (
        <Tell
          onAnswer={(isQuiet) => {
            close();
            save({ ...question.terms, isQuiet });
          }}
          close={close}
        />
      );
    case "anyway":
      return (
        <Confirm
          question={`Customers could not book this: ${question.why}.`}
          consequence="You can book it all the same; a full bay is refused always."
          yes="book it anyway"
          onYes={() => save({ ...question.terms, anyway: true })}
          close={close}
        />
      );
    case "illegal":
      return (
        <Confirm
          question={`${question.why}: book it anyway?`}
          consequence={question.reasons.map(withoutVlt).join(" ")}
          yes="book it anyway"
          onYes={() => save({ ...question.terms, evenIllegal: true })}
          close={close}
        />
      );
    case "unstocked":
      return (
        <Confirm
          question={`${question.why} Book it anyway?`}
          yes="book it anyway"
          onYes={() => save({ ...question.terms, evenUnstocked: true })}
          close={close}
        />
      );
    case "leaving":
      return (
        <Choice
          question="Leave without booking? What was typed is lost."
          choices={[key("d", "drop it and leave", question.leave)]}
          onCancel={close}
        />
      );
  }
}
