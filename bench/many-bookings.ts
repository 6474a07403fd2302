/** Fills a shop's database with many bookings, as copies of one that was made through the API. */
import { Database } from "bun:sqlite";
import { DAY_MS, MINUTE_MS } from "../src/lib/durations.ts";
import { API } from "../test/helpers.ts";
import { dateIn, type ShopFolder } from "../test/process/server.ts";
import { startShop } from "./children.ts";

/** Milliseconds of the work on one car in these bookings. */
const WORK_MS = 90 * MINUTE_MS;

export interface Filling {
  /** Past bookings, spread over the last ten years. */
  past: number;
  /** Bookings of the days to come, spread over as many. */
  future: number;
  days: number;
}

/** Makes the database and fills it; the shop's server must not run. */
export async function fillDiary(folder: ShopFolder, { past, future, days }: Filling): Promise<void> {
  {
    await using server = await startShop(folder);
    const answer = await server.post(`${API}/bookings`, {
      date: dateIn(2),
      time: "09:00",
      customer_name: "Pat Example",
      customer_phone: "+14045550111",
      customer_email: "pat@example.com",
      vehicle_type: "suv",
      coverage: "front2",
    });
    if (answer.status !== 201) throw new Error(`the first booking was answered ${answer.status}`);
  }
  using db = new Database(folder.database);
  db.run("PRAGMA synchronous = OFF");
  const now = Date.now();
  const tenYears = 3650 * DAY_MS;
  // SQL for the start of the i-th copy; 50 slots a day, so that no minute holds more than the bays do.
  const behind = (i: string) => `(${now - tenYears} + (${i}) * ${Math.floor(tenYears / Math.max(1, past))})`;
  const perDay = Math.ceil(future / days);
  const ahead = (i: string) =>
    `(${now + DAY_MS} + ((${i}) / ${perDay}) * ${DAY_MS} + ((${i}) % ${perDay}) * ${Math.floor((DAY_MS - WORK_MS) / perDay)})`;
  db.transaction(() => {
    copies(db, past, "p", behind);
    copies(db, future, "f", ahead);
  })();
  db.run("PRAGMA optimize");
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Copies lead and booking of the first row. Columns not named here keep the value of the first row. */
function copies(db: Database, count: number, mark: string, startOf: (i: string) => string): void {
  if (count === 0) return;
  const start = startOf("i");
  const day = `date(${start} / 1000, 'unixepoch')`;
  copy(db, "leads", count, {
    id: `'lead_${mark}' || i`,
    reference: `'B-${mark}' || i`,
    created_at: start,
    status: mark === "p" ? "'won'" : "'new'",
  });
  copy(db, "bookings", count, {
    id: `'bk_${mark}' || i`,
    confirmation_code: `'${mark.toUpperCase()}' || i`,
    lead_id: `'lead_${mark}' || i`,
    status: mark === "p" ? "'completed'" : "'confirmed'",
    date: day,
    start_at: start,
    end_at: `${start} + ${WORK_MS}`,
    busy_until: `${start} + ${WORK_MS}`,
    phone: `'+1404' || (2000000 + i)`,
    email_key: "'pat' || i || '@example.com'",
    network: `'198.18.' || (i % 65536 / 256) || '.' || (i % 256)`,
    created_at: start,
    request_scope: "NULL",
    request_id: "NULL",
    request_hash: "NULL",
  });
  // A reminder on the day before: sent for past bookings, waiting for future ones.
  copy(db, "jobs", count, {
    id: "NULL",
    lead_id: `'lead_${mark}' || i`,
    status: mark === "p" ? "'done'" : "'waiting'",
    due_at: `${start} - ${DAY_MS}`,
    next_at: `${start} - ${DAY_MS}`,
    touched_at: "NULL",
    created_at: start,
  });
}

function copy(db: Database, table: string, count: number, changed: Record<string, string>): void {
  const columns = db.query<{ name: string }, []>(`PRAGMA table_info(${table})`).all();
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `first.${name}`);
  db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO ${table} (${names.join(", ")})
     SELECT ${values.join(", ")} FROM n, (SELECT * FROM ${table} ORDER BY rowid LIMIT 1) AS first`,
  );
}
