/**
 * The yardstick of durable bookings: one connection of bun:sqlite that commits the rows of a booking, one booking after
 * another, WAL and FULL. Prints bookings a second.
 *
 *   bun bench/bare-commits.ts <folder> <seconds>
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";

const [folder = ".", seconds = "1"] = process.argv.slice(2);
const db = new Database(join(folder, "bare.db"), { strict: true });
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = FULL");
db.run("CREATE TABLE leads (id TEXT PRIMARY KEY, reference TEXT UNIQUE, phone TEXT, details TEXT) STRICT");
db.run(
  "CREATE TABLE bookings (id TEXT PRIMARY KEY, code TEXT UNIQUE, lead TEXT, date TEXT, start_at INTEGER, busy_until INTEGER, answer TEXT) STRICT",
);
db.run("CREATE INDEX bookings_occupying ON bookings (busy_until, start_at)");
db.run("CREATE INDEX bookings_by_date ON bookings (date)");
db.run("CREATE TABLE jobs (id INTEGER PRIMARY KEY, lead TEXT, kind TEXT, payload TEXT, next_at INTEGER) STRICT");
db.run("CREATE INDEX jobs_next ON jobs (kind, next_at)");

const busy = db.query("SELECT count(*) AS n FROM bookings WHERE busy_until > ? AND start_at < ?");
const lead = db.query("INSERT INTO leads VALUES (?, ?, ?, ?)");
const booking = db.query("INSERT INTO bookings VALUES (?, ?, ?, ?, ?, ?, ?)");
const job = db.query("INSERT INTO jobs (lead, kind, payload, next_at) VALUES (?, ?, ?, ?)");
const text = "x".repeat(1500);

const book = db.transaction((i: number) => {
  const start = i * 3_600_000;
  busy.get(start, start + 3_600_000);
  lead.run(`lead_${i}`, `B-${i}`, "+14045550111", text);
  booking.run(`bk_${i}`, `C${i}`, `lead_${i}`, "2026-11-24", start, start + 3_600_000, text);
  for (const kind of ["notify_shop_sms", "push_to_crm", "remind_owner"]) job.run(`lead_${i}`, kind, text, start);
});

let count = 0;
const from = performance.now();
while (performance.now() - from < Number(seconds) * 1000) book.immediate(count++);
process.stdout.write(`${count / ((performance.now() - from) / 1000)}\n`);
