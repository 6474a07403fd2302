/** Limits that all processes share (contract 19). Without Valkey each counts alone: N of them never grant more than N times a limit. */
import { createHash } from "node:crypto";
import { RedisClient } from "bun";
import type { Logger } from "pino";
import { z } from "zod";
import type { LimitState } from "../../errors.ts";
import { withTimeout } from "../../lib/durations.ts";
import { errorFacts } from "../../lib/files.ts";
import { type Charge, createRateLimiter, type Limiter, type Standing, stateOf } from "../rate-limit.ts";

export interface SharedLimits extends Timing {
  url: string;
  /** The secret of the shop's database, which all its processes have in common. */
  secret: () => Promise<string>;
  log: Logger;
  /** Called when this process begins to limit by itself, and when it no longer does. */
  onLocal?: ((isLocal: boolean) => void) | undefined;
  /** The limits of this process alone. For tests, which move its clock. */
  local?: Limiter;
}

/** Resolves when Valkey was tried once, whether it answers or not. */
export async function shareLimits({
  url,
  secret,
  log,
  onLocal,
  local = createRateLimiter(),
  ...timing
}: SharedLimits): Promise<{ limiter: Limiter; close: () => void }> {
  let names = { secret: "", of: createPoolNames("") };
  const refresh = async () => {
    const current = await secret();
    if (current !== names.secret) names = { secret: current, of: createPoolNames(current) };
  };
  await refresh();
  const connection = await keepConnected({
    url,
    ...timing,
    probe: async (run) => {
      // The old names serve while the database cannot be read.
      refresh().catch(() => {});
      await probeLimits(run, names.of);
    },
    lost(reason) {
      log.warn({ reason }, "Valkey does not answer; this process limits by itself meanwhile");
      onLocal?.(true);
    },
    found() {
      log.info("limits are shared through Valkey");
      onLocal?.(false);
    },
  });
  const remote = createValkeyLimiter(connection, () => names.of);
  return { limiter: createSharedLimiter(local, remote, connection.isUp), close: connection.close };
}

function createSharedLimiter(local: Limiter, remote: Limiter, isUp: () => boolean): Limiter {
  return {
    async take(charges) {
      const own = await local.take(charges);
      if (!own.allowed || !isUp()) return own;
      const shared = await remote.take(charges).catch(() => null);
      if (!shared) return own;
      if (!shared.allowed) {
        await own.undo();
        return shared;
      }
      lower(shared.states, own.states);
      return {
        ...shared,
        undo: async () => {
          await Promise.all([own.undo(), shared.undo()]);
        },
      };
    },
    async peek(charges) {
      const own = await local.peek(charges);
      if (!own.allowed || !isUp()) return own;
      const shared = await remote.peek(charges).catch(() => null);
      if (!shared) return own;
      lower(shared.states, own.states);
      return shared;
    },
  };
}

/** Lowers what is left to what this process knows: it alone counted the requests that came while Valkey was away. */
function lower(states: readonly LimitState[], own: readonly LimitState[]): void {
  for (const [i, state] of states.entries()) {
    const local = own[i];
    if (local && local.remaining < state.remaining) Object.assign(state, local);
  }
}

const CALLS = 9;

/** The median time of a limit, in milliseconds, or why the server would do without Valkey. */
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

// The limiter that several processes share: exact sliding logs in Valkey, kept by one script.

/** The names of pools in Valkey. They tell nobody an address or a confirmation code. */
type PoolNames = (charge: Charge) => string;

/** @param secret of the shop's database: shops that share a Valkey have no name in common */
export function createPoolNames(secret: string): PoolNames {
  const hash = (text: string) => new Bun.CryptoHasher("sha256", secret).update(text).digest("base64url").slice(0, 22);
  // In braces, so that a cluster keeps all pools of a shop on one machine.
  const shop = `tint:{${hash("limits")}}`;
  return ({ kind, prefix = "", pool }) => `${shop}:${hash(`${kind}/${prefix} ${pool}`)}`;
}

/**
 * The limits of a request as one script, which Valkey runs in one step and on its own clock.
 * Each key is a sorted set: the times of one pool's requests, in microseconds. The arguments are the name of the request; 1
 * to charge it, 0 to look only; then the limit and the window (µs) of each pool.
 * The script returns the wait (µs) until no pool is full, 0 when none is, and the number of requests in each pool before this one.
 */
const LIMITS = `
-- Lua writes numbers of this size as 1.7953e+15.
local function whole(number) return string.format('%.0f', number) end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local name, charges = ARGV[1], ARGV[2] == '1'
local wait, answer = 0, { 0 }

for i, pool in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  -- Times that are far ahead are left from a clock that was set back. They must not lock a caller out until then.
  local from, to = '(' .. whole(now - window), '(' .. whole(now + window)
  local used = redis.call('ZCOUNT', pool, from, to)
  if used >= limit then
    local leaves = redis.call('ZRANGEBYSCORE', pool, from, to, 'WITHSCORES', 'LIMIT', used - limit, 1)
    wait = math.max(wait, leaves[2] + window - now)
  end
  answer[i + 1] = used
end

if wait == 0 and charges then
  for i, pool in ipairs(KEYS) do
    local window = tonumber(ARGV[2 * i + 2])
    -- First of the commands that write, because only this one is refused when the memory is full.
    redis.call('ZADD', pool, whole(now), name)
    redis.call('ZREMRANGEBYSCORE', pool, '-inf', whole(now - window))
    redis.call('ZREMRANGEBYSCORE', pool, whole(now + window), '+inf')
    redis.call('PEXPIRE', pool, whole(window / 1000))
  end
end
answer[1] = wait
return answer
`;

