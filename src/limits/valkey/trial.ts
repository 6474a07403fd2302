/** Tries Valkey as a server would. */
import { keepConnected } from "./connection.ts";
import { createPoolNames, probeLimits } from "./limiter.ts";

const CALLS = 9;

/** @returns how long a limit takes, in milliseconds (the median of a few), or why the server would do without Valkey */
export async function tryValkey(url: string): Promise<{ ms: number } | { reason: string }> {
  let reason = "";
  const names = createPoolNames("");
  const connection = await keepConnected({
    url,
    probe: (run) => probeLimits(run, names),
    lost(why) {
      reason = why;
    },
    found() {},
  });
  try {
    const times: number[] = [];
    while (times.length < CALLS && connection.isUp()) {
      const from = performance.now();
      await probeLimits(connection.run, names);
      times.push(performance.now() - from);
    }
    return connection.isUp() ? { ms: times.sort((one, other) => one - other)[CALLS >> 1] ?? 0 } : { reason };
  } catch {
    return { reason };
  } finally {
    connection.close();
  }
}
