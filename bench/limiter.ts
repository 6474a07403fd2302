/** A flood of 2,000,000 addresses on the limiter alone. Prints megabytes held and microseconds a hit, as JSON. */
import { createRateLimiter } from "../src/http/rate-limit.ts";

const ADDRESSES = 2_000_000;
let clock = 0;
const limiter = createRateLimiter(() => clock);
Bun.gc(true);
const before = process.memoryUsage().rss;
const started = performance.now();
for (let i = 0; i < ADDRESSES; i++) {
  clock = i / 50;
  limiter.take([
    {
      kind: "general",
      pool: `net 2001:db8:${(i >> 16).toString(16)}:${(i & 65535).toString(16)}::/64`,
      limit: 60,
      windowMs: 60_000,
    },
  ]);
}
const took = performance.now() - started;
Bun.gc(true);
const megabytes = (process.memoryUsage().rss - before) / 1_000_000;
process.stdout.write(JSON.stringify({ megabytes, microseconds: (took * 1000) / ADDRESSES }));
