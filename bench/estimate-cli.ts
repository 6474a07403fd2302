/**
 * How long `tint estimate suv --json` takes, against a Bun that does nothing and one that only reads the catalog.
 * Prints medians and ratios of this run; a ratio can be compared between machines, milliseconds cannot.
 *
 *   bun bench/estimate-cli.ts [runs, default 30]
 */
const runs = Number(process.argv[2] ?? 30);
const file = (path: string) => new URL(`../${path}`, import.meta.url).pathname;

const COMMANDS: Record<string, string[]> = {
  "bun -e 0": ["-e", "0"],
  "parse the catalog": [
    "-e",
    `const { loadCatalog } = await import(${JSON.stringify(file("src/catalog/load.ts"))}); loadCatalog(${JSON.stringify(file("catalog.yaml"))});`,
  ],
  "tint --version": [file("cli/main.ts"), "--version"],
  "tint estimate suv --json": [file("cli/main.ts"), "estimate", "suv", "--json", "--catalog", file("catalog.yaml")],
};

function run(args: string[]): number {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...args], { stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
  return performance.now() - started;
}

const times = new Map(Object.keys(COMMANDS).map((name): [string, number[]] => [name, []]));
// Taking turns, so that a slow moment of the machine falls on all alike; the first round fills the caches.
for (let round = 0; round <= runs; round++) {
  for (const [name, args] of Object.entries(COMMANDS)) {
    const took = run(args);
    if (round > 0) times.get(name)?.push(took);
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const base = median(times.get("bun -e 0") ?? []);
const parse = median(times.get("parse the catalog") ?? []);
console.table(
  [...times].map(([name, values]) => ({
    command: name,
    "median ms": median(values).toFixed(1),
    "x bun -e 0": (median(values) / base).toFixed(2),
    "x parse the catalog": (median(values) / parse).toFixed(2),
  })),
);
