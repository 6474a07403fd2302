/**
 * Seeded faults: how many small faults in the program the tests notice. Each fault is made in a copy of the tree, and the
 * tests that enter its block run, the fastest first, until one fails; a fault that they let pass still meets the type check.
 *
 *   bun run mutants [--seed 1] [--count 240] [--only PATH,PATH] [--change TEXT] [--tests PATH,PATH] [--jobs 1]
 *
 * The same seed takes the same faults of the same tree. --only takes faults of these folders or files, --tests leaves out
 * tests elsewhere; that is quicker, and the figure is lower. Files outside the rooms below are left out, unless --only names
 * nothing else. --change takes every fault whose changed line, as printed, has the text: to judge a survivor again.
 * --count 0 takes the named faults alone. Faults that nobody can notice stand in equivalent.ts.
 */
import { parseArgs } from "node:util";
import { measure, type TestFile } from "./coverage.ts";
import { EQUIVALENT } from "./equivalent.ts";
import { blocksOf, type Fault, faultAt, faultsIn, parse } from "./faults.ts";
import { NAMED } from "./named.ts";
import { createScratch, read, type Scratch, SOURCES } from "./scratch.ts";

/** A fault belongs to the first room that fits. */
const ROOMS: [name: string, files: RegExp][] = [
  ["domain", /^src\/domain\//],
  ["store", /^src\/store\//],
  ["limiter", /^src\/limits\//],
  ["invoke", /^src\/capabilities\/core\//],
  ["capabilities", /^src\/capabilities\//],
  ["jobs", /^src\/jobs\//],
  ["commands", /^cli\/(?!screens\/|build\.ts)/],
];
const LEAST_PER_ROOM = 12;
const TARGET = 95;
/** The longest that a test may take under a fault, from the time that it takes without. */
const timeoutMs = ({ ms }: TestFile) => 15_000 + 5 * ms;

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "240" },
    only: { type: "string", default: "" },
    change: { type: "string" },
    tests: { type: "string", default: "test/" },
    jobs: { type: "string", default: "1" },
  },
});

interface Result {
  room: string;
  fault: Fault;
  by: "a test" | "time-out" | "tsc" | "nobody";
}

const say = (line: string) => process.stderr.write(`${line}\n`);
const where = ({ file, line }: Fault) => `${file}:${line}`;
const among = (paths: string) => (file: string) => paths.split(",").some((path) => file.startsWith(path));
const isWanted = among(options.only);
const roomOf = (file: string) => ROOMS.find(([, files]) => files.test(file))?.[0];

/** Named faults whose text stands in no source any more. */
const lost: string[] = [];
const chosen = options.change === undefined ? [...named(), ...choose(Number(options.count))] : like(options.change);
const scratches = Array.from({ length: Number(options.jobs) }, createScratch);
const clear = () => {
  for (const scratch of scratches) scratch[Symbol.dispose]();
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    clear();
    process.exit(1);
  });
const results: Result[] = [];
/** By file and by room, the test that noticed the last fault: likely to notice the next one too. */
const lastKiller = new Map<string | undefined, string>();
try {
  const tests = await measure(scratches, among(options.tests), say);
  const waiting = [...chosen];
  await Promise.all(
    scratches.map(async (scratch) => {
      for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
        const { by, detail } = await judge(fault, tests, scratch);
        results.push({ room: roomOf(fault.file) ?? "others", fault, by });
        say(`${results.length}/${chosen.length} ${by}: ${where(fault)} ${fault.change} (${detail})`);
      }
    }),
  );
} finally {
  clear();
}
report(results);

function named(): Fault[] {
  return Object.entries(NAMED).flatMap(([what, change]) => {
    const [text = "", instead = ""] = change.split(" ⇒ ");
    const places = SOURCES.flatMap((file) => {
      const source = parse(file, read(file));
      const starts = [...source.text.matchAll(new RegExp(RegExp.escape(text), "g"))].map(({ index }) => index);
      const blocks = starts.length > 0 ? blocksOf(source) : [];
      return starts.map((start) => faultAt(source, blocks, start, start + text.length, instead));
    });
    if (places.length === 0) lost.push(`${what}: ${text}`);
    return places.filter(({ file }) => isWanted(file));
  });
}

