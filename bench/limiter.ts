/**
 * Floods of 2,000,000 addresses within a minute on the limiter alone, from everywhere (IPv4) and from a /32 of IPv6. Prints
 * as JSON the megabytes held and the microseconds a request, of the worse one and of each, and whether callers beside the
 * flood are served.
 */
import { chargesOf, type HttpCaller } from "../src/http/caller.ts";
import { networkOf, parseAddress, widerNetworks } from "../src/lib/network.ts";
import { createRateLimiter } from "../src/limits/rate-limit.ts";
import { CATALOG } from "../test/helpers.ts";

const ADDRESSES = 2_000_000;
const SETTLED_MS = 500;

const FLOODS = {
  ipv4: (i: number) => `${1 + (i >>> 16)}.${(i >>> 8) & 255}.${i & 255}.7`,
  // Each from another /48, then from another /56 and /64 of them.
  ipv6: (i: number) => `2001:db8:${(i & 0xffff).toString(16)}:${((i * 257) & 0xffff).toString(16)}::1`,
};

function callerAt(address: string): HttpCaller {
  const parsed = parseAddress(address);
  return {
    network: networkOf(parsed),
    wider: widerNetworks(parsed),
    keyId: null,
    agentClass: null,
    userAgent: null,
    credentials: { kind: "none" },
    isBlocked: false,
  };
}

const [name] = process.argv.slice(2);
if (name === "ipv4" || name === "ipv6") {
  process.stdout.write(`${JSON.stringify(await measure(FLOODS[name]))}\n`);
} else {
  // Each in a process of its own, so that memory is counted apart.
  const floods = Object.keys(FLOODS).map((flood) => {
    const { stdout } = Bun.spawnSync([process.execPath, import.meta.path, flood], { stderr: "inherit" });
    return { flood, ...(JSON.parse(stdout.toString()) as Awaited<ReturnType<typeof measure>>) };
  });
  const megabytes = Math.max(...floods.map((one) => one.megabytes));
  const microseconds = Math.max(...floods.map((one) => one.microseconds));
  process.stdout.write(`${JSON.stringify({ megabytes, microseconds, floods }, null, 2)}\n`);
}

async function measure(address: (i: number) => string) {
  let clock = 0;
  const limiter = createRateLimiter(() => Math.floor(clock));
  const ask = (from: string) => limiter.take(chargesOf(callerAt(from), undefined, CATALOG));
  const known = "198.51.100.1";
  for (let i = 0; i < 10; i++) ask(known);
  const before = await memoryInUse();
  let microseconds = 0;
  let slowest = 0;
  const BATCH = 10_000;
  for (let done = 0; done < ADDRESSES; done += BATCH) {
    // Addresses are read beforehand, because the server does that whatever the limiter.
    const batch = Array.from({ length: BATCH }, (_, i) => chargesOf(callerAt(address(done + i)), undefined, CATALOG));
    const started = process.cpuUsage();
    for (const charges of batch) {
      clock += 59_000 / ADDRESSES;
      limiter.take(charges);
    }
    // Time of the processor, so that other programs on the machine do not count.
    const { user, system } = process.cpuUsage(started);
    microseconds += (user + system) / ADDRESSES;
    slowest = Math.max(slowest, (user + system) / BATCH);
  }
  const megabytes = ((await memoryInUse()) - before) / 1_000_000;
  const left = limiter.peek(chargesOf(callerAt(known), undefined, CATALOG)).states[0]?.remaining;
  const strangers = Array.from({ length: 1000 }, (_, i) => ask(`203.0.${i >> 8}.${i & 255}`).allowed);
  return {
    megabytes: Math.round(megabytes),
    microseconds: Number(microseconds.toFixed(2)),
    slowest_batch_microseconds: Number(slowest.toFixed(2)),
    known_caller_is_exact: left === 50,
    new_callers_served: strangers.filter(Boolean).length / strangers.length,
  };
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
