/** Which blocks each test file enters, child processes included. */
import { FILES, type Scratch, type Trace } from "./scratch.ts";

export interface TestFile {
  file: string;
  ms: number;
  /** `file#block` of `blocksOf`; block -1 is the module itself. */
  entered: ReadonlySet<string>;
}

const LONGEST_MS = 300_000;
/** A machine that is busy may fail a test once. */
const TRIES = 2;

/** Leaves out, and reports, tests that fail even without a fault. Tracing changes the sources, and some tests read them. */
export async function measure(
  scratches: readonly Scratch[],
  isWanted: (file: string) => boolean,
  say: (line: string) => void,
): Promise<TestFile[]> {
  const waiting = FILES.filter((file) => /^test\/.*\.test\.tsx?$/.test(file) && isWanted(file));
  const measured: TestFile[] = [];
  await Promise.all(
    scratches.map(async (scratch) => {
      const trace = scratch.trace();
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const known = await measureOne(file, scratch, trace);
        if (known) measured.push(known);
        say(known ? `${file}: ${Math.round(known.ms)} ms, ${known.entered.size} blocks` : `${file} fails by itself`);
      }
      trace.end();
    }),
  );
  return measured.toSorted((a, b) => a.ms - b.ms);
}

async function measureOne(file: string, scratch: Scratch, trace: Trace): Promise<TestFile | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { verdict, ms } = await scratch.test(file, LONGEST_MS);
    const entered = trace.take();
    if (verdict === "passed") return { file, ms, entered };
  }
  return undefined;
}
