/** What strangers send, and shops with room for them. */
import { API } from "../test/helpers.ts";
import { dateIn, NO_LIMITS, OPEN_DAILY } from "../test/process/server.ts";
import { randomFrom } from "../test/torture/random.ts";
import { requestBytes } from "./load.ts";

/** With the most bays and days that a catalog allows, every booking finds a free slot for the length of a round. */
const ROOMY = { "scheduling.bays": 50, "scheduling.horizon_days": 365, "scheduling.grid_minutes": 30 };
export const STARTS = ["09:00", "11:30", "14:00"] as const;
/** How many bookings these starts have room for. */
export const ROOM = 50 * 360 * STARTS.length;

/** Every request is answered. */
export const OPEN_SHOP = { ...OPEN_DAILY, ...NO_LIMITS, ...ROOMY };
/** Each booking comes from a customer of its own, so bookings keep to the limits of the shop. */
export const BOOKING_SHOP = {
  ...OPEN_DAILY,
  ...ROOMY,
  "rate_limits.anonymous_per_minute": NO_LIMITS["rate_limits.anonymous_per_minute"],
};

/** For a server that believes the addresses which these requests claim. */
export const MANY_CALLERS = { TINT_TRUSTED_PROXIES: "127.0.0.1/32" };
/** The number of callers that take turns, so that each stays far below the highest limit that a catalog may set. */
const CALLERS = 2048;
const from = (network: string, i: number) => ({ "X-Forwarded-For": `${network}.${(i >> 8) & 255}.${i & 255}` });

/** The same question by each of the callers. */
export function reads(path: string): Uint8Array[] {
  return Array.from({ length: CALLERS }, (_, i) => requestBytes("GET", path, { headers: from("198.18", i) }));
}

const VEHICLES = ["sedan", "coupe", "suv", "truck", "wagon", "crossover", "van"];
const ADDONS = [[], ["windshield_strip"], ["sunroof", "nofault"], ["windshield"], ["windshield_strip", "sunroof"]];

const random = randomFrom(1);
let cars = 0;

/** Estimates for cars that nobody has asked about before: make and model are new each time. */
export function unseenEstimates(count: number): Uint8Array[] {
  return Array.from({ length: count }, () => {
    const car = cars++;
    const body = {
      vehicle_type: random.pick(VEHICLES),
      vehicle_year: 1990 + random.int(36),
      vehicle_make: `Make ${car.toString(36)}`,
      vehicle_model: `Model ${random.int(1_000)}-${car}`,
      film_type: random.pick(["standard", "ceramic"]),
      coverage: random.pick(["full", "front2"]),
      shade: 5 + random.int(66),
      addons: random.pick(ADDONS),
    };
    return requestBytes("POST", `${API}/estimates`, { body, headers: from("198.18", car % CALLERS) });
  });
}

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

/** Each customer books once, from an address of their own. */
export function bookingRequests(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) =>
    requestBytes("POST", `${API}/bookings`, { body: bookingOf(i), headers: from(`198.${19 + (i >> 16)}`, i) }),
  );
}

/** So many at once. */
export function together<Result>(count: number, work: (i: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => work(i)));
}

/** How often each text is there. */
export function countsOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
