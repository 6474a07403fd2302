/**
 * The long forms of the tests that try to break the program: `bun run torture [PART] [--seed N] [--count N] [--from N]
 * [--minutes N]`. Without PART all of them run, one after the other. The same seed repeats a run; docs/RELIABILITY.md says how
 * long each takes. Exits with 1 when a promise was broken.
 */
import { parseArgs } from "node:util";
import { measureClock } from "./clock.ts";
import { measureHostile } from "./hostile.ts";
import { measureKills } from "./kills.ts";
import { measurePowerCuts } from "./power.ts";
import { measureRaces, measureSharedRaces } from "./races.ts";
import { measureScale } from "./scale.ts";
import { measureSharedFaults } from "./shared-faults.ts";
import { measureShops } from "./shops.ts";
import { measureSoak } from "./soak.ts";
import { measureWorkers } from "./workers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    count: { type: "string" },
    from: { type: "string" },
    minutes: { type: "string" },
  },
});
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const count = (usual: number) => Number(values.count ?? usual);

interface Result {
  figures: object;
  /** Broken promises. */
  broken: readonly string[];
}

const PARTS: Record<string, () => Promise<Result>> = {
  async power() {
    const cuts = { cuts: count(1_000), bookings: 1_500, seed };
    const full = await measurePowerCuts({ ...cuts, synchronous: "FULL" });
    const control = await measurePowerCuts({ ...cuts, synchronous: "NORMAL" });
    if (!full || !control)
      return { figures: {}, broken: ["writes cannot be recorded here: a C compiler and Linux are due"] };
    const broken = [...full.faults];
    if (full.cutsWithLosses > 0) broken.push(`${full.cutsWithLosses} cuts lost acknowledged bookings`);
    if (control.cutsWithLosses === 0)
      broken.push("the control with NORMAL lost nothing, so that the test shows nothing");
    return { figures: { full, control: { ...control, faults: control.faults.length } }, broken };
  },
  async kills() {
    const figures = await measureKills({ kills: count(100), seed });
    const { lost, doubled, untold, halves } = figures;
    return { figures, broken: brokenOf({ lost, doubled, untold, halves }) };
  },
  async hostile() {
    const figures = await measureHostile({ requests: count(100_000), from: Number(values.from ?? 0), seed });
    return { figures: { ...figures, faults: figures.faults.length }, broken: figures.faults };
  },
  async races() {
    const figures = await measureRaces(count(60), 50);
    return { figures, broken: figures.faults };
  },
  async "shared-races"() {
    const figures = await measureSharedRaces(count(20), 32);
    const control = await measureSharedRaces(count(20), 32, true);
    const broken = [...figures.faults];
    if (control.faults.length === 0) broken.push("the control sold no bay twice, so that the test shows nothing");
    return { figures: { ...figures, control: { ...control, faults: control.faults.length } }, broken };
  },
  async "shared-faults"() {
    const { broken, ...figures } = await measureSharedFaults();
    return { figures, broken };
  },
  async clock() {
    const figures = await measureClock({ jumps: count(300), seed });
    const { sentTwice, waiting } = figures;
    return { figures, broken: brokenOf({ sentTwice, waiting }) };
  },
  async workers() {
    const killed = await measureWorkers({ jobs: count(2_000), fault: "killed" });
    const ahead = await measureWorkers({ jobs: count(2_000), fault: { clockAheadMs: 30_000 } });
    const { lost, textedTwice, pushedTwiceWithoutCause } = killed;
    const broken = [
      ...brokenOf({ lost, textedTwice, pushedTwiceWithoutCause }),
      ...brokenOf({ ...ahead, jobs: 0, seconds: 0 }).map((fault) => `with a clock 30 s ahead, ${fault}`),
    ];
    return { figures: { killed, ahead }, broken };
  },
  async shops() {
    const figures = await measureShops({ shops: count(300), seed });
    return { figures, broken: figures.faults };
  },
  async soak() {
    const figures = await measureSoak({ minutes: Number(values.minutes ?? 30), seed });
    return { figures, broken: figures.faults };
  },
  async scale() {
    return { figures: await measureScale(), broken: [] };
  },
};

const brokenOf = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([name, found]) => (found > 0 ? [`${name}: ${found}`] : []));

const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`No part is called ${unknown.join(", ")}; the parts are ${Object.keys(PARTS).join(", ")}.\n`);
  process.exit(2);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stdout.write(`\n## ${name}, seed ${seed}\n`);
  const from = performance.now();
  const { figures, broken } = await part();
  const seconds = Math.round((performance.now() - from) / 1000);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n${seconds} s\n`);
  for (const fault of broken.slice(0, 20)) process.stdout.write(`BROKEN ${fault}\n`);
  if (broken.length > 0) process.exitCode = 1;
}
// Connections to servers that were killed would keep this process for a while.
process.exit();
