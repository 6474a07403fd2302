/**
 * Floods of 2,000,000 addresses within a minute on the limiter alone, from everywhere (IPv4) and from a /32 of IPv6, each in a
 * process of its own, so that only the limiter's memory is counted.
 *
 *   bun bench/limiter.ts <ipv4 | ipv6>     prints one flood as JSON
 */
import { type Charge, createRateLimiter } from "../src/limits/rate-limit.ts";
import { benchFile, outputOf } from "./children.ts";
import { atMost, createSamples, type Metric } from "./report.ts";

const ADDRESSES = 2_000_000;
const BATCH = 10_000;
const LIMIT = 60;
const SETTLED_MS = 500;

const charge = (pool: string): Charge => ({ kind: "general", windowMs: 60_000, pool, limit: LIMIT });

/** What the i-th address is charged to: its own network and, for IPv6, the networks around it, which may ask more. */
const FLOODS: Record<string, (i: number) => Charge[]> = {
  ipv4: (i) => [charge(`net ${1 + (i >>> 16)}.${(i >>> 8) & 255}.${i & 255}.7`)],
  // Each from another /48, then from another /56 and /64 of them.
  ipv6: (i) => {
    const [wide, narrow] = [i, i * 257].map((part) => (part & 0xffff).toString(16).padStart(4, "0"));
    return [
      charge(`net 2001:db8:${wide}:${narrow}::/64`),
      { ...charge(`20010db8${wide}${narrow?.slice(0, 2)}`), prefix: 56, limit: 10 * LIMIT },
      { ...charge(`20010db8${wide}`), prefix: 48, limit: 100 * LIMIT },
    ];
  },
};

export function measureLimiter(rounds: number): Metric[] {
  const { note, metrics } = createSamples();
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(FLOODS)) {
      const flood: Awaited<ReturnType<typeof flooded>> = JSON.parse(
        outputOf([process.execPath, benchFile("limiter.ts"), name]),
      );
      note(`limiter, 2,000,000 addresses, ${name}`, atMost(100, " MB"), flood.megabytes);
      note(`its longest pause, ${name}`, atMost(5, " ms"), flood.longestPauseMs);
    }
  return metrics();
}

async function flooded(chargesOf: (i: number) => Charge[]) {
  let clock = 0;
  const limiter = createRateLimiter(() => Math.floor(clock));
  const known = [charge("net 198.51.100.1")];
  for (let i = 0; i < 10; i++) await limiter.take(known);
  const before = await memoryInUse();
  let longestPauseMs = 0;
  for (let done = 0; done < ADDRESSES; done += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, i) => chargesOf(done + i));
    for (const charges of batch) {
      clock += 59_000 / ADDRESSES;
      longestPauseMs = Math.max(longestPauseMs, await pauseOf(() => limiter.take(charges)));
    }
    // Timers of the limiter have their turn.
    longestPauseMs = Math.max(longestPauseMs, await pauseOf(() => Bun.sleep(0)));
  }
  const megabytes = ((await memoryInUse()) - before) / 1_000_000;
  const left = (await limiter.peek(known)).states[0]?.remaining;
  if (left !== LIMIT - 10) throw new Error(`a caller from before the flood has ${left} requests left`);
  return { megabytes, longestPauseMs };
}

/** Milliseconds, but not those in which other programs had the processor, nor those of threads that work meanwhile. */
async function pauseOf(work: () => unknown): Promise<number> {
  const from = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const took = performance.now() - from;
  // Most take microseconds; the second question to the system is for the others.
  if (took < 1) return took;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(took, (user + system) / 1000);
}

/** Bytes without garbage. The runtime gives freed memory back to the system from a thread of its own, a moment later. */
async function memoryInUse(): Promise<number> {
  // The last batch is garbage only after this turn.
  await Bun.sleep(0);
  Bun.gc(true);
  Bun.shrink();
  await Bun.sleep(SETTLED_MS);
  return process.memoryUsage().rss;
}

const flood = import.meta.main ? FLOODS[process.argv[2] ?? ""] : undefined;
if (flood) process.stdout.write(JSON.stringify(await flooded(flood)));
