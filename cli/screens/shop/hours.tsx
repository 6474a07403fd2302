/** Opening hours: the week, and single days that differ from it; with the questions about their times. */
import { Text } from "ink";
import { useState } from "react";
import type { Weekday } from "../../../src/constants.ts";
import { ALWAYS_YEAR, dayAndDate } from "../../../src/domain/dates-in-words.ts";
import { shopDate } from "../../../src/domain/schedule.ts";
import { type OpeningTimes, readOpeningTimes } from "../../catalog/opening-times.ts";
import { readDate } from "../../typed/dates.ts";
import type { Change } from "../editor/change.ts";
import type { Draft } from "../editor/draft.ts";
import { EditorFrame, editorScreen } from "../editor/editor-frame.tsx";
import type { Editor } from "../editor/use-editor.ts";
import { key } from "../kit/bindings.tsx";
import { Prompt, TypedPrompt } from "../kit/dialogs.tsx";
import { Table, useSelection } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import { useShop } from "../kit/shop.ts";
import { type HoursRow, hoursRows, specialChange, weekChange } from "./hours-rows.ts";

const TITLE = "Opening hours";
const BLOCKED = "Blocked days are changed in the diary: open the day there and press b.";

function Hours({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const { say } = useNav();
  const [question, ask] = useState<HoursQuestion | null>(null);
  const rows = hoursRows(draft);
  const selection = useSelection(rows.length);
  const row = rows[selection.index];
  const correct = () => {
    if (row?.kind === "weekday") ask({ about: "weekday", day: row.day, times: row.times });
    if (row?.kind === "blocked") say({ kind: "error", text: BLOCKED });
    if (row?.kind === "special") ask({ about: "times", date: row.date, times: row.times, reason: row.reason });
  };
  const remove = () => {
    if (row?.kind === "special") editor.makeOrSay(specialChange(draft, row.date, null, ""));
    else if (row?.kind === "blocked") say({ kind: "error", text: BLOCKED });
    else say({ kind: "error", text: "A day of the week stays: press Enter and write closed." });
  };
  const keys = [
    ...selection.keys,
    key("enter", "change", correct, "Change the hours of the day."),
    key("n", "new single day", () => ask({ about: "date" }), "Give a single day, such as a holiday, its own hours."),
    key("d", "remove", remove, "Take a single day away: the hours of the week hold again."),
  ];
  return (
    <EditorFrame
      title={TITLE}
      about="When the shop is open. Bookings are offered within these hours only."
      editor={editor}
      keys={keys}
      dialog={question && <HoursDialog question={question} draft={draft} ask={ask} onChange={editor.makeOrSay} />}
    >
      {({ columns, rows: room }) => (
        <>
          <Table
            columns={[
              { head: "day", width: 16 },
              { head: "open", width: Math.max(20, Math.min(60, columns - 44)) },
              { head: "reason, for customers" },
            ]}
            rows={rows.map(tableRow)}
            selected={selection.index}
            width={columns}
            height={room - 1}
            empty=""
          />
          <Text> </Text>
        </>
      )}
    </EditorFrame>
  );
}

function tableRow(row: HoursRow, at: number): { key: string; cells: string[] } {
  if (row.kind === "weekday") return { key: row.day, cells: [row.day, row.times, ""] };
  const open = row.kind === "special" ? row.times : row.what;
  return { key: `${at} ${row.date}`, cells: [dayAndDate(row.date, ALWAYS_YEAR), open, row.reason] };
}

export const Screen = editorScreen(Hours, TITLE);

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

/** The questions of the hours screen: the times of a weekday; date, times and reason of a single day. */
export function HoursDialog({ question, draft, ask, onChange }: HoursDialogProps) {
  const { clock, now } = useShop();
  const today = shopDate(clock, now());
  const close = () => ask(null);
  switch (question.about) {
    case "weekday":
      return (
        <TimesPrompt
          label={question.day}
          initial={question.times}
          submit="accept"
          onTimes={(times) => onChange(weekChange(draft, question.day, times))}
          close={close}
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
          close={close}
        />
      );
    case "times":
      return (
        <TimesPrompt
          label={`${dayAndDate(question.date)}, open`}
          initial={question.times}
          submit="next"
          onTimes={(times) => ask({ ...question, about: "reason", times })}
          close={close}
        />
      );
    case "reason":
      return (
        <Prompt
          key="reason"
          label="Reason for customers, or nothing"
          initial={question.reason}
          submit="accept"
          onSubmit={(reason) => onChange(specialChange(draft, question.date, question.times, reason))}
          close={close}
        />
      );
  }
}

interface TimesPromptProps {
  label: string;
  initial: string;
  submit: string;
  onTimes: (times: OpeningTimes) => void;
  close: () => void;
}

function TimesPrompt({ label, initial, submit, onTimes, close }: TimesPromptProps) {
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
      close={close}
    />
  );
}
