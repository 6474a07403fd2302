/** The report of one month as a screen. */
import { Box, Text } from "ink";
import { useState } from "react";
import { shopDate } from "../../../src/domain/schedule.ts";
import { monthAndYear } from "../../../src/domain/spoken-dates.ts";
import { GROUPS, readReport } from "../../diary/report.ts";
import { reportText } from "../../diary/report-text.ts";
import { monthOf } from "../../typed/days.ts";
import { key, pair } from "../kit/bindings.tsx";
import { AROUND_BODY, Frame } from "../kit/frame.tsx";
import { useScroll } from "../kit/list.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { cutLine, ONE_MOMENT, useTerminalSize } from "../kit/text.tsx";

export function Screen() {
  const { catalog, clock, now } = useShop();
  const { columns, rows } = useTerminalSize();
  const [day, setDay] = useState(() => shopDate(clock, now()));
  const [at, setAt] = useState(0);
  const by = GROUPS[at] ?? null;
  const month = day.slice(0, 7);
  const report = useLive(({ store }) => readReport(store, { ...monthOf(day), by }, catalog, clock), `${month} ${by}`);
  const lines = report ? reportText(report, columns).trimEnd().split("\n") : [ONE_MOMENT];
  const scroll = useScroll(lines.length - (rows - AROUND_BODY));
  return (
    <Frame
      title={`Report: ${monthAndYear(day)}`}
      status={`by ${by}`}
      about="What the month brought, by the date of the appointment and the prices agreed. What is earned is the amount of the completed ones."
      keys={[
        pair(["left"], ["right"], { label: "← →", does: "month", help: "Go to the month before or after." }, (months) =>
          setDay(Temporal.PlainDate.from(`${month}-01`).add({ months }).toString()),
        ),
        key("b", "group by", () => setAt((at + 1) % GROUPS.length), `Group by ${GROUPS.join(", ")}.`),
        ...scroll.keys,
      ]}
    >
      {(size) => (
        <Box flexDirection="column" height={size.rows} overflow="hidden">
          <Text>
            {lines
              .slice(scroll.top, scroll.top + size.rows)
              .map((line) => cutLine(line, size.columns))
              .join("\n")}
          </Text>
        </Box>
      )}
    </Frame>
  );
}
