/** The limiter that several processes share: exact sliding logs in Valkey. */

import { z } from "zod";
import type { LimitState } from "../../errors.ts";
import { type Charge, type Limiter, type Standing, stateOf } from "../limiter.ts";
import type { Run, ValkeyConnection } from "./connection.ts";
import { SCRIPT } from "./script.ts";

/** The names of pools in Valkey. They tell nobody an address or a confirmation code. */
export type PoolNames = (charge: Charge) => string;

/** @param secret of the shop's database: shops that share a Valkey have no name in common */
export function createPoolNames(secret: string): PoolNames {
  const hash = (text: string) => new Bun.CryptoHasher("sha256", secret).update(text).digest("base64url").slice(0, 22);
  // In braces, so that a cluster keeps all pools of a shop on one machine.
  const shop = `tint:{${hash("limits")}}`;
  return ({ kind, prefix = "", pool }) => `${shop}:${hash(`${kind}/${prefix} ${pool}`)}`;
}

const ANSWER = z.tuple([z.number()], z.number());
const MICROSECONDS = 1_000_000;

/** Its answers are rejected while Valkey does not do its work. @param names the current ones */
export function createValkeyLimiter(connection: ValkeyConnection, names: () => PoolNames): Limiter {
  const self = crypto.randomUUID().slice(0, 13);
  let requests = 0;

  const ask = async (charges: readonly Charge[], asked: 0 | 1) => {
    const request = `${self}-${(requests++).toString(36)}`;
    const pools = charges.map(names());
    const answer = await connection.run(SCRIPT, pools, [
      request,
      String(asked),
      ...charges.flatMap(({ limit, windowMs }) => [String(limit), String(windowMs * 1000)]),
    ]);
    const [wait, ...used] = ANSWER.parse(answer);
    // The script answers a wait only for a refusal. A limit that this request used up has room again after its window
    // at most.
    const states = charges.map((charge, i): LimitState => {
      const reset = wait === 0 ? charge.windowMs / 1000 : wait / MICROSECONDS;
      return stateOf(charge, (used[i] ?? charge.limit) + (wait === 0 ? asked : 0), reset);
    });
    const standing: Standing =
      wait === 0
        ? { allowed: true, states }
        : { allowed: false, states, retryAfterSeconds: Math.max(1, Math.ceil(wait / MICROSECONDS)) };
    return { standing, request, pools };
  };

  return {
    async take(charges) {
      const { standing, request, pools } = await ask(charges, 1);
      if (!standing.allowed) return standing;
      const { states } = standing;
      let isCharged = true;
      return {
        ...standing,
        async undo() {
          if (!isCharged) return;
          isCharged = false;
          for (const state of states) Object.assign(state, { remaining: state.remaining + 1, resetSeconds: 0 });
          const removals = pools.map((pool) => connection.send("ZREM", [pool, request]));
          // A charge that cannot be taken back counts until it leaves the window.
          await Promise.allSettled(removals);
        },
      };
    },
    peek: async (charges) => (await ask(charges, 0)).standing,
  };
}

/** Whether Valkey can do what a limit needs: one script that writes. @throws when it cannot */
export async function probeLimits(run: Run, names: PoolNames): Promise<void> {
  const probe: Charge = { kind: "general", pool: "probe", limit: 1, windowMs: 1000 };
  ANSWER.parse(await run(SCRIPT, [names(probe)], ["probe", "1", "1", "1000"]));
}
