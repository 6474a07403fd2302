/** The warning of a nightly backup that does not come. */
import { expect, test } from "bun:test";
import pino from "pino";
import { DAY_MS } from "../../src/lib/durations.ts";
import { watchBackups } from "../../src/programs/background.ts";
import { until } from "../service-process.ts";

test("a backup of the last two days is no news, an older one is logged; before the first there is nothing to miss", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  let lastAt: number | null = null;
  const { warnings, stop } = watchBackups({ lastAt: () => lastAt, log, now: () => 10 * DAY_MS, everyMs: 5 });
  expect(warnings()).toEqual([]);
  lastAt = 8 * DAY_MS;
  expect(warnings()).toEqual([]);
  lastAt = 7 * DAY_MS;
  expect(warnings()).toEqual(["the last nightly backup is 3 days old"]);
  await until("the error in the log", async () => lines.length > 0);
  stop();
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 50, msg: expect.stringContaining("3 days old") });
});
