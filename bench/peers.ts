/** Two small applications on other stacks, which answer estimates and bookings in the same run as ours. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { benchFile, type Child, outputOf, startChild } from "./children.ts";

export const HONO = "Hono, zod, bun:sqlite (Bun)";
const PEERS = {
  "Fastify, ajv, better-sqlite3 (Node)": ["node", benchFile("peers/fastify.js")],
  [HONO]: [process.execPath, benchFile("peers/hono.js")],
};

interface Peers extends AsyncDisposable {
  /** None where their packages cannot be installed. */
  started: readonly (Child & { name: string })[];
}

/** @param databases names the file for each peer's bookings; in memory without it */
export async function startPeers(
  databases: (nth: number) => string = () => ":memory:",
  env: Record<string, string> = {},
): Promise<Peers> {
  const started: (Child & { name: string })[] = [];
  try {
    install();
    for (const [name, command] of Object.entries(PEERS))
      started.push({ name, ...(await startChild([...command, databases(started.length)], env)) });
  } catch (error) {
    process.stderr.write(`The peers are left out: ${error}\n`);
  }
  return {
    started,
    async [Symbol.asyncDispose]() {
      for (const peer of started) await peer[Symbol.asyncDispose]();
    },
  };
}

/** Installs the peers' own packages, once. @throws Error when that fails */
function install(): void {
  const folder = benchFile("peers");
  const native = `${folder}/node_modules/better-sqlite3`;
  if (existsSync(`${native}/build/Release/better_sqlite3.node`)) return;
  const node = Bun.which("node");
  if (!node) throw new Error("there is no Node");
  const { env } = process;
  outputOf(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, env });
  // Built from source against Node's own headers, so that only the registry is contacted.
  const nodedir = `--nodedir=${dirname(dirname(node))}`;
  outputOf(["npm", "exec", "--yes", "node-gyp", "--", "rebuild", "--release", nodedir], { cwd: native, env });
}
