/** What `tint doctor` and servers ask a PostgreSQL database about itself: its version, and its clock (contract 19). */

import { ownDifference, versionOf } from "./migrate.ts";
import { answerWithin, createPool, READ_MS, type SqlConnection } from "./pool.ts";

/** The most that a machine's clock may be off the database's. Answers and quotas go by the machine's clock. */
export const MOST_SKEW_MS = 2_000;

export class ClockSkewed extends Error {
  override readonly name = "ClockSkewed";
  /** The message in two parts. */
  readonly reason: string;
  readonly wayOut: string;

  /** @param ahead milliseconds; negative when this machine's clock is behind */
  constructor(ahead: number) {
    const far = `${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead > 0 ? "ahead of" : "behind"} the database's`;
    const most = `at most ${MOST_SKEW_MS / 1000} s are allowed`;
    const reason = `this machine's clock is ${far}, and ${most}`;
    const wayOut = "set both by a time server (on Linux with timedatectl set-ntp true), then start again";
    super(`${reason}; ${wayOut}`);
    this.reason = reason;
    this.wayOut = wayOut;
  }
}

/** By at least so many milliseconds, negative when behind; 0 when the time that the answer took explains the difference. */
export async function clockAhead(sql: SqlConnection, now: () => number): Promise<number> {
  const asked = now();
  const [row] = await sql.unsafe("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now");
  const database = Number(row?.now);
  return asked > database ? asked - database : Math.min(now() - database, 0);
}

/**
 * @returns `server`: the version of the server, like `15.18`; `aheadMs`: how far this machine's clock is ahead of the database's, in
 *   milliseconds; `version` of the tables, 0 in an empty database; `difference` of the tables from those of their version
 * @throws NoAnswer, or the error of a database that cannot be used
 */
export async function inspectPostgres(url: string) {
  await using pool = createPool(url, 1);
  const sql = pool.current();
  const look = async () => {
    const aheadMs = await clockAhead(sql, Date.now);
    const [row] = await sql.unsafe("SELECT current_setting('server_version') AS server");
    // Distributions add their own terms.
    const [server = ""] = String(row?.server).split(" ");
    const version = await versionOf(sql);
    return { server, aheadMs, version, difference: await ownDifference(sql, version) };
  };
  return await answerWithin(READ_MS, look());
}
