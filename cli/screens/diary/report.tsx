/** The report of a month, a week or a day as a screen; in the evening, the cash-up of today. */
import { useState } from "react";
import { daysInWords, monthAndYear } from "../../../src/domain/dates-in-words.ts";
import { shopDate } from "../../../src/domain/schedule.ts";
import { GROUPS, type Group, readReport } from "../../diary/report.ts";
import { reportText } from "../../diary/report-text.ts";
import { monthOf, type Span, weekOf } from "../../typed/date-ranges.ts";
import { key, pair } from "../kit/bindings.tsx";
import { AROUND_BODY, Frame } from "../kit/frame.tsx";
import { useScroll } from "../kit/list.tsx";
import { useLive, useShop } from "../kit/screen.ts";
import { ONE_MOMENT, useTerminalSize } from "../kit/text.tsx";

const PERIODS = ["month", "week", "day"] as const;
type Period = (typeof PERIODS)[number];

function spanOf(date: string, period: Period): Span {
  return period === "month" ? monthOf(date) : period === "week" ? weekOf(date) : { from: date, to: date };
}

export function Screen() {
  const { catalog, clock, now } = useShop();
  const { columns, rows } = useTerminalSize();
  const today = shopDate(clock, now());
  const [{ date, period, by }, show] = useState<{ date: string; period: Period; by: Group }>({
    date: today,
    period: "month",
    by: GROUPS[0],
  });
  const span = spanOf(date, period);
  const report = useLive(
    ({ store }) => readReport(store, { ...span, by }, catalog, clock, now()),
    `${span.from} ${span.to} ${by}`,
  );
  const text = report ? reportText(report, columns).trimEnd() : ONE_MOMENT;
  const lines = text.split("\n").map((line) => ({ text: line, isQuoted: true as const }));
  const scroll = useScroll(lines, rows - AROUND_BODY);
  const step = (count: number) => {
    const first = Temporal.PlainDate.from(span.from);
    show({ date: first.add({ [`${period}s`]: count }).toString(), period, by });
  };
  const days = period === "month" ? monthAndYear(span.from) : daysInWords(span.from, span.to, today);
  const cashUp = () => show({ date: today, period: "day", by: "payment" });
  return (
    <Frame
      title={`Report: ${days}`}
      status={`by ${by}`}
      about="What the days brought, by the date of the appointment and the prices agreed. What is earned is the amount of the completed ones, what is taken the money that was paid on these days, whatever day the work is on."
      keys={[
        pair(["left"], ["right"], "← →", period, "Go to the days before or after.", step),
        key("tab", "group by", () => show({ date, period, by: next(GROUPS, by) }), `Group by ${GROUPS.join(", ")}.`),
        key("t", "today's cash-up", cashUp, "The money taken today: cash, card and other."),
        key("v", "period", () => show({ date, period: next(PERIODS, period), by }), "Show a month, a week or a day."),
        ...scroll.keys,
      ]}
    >
      {scroll.draw}
    </Frame>
  );
}

function next<Word>(words: readonly [Word, ...Word[]], word: Word): Word {
  return words[words.indexOf(word) + 1] ?? words[0];
}
