/** /readyz: its answer is reused for a while, a failure shortly. */
import { expect, onTestFinished, test } from "bun:test";
import { pino } from "pino";
import { healthPlugin } from "../../src/http/health.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../helpers.ts";

const READY = new Request("http://localhost/readyz");

test("/readyz says that the store cannot be written; the log says why", async () => {
  const logs: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  const store = openSqliteStore(":memory:");
  onTestFinished(store.close);
  store.checkWritable = () => Promise.reject(new Error("disk full"));
  const jobs = { kinds: [], off: [], stuckAfterMinutes: () => 60 };
  const health = healthPlugin({ store, catalogHash: () => "abc", now: () => NOW, jobs, log });
  const answer = await health.handle(READY);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    status: "unready",
    checks: { store: "cannot be written", catalog: "ok abc", jobs: "ok" },
  });
  expect(logs).toMatchObject([{ level: 50, err: { message: "disk full" } }]);
});

test("/readyz costs at most a tenth of the time, however often it is asked; bad news is checked every 400 ms", async () => {
  const store = openSqliteStore(":memory:");
  onTestFinished(store.close);
  let time = 0;
  let checks = 0;
  let isFull = false;
  store.checkWritable = async () => {
    checks += 1;
    time += 300;
    if (isFull) throw new Error("disk full");
  };
  const jobs = { kinds: [], off: [], stuckAfterMinutes: () => 60 };
  const log = pino({ level: "silent" });
  const health = healthPlugin({ store, catalogHash: () => "abc", now: () => NOW, jobs, log, clock: () => time });
  const askAt = async (moment: number) => {
    time = moment;
    await Promise.all(Array.from({ length: 20 }, () => health.handle(READY)));
    return checks;
  };
  expect(await askAt(0)).toBe(1);
  expect(await askAt(1_500)).toBe(1);
  expect(await askAt(3_000)).toBe(1);
  isFull = true;
  expect(await askAt(3_001)).toBe(2);
  expect(await askAt(3_701)).toBe(2);
  expect(await askAt(3_702)).toBe(3);
});
