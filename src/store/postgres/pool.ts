/** Connections to PostgreSQL that can be given up: nothing in the driver bounds a connection whose packets vanish. */
import { type ReservedSQL, SQL } from "bun";
import type { Statement, Steps } from "../queries/steps.ts";

/** A pool, or a connection reserved from one. */
export type SqlConnection = Pick<SQL | ReservedSQL, "unsafe">;

/** Closed where its scope ends, with `await using`. */
export interface Pool extends AsyncDisposable {
  current(): SQL;
  /**
   * Gives the connections up: the next use opens new ones.
   * @param old the connections to close, if they are still the current ones
   * @param graceSeconds the time in which those may finish their statements
   */
  replace(old?: SQL, graceSeconds?: number): void;
  close(): Promise<void>;
}

/** Seconds. */
const CONNECT_TIMEOUT_S = 2;

/** @param url with `prepare=false` for a pooler that gives each transaction another connection */
export function createPool(url: string, max: number): Pool {
  const address = new URL(url);
  const prepare = address.searchParams.get("prepare") !== "false";
  address.searchParams.delete("prepare");
  const open = () => new SQL(address.href, { max, prepare, connectionTimeout: CONNECT_TIMEOUT_S });
  let sql = open();
  return {
    current: () => sql,
    replace(old = sql, graceSeconds = 0) {
      if (old !== sql) return;
      void old.close({ timeout: graceSeconds }).catch(() => {});
      sql = open();
    },
    close: () => sql.close({ timeout: 0 }),
    [Symbol.asyncDispose]: () => sql.close({ timeout: 0 }),
  };
}

/** Performs a function's statements; those of one `yield` share a round trip. */
export async function runSteps<Result>(on: SqlConnection, steps: Steps<Result>): Promise<Result> {
  let turn = steps.next();
  while (!turn.done) turn = steps.next(await Promise.all(turn.value.map((statement) => resultOf(on, statement))));
  return turn.value;
}

export async function resultOf(on: SqlConnection, { text, values, gives }: Statement): Promise<unknown> {
  const result = await on.unsafe(toPostgres(text), [...values]);
  if (gives === "changes") return result.count;
  const rows = withNumbers(result);
  return gives === "rows" ? rows : (rows[0] ?? null);
}

type Row = Record<string, unknown>;
/** The type of 64-bit integers, which the driver gives as texts. */
const INT8 = 20;

/** Safe for every number of Tintdesk: milliseconds, cents and counts are far below 2⁵³. */
export function withNumbers(result: Row[] & { columns?: { name: string; type: number }[] }): Row[] {
  const names = (result.columns ?? []).filter(({ type }) => type === INT8).map(({ name }) => name);
  return result.map((row) => {
    for (const name of names) if (row[name] !== null) row[name] = Number(row[name]);
    return row;
  });
}

const translated = new Map<string, string>();

function toPostgres(text: string): string {
  const known = translated.get(text);
  if (known !== undefined) return known;
  const made = translate(text);
  translated.set(text, made);
  return made;
}

function translate(text: string): string {
  let next = 0;
  return (
    text
      .replace(/\?(\d*)/g, (_, place: string) => `$${place === "" ? ++next : place}`)
      // The planner of PostgreSQL chooses the index.
      .replace(/ INDEXED BY \w+/g, "")
      // Through text, because the driver would encode a value for a JSON parameter again.
      .replace(/json_each\((\$\d+)\)/g, "json_array_elements_text(CAST(CAST($1 AS text) AS json))")
      .replaceAll("unixepoch('subsec')", "extract(epoch FROM clock_timestamp())")
      // Names without quotes lose their capitals.
      .replace(/ AS ([a-z]+[A-Z]\w*)/g, ' AS "$1"')
      // Patterns for customers are regular expressions between two asterisks.
      .replace(/ GLOB (\$\d+)/g, " ~ trim(both '*' from $1)")
  );
}
