/** The memory that the server and the limiter take. */
import { API } from "../test/helpers.ts";
import { NO_LIMITS, OPEN_DAILY, shopFolder } from "../test/process/server.ts";
import { benchFile, memoryOf, startShop } from "./children.ts";
import { load, requestBytes } from "./load.ts";
import type { Figure } from "./report.ts";

const MB = 1_000_000;

/** @param requests how many estimates the server answers */
export async function measureMemory(requests: number): Promise<Figure[]> {
  using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS });
  await using server = await startShop(folder, { TINT_TRUSTED_PROXIES: "127.0.0.1/32" });
  const callers = Array.from({ length: 4096 }, (_, i) =>
    requestBytes("POST", `${API}/estimates`, {
      body: { vehicle_type: "suv", film_type: "ceramic", shade: 35 },
      headers: { "X-Forwarded-For": `198.18.${i >> 8}.${i & 255}` },
    }),
  );
  const until = async (count: number) => {
    for (let sent = 0; sent < count; ) {
      const { perSecond } = await load({ port: server.port, requests: callers, seconds: 5, warmUpSeconds: 0 });
      sent += perSecond * 5;
    }
    return (await memoryOf(server.pid)) / MB;
  };
  const half = await until(requests / 2);
  const whole = await until(requests / 2);
  const limiter = await limiterFigures();
  return [
    { name: `memory after ${requests} requests`, samples: [whole], target: 90, better: "less", unit: " MB" },
    { name: "growth in the second half", samples: [whole - half], target: 2, better: "less", unit: " MB" },
    { name: "limiter, 2,000,000 addresses", samples: [limiter.megabytes], target: 100, better: "less", unit: " MB" },
    { name: "limiter, time of a hit", samples: [limiter.microseconds], target: 10, better: "less", unit: " µs" },
  ];
}

/** Runs in a process of its own, so that only the memory of the limiter is counted. */
async function limiterFigures(): Promise<{ megabytes: number; microseconds: number }> {
  const child = Bun.spawn([process.execPath, benchFile("limiter.ts")], { stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text());
}
