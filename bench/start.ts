/** Milliseconds from the start of each program until it can be used: medians of interleaved rounds. */
import { join } from "node:path";
import { childEnv, shopFolder, temporaryFolder } from "../test/process/server.ts";
import { benchFile, outputOf } from "./children.ts";
import { atMost, createSamples, type Metric } from "./report.ts";

export const TINT: readonly string[] = [process.execPath, benchFile("../cli/main.ts")];
/** Starts are short, and many of them are needed for a median that holds. */
const STARTS_PER_ROUND = 4;

export async function measureStart(rounds: number): Promise<Metric[]> {
  using built = temporaryFolder();
  using folder = shopFolder();
  const binary = join(built.path, "tint");
  outputOf([process.execPath, benchFile("../cli/build.ts"), binary]);
  const places = ["--catalog", folder.catalog, "--data", folder.data];
  const cases = [
    { name: "server ready, executable", target: 80, run: () => readyTime([binary, "serve", ...places]) },
    { name: "server ready, from source", target: 300, run: () => readyTime([...TINT, "serve", ...places]) },
    {
      name: "tint estimate, executable",
      target: 60,
      run: () => runTime([binary, "estimate", "suv", "--json", ...places]),
    },
    { name: "tint --help, executable", target: 25, run: () => runTime([binary, "--help"]) },
    { name: "first screen, executable", target: 150, run: () => screenTime([binary, ...places]) },
  ];
  const { note, metrics } = createSamples();
  // The first round fills caches and does not count.
  for (let round = 0; round <= rounds * STARTS_PER_ROUND; round++)
    for (const { name, target, run } of cases) {
      const took = await run();
      if (round > 0) note(name, atMost(target, " ms"), took);
    }
  return metrics();
}

/** Milliseconds until a command has ended. */
function runTime(command: readonly string[]): number {
  const started = performance.now();
  outputOf(command);
  return performance.now() - started;
}

/** Milliseconds until a server says that it listens. */
function readyTime(command: readonly string[]): Promise<number> {
  return timeUntil("listening", (said) => {
    const child = Bun.spawn([...command], { env: childEnv({ PORT: "0" }), stdout: "ignore", stderr: "pipe" });
    child.stderr.pipeTo(new WritableStream({ write: said })).catch(() => {});
    return child;
  });
}

/** Milliseconds until the home screen shows its first words, on a terminal of 80 × 24. */
function screenTime(command: readonly string[]): Promise<number> {
  return timeUntil("Leads", (said) =>
    Bun.spawn([...command], {
      env: childEnv({ TERM: "xterm-256color" }),
      terminal: { cols: 80, rows: 24, data: (_, bytes) => said(bytes) },
    }),
  );
}

/** @throws Error when the program ends before it has said the word */
async function timeUntil(word: string, start: (said: (bytes: Uint8Array) => void) => Bun.Subprocess): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let text = "";
  const started = performance.now();
  const child = start((bytes) => {
    text += new TextDecoder().decode(bytes);
    if (text.includes(word)) resolve(performance.now() - started);
  });
  const took = await Promise.race([promise, child.exited.then(() => undefined)]);
  child.kill("SIGKILL");
  await child.exited;
  if (took === undefined) throw new Error(`the program ended before it said ${word}:\n${text}`);
  return took;
}
