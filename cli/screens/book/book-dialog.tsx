/** The questions of the booking form: another day or time, a time that is not the usual, and leaving what was typed. */
import type { Start } from "../../../src/domain/slots.ts";
import { withoutVlt } from "../../estimates/quote-text.ts";
import { readDate } from "../../typed/dates.ts";
import { readStart, readTime } from "../../typed/times.ts";
import { issueIn } from "../../typed/values.ts";
import { Confirm, Leave, Tell, TypedPrompt } from "../kit/dialogs.tsx";
import { atRow, type BookForm, type FormRow } from "./book-form.ts";

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
  rows: readonly FormRow[];
  /** Date and time at the shop. */
  now: Start;
  change: (change: (form: BookForm) => BookForm) => void;
  save: (terms: BookTerms) => void;
  close: () => void;
}

/** `friday`, or `tues 10am`, which fills the time too. @throws UsageError */
function dayAndPerhapsTime(typed: string, now: Start): Start {
  const isDay = issueIn(() => readDate(typed, () => now.date)) === null;
  const bare = { date: now.date, time: "" };
  return isDay ? { ...bare, date: readDate(typed, () => now.date) } : readStart(typed, now, bare);
}

export function BookDialog({ question, form, rows, now, change, save, close }: BookDialogProps) {
  switch (question.about) {
    case "day":
      return (
        <TypedPrompt
          label="Which day, like friday, 11/27 or tues 10am"
          begun={question.typed}
          read={(text) => dayAndPerhapsTime(text, now)}
          submit="take it"
          isInForm
          onRead={(start) =>
            change(() => atRow({ ...form, ...start, isDayTyped: true }, form.row + (start.time === "" ? 1 : 2), rows))
          }
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
          isInForm
          onRead={(time) => change(() => atRow({ ...form, time }, form.row + 1, rows))}
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
          consequence="You can book it anyway; a full bay is always refused."
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
      return <Leave question="Leave without booking? What was typed is lost." leave={question.leave} close={close} />;
  }
}