/** Faults by the seed; a larger room has more of them, but does not drown the others. */
function choose(count: number): Fault[] {
  const inReach = SOURCES.filter(isWanted);
  const inRooms = inReach.filter(roomOf);
  const rooms = Map.groupBy(
    (inRooms.length > 0 ? inRooms : inReach)
      .flatMap((file) => faultsIn(file, read(file)))
      .filter((fault) => !equivalentsOf(fault.file).some((change) => isMeant(change, fault))),
    ({ file }) => roomOf(file),
  );
  const total = [...rooms.values()].reduce((sum, { length }) => sum + Math.sqrt(length), 0);
  return [...rooms.values()].flatMap((faults) => {
    const order = new Map(faults.map((fault) => [fault, Bun.hash(`${options.seed} ${fault.file} ${fault.change}`)]));
    const shuffled = faults.toSorted((a, b) => ((order.get(a) ?? 0n) < (order.get(b) ?? 0n) ? -1 : 1));
    const share = Math.round((count * Math.sqrt(faults.length)) / total);
    return shuffled.slice(0, Math.min(count, Math.max(LEAST_PER_ROOM, share)));
  });
}

function like(change: string): Fault[] {
  const all = SOURCES.filter(isWanted).flatMap((file) => faultsIn(file, read(file)));
  return all.filter((fault) => fault.change.includes(change));
}

const equivalentsOf = (file: string) => Object.keys(EQUIVALENT[file] ?? {});

function isMeant(equivalent: string, { change }: Fault): boolean {
  return change === equivalent || (equivalent.endsWith("⇒") && change.startsWith(equivalent));
}

async function judge(
  fault: Fault,
  tests: readonly TestFile[],
  scratch: Scratch,
): Promise<Pick<Result, "by"> & { detail: string }> {
  const likely = [lastKiller.get(roomOf(fault.file)), lastKiller.get(fault.file)];
  const seeing = tests
    .filter(({ entered }) => entered.has(`${fault.file}#${fault.block}`))
    .toSorted((a, b) => likely.lastIndexOf(b.file) - likely.lastIndexOf(a.file));
  return await scratch.withFault(fault, async () => {
    for (const test of seeing) {
      const { verdict } = await scratch.test(test.file, timeoutMs(test));
      if (verdict === "passed") continue;
      for (const place of [fault.file, roomOf(fault.file)]) lastKiller.set(place, test.file);
      return { by: verdict === "failed" ? "a test" : "time-out", detail: test.file };
    }
    const { verdict } = await scratch.typeCheck();
    return { by: verdict === "passed" ? "nobody" : "tsc", detail: `${seeing.length} test files enter it` };
  });
}

function report(all: readonly Result[]): void {
  const row = (list: readonly Result[]) => {
    const count = (by: Result["by"]) => list.filter((one) => one.by === by).length;
    const survived = count("nobody");
    return {
      faults: list.length,
      "by a test": count("a test"),
      "by time-out": count("time-out"),
      "by tsc alone": count("tsc"),
      survived,
      "killed %": Number(((1 - survived / list.length) * 100).toFixed(1)),
    };
  };
  const rooms = [...Map.groupBy(all, ({ room }) => room)].map(([room, list]) => [room, row(list)]);
  console.table(Object.fromEntries(rooms));
  for (const { fault, by } of all) if (by === "nobody") console.log(`survived ${where(fault)}\n  ${fault.change}`);
  for (const file of Object.keys(EQUIVALENT).filter(isWanted)) {
    const faults = SOURCES.includes(file) ? faultsIn(file, read(file)) : [];
    for (const change of equivalentsOf(file))
      if (!faults.some((fault) => isMeant(change, fault))) console.log(`no longer a fault of ${file}: ${change}`);
  }
  const { faults, survived, "killed %": percent } = row(all);
  console.log(`${faults - survived} of ${faults} faults killed: ${percent}%`);
  for (const one of lost) console.log(`to be written anew in named.ts: ${one}`);
  if (percent < TARGET || lost.length > 0) process.exitCode = 1;
}
