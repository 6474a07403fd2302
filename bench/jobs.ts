/**
 * How long a booking takes while Twilio hangs, against while it answers and while SMS is off. Prints ratios of this run;
 * a ratio can be compared between machines, milliseconds cannot.
 *
 *   bun bench/jobs.ts [bookings per round, default 300] [rounds, default 3]
 */
import { API } from "../test/helpers.ts";
import { type Fate, startTwilio } from "../test/jobs/twilio.ts";
import { dateIn, NO_LIMITS, OPEN_DAILY, shopFolder } from "../test/process/server.ts";
import { startShop } from "./children.ts";
import { ROOMY } from "./customers.ts";

const count = Number(process.argv[2] ?? 300);
const rounds = Number(process.argv[3] ?? 3);
const AT_ONCE = 4;

const TIMES = ["09:00", "10:30", "12:00", "13:30", "15:00"];
const booking = (i: number) => ({
  date: dateIn(2 + (i % 300)),
  time: TIMES[Math.floor(i / 300) % TIMES.length],
  customer_name: "Pat Example",
  customer_phone: `+1404${2_000_000 + i}`,
  customer_email: "pat@example.com",
  vehicle_type: "suv",
  coverage: "front2",
});

/** The times of one round of bookings, in milliseconds, on a fresh server. */
async function measure(fate: Fate | null): Promise<number[]> {
  using folder = shopFolder({
    ...OPEN_DAILY,
    ...NO_LIMITS,
    ...ROOMY,
  });
  using twilio = await startTwilio(() => fate ?? "ok");
  await using server = await startShop(folder, fate === null ? {} : twilio.env);
  const times: number[] = [];
  let next = 0;
  const caller = async () => {
    while (next < count) {
      const i = next++;
      const started = performance.now();
      const response = await server.post(`${API}/bookings`, booking(i));
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`a booking was answered with ${response.status}`);
      // The first bookings do not count: the server is still warming up.
      if (i >= count / 10) times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return times;
}

const CASES: Record<string, Fate | null> = { "SMS off": null, "Twilio answers": "ok", "Twilio hangs": "hang" };
const times = new Map(Object.keys(CASES).map((name) => [name, [] as number[]]));
// The cases take turns, so that a slow moment of the machine affects all of them.
for (let round = 0; round < rounds; round++)
  for (const [name, fate] of Object.entries(CASES)) times.get(name)?.push(...(await measure(fate)));

const at = (list: number[], share: number) => list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? NaN;
const base = times.get("SMS off") ?? [];
console.table(
  [...times].map(([name, list]) => ({
    case: name,
    bookings: list.length,
    "p50 ms": at(list, 0.5).toFixed(2),
    "p99 ms": at(list, 0.99).toFixed(2),
    "p50 x off": (at(list, 0.5) / at(base, 0.5)).toFixed(2),
    "p99 x off": (at(list, 0.99) / at(base, 0.99)).toFixed(2),
  })),
);