const SCRIPT: Script = { text: LIMITS, sha: createHash("sha1").update(LIMITS).digest("hex") };

const ANSWER = z.tuple([z.number()], z.number());
const MICROSECONDS = 1_000_000;

/** Its answers are rejected while Valkey does not answer. @param names the current ones */
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
async function probeLimits(run: Run, names: PoolNames): Promise<void> {
  const probe: Charge = { kind: "general", pool: "probe", limit: 1, windowMs: 1000 };
  ANSWER.parse(await run(SCRIPT, [names(probe)], ["probe", "1", "1", "1000"]));
}

interface ValkeyConnection {
  /** Whether there is a connection. Without one, `send` and `run` fail. */
  isUp: () => boolean;
  /** @throws when the connection is lost, when the answer is late, or when the server refuses the command */
  send: (command: string, args: string[]) => Promise<unknown>;
  /** Runs a script. @throws as `send` */
  run: Run;
  close: () => void;
}
type Run = (script: Script, keys: readonly string[], args: readonly string[]) => Promise<unknown>;

interface Script {
  text: string;
  /** SHA-1 of the text: the name under which the server keeps it until it is restarted. */
  sha: string;
}

interface Timing {
  waitMs?: number;
  /** How often the server is asked whether it can work, and a lost connection made anew. */
  everyMs?: number;
}

interface ConnectionOptions extends Timing {
  url: string;
  /** @throws when the server cannot do what it is needed for */
  probe: (run: Run) => Promise<unknown>;
  lost: (reason: string) => void;
  found: () => void;
}

/** Contract 19. */
const WAIT_MS = 100;
const EVERY_MS = 1_000;
/** Names, TLS and a log-in take several round trips; no request waits for them. */
const CONNECT_MS = 2_000;

/** Resolves after the first attempt, whether it succeeds or not. */
export async function keepConnected({
  url,
  waitMs = WAIT_MS,
  everyMs = EVERY_MS,
  probe,
  lost,
  found,
}: ConnectionOptions): Promise<ValkeyConnection> {
  let client: RedisClient | undefined;
  let isClosed = false;
  let isBusy = false;

  const drop = (used: RedisClient, reason: string) => {
    if (client !== used) return;
    client = undefined;
    // Refuses what waits for an answer.
    used.close();
    lost(reason);
  };

  /** Commands on a connection, which is given up when one fails. */
  const over = (used: RedisClient, mostMs = waitMs) => {
    const guarded = async (answer: Promise<unknown>) => {
      try {
        return await withTimeout(answer, mostMs);
      } catch (error) {
        drop(used, connectionMessage(error));
        throw error;
      }
    };
    const send: ValkeyConnection["send"] = (command, args) => guarded(used.send(command, args));
    const run: Run = (script, keys, args) => guarded(evaluate(used, script, [String(keys.length), ...keys, ...args]));
    return { send, run };
  };

  const connect = async (): Promise<string | undefined> => {
    const fresh = new RedisClient(url, { autoReconnect: false, enableOfflineQueue: false });
    try {
      await withTimeout(fresh.connect(), CONNECT_MS);
      // A server that is only just fast enough would be lost again at once.
      await probe(over(fresh, waitMs / 2).run);
      if (isClosed) throw new Error("closed meanwhile");
      client = fresh;
      found();
      return undefined;
    } catch (error) {
      fresh.close();
      return connectionMessage(error);
    }
  };

  const beat = async () => {
    if (isBusy) return;
    isBusy = true;
    if (client) await probe(over(client).run).catch(() => {});
    else await connect();
    isBusy = false;
  };

  const failure = await connect();
  if (failure !== undefined) lost(failure);
  const timer = setInterval(beat, everyMs).unref();
  const used = () => {
    if (!client) throw new Error("there is no connection");
    return over(client);
  };
  return {
    isUp: () => client !== undefined,
    send: async (...command) => used().send(...command),
    run: async (...call) => used().run(...call),
    close() {
      isClosed = true;
      clearInterval(timer);
      const last = client;
      client = undefined;
      last?.close();
    },
  };
}

/** Runs a script by its name, or by its text when the server was restarted and forgot the name. */
async function evaluate(client: RedisClient, { text, sha }: Script, args: string[]): Promise<unknown> {
  try {
    return await client.send("EVALSHA", [sha, ...args]);
  } catch (error) {
    if (!errorFacts(error).message?.startsWith("NOSCRIPT")) throw error;
    return client.send("EVAL", [text, ...args]);
  }
}

function connectionMessage(error: unknown): string {
  return errorFacts(error).message ?? "the reason is not known";
}
