/** Opening hours: the week, and single days that differ from it; with the questions about their times. */
import type { SpecialDay } from "../../../src/catalog/edit/everyday.ts";
import { WEEKDAYS, type Weekday } from "../../../src/constants.ts";
import { ALWAYS_YEAR, dayAndDate } from "../../../src/domain/dates-in-words.ts";
import { shopDate } from "../../../src/domain/schedule.ts";
import { daysApart, type OpeningTimes, openingTimesInWords, typedOpeningTimes } from "../../catalog/opening-times.ts";
import { type Column, LEAST } from "../../terminal/columns.ts";
import { UsageError } from "../../terminal/output.ts";
import { readDate } from "../../typed/dates.ts";
import { type Change, type Draft, latest, specialDayIn, valueChange } from "../editor/draft.ts";
import { type Editor, EditorFrame, editorScreen } from "../editor/editor.tsx";
import { key } from "../kit/bindings.tsx";
import { ListBody } from "../kit/frame.tsx";
import { useList } from "../kit/list.tsx";
import { useScreen } from "../kit/screen.ts";

const TITLE = "Opening hours";
const BLOCKED = "Blocked days are changed in the diary: open the day there and press o.";

function Hours({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const { clock, now, say, ask } = useScreen();
  const rows = hoursRows(draft);
  const list = useList(rows, { id: (row) => `${rows.indexOf(row)}`, columns: COLUMNS, isFilterable: false });
  const { row } = list;
  const askForTimes = (label: string, initial: string, submit: string) =>
    ask.read(typedOpeningTimes, { label: `${label} (like 9am-6pm, or closed)`, initial, submit });
  const changeDay = async (date: string, was: string, before: string) => {
    const times = await askForTimes(`${dayAndDate(date, shopDate(clock, now()))}, open`, was, "next");
    if (!times) return;
    const label = "Reason for customers, or nothing";
    const reason = await ask.text({ label, initial: before, submit: "accept" });
    if (reason !== undefined) editor.make(specialChange(draft, date, times, reason));
  };
  const correct = async () => {
    if (row?.kind === "blocked") say({ kind: "error", text: BLOCKED });
    if (row?.kind === "special") await changeDay(row.date, row.open, row.reason);
    if (row?.kind !== "weekday") return;
    const times = await askForTimes(row.day, row.open, "accept");
    if (times) editor.make(valueChange(draft, ["business", "hours", row.day], times, row.day));
  };
  const add = async () => {
    const today = shopDate(clock, now());
    const read = (typed: string) => {
      const date = readDate(typed, () => today);
      if (date < today) throw new UsageError(`${dayAndDate(date, today)} is past: its hours would change nothing.`);
      return date;
    };
    const date = await ask.read(read, { label: "Which day, like Dec 24 or 12/24", submit: "next" });
    if (date) await changeDay(date, "closed", "");
  };
  const remove = () => {
    if (row?.kind === "special") editor.make(specialChange(draft, row.date, null, ""));
    else if (row?.kind === "blocked") say({ kind: "error", text: BLOCKED });
    else say({ kind: "error", text: "A day of the week stays: press Enter and write closed." });
  };
  return (
    <EditorFrame
      title={TITLE}
      about="When the shop is open. Bookings are offered within these hours only."
      editor={editor}
      keys={[
        ...list.keys,
        key("enter", "change", () => correct(), "Change the hours of the day."),
        key("n", "new single day", () => add(), "Give a single day, such as a holiday, its own hours."),
        key("x", "remove", remove, "Take a single day away: the hours of the week hold again."),
      ]}
      dialog={ask.dialog}
    >
      {(size) => <ListBody list={list} below={() => [""]} empty="" size={size} />}
    </EditorFrame>
  );
}

const COLUMNS: readonly Column<HoursRow>[] = [
  { name: "day", value: (row) => (row.kind === "weekday" ? row.day : dayAndDate(row.date, ALWAYS_YEAR)) },
  { name: "open", value: ({ open }) => open, min: 20 },
  { name: "reason, for customers", value: (row) => (row.kind === "weekday" ? "" : row.reason), min: LEAST },
];

export const Screen = editorScreen(Hours, TITLE);

/** The diary blocks and unblocks days and hours. */
type HoursRow = { kind: "weekday"; day: Weekday; open: string } | ReturnType<typeof daysApart>[number];

function hoursRows(draft: Draft): HoursRow[] {
  const { catalog } = latest(draft);
  const { hours } = catalog.business;
  return [
    ...WEEKDAYS.map((day): HoursRow => ({ kind: "weekday", day, open: openingTimesInWords(hours[day]) })),
    ...daysApart(catalog),
  ];
}

/** @param times null takes the day away: the hours of the week hold again */
function specialChange(draft: Draft, date: string, times: OpeningTimes | null, reason: string): Change {
  const now: SpecialDay | null = times && {
    date,
    ...(times.length === 0 ? { closed: true } : { hours: times }),
    ...(reason !== "" && { reason }),
  };
  const was = specialDayIn(latest(draft).source, date);
  return { kind: "special", what: dayAndDate(date, ALWAYS_YEAR), date, was, now };
}
