/** Estimate and booking as a Fastify application would have them: ajv schemas, better-sqlite3. On Node. */
import { randomBytes } from "node:crypto";
import Database from "better-sqlite3";
import Fastify from "fastify";
import { ADDONS, BAYS, estimate, FILMS, JOBS, SCHEMA, spanOf, VEHICLE_TYPES } from "./shop.js";

const db = new Database(process.argv[2] ?? ":memory:");
for (const statement of SCHEMA) db.exec(statement);
const busy = db.prepare("SELECT count(*) AS n FROM bookings WHERE busy_until > ? AND start_at < ?");
const addLead = db.prepare("INSERT INTO leads (name, phone, email, details) VALUES (?, ?, ?, ?)");
const addBooking = db.prepare(
  "INSERT INTO bookings (code, name, phone, email, date, start_at, busy_until, details) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
);
const addJob = db.prepare("INSERT INTO jobs (lead, kind, payload, due_at) VALUES (?, ?, ?, ?)");

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

const text = (maxLength) => ({ type: "string", minLength: 1, maxLength });
const vehicle = {
  vehicle_type: { type: "string", enum: VEHICLE_TYPES },
  film_type: { type: "string", enum: FILMS },
  coverage: { type: "string", enum: ["full", "front2"] },
};

const app = Fastify({ logger: false, bodyLimit: 64 * 1024, trustProxy: true });

app.post(
  "/api/v1/estimates",
  {
    schema: {
      body: {
        type: "object",
        required: ["vehicle_type"],
        properties: {
          ...vehicle,
          addons: { type: "array", items: { type: "string", enum: ADDONS } },
          shade: { type: "integer", minimum: 1, maximum: 100 },
        },
      },
    },
  },
  (request) => estimate(request.body),
);

app.post(
  "/api/v1/bookings",
  {
    schema: {
      body: {
        type: "object",
        required: ["date", "time", "customer_name", "customer_phone", "customer_email"],
        properties: {
          ...vehicle,
          date: { type: "string", format: "date" },
          time: { type: "string", pattern: "^\\d\\d:\\d\\d$" },
          customer_name: text(100),
          customer_phone: text(32),
          customer_email: { type: "string", format: "email" },
        },
      },
    },
  },
  (request, reply) => {
    const data = book.immediate(request.body);
    return data ? reply.code(201).send({ success: true, data }) : reply.code(409).send({ success: false });
  },
);

await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${app.server.address().port}\n`);
