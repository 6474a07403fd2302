/** Examines a PostgreSQL database without changing it, for `tint doctor`. */
import { clockAhead } from "./clock.ts";
import { answerWithin } from "./errors.ts";
import { ownDifference, versionOf } from "./migrate.ts";
import { createPool } from "./pool.ts";
import { READ_MS } from "./reader.ts";

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
