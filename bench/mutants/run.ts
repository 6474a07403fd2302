/**
 * Seeded faults: how many small faults in the program the tests notice. Each fault is made in a copy of the tree, and the
 * tests that enter its block run, the fastest first, until one fails; a fault that they let pass still meets the type check.
 *
 *   bun run mutants [--seed 1] [--count 240] [--only PATH,PATH] [--change TEXT] [--tests PATH,PATH] [--jobs 1]
 *
 * The same seed takes the same faults of the same tree. --only takes faults of these folders or files, --tests leaves out
 * tests elsewhere; that is quicker, and the figure is lower. --change takes every fault whose changed line, as printed, has
 * the text: to try a survivor again. --count 0 takes the named faults alone. Faults that nobody can notice are in
 * equivalent.ts.
 */
import { parseArgs } from "node:util";
import { measure, type TestFile } from "./coverage.ts";
import { EQUIVALENT } from "./equivalent.ts";
import { blocksOf, type Fault, faultAt, faultsIn, parse } from "./faults.ts";
import { NAMED } from "./named.ts";
import { createScratch, read, type Scratch, SOURCES } from "./scratch.ts";

/** Without --only: files whose faults a test can notice. Screens are looked at by people. */
const USUAL = /^(src\/(domain|job|store|messages|limits|http|capabilities)|cli(?!\/screens|\/build\.ts))\//;
const TARGET = 95;
/** The longest that a test may take under a fault, from the time that it takes without. */
const timeoutMs = ({ ms }: TestFile) => 15_000 + 5 * ms;

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "240" },
    only: { type: "string" },
    change: { type: "string" },
    tests: { type: "string", default: "test/" },
    jobs: { type: "string", default: "1" },
  },
});

interface Result {
  fault: Fault;
  by: "a test" | "time-out" | "tsc" | "nobody";
}

const say = (line: string) => process.stderr.write(`${line}\n`);
const where = ({ file, line }: Fault) => `${file}:${line}`;
const among = (paths: string) => (file: string) => paths.split(",").some((path) => file.startsWith(path));
const isWanted = options.only ? among(options.only) : (file: string) => USUAL.test(file);
const roomOf = ({ file }: Fault) => file.split("/", 2).join("/");

/** Named faults whose text is in no source any more. */
const lost: string[] = [];
const { change: wanted } = options;
const chosen =
  wanted === undefined
    ? [...named(), ...choose(Number(options.count))]
    : allFaults().filter(({ change }) => change.includes(wanted));
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
const lastKiller = new Map<string, string>();
try {
  const tests = await measure(scratches, among(options.tests), say);
  const waiting = [...chosen];
  await Promise.all(
    scratches.map(async (scratch) => {
      for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
        const { by, detail } = await runTests(fault, tests, scratch);
        results.push({ fault, by });
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

function allFaults(): Fault[] {
  return SOURCES.filter(isWanted).flatMap((file) => faultsIn(file, read(file)));
}

/** Faults by the seed. */
function choose(count: number): Fault[] {
  const hash = ({ file, change }: Fault) => Bun.hash.crc32(`${options.seed} ${file} ${change}`);
  return allFaults()
    .filter((fault) => !equivalentsOf(fault.file).some((change) => isMeant(change, fault)))
    .map((fault) => ({ fault, order: hash(fault) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ fault }) => fault);
}

function equivalentsOf(file: string): string[] {
  return Object.keys(EQUIVALENT[file] ?? {});
}

function isMeant(equivalent: string, { change }: Fault): boolean {
  return change === equivalent || (equivalent.endsWith("⇒") && change.startsWith(equivalent));
}

async function runTests(
  fault: Fault,
  tests: readonly TestFile[],
  scratch: Scratch,
): Promise<Pick<Result, "by"> & { detail: string }> {
  const likely = [lastKiller.get(roomOf(fault)), lastKiller.get(fault.file)];
  const seeing = tests
    .filter(({ entered }) => entered.has(`${fault.file}#${fault.block}`))
    .toSorted((a, b) => likely.lastIndexOf(b.file) - likely.lastIndexOf(a.file));
  return await scratch.withFault(fault, async () => {
    for (const test of seeing) {
      const { verdict } = await scratch.test(test.file, timeoutMs(test));
      if (verdict === "passed") continue;
      for (const place of [fault.file, roomOf(fault)]) lastKiller.set(place, test.file);
      return { by: verdict === "failed" ? "a test" : "time-out", detail: test.file };
    }
    const { verdict } = await scratch.typeCheck();
    return { by: verdict === "passed" ? "nobody" : "tsc", detail: `${seeing.length} test files enter it` };
  });
}

function report(found: readonly Result[]): void {
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
  const rooms = [...Map.groupBy(found, ({ fault }) => roomOf(fault))].map(([room, list]) => [room, row(list)]);
  console.table(Object.fromEntries(rooms));
  for (const { fault, by } of found) if (by === "nobody") console.log(`survived ${where(fault)}\n  ${fault.change}`);
  for (const file of Object.keys(EQUIVALENT).filter(isWanted)) {
    const faults = SOURCES.includes(file) ? faultsIn(file, read(file)) : [];
    for (const change of equivalentsOf(file))
      if (!faults.some((fault) => isMeant(change, fault))) console.log(`no longer a fault of ${file}: ${change}`);
  }
  const { faults, survived, "killed %": percent } = row(found);
  console.log(`${faults - survived} of ${faults} faults killed: ${percent}%`);
  for (const one of lost) console.log(`to be written anew in named.ts: ${one}`);
  if (percent < TARGET || lost.length > 0) process.exitCode = 1;
}
