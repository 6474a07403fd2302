/** Loaded before the server of the control run: the database is opened with synchronous = NORMAL in place of FULL. */
import { Database } from "bun:sqlite";

const run = Database.prototype.run;
Database.prototype.run = function (this: Database, sql: string, ...rest: never[]) {
  return run.call(this, sql === "PRAGMA synchronous = FULL" ? "PRAGMA synchronous = NORMAL" : sql, ...rest);
} as typeof run;
