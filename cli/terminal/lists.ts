/** Lists: `--limit` with a note about the rows that are left out, and `--csv`. */
import { InvalidArgumentError, Option } from "commander";
import { print, terminalColumns, withoutControls } from "./output.ts";

const USUAL_ROWS = 500;
const MOST_ROWS = 1_000_000;

export interface LimitOptions {
  limit: number;
}

export function limitOption(): Option {
  return new Option("--limit <number>", `the most rows to show (default: ${USUAL_ROWS})`)
    .default(USUAL_ROWS)
    .argParser(numberBetween(1, MOST_ROWS));
}

export function numberBetween(least: number, most: number): (typed: string) => number {
  return (typed) => {
    const number = /^\d{1,9}$/.test(typed) ? Number(typed) : -1;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}

/** The first rows of a list that was read only a little further. A note on standard error says when there are more. */
export function onlyFirst<Row>(rows: readonly Row[], limit: number, which: "first" | "newest"): Row[] {
  if (rows.length > limit) process.stderr.write(`Only the ${which} ${limit} are shown; --limit shows more.\n`);
  return rows.slice(0, limit);
}

export interface CsvOptions {
  csv?: boolean;
}

export function csvOption(): Option {
  // A file for the books has every row, unless --limit says otherwise.
  return new Option("--csv", "print a table for a spreadsheet").conflicts("json").implies({ limit: MOST_ROWS });
}

/** The beginnings by which spreadsheets know a formula. Source: OWASP, CSV Injection. */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;
/** The same behind a semicolon, with which a spreadsheet of another country begins a cell whatever the quotes say. */
const HIDDEN_FORMULA = /;(?=[\s"']*[=+\-@＝＋－＠])/g;
const NUMBER = /^[+-]?[\d.,]+(?:E[+-]?\d+)?$/i;
/** `1MAR2026`, which is a code, and `3-4`, `1/2`. Dates of ours are to be dates. */
const LIKE_A_DATE =
  /^\d{0,4}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d{1,4}$|^\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$/i;
const OUR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a spreadsheet would compute a text, or show it otherwise than it is written. */
function isChanged(text: string): boolean {
  if (NUMBER.test(text)) return String(Number(text)) !== text;
  return FORMULA.test(text) || (LIKE_A_DATE.test(text) && !OUR_DATE.test(text));
}

/** A table as RFC 4180 writes it. What a spreadsheet would take for a formula, a number or a date gets an apostrophe in front. */
export function csv(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number | null): string {
  if (typeof value === "number") return String(value);
  const text = withoutControls(value ?? "");
  const begun = isChanged(text.trim()) ? `'${text}` : text;
  const safe = begun.replace(HIDDEN_FORMULA, ";'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Prints a table of `csv`. In a file or a pipe the mark in front tells Excel that it is UTF-8. */
export async function printCsv(text: string): Promise<void> {
  await print(terminalColumns() > 0 ? text : `\uFEFF${text}`);
}
