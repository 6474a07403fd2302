/** The panel beside the booking form, or under it on a narrow terminal: free times, the customer, price and law. */
import { Box, Text } from "ink";
import { timeOfDay } from "../../../src/domain/dates-in-words.ts";
import type { Slot } from "../../../src/domain/slots.ts";
import { durationInWords, spaced } from "../../../src/lib/text.ts";
import { moneyIn } from "../../terminal/wording.ts";
import type { Quote, VehicleQuote } from "../estimate/estimate-form.ts";
import { LawCheck, VehiclePrices } from "../estimate/quotes.tsx";
import { type Line, Lines, linesOf, type Size, wrapTo } from "../kit/text.tsx";

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
  isWide: boolean;
}

/** The most lines for the free times of a morning, or of an afternoon, and for each warning. */
const TIMES_LINES = 2;
const WARNING_LINES = 3;
/** The heading, the rule, the total and the length around the lines of a price. */
const PRICE_LINES = 4;

export function Panel({ free, time, quote, known, minutes, size, isWide, ...said }: PanelProps) {
  const { columns: width, rows: height } = size;
  const priced = quote?.kind === "vehicle" ? quote.quote : null;
  const about = aboutTime(said, width);
  const issues = issueLines(quote, said.issue, width);
  if (!isWide) {
    const times = timesInLines(free, time, Number.MAX_SAFE_INTEGER).join(" ");
    // What matters most comes first.
    const lines = [
      ...about,
      ...issues,
      ...(priced ? priceLines(priced, minutes, width) : []),
      ...linesOf(known, width, 1, "good"),
      ...linesOf(free.length === 0 ? "none free" : `Free: ${times}`, width, TIMES_LINES),
    ];
    return <Lines lines={lines.slice(0, height)} width={width} />;
  }
  const lines = [...timesInLines(free, time, width), ...about, ...linesOf(known, width, 2, "good")];
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <Box flexDirection="column" flexShrink={0}>
        <Text bold>Free that day</Text>
        <Lines lines={[...lines, " ", ...issues]} width={width} />
      </Box>
      {priced && <VehiclePrices quote={priced} minutes={minutes} warnings={[]} width={width} />}
      {priced && (
        <LawCheck
          law={priced.tint_law}
          width={width}
          height={Math.max(1, height - 2 - lines.length - PRICE_LINES - priced.line_items.length)}
        />
      )}
    </Box>
  );
}

/** A price with what the law forbids, in a few lines. */
function priceLines(quote: VehicleQuote, own: number | null, width: number): Line[] {
  const { options, currency, duration_minutes: listed, tint_law: law } = quote;
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
    ...linesOf(verdict.length === 0 ? "" : `${law.name}: ${verdict.join(", ")}`, width, 2, "warning"),
    ...linesOf(`${prices.join(" · ")}, ${length}`, width, 2, "bold"),
  ];
}

function aboutTime(
  { warning, unstocked, verdict }: Pick<PanelProps, "warning" | "unstocked" | "verdict">,
  width: number,
) {
  return [
    ...linesOf(warning, width, WARNING_LINES, "warning"),
    ...linesOf(unstocked, width, WARNING_LINES, "warning"),
    ...linesOf(verdict, width, 1, "good"),
  ];
}

/** The question about the car, or the first issue of the job. */
function issueLines(quote: Quote | null, asked: string, width: number): Line[] {
  const [[field, refused] = ["", ""]] = Object.entries(quote?.issues ?? {});
  const issue = asked || `${spaced(field)} ${refused}`.trim();
  return linesOf(issue && `✗ ${issue}`, width, WARNING_LINES, "error");
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
