/** Estimate and booking as a Hono application would have them: zod schemas, bun:sqlite. On Bun. */
import { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { ADDONS, BAYS, estimate, FILMS, JOBS, SCHEMA, spanOf, VEHICLE_TYPES } from "./shop.js";

const db = new Database(process.argv[2] ?? ":memory:");
for (const statement of SCHEMA) db.run(statement);
const busy = db.query("SELECT count(*) AS n FROM bookings WHERE busy_until > ? AND start_at < ?");
const addLead = db.query("INSERT INTO leads (name, phone, email, details) VALUES (?, ?, ?, ?)");
const addBooking = db.query(
  "INSERT INTO bookings (code, name, phone, email, date, start_at, busy_until, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
);
const addJob = db.query("INSERT INTO jobs (lead, kind, payload, due_at) VALUES (?, ?, ?, ?)");

const book = db.transaction((body) => {
  const { start, end } = spanOf(body);
  if (busy.get(start, end).n >= BAYS) return null;
  const code = randomBytes(5).toString("hex").toUpperCase();
  const { customer_name: name, customer_phone: phone, customer_email: email, date } = body;
  const details = JSON.stringify(body);
  const { lastInsertRowid: lead } = addLead.run(name, phone, email, details);
  addBooking.run(code, name, phone, email, date, start, end, details);
  for (const kind of JOBS) addJob.run(lead, kind, details, Date.now());
  return { confirmation_code: code, status: "confirmed", date, time: body.time, start, end };
});

const vehicle = {
  film_type: z.enum(FILMS).optional(),
  coverage: z.enum(["full", "front2"]).optional(),
};
const estimateBody = z.object({
  ...vehicle,
  vehicle_type: z.enum(VEHICLE_TYPES),
  addons: z.array(z.enum(ADDONS)).optional(),
  shade: z.int().min(1).max(100).optional(),
});
const bookingBody = z.object({
  ...vehicle,
  vehicle_type: z.enum(VEHICLE_TYPES).optional(),
  date: z.iso.date(),
  time: z.string().regex(/^\d\d:\d\d$/),
  customer_name: z.string().min(1).max(100),
  customer_phone: z.string().min(1).max(32),
  customer_email: z.email(),
});

const app = new Hono();
app.post("/api/v1/estimates", async (c) => {
  const parsed = estimateBody.safeParse(await c.req.json());
  if (!parsed.success) return c.json({ success: false, issues: parsed.error.issues }, 400);
  return c.json(estimate(parsed.data));
});
app.post("/api/v1/bookings", async (c) => {
  const parsed = bookingBody.safeParse(await c.req.json());
  if (!parsed.success) return c.json({ success: false, issues: parsed.error.issues }, 400);
  const data = book.immediate(parsed.data);
  return data ? c.json({ success: true, data }, 201) : c.json({ success: false }, 409);
});

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
process.stdout.write(`${server.port}\n`);
