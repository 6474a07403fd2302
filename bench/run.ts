/**
 * All benchmarks, as ratios of one run: `bun run bench [--only PART] [--rounds N] [--seconds N] [--requests N]`. A ratio can be
 * compared between machines; requests per second cannot. Prints a table for bench/README.md.
 */
import { parseArgs } from "node:util";
import { measureAnswers } from "./answers.ts";
import { measureBookings } from "./bookings.ts";
import { measureLimiter } from "./limiter.ts";
import { measureMachines } from "./machines.ts";
import { measureMemory } from "./memory.ts";
import { type Metric, tableOf } from "./report.ts";
import { measureScale } from "./scale.ts";
import { measureStart } from "./start.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "1" },
    requests: { type: "string", default: "1000000" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

const PARTS: Record<string, () => Promise<Metric[]> | Metric[]> = {
  answers: () => measureAnswers(rounds, seconds),
  bookings: () => measureBookings(rounds, seconds),
  scale: () => measureScale(rounds, seconds),
  memory: () => measureMemory(Number(values.requests)),
  start: () => measureStart(rounds),
  limiter: () => measureLimiter(rounds),
  machines: () => measureMachines(rounds, seconds),
};

const metrics: Metric[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (values.only && values.only !== name) continue;
  process.stderr.write(`${name}…\n`);
  metrics.push(...(await measure()));
}
process.stdout.write(`${tableOf(metrics)}\n`);
