/** The estimate as a Hono application would have it: a zod schema. On Bun. */
import { Hono } from "hono";
import { z } from "zod";
import { ADDONS, estimate, FILMS, VEHICLE_TYPES } from "./shop.js";

const name = z.string().min(1).max(100);
const body = z.object({
  vehicle_type: z.enum(VEHICLE_TYPES),
  vehicle_year: z.int().min(1900).max(2100).optional(),
  vehicle_make: name.optional(),
  vehicle_model: name.optional(),
  film_type: z.enum(FILMS).optional(),
  coverage: z.enum(["full", "front2"]).optional(),
  addons: z.array(z.enum(ADDONS)).optional(),
  shade: z.int().min(1).max(100).optional(),
});

const app = new Hono();
app.post("/api/v1/estimates", async (c) => {
  const parsed = body.safeParse(await c.req.json());
  if (!parsed.success) return c.json({ success: false, issues: parsed.error.issues }, 400);
  return c.json(estimate(parsed.data));
});

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: app.fetch });
process.stdout.write(`${server.port}\n`);
