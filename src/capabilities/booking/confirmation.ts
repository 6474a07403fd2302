/** The answer to a booking. It is stored, and read again for a repeated request and for the diary. */
import { z } from "zod";
import { keepLatest } from "../../lib/latest.ts";
import { COVERAGES, FILM_TYPES } from "../../vocabulary.ts";
import { address, calendarDate, clockTime, lineItem, money, timestamp } from "../core/shapes.ts";
import { vehicle } from "../shared/vehicle.ts";

export const confirmation = keepLatest(() =>
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
    vehicle: vehicle(),
    film_type: z.enum(FILM_TYPES).nullable(),
    coverage: z.enum(COVERAGES).nullable(),
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
  }),
);
export type Confirmation = z.output<ReturnType<typeof confirmation>>;
