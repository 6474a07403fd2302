/** Draws quotes: a car with its tint law, films side by side where there is room; and a building in three options. */
import { Box, Text } from "ink";
import { durationInWords, spaced } from "../../../src/lib/text.ts";
import { glassRows } from "../../estimates/quote-text.ts";
import { moneyIn } from "../../terminal/wording.ts";
import { cut, fit, type Line, Lines, Paragraph, wholeTexts, wrap } from "../kit/text.tsx";
import type { BuildingQuote, VehicleQuote } from "./estimate-form.ts";

const MONEY = 11;
/** An amount like `$1,299.00` and a space. */
const LEAST_MONEY = 10;
/** Room for the name of a line beside its amounts. */
const LEAST_LABEL = 9;

interface VehiclePricesProps {
  quote: VehicleQuote;
  /** The minutes of work in place of the price list's; null for those. */
  minutes?: number | null;
  warnings: readonly string[];
  width: number;
}

export function VehiclePrices({ quote, minutes = null, warnings, width }: VehiclePricesProps) {
  const { options, line_items: lines, currency } = quote;
  const money = moneyIn(currency);
  const isNarrow = options.length * MONEY + LEAST_LABEL > width;
  const room = isNarrow ? LEAST_MONEY : MONEY;
  const chosen = isNarrow ? options.filter((one) => one.selected || options.length === 1) : options;
  // On a wide terminal the amounts stay near their labels.
  const label = Math.min(40, width - chosen.length * room);
  const row = (name: string, cells: readonly string[]) =>
    fit(name, label) + cells.map((cell) => fit(cell, room, "right")).join("");
  const amounts = (i: number) => chosen.map((option) => money(option.line_items[i]?.amount ?? 0));
  const head = chosen.map(({ film_type: word, film, selected }) => {
    if (!word) return "price";
    const mark = selected ? "* " : "";
    // A space separates it from the column before.
    return mark + nameIn(film?.name, word, room - 1 - mark.length);
  });
  const allTotals = options.map(({ total }) => money(total));
  const totals = isNarrow
    ? options.map(({ film, film_type: word, selected, total }) => {
        const name = (selected ? "* " : "  ") + nameIn(film?.name, word ?? "price", label - 2);
        return { text: row(name, [money(total)]), isBold: selected };
      })
    : [{ text: row("Total", allTotals), isBold: true }];
  const withTax = chosen.map(({ total, total_with_tax: all = total }) => money(all));
  const takes = minutes === null ? `about ${durationInWords(quote.duration_minutes)}` : durationInWords(minutes);
  return (
    <Box flexDirection="column" flexShrink={0} width={width}>
      {!isNarrow && <Text bold>{row("", head)}</Text>}
      {lines.map(({ code, label: name }, i) => (
        <Text key={code}>{row(i === 0 ? "The job" : name, amounts(i))}</Text>
      ))}
      <Text dimColor>{"─".repeat(label + chosen.length * room)}</Text>
      {totals.map(({ text, isBold }) => (
        <Text key={text} bold={isBold}>
          {text}
        </Text>
      ))}
      {quote.total_with_tax !== undefined && <Text>{row("With tax", withTax)}</Text>}
      <Text dimColor>{fit(`Takes ${takes}`, width)}</Text>
      {warnings.slice(0, 2).map((text) => (
        <Paragraph key={text} text={text} width={width} most={3} look="warning" />
      ))}
    </Box>
  );
}

/** The film's own name where it has room, else its word. */
function nameIn(name: string | undefined, word: string, width: number): string {
  return name !== undefined && Bun.stringWidth(name) <= width ? name : cut(spaced(word), width);
}

const GRAVE = ["illegal", "not_permitted", "borderline"];

