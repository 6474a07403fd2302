/** Lists: `--limit` with a note about the rows that are left out, and `--csv`. */
import { InvalidArgumentError, Option } from "commander";
import { counted } from "../../src/lib/text.ts";

const USUAL_ROWS = 500;
const MOST_ROWS = 1_000_000;

export interface LimitOptions {
  limit: number;
}

export function limitOption(): Option {
  return new Option("--limit <number>", `the most rows to show (default: ${USUAL_ROWS})`)
    .default(USUAL_ROWS)
    .argParser((typed: string) => {
      const rows = /^\d{1,7}$/.test(typed) ? Number(typed) : 0;
      if (rows >= 1 && rows <= MOST_ROWS) return rows;
      throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_ROWS}.`);
    });
}

/** The first rows of a list that was read only a little further. A note on standard error says when there are more. */
export function onlyFirst<Row>(rows: readonly Row[], limit: number, which: "first" | "newest"): Row[] {
  if (rows.length > limit) process.stderr.write(`Only the ${which} ${limit} are shown; --limit shows more.\n`);
  return rows.slice(0, limit);
}

/** The first rows. A note on standard error says how many more there are. */
export function firstRows<Row>(rows: readonly Row[], limit: number): Row[] {
  const more = rows.length - limit;
  if (more > 0)
    process.stderr.write(`${counted(more, "more is", "more are")} not shown; --limit ${rows.length} shows all.\n`);
  return rows.slice(0, limit);
}

export interface CsvOptions {
  csv?: boolean;
}

export function csvOption(): Option {
  // A file for the books has every row, unless --limit says otherwise.
  return new Option("--csv", "print a table for a spreadsheet").conflicts("json").implies({ limit: MOST_ROWS });
}

/** Digits, dots and one sign: a phone number or an amount, which no spreadsheet computes. */
const PLAIN = /^[+-]?[\d.]*$/;
/** The beginnings by which spreadsheets know a formula. Source: OWASP, CSV Injection. */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;
/** The same behind a semicolon, with which a spreadsheet of another country begins a cell whatever the quotes say. */
const HIDDEN_FORMULA = /;(?=[\s"']*[=+\-@＝＋－＠])/g;

/**
 * A table as RFC 4180 writes it, with line feeds. A cell that begins like a formula gets an apostrophe in front, so that
 * no spreadsheet computes what a stranger wrote.
 */
export function csv(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function cell(value: string | number | null): string {
  const text = String(value ?? "").replace(/\p{C}/gu, " ");
  const begun = FORMULA.test(text.trimStart()) && !PLAIN.test(text) ? `'${text}` : text;
  const safe = begun.replace(HIDDEN_FORMULA, ";'");
  return /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
