/** Opening hours: the week, and single days that differ from it. */
import { Text } from "ink";
import { useState } from "react";
import { shopDate } from "../../../src/domain/schedule.ts";
import type { Weekday } from "../../../src/vocabulary.ts";
import { type OpeningTimes, readOpeningTimes } from "../../catalog/opening-times.ts";
import { readDate } from "../../typed/dates.ts";
import type { Change } from "../editor/change.ts";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { key } from "../kit/input/keyboard.tsx";
import { useNav } from "../kit/shell/navigation.ts";
import { useShop } from "../kit/shell/shop.ts";
import { Prompt } from "../kit/widgets/dialogs.tsx";
import { Table, useSelection } from "../kit/widgets/list.tsx";
import { dateFault, hoursRows, specialChange, weekChange } from "./rows.ts";

const TITLE = "Opening hours";

type Asking =
  | { kind: "week"; day: Weekday; times: string }
  | { kind: "date" }
  | { kind: "times"; date: string; times: string; reason: string }
  | { kind: "reason"; date: string; times: OpeningTimes; reason: string };

function Hours({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const { say } = useNav();
  const [asking, ask] = useState<Asking | null>(null);
  const rows = hoursRows(draft);
  const selection = useSelection(rows.length);
  const row = rows[selection.index];
  const take = (change: Change) => {
    const refusal = editor.make(change);
    if (refusal !== null) say({ kind: "error", text: refusal });
    ask(null);
  };
  const correct = () => {
    if (row?.kind === "week") ask(row);
    if (row?.kind === "special") ask({ ...row, kind: "times" });
  };
  const remove = () => {
    if (row?.kind === "special") take(specialChange(draft, row.date, null, ""));
    else say({ kind: "error", text: "A day of the week stays: press Enter and write closed." });
  };
  const keys = [
    ...selection.keys,
    key("enter", "change", correct, "Change the hours of the day."),
    key("n", "new single day", () => ask({ kind: "date" }), "Give a single day, such as a holiday, its own hours."),
    key("d", "remove", remove, "Take a single day away: the hours of the week hold again."),
  ];
  return (
    <EditorFrame
      title={TITLE}
      about="When the shop is open. Bookings are offered within these hours only."
      editor={editor}
      keys={keys}
      dialog={asking && <Question asking={asking} editor={editor} ask={ask} take={take} />}
    >
      {({ columns, rows: room }) => (
        <>
          <Table
            columns={[{ head: "day", width: 12 }, { head: "open" }, { head: "reason, shown to customers" }]}
            rows={rows.map((one) =>
              one.kind === "week"
                ? { key: one.day, cells: [one.day, one.times, ""] }
                : { key: one.date, cells: [one.date, one.times, one.reason] },
            )}
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

interface QuestionProps {
  asking: Asking;
  editor: Editor;
  ask: (asking: Asking | null) => void;
  take: (change: Change) => void;
}

function Question({ asking, editor: { draft }, ask, take }: QuestionProps) {
  const { clock, now } = useShop();
  const today = shopDate(clock, now());
  const shared = { onCancel: () => ask(null) };
  switch (asking.kind) {
    case "week":
      return (
        <Times
          {...shared}
          label={asking.day}
          initial={asking.times}
          submit="accept"
          onTimes={(times) => take(weekChange(draft, asking.day, times))}
        />
      );
    case "date":
      return (
        <Prompt
          key="date"
          {...shared}
          label="Which day (YYYY-MM-DD)"
          submit="next"
          check={(typed) => dateFault(typed, today)}
          onSubmit={(typed) => ask({ kind: "times", date: readDate(typed, () => today), times: "closed", reason: "" })}
        />
      );
    case "times":
      return (
        <Times
          {...shared}
          label={`${asking.date}, open`}
          initial={asking.times}
          submit="next"
          onTimes={(times) => ask({ ...asking, kind: "reason", times })}
        />
      );
    case "reason":
      return (
        <Prompt
          key="reason"
          {...shared}
          label="Reason for customers, or nothing"
          initial={asking.reason}
          submit="accept"
          onSubmit={(reason) => take(specialChange(draft, asking.date, asking.times, reason))}
        />
      );
  }
}

interface TimesProps {
  label: string;
  initial: string;
  submit: string;
  onTimes: (times: OpeningTimes) => void;
  onCancel: () => void;
}

function Times({ label, initial, submit, onTimes, onCancel }: TimesProps) {
  return (
    <Prompt
      key={label}
      label={`${label} (09:00-18:00, or closed)`}
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

export const Screen = editorScreen(Hours, TITLE);
