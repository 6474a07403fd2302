/** The price of a building in three options: Good, Better and Best. */
import { Box, Text } from "ink";
import { moneyIn, rangeInWords } from "../../terminal/in-words.ts";
import { fit, type Line, Lines, wholeTexts, wrap } from "../kit/text.tsx";
import type { BuildingQuote } from "./price.ts";

/** The film of each option, on lines of its own: a column of prices has no room for the names. */
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

/** Columns for the name of an option. */
const TIER = 9;

interface BuildingOptionsProps {
  quote: BuildingQuote;
  width: number;
  height: number;
}

export function BuildingOptions({ quote, width, height }: BuildingOptionsProps) {
  const rows = priceRows(quote, width);
  const notes = wholeTexts(quote.notes, width, height - rows.length);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {rows.map((text, i) => (
        <Text key={text} bold={i === 0 || i === rows.length - 1}>
          {text}
        </Text>
      ))}
      <Lines lines={notes.map((text): Line => ({ text, look: "dim" }))} width={width} />
    </Box>
  );
}

/** The heading, a row for the price by the square foot, one for each line item, and the total; a column for each option. */
function priceRows({ options, currency }: BuildingQuote, width: number): string[] {
  const each = Math.min(28, Math.floor((width - 16) / 3));
  const label = Math.min(34, width - 3 * each);
  const row = (name: string, cells: readonly string[]) =>
    fit(name, label) + cells.map((cell) => ` ${fit(cell, each - 1, "right")}`).join("");
  const moneyRow = (name: string, rangeOf: (option: Option) => Range | null) =>
    row(name, amounts(options.map(rangeOf), currency, each - 1));
  const items = new Map(options.flatMap(({ line_items }) => line_items.map(({ code, label }) => [code, label])));
  return [
    row(
      "",
      options.map(({ label, recommended }) => (recommended ? `* ${label}` : label)),
    ),
    moneyRow("Per sq ft", ({ price_per_sqft: price }) => [price, price]),
    ...[...items].map(([code, name]) => moneyRow(SHORT[code] ?? name, (option) => itemRange(option, code))),
    moneyRow("Total", ({ total_min, total_max }) => [total_min, total_max]),
  ];
}

type Option = BuildingQuote["options"][number];
type Range = readonly [min: number, max: number];

/** @returns null when the option has no such line item */
function itemRange({ line_items }: Option, code: string): Range | null {
  const item = line_items.find((one) => one.code === code);
  return item ? [item.amount ?? item.amount_min ?? 0, item.amount ?? item.amount_max ?? 0] : null;
}

/** Labels for line items by code, short enough to stand beside three columns of prices on 80 columns. */
const SHORT: Record<string, string> = {
  film: "Installed",
  blocked_windows: "Blocked windows",
  curtain_windows: "With curtains",
  removal: "Old film removed",
  minimum_adjustment: "Minimum charge",
};

/** A row of amounts. Where one is too wide for its column the whole row loses its cents: this is a ballpark. */
function amounts(ranges: readonly (Range | null)[], currency: string, room: number): string[] {
  const written = (decimals: 0 | 2) => {
    const money = moneyIn(currency, decimals);
    return ranges.map((range) => {
      if (range === null) return "";
      return rangeInWords(...range, money);
    });
  };
  const cents = written(2);
  return cents.some((text) => text.length > room) ? written(0) : cents;
}
