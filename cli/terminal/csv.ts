/** Tables for spreadsheets. */
import { Option } from "commander";

export interface CsvOptions {
  csv?: boolean;
}

export function csvOption(): Option {
  return new Option("--csv", "print a table for a spreadsheet").conflicts("json");
}

/** Digits, dots and one sign: a phone number or an amount, which no spreadsheet computes. */
const PLAIN = /^[+-]?[\d.]*$/;
/** The beginnings by which spreadsheets know a formula. Source: OWASP, CSV Injection. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table as RFC 4180 writes it, with line feeds. A cell that begins like a formula gets an apostrophe in front, so that
 * no spreadsheet computes what a stranger wrote.
 */
export function csv(head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

function cell(value: string | number | null): string {
  const text = String(value ?? "").replace(/\p{C}/gu, " ");
  const safe = FORMULA.test(text.trimStart()) && !PLAIN.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
