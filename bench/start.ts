/** Milliseconds from the start of each program until it can be used: medians of interleaved rounds. */
import { join } from "node:path";
import { childEnv, shopFolder, temporaryFolder } from "../test/process/server.ts";
import { benchFile } from "./children.ts";
import type { Figure } from "./report.ts";

const SOURCE = [process.execPath, benchFile("../cli/main.ts")];
export const tint: readonly string[] = SOURCE;

/** Milliseconds until a command has ended. */
function runTime(command: readonly string[]): number {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([...command], { env: childEnv(), stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${stderr}`);
  return performance.now() - started;
}

/** Milliseconds until a server says that it listens. */
async function readyTime(command: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = Bun.spawn([...command], { env: childEnv({ PORT: "0" }), stdout: "ignore", stderr: "pipe" });
  let text = "";
  for await (const chunk of child.stderr) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("listening")) break;
  }
  const took = performance.now() - started;
  child.kill("SIGKILL");
  await child.exited;
  return took;
}

/** Milliseconds until a screen shows its first words, on a terminal of 80 × 24. */
export async function firstFrame(command: readonly string[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const started = performance.now();
  let text = "";
  const child = Bun.spawn([...command], {
    env: childEnv({ TERM: "xterm-256color" }),
    terminal: {
      cols: 80,
      rows: 24,
      data(_, bytes) {
        text += new TextDecoder().decode(bytes);
        if (text.includes("Leads")) resolve(performance.now() - started);
      },
    },
  });
  const took = await Promise.race([promise, child.exited.then(() => Number.NaN)]);
  child.kill("SIGKILL");
  await child.exited;
  if (Number.isNaN(took)) throw new Error(`${command.join(" ")} ended before its first frame:\n${text}`);
  return took;
}

/** Builds the one executable, once for all rounds. */
function build(folder: string): string {
  const file = join(folder, "tint");
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, benchFile("../cli/build.ts"), file]);
  if (exitCode !== 0) throw new Error(`the executable could not be built:\n${stderr}`);
  return file;
}

export async function measureStart(rounds: number): Promise<Figure[]> {
  using built = temporaryFolder();
  using folder = shopFolder();
  const binary = [build(built.path)];
  const places = ["--catalog", folder.catalog, "--data", folder.data];
  const cases = {
    "server ready, executable": { target: 80, time: () => readyTime([...binary, "serve", ...places]) },
    "server ready, from source": { target: 250, time: () => readyTime([...SOURCE, "serve", ...places]) },
    "tint estimate, executable": {
      target: 60,
      time: () => runTime([...binary, "estimate", "suv", "--json", ...places]),
    },
    "tint --help, executable": { target: 25, time: () => runTime([...binary, "--help"]) },
    "first screen, executable": { target: 150, time: () => firstFrame([...binary, ...places]) },
  };
  const samples = new Map<string, number[]>();
  // The first round fills caches and does not count.
  for (let round = 0; round <= rounds * 4; round++) {
    for (const [name, { time }] of Object.entries(cases)) {
      const took = await time();
      if (round > 0) samples.set(name, [...(samples.get(name) ?? []), took]);
    }
  }
  return Object.entries(cases).map(([name, { target }]) => ({
    name,
    samples: samples.get(name) ?? [],
    target,
    better: "less",
    unit: " ms",
  }));
}
