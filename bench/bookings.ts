/** Durable bookings on a disk whose every fsync takes 2 ms longer, against one-by-one commits of the same rows. */
import { join } from "node:path";
import { API } from "../test/helpers.ts";
import { childEnv, NO_LIMITS, OPEN_DAILY, shopFolder, temporaryFolder } from "../test/process/server.ts";
import { benchFile, startShop } from "./children.ts";
import { bookingOf, ROOM, ROOMY } from "./customers.ts";
import { type Load, type LoadOptions, load, requestBytes } from "./load.ts";
import type { Figure } from "./report.ts";

/** Estimates come from one address; bookings keep to the limits of the shop. */
export const MANY_ESTIMATES = { "rate_limits.anonymous_per_minute": NO_LIMITS["rate_limits.anonymous_per_minute"] };
/** The code of a new server is compiled while it works, for some thousand bookings. */
export const WARM_UP_SECONDS = 3;

/**
 * The requests of one round: each customer books once, from an address of their own, and no slot gets more bookings than
 * there are bays.
 */
export function bookingRequests(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) =>
    requestBytes("POST", `${API}/bookings`, {
      body: bookingOf(i),
      headers: { "X-Forwarded-For": `198.${18 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}` },
    }),
  );
}

export const ESTIMATE = requestBytes("POST", `${API}/estimates`, {
  body: { vehicle_type: "suv", film_type: "ceramic" },
});

/** @returns null without a C compiler; the benchmark then leaves this part out */
export async function slowDisk(folder: string): Promise<Record<string, string> | null> {
  const compiler = Bun.which("cc") ?? Bun.which("gcc");
  if (!compiler || process.platform !== "linux") return null;
  const library = join(folder, "slow-fsync.so");
  const { exitCode, stderr } = Bun.spawnSync([compiler, "-shared", "-fPIC", "-o", library, benchFile("slow-fsync.c")]);
  if (exitCode !== 0) throw new Error(`slow-fsync.c does not compile:\n${stderr}`);
  return { LD_PRELOAD: library };
}

export async function bareCommits(folder: string, seconds: number, env: Record<string, string>): Promise<number> {
  const child = Bun.spawn([process.execPath, benchFile("bare-commits.ts"), folder, String(seconds)], {
    env: childEnv(env),
    stdout: "pipe",
    stderr: "inherit",
  });
  return Number(await new Response(child.stdout).text());
}

export async function measureBookings(rounds: number, seconds: number): Promise<Figure[]> {
  using shim = temporaryFolder();
  const env = await slowDisk(shim.path);
  if (!env) {
    process.stderr.write("No C compiler: the figures of durable bookings are left out.\n");
    return [];
  }
  const samples = { many: [] as number[], one: [] as number[], p99: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    using folder = shopFolder({ ...OPEN_DAILY, ...MANY_ESTIMATES, ...ROOMY });
    await using server = await startShop(folder, { ...env, TINT_TRUSTED_PROXIES: "127.0.0.1/32" });
    const bare = await bareCommits(folder.path, seconds, env);
    const requests = bookingRequests(ROOM);
    const part = (i: number) => requests.slice((i * ROOM) / 4, ((i + 1) * ROOM) / 4);
    const book = (i: number, connections: number, time = seconds) =>
      booked(server, { requests: part(i), connections, seconds: time });
    await book(0, 32, WARM_UP_SECONDS);
    const one = await book(1, 1);
    const many = await book(2, 32);
    const [, estimates] = await Promise.all([
      book(3, 32),
      load({ port: server.port, requests: [ESTIMATE], connections: 1, seconds }),
    ]);
    samples.many.push(many.perSecond / bare);
    samples.one.push(one.perSecond / bare);
    samples.p99.push(estimates.p99);
  }
  return [
    { name: "bookings, 32 connections ÷ bare commits", samples: samples.many, target: 8, better: "more" },
    { name: "bookings, 1 connection ÷ bare commits", samples: samples.one, target: 0.8, better: "more" },
    { name: "p99 of estimates meanwhile", samples: samples.p99, target: 5, better: "less", unit: " ms" },
  ];
}

/** @throws Error when an answer is not 201 */
export async function booked(
  { port }: Pick<LoadOptions, "port">,
  options: { requests: Uint8Array[]; connections: number; seconds: number },
): Promise<Load> {
  const result = await load({ port, ...options });
  const others = Object.keys(result.statuses).filter((status) => status !== "201");
  if (others.length > 0) throw new Error(`bookings were answered ${JSON.stringify(result.statuses)}`);
  return result;
}
