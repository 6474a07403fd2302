/** The estimate as a Fastify application would have it: an ajv schema. On Node. */
import Fastify from "fastify";
import { ADDONS, estimate, FILMS, VEHICLE_TYPES } from "./shop.js";

const name = { type: "string", minLength: 1, maxLength: 100 };
const body = {
  type: "object",
  required: ["vehicle_type"],
  properties: {
    vehicle_type: { type: "string", enum: VEHICLE_TYPES },
    vehicle_year: { type: "integer", minimum: 1900, maximum: 2100 },
    vehicle_make: name,
    vehicle_model: name,
    film_type: { type: "string", enum: FILMS },
    coverage: { type: "string", enum: ["full", "front2"] },
    addons: { type: "array", items: { type: "string", enum: ADDONS } },
    shade: { type: "integer", minimum: 1, maximum: 100 },
  },
};

const app = Fastify({ logger: false, bodyLimit: 64 * 1024, trustProxy: true });
app.post("/api/v1/estimates", { schema: { body } }, (request) => estimate(request.body));
await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${app.server.address().port}\n`);
