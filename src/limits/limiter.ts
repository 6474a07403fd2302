/**
 * How often callers may ask (contract 8 and 19): never more than the limit in any window, never a
 * refusal below it. A refused request is charged to no pool.
 */
import { LIMITS, type LimitKind } from "../catalog/limits.ts";
import { ApiError, type LimitState } from "../errors.ts";

/** One request counted in one pool. */
export interface Charge {
  readonly kind: LimitKind;
  /** Bits of the network that the pool stands for, when it is wider than one caller's. */
  readonly prefix?: number;
  /** Names the caller within the kind and prefix. */
  readonly pool: string;
  readonly limit: number;
  /** One for all pools of a kind. */
  readonly windowMs: number;
}

interface Allowed {
  allowed: true;
  states: LimitState[];
}
export interface Refused {
  allowed: false;
  states: LimitState[];
  /** Until no pool is full any more; at least 1. */
  retryAfterSeconds: number;
}
export interface Granted extends Allowed {
  /** Takes the charges back, for a request that is refused after all, and updates `states`. */
  undo: () => Promise<void>;
}
export type Standing = Allowed | Refused;

export interface Limiter {
  /** Charges all pools, or none when one of them is used up. */
  take: (charges: readonly Charge[]) => Promise<Granted | Refused>;
  /** Whether `take` would charge them, with their states before it. Charges nothing. */
  peek: (charges: readonly Charge[]) => Promise<Standing>;
}

/** Charges all pools. @throws ApiError RATE_LIMITED when one of them is used up */
export async function charge(limiter: Limiter, charges: readonly Charge[]): Promise<Granted> {
  const decision = await limiter.take(charges);
  if (decision.allowed) return decision;
  throw overLimit(decision, charges);
}

/** The refusal says which limit it is, whom it counts, and the ways out that this caller has. @param charges of the decision */
export function overLimit({ states, retryAfterSeconds: wait }: Refused, charges: readonly Charge[]): ApiError {
  const at = states.findIndex(({ remaining }) => remaining === 0);
  const [full, charge] = [states[at], charges[at]];
  if (!full || !charge) throw new Error("a request was refused, and no pool is full");
  const { said, wayOut } = LIMITS[charge.kind];
  const hasKey = charges.some(({ pool }) => pool.startsWith(KEY_POOL));
  return new ApiError("RATE_LIMITED", `${said(full.limit)}; wait ${wait} s.`, {
    retry_after_seconds: wait,
    limits: [full],
    agent_instruction: hasKey ? wayOut.replace(" {keys}", "") : wayOut,
  });
}

/** The pool of one API key begins with this. */
export const KEY_POOL = "key ";

/** @param resetSeconds until there is room again, for a pool without room */
export function stateOf({ kind, limit }: Charge, used: number, resetSeconds: number): LimitState {
  const remaining = Math.max(0, limit - used);
  return {
    scope: LIMITS[kind].scope,
    limit,
    remaining,
    resetSeconds: remaining > 0 ? 0 : Math.max(1, Math.ceil(resetSeconds)),
  };
}

/** The limit a response reports: the one with the least remaining. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  let least = states[0];
  for (const next of states) if (least && next.remaining < least.remaining) least = next;
  return least;
}
