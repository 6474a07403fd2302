/**
 * Requests per second and the slowest hundredth, on one server process, against a bare `Bun.serve` that answers a
 * constant. Prints ratios of this run; a ratio can be compared between machines, requests per second cannot.
 *
 *   bun bench/http.ts [seconds per case, default 3] [connections, default 32]
 */
import { API } from "../test/helpers.ts";
import { dateIn, NO_LIMITS, OPEN_DAILY, shopFolder, startServer } from "../test/process/server.ts";

const seconds = Number(process.argv[2] ?? 3);
const connections = Number(process.argv[3] ?? 32);

interface Result {
  perSecond: number;
  p50: number;
  p99: number;
  statuses: Map<number, number>;
}

/** Keeps `connections` requests under way; the first half second warms up and does not count. */
async function measure(send: (i: number) => Promise<Response>): Promise<Result> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  let sent = 0;
  const from = performance.now() + 500;
  const until = from + seconds * 1000;
  const worker = async () => {
    for (let started = performance.now(); started < until; started = performance.now()) {
      const response = await send(sent++);
      await response.arrayBuffer();
      if (started < from) continue;
      times.push(performance.now() - started);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), statuses };
}

// In a process of its own, as the server is, so that both share the machine with the caller alike.
const bare = Bun.spawn(
  [
    process.execPath,
    "-e",
    `const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ success: true }) }); console.log(server.url.href);`,
  ],
  { stdout: "pipe" },
);
const bareUrl = new TextDecoder().decode((await bare.stdout.getReader().read()).value).trim();

// With the most bays the catalog allows and the most days ahead, every booking has a free slot for a while.
using folder = shopFolder({
  ...OPEN_DAILY,
  ...NO_LIMITS,
  "scheduling.bays": 50,
  "scheduling.horizon_days": 365,
  "scheduling.grid_minutes": 5,
});
await using server = await startServer(folder, { quiet: true });

const times = ["09:00", "10:30", "12:00", "13:30", "15:00", "16:30"];
const booking = (i: number) => ({
  date: dateIn(2 + (i % 360)),
  time: times[Math.floor(i / 360) % times.length],
  customer_name: "Pat Example",
  customer_phone: `+1404${String(2_000_000 + i)}`,
  customer_email: "pat@example.com",
  vehicle_type: "suv",
  coverage: "front2",
});

const CASES: Record<string, (i: number) => Promise<Response>> = {
  "bare Bun.serve": () => fetch(bareUrl),
  "GET /services": () => server.fetch(`${API}/services`),
  "POST /estimates": () => server.post(`${API}/estimates`, { vehicle_type: "suv", film_type: "ceramic", shade: 35 }),
  "POST /bookings": (i) => server.post(`${API}/bookings`, booking(i)),
};

try {
  const table = [];
  let base: Result | undefined;
  for (const [name, send] of Object.entries(CASES)) {
    const result = await measure(send);
    base ??= result;
    table.push({
      request: name,
      "per second": Math.round(result.perSecond),
      "of bare": (result.perSecond / base.perSecond).toFixed(3),
      "p50 ms": result.p50.toFixed(2),
      "p99 ms": result.p99.toFixed(2),
      "p99 x bare": (result.p99 / base.p99).toFixed(1),
      statuses: [...result.statuses].map(([status, count]) => `${status}: ${count}`).join(", "),
    });
  }
  console.table(table);
} finally {
  bare.kill();
}
