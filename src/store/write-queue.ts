/** Group commit: writes that wait share one transaction, so that one flush of the disk serves them all. */
import { StoreUnavailable } from "./store-errors.ts";

/** How long a write is retried before it is given up, counted from the call. Other requests run between the tries. */
export const WRITE_DEADLINE_MS = 4_000;

/** The end of one write in a transaction. A write that failed leaves the others untouched. */
export type WriteResult = { value: unknown } | { error: unknown };

/**
 * Makes some writes in one transaction.
 * @param deadline the earliest of the writes, by `performance.now()`
 * @returns outcomes in the same order, after the commit
 * @throws when nothing was stored, or when that is not known
 */
export type Commit<Write> = (writes: readonly Write[], deadline: number) => Promise<WriteResult[]>;

/** Called after every transaction: how long it took, and how many writes shared it. */
export type WriteTimes = (ms: number, writes: number) => void;

interface QueueOptions {
  /** Whether the writes of a failed transaction are tried again. */
  mayRetry: (error: unknown) => boolean;
  /** Why a write is given up at its deadline. */
  unavailable: string;
  pauseMs: number;
  /** The most writes in one transaction; by default all that wait. */
  mostTogether?: number;
  /** A write with less time left than this is given up instead of tried; 0 by default. */
  leastMs?: number;
  onCommit?: WriteTimes | undefined;
}

interface Waiting<Write> {
  write: Write;
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export function createWriteQueue<Write>(
  commit: Commit<Write>,
  { mayRetry, unavailable, pauseMs, mostTogether = Number.POSITIVE_INFINITY, leastMs = 0, onCommit }: QueueOptions,
) {
  let waiting: Waiting<Write>[] = [];
  let running: Promise<void> | undefined;

  /** Rejects the writes that have no time left at a moment, and returns the others. */
  function inTime(writes: readonly Waiting<Write>[], at: number, options?: ErrorOptions): Waiting<Write>[] {
    const isLate = ({ deadline }: Waiting<Write>) => at > deadline - leastMs;
    for (const { reject } of writes.filter(isLate)) reject(new StoreUnavailable(unavailable, options));
    return writes.filter((one) => !isLate(one));
  }

  async function run(): Promise<void> {
    // Requests that came in together share a transaction. A single one waits only for the end of this turn.
    await new Promise((turn) => setImmediate(turn));
    while (waiting.length > 0) {
      waiting = inTime(waiting, performance.now());
      const batch = waiting.splice(0, mostTogether);
      if (batch.length > 0) await attemptBatch(batch);
    }
    running = undefined;
  }

  /** Commits some writes and tells their callers, or puts the writes back. */
  async function attemptBatch(batch: Waiting<Write>[]): Promise<void> {
    try {
      const startedAt = performance.now();
      const deadline = Math.min(...batch.map((one) => one.deadline));
      const outcomes = await commit(
        batch.map(({ write }) => write),
        deadline,
      );
      onCommit?.(performance.now() - startedAt, batch.length);
      for (const [i, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[i] ?? { error: new Error("a write has no outcome") };
        if ("error" in outcome) reject(outcome.error);
        else resolve(outcome.value);
      }
    } catch (error) {
      if (!mayRetry(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const tryAgainAt = performance.now() + pauseMs * (0.5 + Math.random());
      const again = inTime(batch, tryAgainAt, { cause: error });
      waiting = [...again, ...waiting];
      if (again.length > 0) await Bun.sleep(tryAgainAt - performance.now());
    }
  }

  return {
    /** Resolves or rejects once the write is committed or refused; it waited `waitedMs` elsewhere. */
    add(write: Write, waitedMs = 0) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.push({ write, deadline: performance.now() + WRITE_DEADLINE_MS - waitedMs, resolve, reject });
      running ??= run();
      return promise;
    },
    /** Resolves when no write waits. */
    idle: async () => await running,
  };
}
