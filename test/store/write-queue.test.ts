/** The queue of writes that share transactions, apart from any engine. */
import { expect, spyOn, test } from "bun:test";
import { StoreUnavailable } from "../../src/store/store-errors.ts";
import { type Commit, createWriteQueue, WRITE_DEADLINE_MS } from "../../src/store/write-queue.ts";
import { issueOf } from "./conformance-values.ts";

const OPTIONS = { mayRetry: () => true, unavailable: "away", pauseMs: 1 };

test("a transaction has at most so many writes, and the order stays", async () => {
  const batches: number[][] = [];
  const commit: Commit<number> = async (writes) => {
    const batch = [...writes];
    batches.push(batch);
    return batch.map((value) => ({ value }));
  };
  const queue = createWriteQueue(commit, { ...OPTIONS, mostTogether: 2 });
  expect(await Promise.all([1, 2, 3, 4, 5].map((value) => queue.add(value)))).toEqual([1, 2, 3, 4, 5]);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test("the deadline counts from the call: a write whose turn comes too late is not tried", async () => {
  const tried: number[] = [];
  const first = Promise.withResolvers<void>();
  const commit: Commit<number> = async (writes) => {
    const batch = [...writes];
    tried.push(...batch);
    await first.promise;
    return batch.map((value) => ({ value }));
  };
  const queue = createWriteQueue(commit, { ...OPTIONS, mostTogether: 1, leastMs: 500 });
  const [one, other] = [queue.add(1), issueOf(queue.add(2))];
  await new Promise((turn) => setImmediate(turn));
  const now = performance.now() + WRITE_DEADLINE_MS - 400;
  using _later = spyOn(performance, "now").mockImplementation(() => now);
  first.resolve();
  expect(await one).toBe(1);
  expect(await other).toBeInstanceOf(StoreUnavailable);
  expect(await issueOf(queue.add(3, WRITE_DEADLINE_MS))).toBeInstanceOf(StoreUnavailable);
  expect(tried).toEqual([1]);
});

test("when a transaction fails for good, each of its writes hears why, and the next one goes on", async () => {
  const issue = new Error("not to be tried again");
  let isBroken = true;
  const commit: Commit<number> = async (writes) => {
    if (isBroken) throw issue;
    return [...writes].map((value) => ({ value }));
  };
  const queue = createWriteQueue(commit, { ...OPTIONS, mayRetry: () => false });
  expect(await Promise.all([issueOf(queue.add(1)), issueOf(queue.add(2))])).toEqual([issue, issue]);
  isBroken = false;
  expect(await queue.add(3)).toBe(3);
});
