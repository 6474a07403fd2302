/** Group commit: writes that wait share one transaction, so that one flush of the disk serves them all. */
import { codeOf } from "../lib/reasons.ts";
import { StoreUnavailable } from "./store.ts";

/** How long a write is retried before it is given up, counted from the call. Other requests run between the tries. */
export const WRITE_DEADLINE_MS = 4_000;
const RETRY_PAUSE_MS = 15;

/** The end of one write in a transaction. A write that failed leaves the others untouched. */
export type Outcome = { value: unknown } | { error: unknown };

/**
 * Makes some writes in one transaction.
 * @returns outcomes in the same order, after the commit
 * @throws when nothing was stored; the writes are tried again after SQLITE_BUSY
 */
export type Commit<Write> = (writes: Write[]) => Outcome[] | Promise<Outcome[]>;

interface Waiting<Write> {
  write: Write;
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface WriteQueue<Write> {
  /** Resolves or rejects once the write is committed or refused. */
  add(write: Write): Promise<unknown>;
  /** Resolves when no write waits. */
  idle(): Promise<void>;
}

export function createWriteQueue<Write>(commit: Commit<Write>): WriteQueue<Write> {
  let waiting: Waiting<Write>[] = [];
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // Requests that came in together share a transaction. A single one waits only for the end of this turn.
      await new Promise((turn) => setImmediate(turn));
      const batch = waiting;
      waiting = [];
      try {
        const outcomes = await commit(batch.map(({ write }) => write));
        for (const [i, { resolve, reject }] of batch.entries()) {
          const outcome = outcomes[i] ?? { error: new Error("a write has no outcome") };
          if ("error" in outcome) reject(outcome.error);
          else resolve(outcome.value);
        }
      } catch (error) {
        const isLocked = codeOf(error)?.startsWith("SQLITE_BUSY") ?? false;
        const now = performance.now();
        const [over, again] = isLocked ? split(batch, ({ deadline }) => now > deadline) : [batch, []];
        const reason = isLocked ? new StoreUnavailable("locked past the deadline", { cause: error }) : error;
        for (const { reject } of over) reject(reason);
        waiting = [...again, ...waiting];
        if (again.length > 0) await Bun.sleep(RETRY_PAUSE_MS * (0.5 + Math.random()));
      }
    }
    running = undefined;
  }

  return {
    add(write) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.push({ write, deadline: performance.now() + WRITE_DEADLINE_MS, resolve, reject });
      running ??= run();
      return promise;
    },
    idle: async () => await running,
  };
}

function split<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}
