/** Answers that the server reuses for a while, /readyz and the OpenAPI document. A failure is reported and not reused. */
import { expect, onTestFinished, test } from "bun:test";
import { pino } from "pino";
import type { Exchange } from "../../src/http/exchange.ts";
import { healthEndpoints } from "../../src/http/health.ts";
import { createOpenApiSource } from "../../src/http/swagger.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG, catalogWith, NOW } from "../helpers.ts";

/** A request as the gateway passes it to a health check: charged to no pool. */
const ASKED = { requestId: "asked", limits: [], catalog: CATALOG } as Partial<Exchange> as Exchange;

test("/readyz says that the store cannot be written; the log says why", async () => {
  const logs: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  const store = openSqliteStore(":memory:");
  onTestFinished(store.close);
  store.checkWritable = () => Promise.reject(new Error("disk full"));
  const jobs = { kinds: [], off: [], stuckAfterMinutes: () => 60 };
  const endpoints = healthEndpoints({ store, catalogHash: () => "abc", now: () => NOW, jobs, log });
  const answer = await endpoints.find(({ path }) => path === "/readyz")?.answer(ASKED);
  expect(answer?.status).toBe(503);
  expect(await answer?.json()).toEqual({
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
  const endpoints = healthEndpoints({ store, catalogHash: () => "abc", now: () => NOW, jobs, log, clock: () => time });
  const ready = endpoints.find(({ path }) => path === "/readyz");
  const askAt = async (moment: number) => {
    time = moment;
    await Promise.all(Array.from({ length: 20 }, () => ready?.answer(ASKED)));
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

test("an OpenAPI document that could not be made is made anew by the next request", async () => {
  let made = 0;
  const source = createOpenApiSource(() => ({
    openapi: "3.0.3",
    info: { title: "Shop", version: "1" },
    get paths() {
      made += 1;
      if (made === 1) throw new Error("broken");
      return {};
    },
  }));
  const given = { catalog: catalogWith({}), now: NOW };
  await expect(source(given)).rejects.toThrow("broken");
  const { text } = await source(given);
  expect(JSON.parse(text)).toMatchObject({ info: { title: "Shop" } });
});
