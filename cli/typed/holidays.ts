/** The holidays of the United States by the names that people type. */
import { didYouMean } from "../../src/schema/explain.ts";

/** A fixed day, or the nth weekday of a month: Monday is weekday 1, and nth -1 is the last one. */
type Rule = { month: number; day: number } | { month: number; weekday: number; nth: number; plus?: number };

/** Names are compared without apostrophes, points and a `day` at their end. */
const HOLIDAYS: readonly { names: readonly string[]; rule: Rule }[] = [
  { names: ["new years", "new year"], rule: { month: 1, day: 1 } },
  { names: ["mlk", "martin luther king", "martin luther king jr"], rule: { month: 1, weekday: 1, nth: 3 } },
  { names: ["valentines"], rule: { month: 2, day: 14 } },
  { names: ["presidents", "washingtons birthday"], rule: { month: 2, weekday: 1, nth: 3 } },
  { names: ["mothers"], rule: { month: 5, weekday: 7, nth: 2 } },
  { names: ["memorial"], rule: { month: 5, weekday: 1, nth: -1 } },
  { names: ["juneteenth"], rule: { month: 6, day: 19 } },
  { names: ["fathers"], rule: { month: 6, weekday: 7, nth: 3 } },
  { names: ["independence", "fourth of july", "4th of july", "july 4th"], rule: { month: 7, day: 4 } },
  { names: ["labor"], rule: { month: 9, weekday: 1, nth: 1 } },
  { names: ["columbus", "indigenous peoples"], rule: { month: 10, weekday: 1, nth: 2 } },
  { names: ["halloween"], rule: { month: 10, day: 31 } },
  { names: ["veterans"], rule: { month: 11, day: 11 } },
  { names: ["thanksgiving"], rule: { month: 11, weekday: 4, nth: 4 } },
  { names: ["black friday"], rule: { month: 11, weekday: 4, nth: 4, plus: 1 } },
  { names: ["christmas eve", "xmas eve"], rule: { month: 12, day: 24 } },
  { names: ["christmas", "xmas"], rule: { month: 12, day: 25 } },
  { names: ["new years eve", "new year eve"], rule: { month: 12, day: 31 } },
];

/** Finds a holiday by its name: its date in a year. Undefined for every other word. */
export function holidayNamed(typed: string): ((year: number) => string) | undefined {
  const name = plainHoliday(typed);
  const found = HOLIDAYS.find(({ names }) => names.includes(name));
  return found && ((year) => holidayDate(found.rule, year));
}

/** The name that was nearly typed. */
export function nearHoliday(typed: string): string | undefined {
  return didYouMean(
    plainHoliday(typed),
    HOLIDAYS.flatMap(({ names }) => names),
  );
}

function plainHoliday(typed: string): string {
  return typed.toLowerCase().replace(/[’'.]/g, "").replace(/\s+/g, " ").trim().replace(/ day$/, "");
}

function holidayDate(rule: Rule, year: number): string {
  if ("day" in rule) return Temporal.PlainDate.from({ year, month: rule.month, day: rule.day }).toString();
  const { month, weekday, nth, plus = 0 } = rule;
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  const days = (weekday - first.dayOfWeek + 7) % 7;
  const matches = Array.from({ length: 5 }, (_, i) => first.add({ days: days + 7 * i })).filter(
    (date) => date.month === month,
  );
  return (matches.at(nth < 0 ? nth : nth - 1) ?? first).add({ days: plus }).toString();
}