export function LawCheck({ law, width, height }: { law: VehicleQuote["tint_law"]; width: number; height: number }) {
  const name = `Tint law of ${law.name}`;
  const room = width - POSITION - STATUS;
  const status = spaced(law.status);
  const heads =
    law.status === "not_checked"
      ? [`${name}: type a shade to check it`, `${name}: type a shade`, name]
      : [`${name}: ${status}`, `${law.name}: ${status}`];
  const head: Line = {
    text: fitting(heads, width),
    look: GRAVE.includes(law.status) ? "warning" : law.status === "legal" ? "good" : "bold",
  };
  // Where nothing is wrong, a line is enough.
  if (!GRAVE.includes(law.status)) return <Lines lines={[head]} width={width} />;
  const disclaimer = wrap(law.disclaimer, width);
  const notes = wholeTexts(law.notes, width, height - 1 - law.checks.length - disclaimer.length);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Box flexDirection="column" flexShrink={0}>
        <Lines lines={[head]} width={width} />
        {law.checks.map((check) => (
          <Text key={check.position}>
            {fit(spaced(check.position), POSITION)}
            <Text {...lookOf(check.status)}>
              {fit(check.status === "not_checked" ? "" : spaced(check.status), STATUS)}
            </Text>
            {fit(reason(check, room), room)}
          </Text>
        ))}
        <Lines lines={[...notes, ...disclaimer].map((text): Line => ({ text, look: "dim" }))} width={width} />
      </Box>
    </Box>
  );
}

const POSITION = 12;
const STATUS = 15;

/** The whole explanation where it has room, otherwise the numbers alone. */
function reason(check: VehicleQuote["tint_law"]["checks"][number], room: number): string {
  const { net_vlt: net, min_vlt: min, darkest_legal_shade: darkest, explanation: full } = check;
  if (min === null) return check.status === "legal" ? fitting([full, "any shade"], room) : full;
  if (net === null) return fitting([full, `at least ${min}% of the light`, `at least ${min}%`], room);
  const numbers = `${net}% of light passes, minimum ${min}%`;
  const short = `${net}%, min ${min}%`;
  if (darkest === null) return fitting([full, numbers, short, `min ${min}%`], room);
  // The shade to offer instead is worth more than the numbers.
  return fitting(
    [
      `${full} The darkest that is: ${darkest}.`,
      `${numbers}; legal: ${darkest}`,
      `${short}; legal: ${darkest}`,
      `legal: ${darkest}`,
    ],
    room,
  );
}

/** The first text that has room; the last one, which may be cut, where none has. */
function fitting(texts: readonly string[], room: number): string {
  return texts.find((text) => Bun.stringWidth(text) <= room) ?? texts.at(-1) ?? "";
}

function lookOf(status: string): { color?: string } {
  if (GRAVE.includes(status)) return { color: "yellow" };
  return status === "legal" ? { color: "green" } : {};
}

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

export function BuildingOptions({ quote, width, height }: { quote: BuildingQuote; width: number; height: number }) {
  const each = Math.min(28, Math.floor((width - 16) / 3));
  const label = Math.min(34, width - 3 * each);
  const rows = glassRows(quote, "With tax");
  // Where an amount is too wide for its column, none has cents: this is a ballpark.
  const isWide = rows.some(([, ...amounts]) => amounts.some((text) => text.length >= each));
  const head = ["", ...quote.options.map(({ label, recommended }) => (recommended ? `* ${label}` : label))];
  const lines = [head, ...(isWide ? glassRows(quote, "With tax", 0) : rows)].map(
    ([name = "", ...cells]) => fit(name, label) + cells.map((cell) => ` ${fit(cell, each - 1, "right")}`).join(""),
  );
  const notes = wholeTexts(quote.notes, width, height - lines.length);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      {lines.map((text, i) => (
        <Text key={text} bold={i === 0 || i === lines.length - 1}>
          {text}
        </Text>
      ))}
      <Lines lines={notes.map((text): Line => ({ text, look: "dim" }))} width={width} />
    </Box>
  );
}
