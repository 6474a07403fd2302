/**
 * The long forms of the tests that try to break the program: `bun run torture [PART] [--seed N] [--count N] [--from N]
 * [--minutes N]`. Without PART all of them run, one after the other. The same seed repeats a run; docs/RELIABILITY.md says how
 * long each takes. Exits with 1 when a promise was broken.
 */
import { parseArgs } from "node:util";
import { measureClock } from "./clock.ts";
import { measureDeposits } from "./deposits.ts";
import { measureHolds } from "./holds.ts";
import { measureHostile } from "./hostile.ts";
import { measureKills } from "./kills.ts";
import { measurePayments } from "./payments.ts";
import { measurePower } from "./power.ts";
import { measureRaces, measureSharedRaces, withControl } from "./races.ts";
import { measureScale } from "./scale.ts";
import { measureSharedFaults } from "./shared-faults.ts";
import { measureShops } from "./shops.ts";
import { measureSoak } from "./soak.ts";
import { measureBothFaults } from "./workers.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    count: { type: "string" },
    from: { type: "string", default: "0" },
    minutes: { type: "string", default: "30" },
  },
});
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const count = (usual: number) => Number(values.count ?? usual);

/** Each gives metrics, and the promises that were broken. */
const PARTS: Record<string, () => Promise<{ broken: readonly string[] }>> = {
  power: () => measurePower({ cuts: count(1_000), bookings: 1_500, seed }),
  kills: () => measureKills({ kills: count(100), seed }),
  hostile: () => measureHostile({ requests: count(100_000), from: Number(values.from), seed }),
  holds: () => measureHolds({ steps: count(10_000), seed }),
  races: () => measureRaces(count(60), 50),
  "shared-races": () => withControl((withoutTurn) => measureSharedRaces(count(20), 32, withoutTurn)),
  "shared-faults": () => measureSharedFaults(),
  clock: () => measureClock({ jumps: count(300), seed }),
  deposits: () => measureDeposits({ steps: count(10_000), seed }),
  payments: () => measurePayments({ kills: count(100), seed }),
  workers: () => measureBothFaults(count(2_000)),
  shops: () => measureShops({ shops: count(300), seed }),
  soak: () => measureSoak({ minutes: Number(values.minutes), seed }),
  scale: () => measureScale(),
};

const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`No part is called ${unknown.join(", ")}; the parts are ${Object.keys(PARTS).join(", ")}.\n`);
  process.exit(2);
}
for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stdout.write(`\n## ${name}, seed ${seed}\n`);
  const from = performance.now();
  const { broken, ...metrics } = await part();
  const seconds = Math.round((performance.now() - from) / 1000);
  process.stdout.write(`${JSON.stringify(metrics, null, 2)}\n${seconds} s\n`);
  for (const fault of broken.slice(0, 20)) process.stdout.write(`BROKEN ${fault}\n`);
  if (broken.length > 0) process.exitCode = 1;
}
// Connections to servers that were killed would keep this process for a while.
process.exit();
