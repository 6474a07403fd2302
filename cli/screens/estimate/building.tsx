/** The price of a building in three options: Good, Better and Best. */
import { Box, Text } from "ink";
import { fit, wholeTexts, wrap } from "../kit/text/fit.ts";
import { type Line, Lines } from "../kit/text/lines.tsx";
import type { BuildingQuote } from "./price.ts";

/** Which film each option is; their names need more room than a column of prices has. */
export function BuildingFilms({ quote, width }: { quote: BuildingQuote; width: number }) {
  const lines = quote.options.flatMap(({ label, film, recommended }) =>
    wrap(film.name, width - TIER).map(
      (text, i): Line => ({ name: fit(i === 0 ? `${recommended ? "* " : "  "}${label}` : "", TIER), text }),
    ),
  );
  return (
    <Box flexDirection="column" width={width}>
      <Text bold>{fit("  Film", width)}</Text>
      <Lines lines={lines} width={width} />
    </Box>
  );
}

const TIER = 9;

export function BuildingOptions({ quote, width, height }: { quote: BuildingQuote; width: number; height: number }) {
  const { options, currency } = quote;
  const each = Math.min(28, Math.floor((width - 16) / 3));
  const label = Math.min(34, width - 3 * each);
  const row = (name: string, cells: readonly string[]) =>
    fit(name, label) + cells.map((cell) => ` ${fit(cell, each - 1, "right")}`).join("");
  const moneyRow = (name: string, ranges: readonly (Range | null)[]) => row(name, amounts(ranges, currency, each - 1));
  const lines = new Map(options.flatMap(({ line_items }) => line_items.map(({ code, label }) => [code, label])));
  const table = [
    row(
      "",
      options.map(({ label, recommended }) => (recommended ? `* ${label}` : label)),
    ),
    moneyRow(
      "Per sq ft",
      options.map(({ price_per_sqft: price }) => [price, price]),
    ),
    ...[...lines].map(([code, label]) =>
      moneyRow(
        SHORT[code] ?? label,
        options.map(({ line_items }) => {
          const line = line_items.find((one) => one.code === code);
          return line ? [line.amount ?? line.amount_min ?? 0, line.amount ?? line.amount_max ?? 0] : null;
        }),
      ),
    ),
    moneyRow(
      "Total",
      options.map(({ total_min, total_max }) => [total_min, total_max]),
    ),
  ];
  const notes = wholeTexts(quote.notes, width, height - table.length);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {table.map((text, i) => (
        <Text key={text} bold={i === 0 || i === table.length - 1}>
          {text}
        </Text>
      ))}
      <Lines lines={notes.map((text): Line => ({ text, look: "dim" }))} width={width} />
    </Box>
  );
}

/** Line items by their codes, in words that fit beside three columns of prices on 80 columns. */
const SHORT: Record<string, string> = {
  film: "Installed",
  blocked_windows: "Blocked windows",
  curtain_windows: "With curtains",
  removal: "Old film removed",
  minimum_adjustment: "Minimum charge",
};

type Range = readonly [min: number, max: number];

/** A row of amounts, all with cents or none; where cents have no room they are rounded away, for this is a ballpark. */
function amounts(ranges: readonly (Range | null)[], currency: string, room: number): string[] {
  const written = (decimals: number) => {
    const money = new Intl.NumberFormat("en-US", {
      style: "currency",
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    return ranges.map((range) => {
      if (range === null) return "";
      const [min, max] = range;
      return min === max ? money.format(min) : `${money.format(min)}–${money.format(max)}`;
    });
  };
  const isWhole = ranges.every((range) => range === null || range.every(Number.isInteger));
  const cents = written(2);
  return isWhole || cents.some((text) => text.length > room) ? written(0) : cents;
}
