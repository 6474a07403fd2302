/** A shop with room for many customers, and their bookings. */
import { dateIn } from "../test/process/server.ts";

/** With the most bays and days that a catalog allows, every booking finds a free slot for the length of a round. */
export const ROOMY = { "scheduling.bays": 50, "scheduling.horizon_days": 365, "scheduling.grid_minutes": 30 };
export const STARTS = ["09:00", "11:30", "14:00"] as const;
/** How many bookings these starts have room for. */
export const ROOM = 50 * 360 * STARTS.length;

/** The booking of each customer, from 0. No slot gets more bookings than there are bays. */
export function bookingOf(customer: number) {
  return {
    date: dateIn(2 + (customer % 360)),
    time: STARTS[Math.floor(customer / 360) % STARTS.length],
    customer_name: "Pat Example",
    customer_phone: `+1404${2_000_000 + customer}`,
    customer_email: `pat${customer}@example.com`,
    vehicle_type: "suv",
    coverage: "front2",
  };
}
