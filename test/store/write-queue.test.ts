import { expect, test } from "bun:test";
import { createWriteQueue, type Outcome } from "../../src/store/write-queue.ts";
import { until } from "../jobs/outbox.ts";

test("the next transaction begins before the callers of the one before go on", async () => {
  const events: string[] = [];
  const ends: (() => void)[] = [];
  const commit = (writes: string[]): Promise<Outcome[]> => {
    events.push(`commit ${writes.join(" ")}`);
    const { promise, resolve } = Promise.withResolvers<Outcome[]>();
    ends.push(() => resolve(writes.map((value) => ({ value }))));
    return promise;
  };
  const queue = createWriteQueue(commit, { mayRetry: () => false, unavailable: "locked", pauseMs: 1 });
  const add = (write: string) => queue.add(write).then((value) => events.push(`told ${value}`));
  const begun = (count: number) =>
    until(
      async () => ends.length,
      (now) => now === count,
    );

  const first = [add("a"), add("b")];
  await begun(1);
  const second = [add("c"), add("d")];
  ends[0]?.();
  await begun(2);
  await Promise.all(first);
  ends[1]?.();
  await Promise.all(second);
  await queue.idle();
  expect(events).toEqual(["commit a b", "commit c d", "told a", "told b", "told c", "told d"]);
});
