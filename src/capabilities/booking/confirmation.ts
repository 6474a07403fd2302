/** The answer to a booking. It is stored, and read again for a repeated request and for the diary. */
import { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { keepLatest } from "../../lib/latest.ts";
import { address, calendarDate, clockTime, lineItem, money, timestamp } from "../core/shapes.ts";
import { wordFields } from "../core/word-fields.ts";
import { vehicle } from "../shared/vehicle.ts";

/** The fields with the shop's own words. */
type WordShapes = Record<"vehicleType" | "filmType" | "coverage", z.ZodType<string, string>>;

const confirmationWith = ({ vehicleType, filmType, coverage }: WordShapes) =>
  z.object({
    confirmation_code: z.string().meta({ description: "8 characters; the customer needs it to change or cancel." }),
    booking_id: z.string(),
    status: z.literal("confirmed"),
    date: calendarDate(),
    time: clockTime(),
    start: timestamp(),
    end: timestamp(),
    timezone: z.string(),
    duration_minutes: z.int(),
    service: z.string(),
    vehicle: vehicle(vehicleType),
    film_type: filmType.nullable(),
    coverage: coverage.nullable(),
    special_requests: z.string().nullable(),
    estimate: z
      .object({ currency: z.string(), total: money(), line_items: z.array(lineItem()) })
      .nullable()
      .meta({ description: "null when no vehicle_type was given." }),
    customer: z.object({ name: z.string() }),
    lead_id: z.string(),
    location: z.object({
      name: z.string(),
      address: address(),
      phone: z.string(),
    }),
    booking_request_id: z.string().nullable(),
  });

/** With the words of the catalog in force. */
export const confirmation = (catalog: Catalog) => confirmationWith(wordFields(catalog));

/** Of a booking made at any time: the shop may have given up words since. */
export const storedConfirmation = keepLatest(() =>
  confirmationWith({ vehicleType: z.string(), filmType: z.string(), coverage: z.string() }),
);
export type Confirmation = z.output<ReturnType<typeof storedConfirmation>>;
