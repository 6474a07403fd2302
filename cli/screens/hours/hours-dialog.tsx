/** The questions of the hours screen: the times of a weekday; date, times and reason of a single day. */
import { shopDate } from "../../../src/domain/schedule.ts";
import { dayAndDate } from "../../../src/domain/spoken-dates.ts";
import type { Weekday } from "../../../src/vocabulary.ts";
import { type OpeningTimes, readOpeningTimes } from "../../catalog/opening-times.ts";
import { readDate } from "../../typed/dates.ts";
import type { Change } from "../editor/change.ts";
import type { Draft } from "../editor/draft.ts";
import { useShop } from "../kit/shell/shop.ts";
import { Prompt } from "../kit/widgets/dialogs.tsx";
import { TypedPrompt } from "../kit/widgets/typed-prompt.tsx";
import { specialChange, weekChange } from "./rows.ts";

/** Date, times and reason of a single day are asked for in this order. */
export type HoursQuestion =
  | { about: "weekday"; day: Weekday; times: string }
  | { about: "date" }
  | { about: "times"; date: string; times: string; reason: string }
  | { about: "reason"; date: string; times: OpeningTimes; reason: string };

interface HoursDialogProps {
  question: HoursQuestion;
  draft: Draft;
  /** Asks the next question; null closes the dialog. */
  ask: (question: HoursQuestion | null) => void;
  onChange: (change: Change) => void;
}

export function HoursDialog({ question, draft, ask, onChange }: HoursDialogProps) {
  const { clock, now } = useShop();
  const today = shopDate(clock, now());
  const onCancel = () => ask(null);
  const change = (made: Change) => {
    onChange(made);
    ask(null);
  };
  switch (question.about) {
    case "weekday":
      return (
        <TimesPrompt
          label={question.day}
          initial={question.times}
          submit="accept"
          onTimes={(times) => change(weekChange(draft, question.day, times))}
          onCancel={onCancel}
        />
      );
    case "date":
      return (
        <TypedPrompt
          key="date"
          label="Which day, like Dec 24 or 12/24"
          submit="next"
          read={(typed) => readDate(typed, () => today)}
          onRead={(date) => ask({ about: "times", date, times: "closed", reason: "" })}
          onCancel={onCancel}
        />
      );
    case "times":
      return (
        <TimesPrompt
          label={`${dayAndDate(question.date)}, open`}
          initial={question.times}
          submit="next"
          onTimes={(times) => ask({ ...question, about: "reason", times })}
          onCancel={onCancel}
        />
      );
    case "reason":
      return (
        <Prompt
          key="reason"
          label="Reason for customers, or nothing"
          initial={question.reason}
          submit="accept"
          onSubmit={(reason) => change(specialChange(draft, question.date, question.times, reason))}
          onCancel={onCancel}
        />
      );
  }
}

interface TimesPromptProps {
  label: string;
  initial: string;
  submit: string;
  onTimes: (times: OpeningTimes) => void;
  onCancel: () => void;
}

function TimesPrompt({ label, initial, submit, onTimes, onCancel }: TimesPromptProps) {
  return (
    <Prompt
      key={label}
      label={`${label} (like 9am-6pm, or closed)`}
      initial={initial}
      submit={submit}
      check={(typed) => {
        const times = readOpeningTimes(typed);
        return typeof times === "string" ? times : null;
      }}
      onSubmit={(typed) => {
        const times = readOpeningTimes(typed);
        if (typeof times !== "string") onTimes(times);
      }}
      onCancel={onCancel}
    />
  );
}
