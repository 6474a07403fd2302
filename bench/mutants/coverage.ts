/** Which blocks each test file enters, child processes included; kept in a temporary folder between runs. */
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILES, read, type Scratch, type Trace, type Verdict } from "./scratch.ts";

export interface TestFile {
  file: string;
  ms: number;
  /** `file#block` of `blocksOf`; block -1 is the module itself. */
  entered: ReadonlySet<string>;
}

interface Kept {
  /** Of the test and of the sources that it loads. */
  digests: Record<string, string>;
  ms: number;
  entered: string[];
}

const CACHE = join(tmpdir(), "tint-mutants-cache");
const LONGEST_MS = 300_000;

/** Leaves out, and reports, tests that fail even without a fault. Tracing changes the sources, and some tests read them. */
export async function measure(
  scratches: readonly Scratch[],
  isWanted: (file: string) => boolean,
  say: (line: string) => void,
): Promise<TestFile[]> {
  mkdirSync(CACHE, { recursive: true });
  const waiting = FILES.filter((file) => /^test\/.*\.test\.tsx?$/.test(file) && isWanted(file));
  const measured: TestFile[] = [];
  await Promise.all(
    scratches.map(async (scratch) => {
      const trace = scratch.trace();
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const known = (await kept(file)) ?? (await measureTwice(file, scratch, trace));
        if (typeof known === "string") {
          say(`${file} is left out, it ${known} without any fault`);
          continue;
        }
        const { ms, entered } = known;
        say(`${file}: ${Math.round(ms)} ms, ${entered.length} blocks`);
        measured.push({ file, ms, entered: new Set(entered) });
      }
      trace.end();
    }),
  );
  return measured.toSorted((a, b) => a.ms - b.ms);
}

/** A machine that is busy may fail a test once. */
async function measureTwice(...given: Parameters<typeof measureOne>): Promise<Kept | Verdict> {
  const first = await measureOne(...given);
  return typeof first === "string" ? await measureOne(...given) : first;
}

async function measureOne(file: string, scratch: Scratch, trace: Trace): Promise<Kept | Verdict> {
  const { verdict, ms } = await scratch.test(file, LONGEST_MS);
  const entered = trace.take();
  if (verdict !== "passed") return verdict;
  const loaded = [file, ...new Set(entered.map((one) => one.replace(/#.*/, "")))];
  const result = { digests: Object.fromEntries(loaded.map((one) => [one, digest(one)])), ms, entered };
  await Bun.write(placeOf(file), JSON.stringify(result));
  return result;
}

/** The measurement of an earlier run, if nothing that the test loads has changed. */
async function kept(file: string): Promise<Kept | undefined> {
  const place = Bun.file(placeOf(file));
  if (!(await place.exists())) return undefined;
  const result = (await place.json()) as Kept;
  const isSame = Object.entries(result.digests).every(([one, known]) => digest(one) === known);
  return isSame ? result : undefined;
}

const placeOf = (file: string) => join(CACHE, `${file.replaceAll("/", "-")}.json`);
const digest = (file: string) => Bun.hash(read(file)).toString(36);
