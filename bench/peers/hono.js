/** Estimate and booking as a Hono application would have them: zod schemas, bun:sqlite. On Bun. */
import { Database } from "bun:sqlite";
import { Hono } from "hono";
import { z } from "zod";
import { ADDONS, createBook, estimate, FILMS, VEHICLE_TYPES } from "./shop.js";

const book = createBook(new Database(process.argv[2] ?? ":memory:"));

const vehicle = {
  film_type: z.enum(FILMS).optional(),
  coverage: z.enum(["full", "front2"]).optional(),
  vehicle_year: z.int().min(1900).max(2100).optional(),
  vehicle_make: z.string().min(1).max(100).optional(),
  vehicle_model: z.string().min(1).max(100).optional(),
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
  const data = book(parsed.data);
  return data ? c.json({ success: true, data }, 201) : c.json({ success: false }, 409);
});

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
process.stdout.write(`${server.port}\n`);
