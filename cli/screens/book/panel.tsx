/** The panel beside the booking form, or under it on a narrow terminal: free times, the customer, price and law. */
import { Box, Text } from "ink";
import { timeOfDay } from "../../../src/domain/dates-in-words.ts";
import type { Slot } from "../../../src/domain/slots.ts";
import { durationInWords, spaced } from "../../../src/lib/text.ts";
import { moneyIn } from "../../terminal/wording.ts";
import type { Quote } from "../estimate/price.ts";
import { LawCheck, VehiclePrices } from "../estimate/quotes.tsx";
import { type Line, Lines, type Size, wrapTo } from "../kit/text.tsx";

interface PanelProps {
  free: readonly Slot[];
  /** The time that is booked; empty without one. */
  time: string;
  quote: Quote | null;
  /** What is known of a returning customer; empty for a new one. */
  known: string;
  /** That the film does not come in the shade; empty where it does. */
  unstocked: string;
  /** The question about a car that has no price yet, such as its class; empty where there is none. */
  issue: string;
  /** What speaks against the time; empty for a usual one. */
  warning: string;
  /** Until when a time beside the usual starts is free, or when work of the owner's own length ends; empty otherwise. */
  verdict: string;
  /** The minutes of work where the owner has typed a length; null for the price list's. */
  minutes: number | null;
  size: Size;
}

/** The most lines for the free times of a morning, or of an afternoon, and for each warning. */
const TIMES_LINES = 2;
const WARNING_LINES = 3;

export function WidePanel({
  free,
  time,
  quote,
  known,
  issue,
  minutes,
  size: { columns: width, rows: height },
  ...said
}: PanelProps) {
  const times = timesInLines(free, time, width);
  const priced = quote?.kind === "vehicle" ? quote.quote : null;
  const lines: Line[] = [
    ...aboutTime(said, width),
    ...(known === "" ? [] : wrapTo(known, width, 2)).map((text): Line => ({ text, look: "good" })),
  ];
  const above = 2 + times.length + lines.length;
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Box flexDirection="column" flexShrink={0}>
        <Text bold>Free that day</Text>
        <Lines lines={times} width={width} />
        <Lines lines={lines} width={width} />
        <Text> </Text>
        <Lines lines={issueLines(quote, issue, width)} width={width} />
      </Box>
      {priced && <VehiclePrices quote={priced} minutes={minutes} warnings={[]} width={width} />}
      {priced && (
        <LawCheck
          law={priced.tint_law}
          width={width}
          height={Math.max(1, height - above - PRICE_LINES - priced.line_items.length)}
        />
      )}
    </Box>
  );
}

/** The heading, the rule, the total and the length around the lines of a price. */
const PRICE_LINES = 4;

/** The same in a few lines, what matters most first. */
export function NarrowPanel({
  free,
  time,
  quote,
  known,
  issue,
  minutes,
  size: { columns: width, rows: height },
  ...said
}: PanelProps) {
  const times =
    free.length === 0 ? "none free" : `Free: ${timesInLines(free, time, Number.MAX_SAFE_INTEGER).join(" ")}`;
  const lines: Line[] = [
    ...aboutTime(said, width),
    ...issueLines(quote, issue, width),
    ...priceLines(quote, minutes, width),
    ...(known === "" ? [] : [{ text: known, look: "good" } as const]),
    ...wrapTo(times, width, TIMES_LINES).map((text) => ({ text })),
  ];
  return <Lines lines={lines.slice(0, height)} width={width} />;
}

function priceLines(quote: Quote | null, own: number | null, width: number): Line[] {
  if (quote?.kind !== "vehicle") return [];
  const { options, currency, duration_minutes: listed, tint_law: law } = quote.quote;
  const length = own === null ? `about ${durationInWords(listed)}` : durationInWords(own);
  const prices = options.map(
    ({ film_type: film, selected, total }) =>
      `${film === null ? "" : `${selected ? "* " : ""}${spaced(film)} `}${moneyIn(currency)(total)}`,
  );
  const barred = law.checks.filter(({ status }) => status === "illegal" || status === "not_permitted");
  const verdict = barred.map(({ position, darkest_legal_shade: darkest }) =>
    darkest === null ? `${spaced(position)} not legal` : `${spaced(position)} legal from ${darkest}%`,
  );
  return [
    ...wrapTo(verdict.length === 0 ? "" : `${law.name}: ${verdict.join(", ")}`, width, 2)
      .filter((text) => text !== "")
      .map((text): Line => ({ text, look: "warning" })),
    ...wrapTo(`${prices.join(" · ")}, ${length}`, width, 2).map((text): Line => ({ text, look: "bold" })),
  ];
}

function aboutTime(
  { warning, unstocked, verdict }: Pick<PanelProps, "warning" | "unstocked" | "verdict">,
  width: number,
) {
  const warnings = [warning, unstocked].filter(Boolean).flatMap((text) => wrapTo(text, width, WARNING_LINES));
  const good = verdict === "" ? [] : [{ text: verdict, look: "good" } as const];
  return [...warnings.map((text): Line => ({ text, look: "warning" })), ...good];
}

/** The question about the car, or the first issue of the job, as lines. */
function issueLines(quote: Quote | null, asked: string, width: number): Line[] {
  const [[field, refused] = ["", ""]] = Object.entries(quote?.issues ?? {});
  const issue = asked || `${spaced(field)} ${refused}`.trim();
  if (issue === "") return [];
  return wrapTo(`✗ ${issue}`, width, WARNING_LINES).map((text) => ({ text, look: "error" }));
}

/** `AM  9:00 [10:00] 11:00`, and the same for the afternoon. */
function timesInLines(free: readonly Slot[], chosen: string, width: number): string[] {
  if (free.length === 0) return ["none for work of this length"];
  return ["AM", "PM"].flatMap((half) => {
    const times = free.flatMap(({ time }) => {
      const [hour = "", ending] = timeOfDay(time).split(" ");
      return ending === half ? [time === chosen ? `[${hour}]` : hour] : [];
    });
    return times.length === 0 ? [] : wrapTo(`${half} ${times.join(" ")}`, width, TIMES_LINES);
  });
}
