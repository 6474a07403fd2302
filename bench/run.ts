/**
 * All benchmarks, as ratios of one run: `bun run bench [--only PART] [--rounds N] [--seconds N] [--requests N]`. A ratio can be
 * compared between machines; requests per second cannot.
 */
import { parseArgs } from "node:util";
import { measureAnswers } from "./answers.ts";
import { measureBookings } from "./bookings.ts";
import { measureMachines } from "./machines.ts";
import { measureMemory } from "./memory.ts";
import { measurePeers } from "./peers.ts";
import { type Figure, tableOf } from "./report.ts";
import { measureScale } from "./scale.ts";
import { measureStart } from "./start.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string" },
    requests: { type: "string" },
  },
});
const rounds = Number(values.rounds ?? 5);
const seconds = Number(values.seconds ?? 1);

const PARTS: Record<string, () => Promise<Figure[]>> = {
  answers: () => measureAnswers(rounds, seconds),
  bookings: () => measureBookings(rounds, seconds),
  machines: () => measureMachines(rounds, seconds),
  scale: () => measureScale(rounds, seconds),
  peers: () => measurePeers(rounds, seconds),
  start: () => measureStart(rounds),
  memory: () => measureMemory(Number(values.requests ?? 1_000_000)),
};

for (const [name, measure] of Object.entries(PARTS)) {
  if (values.only && values.only !== name) continue;
  process.stdout.write(`\n## ${name}\n${tableOf(await measure())}\n`);
}
