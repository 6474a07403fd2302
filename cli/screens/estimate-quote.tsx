/** A quote beside and under the form: line items in both films, what the law says, Good, Better and Best. */
import { Box, Text } from "ink";
import { formatMoney } from "../../src/domain/money.ts";
import { hours, moneyIn } from "../quotes.ts";
import { fit, wrap } from "./kit/fit.ts";
import { type Line, Lines } from "./lines.tsx";
import type { BuildingQuote, VehicleQuote } from "./state/estimate-quote.ts";

const MONEY = 13;

interface VehiclePricesProps {
  quote: VehicleQuote;
  warnings: readonly string[];
  width: number;
}

export function VehiclePrices({ quote, warnings, width }: VehiclePricesProps) {
  const { options, line_items: lines, currency } = quote;
  const money = moneyIn(currency);
  // A terminal that is wide gets figures near their labels.
  const label = Math.min(40, width - options.length * MONEY);
  const row = (name: string, cells: readonly string[]) =>
    fit(name, label) + cells.map((cell) => fit(cell, MONEY, "right")).join("");
  const amounts = (i: number) => options.map((option) => money(option.line_items[i]?.amount ?? 0));
  const head = options.map(({ film_type: film, selected }) => (film ? `${selected ? "* " : ""}${film}` : "price"));
  return (
    <Box flexDirection="column" width={width}>
      <Text bold>{row("", head)}</Text>
      {lines.map(({ code, label: name }, i) => (
        <Text key={code}>{row(i === 0 ? "The job" : name, amounts(i))}</Text>
      ))}
      <Text dimColor>{"─".repeat(label + options.length * MONEY)}</Text>
      <Text bold>
        {row(
          "Total",
          options.map(({ total }) => money(total)),
        )}
      </Text>
      <Text dimColor>{fit(`Takes about ${hours(quote.duration_minutes)}`, width)}</Text>
      <Lines lines={warnings.slice(0, 2).map((text): Line => ({ text, look: "warning" }))} width={width} />
    </Box>
  );
}

interface LawProps {
  law: VehicleQuote["tint_law"];
  width: number;
  height: number;
}

const GRAVE = ["illegal", "not_permitted", "borderline"];

export function LawCheck({ law, width, height }: LawProps) {
  const status = law.status === "not_checked" ? "type a shade to check it" : words(law.status);
  const room = width - POSITION - STATUS;
  const head: Line = {
    text: `Tint law of ${law.name}: ${status}`,
    look: GRAVE.includes(law.status) ? "warning" : law.status === "legal" ? "good" : "bold",
  };
  const disclaimer = wrap(law.disclaimer, width);
  const notes = wholeNotes(law.notes, width, height - 1 - law.checks.length - disclaimer.length);
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Lines lines={[head]} width={width} />
      {law.checks.map((check) => (
        <Text key={check.position}>
          {fit(words(check.position), POSITION)}
          <Text {...lookOf(check.status)}>
            {fit(check.status === "not_checked" ? "" : words(check.status), STATUS)}
          </Text>
          {fit(reason(check, room), room)}
        </Text>
      ))}
      <Lines lines={[...notes, ...disclaimer].map((text): Line => ({ text, look: "dim" }))} width={width} />
    </Box>
  );
}

const POSITION = 12;
const STATUS = 15;

/** In full where there is room for it, otherwise the figures alone. */
function reason(check: VehicleQuote["tint_law"]["checks"][number], room: number): string {
  const full = check.explanation.replace(/^No shade was given; /, "");
  const darkest = check.darkest_legal_shade === null ? "" : `; legal from ${check.darkest_legal_shade}`;
  if (Bun.stringWidth(full) <= room || check.net_vlt === null || check.min_vlt === null) return full;
  return `${check.net_vlt}% of light passes, minimum ${check.min_vlt}%${darkest}`;
}

function lookOf(status: string): { color?: string } {
  if (GRAVE.includes(status)) return { color: "yellow" };
  return status === "legal" ? { color: "green" } : {};
}

/** A note is shown whole or not at all. */
function wholeNotes(notes: readonly string[], width: number, room: number): string[] {
  const lines: string[] = [];
  for (const note of notes) {
    const wrapped = wrap(note, width);
    if (lines.length + wrapped.length <= room) lines.push(...wrapped);
  }
  return lines;
}

function words(code: string): string {
  return code.replaceAll("_", " ");
}

export function BuildingOptions({ quote, width, height }: { quote: BuildingQuote; width: number; height: number }) {
  const money = (units: number) => formatMoney(Math.round(units * 100), quote.currency);
  const range = (min: number, max: number) => (min === max ? money(min) : `${money(min)}–${money(max)}`);
  const each = Math.min(28, Math.floor((width - 18) / 3));
  const row = (name: string, cells: readonly string[]) =>
    fit(name, Math.min(34, width - 3 * each)) + cells.map((cell) => ` ${fit(cell, each - 1, "right")}`).join("");
  const { options } = quote;
  const lines = new Map(options.flatMap(({ line_items }) => line_items.map(({ code, label }) => [code, label])));
  const table = [
    row(
      "",
      options.map(({ label, recommended }) => (recommended ? `* ${label}` : label)),
    ),
    row(
      "Film",
      options.map(({ film }) => film.name),
    ),
    row(
      "Per sq ft",
      options.map(({ price_per_sqft }) => money(price_per_sqft)),
    ),
    ...[...lines].map(([code, label]) =>
      row(
        code === "film" ? "Installed" : label,
        options.map(({ line_items }) => {
          const line = line_items.find((one) => one.code === code);
          return line ? range(line.amount ?? line.amount_min ?? 0, line.amount ?? line.amount_max ?? 0) : "";
        }),
      ),
    ),
    row(
      "Total",
      options.map(({ total_min, total_max }) => range(total_min, total_max)),
    ),
  ];
  const notes = wholeNotes(quote.notes, width, height - table.length);
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
