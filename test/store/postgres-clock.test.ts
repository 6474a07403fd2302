/** A machine whose clock is wrong does not use the database, and a server whose clock goes wrong says so. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { pino } from "pino";
import { watchClock } from "../../src/programs/background.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { until } from "../jobs/outbox.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { issueOf } from "./conformance-values.ts";

setDefaultTimeout(30_000);

describe.skipIf(!hasPostgres())("the clock of a machine", () => {
  test("may be 2 s off the database's; beyond that nothing opens, and the message says which way", async () => {
    await using database = await temporaryDatabase();
    const open = (ahead: number) => openPostgresStore(database.url, { now: () => Date.now() + ahead });
    for (const [ahead, words] of [
      // A slow answer hides a part of the difference.
      [3_500, /[23]\.\d s ahead of the database's/],
      [-86_400_000, /86\d{3}\.\d s behind the database's/],
    ] as const) {
      const error = await issueOf(open(ahead));
      expect(error).toMatchObject({ name: "ClockSkewed" });
      expect(String(error)).toMatch(words);
      expect(String(error)).toContain("timedatectl set-ntp true");
    }
    for (const ahead of [1_500, -1_500]) {
      const store = await open(ahead);
      expect(Math.abs(await store.clockAhead())).toBeLessThan(2_000);
      await store.close();
    }
  });

  test("is not blamed for a database that takes long to answer", async () => {
    await using database = await temporaryDatabase();
    // Between question and answer pass 9 seconds, of which the database's time is the first.
    let asked = 0;
    const store = await openPostgresStore(database.url, { now: () => Date.now() + 9_000 * (asked++ % 2) });
    expect(await store.clockAhead()).toBe(0);
    await store.close();
  });
});

test("a server tells once that its clock went wrong, and once that it is right again", async () => {
  const lines: { level: number; msg: string; aheadMs?: number }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const looks = [0, 3_000, 4_000, new Error("the database does not answer"), 5_000, 0, 0, -2_100];
  let look = 0;
  const stop = watchClock({
    store: {
      clockAhead: async () => {
        const ahead = looks[look++] ?? -2_100;
        if (ahead instanceof Error) throw ahead;
        return ahead;
      },
    },
    log,
    everyMs: 1,
  });
  await until(
    () => look,
    (times) => times > looks.length,
  );
  stop();
  expect(lines.map(({ level, aheadMs }) => [level, aheadMs])).toEqual([
    [50, 3_000],
    [30, undefined],
    [50, -2_100],
  ]);
});
