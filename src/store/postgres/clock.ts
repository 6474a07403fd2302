/** The clock of a PostgreSQL database beside this machine's (contract 19). */
import type { SqlConnection } from "./pool.ts";

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
