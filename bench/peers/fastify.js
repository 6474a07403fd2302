/** Estimate and booking as a Fastify application would have them: ajv schemas, better-sqlite3. On Node. */
import Database from "better-sqlite3";
import Fastify from "fastify";
import { ADDONS, createBook, estimate, FILMS, VEHICLE_TYPES } from "./shop.js";

const book = createBook(new Database(process.argv[2] ?? ":memory:"));

const text = (maxLength) => ({ type: "string", minLength: 1, maxLength });
const vehicle = {
  vehicle_type: { type: "string", enum: VEHICLE_TYPES },
  film_type: { type: "string", enum: FILMS },
  coverage: { type: "string", enum: ["full", "front2"] },
  vehicle_year: { type: "integer", minimum: 1900, maximum: 2100 },
  vehicle_make: text(100),
  vehicle_model: text(100),
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
    const data = book(request.body);
    return data ? reply.code(201).send({ success: true, data }) : reply.code(409).send({ success: false });
  },
);

await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${app.server.address().port}\n`);
