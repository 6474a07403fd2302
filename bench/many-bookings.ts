/** Fills a shop's database with many bookings, as copies of one that was made through the API. */
import { Database } from "bun:sqlite";
import { DAY_MS, MINUTE_MS } from "../src/lib/durations.ts";
import { API } from "../test/helpers.ts";
import type { ShopFolder } from "../test/process/server.ts";
import { startShop } from "./children.ts";
import { bookingOf } from "./requests.ts";

/** Milliseconds of the work on one car in these bookings. */
const WORK_MS = 90 * MINUTE_MS;
const TEN_YEARS_MS = 3650 * DAY_MS;

interface Filling {
  /** Past bookings, spread over the last ten years. */
  past: number;
  /** Bookings of the days to come, spread over as many; at most 50 a day, so that no minute holds more than the bays do. */
  future: number;
  days: number;
}

/** Makes the database and fills it; the shop's server must not run. */
export async function fillDiary(folder: ShopFolder, { past, future, days }: Filling): Promise<void> {
  {
    await using server = await startShop(folder);
    const { status } = await server.post(`${API}/bookings`, bookingOf(0));
    if (status !== 201) throw new Error(`the first booking was answered ${status}`);
  }
  using db = new Database(folder.database);
  db.run("PRAGMA synchronous = OFF");
  const now = Date.now();
  const perDay = Math.ceil(future / days);
  const apart = Math.floor((DAY_MS - WORK_MS) / perDay);
  const behind = `${now - TEN_YEARS_MS} + i * ${Math.floor(TEN_YEARS_MS / Math.max(1, past))}`;
  const ahead = `${now + DAY_MS} + (i / ${perDay}) * ${DAY_MS} + (i % ${perDay}) * ${apart}`;
  db.transaction(() => {
    copies(db, past, behind, "p", { leads: "won", bookings: "completed", jobs: "done" });
    copies(db, future, ahead, "f", { leads: "new", bookings: "confirmed", jobs: "waiting" });
  })();
  db.run("PRAGMA optimize");
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

/**
 * Copies the first row of each table. Columns not named here keep the value of that row.
 * @param start SQL for the start of the i-th copy
 * @param states of the copies in each table
 */
function copies(db: Database, count: number, start: string, mark: string, states: Record<string, string>): void {
  if (count === 0) return;
  const changed: Record<string, string> = {
    lead_id: `'leads_${mark}' || i`,
    reference: `'B-${mark}' || i`,
    confirmation_code: `'${mark.toUpperCase()}' || i`,
    created_at: start,
    date: `date((${start}) / 1000, 'unixepoch')`,
    start_at: start,
    end_at: `${start} + ${WORK_MS}`,
    busy_until: `${start} + ${WORK_MS}`,
    phone: `'+1404' || (2000000 + i)`,
    email_key: "'pat' || i || '@example.com'",
    network: `'198.18.' || (i % 65536 / 256) || '.' || (i % 256)`,
    // A reminder on the day before.
    due_at: `${start} - ${DAY_MS}`,
    next_at: `${start} - ${DAY_MS}`,
    touched_at: "NULL",
  };
  for (const [table, state] of Object.entries(states)) {
    const id = table === "jobs" ? "NULL" : `'${table}_${mark}' || i`;
    const columns = db.query<{ name: string }, []>(`PRAGMA table_info(${table})`).all();
    const names = columns.map(({ name }) => name);
    const values = names.map((name) => ({ id, status: `'${state}'`, ...changed })[name] ?? `first.${name}`);
    db.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       INSERT INTO ${table} (${names.join(", ")})
       SELECT ${values.join(", ")} FROM n, (SELECT * FROM ${table} ORDER BY rowid LIMIT 1) AS first`,
    );
  }
}
