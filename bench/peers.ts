/** The same two requests, answered by two small applications on other stacks, in the same run as ours. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { API } from "../test/helpers.ts";
import { shopFolder, temporaryFolder } from "../test/process/server.ts";
import { bareCommits, bookingRequests, slowDisk } from "./bookings.ts";
import { benchFile, startBare, startChild } from "./children.ts";
import { load, requestBytes, withHeader } from "./load.ts";
import type { Figure } from "./report.ts";

const PEERS = {
  "Fastify, ajv, better-sqlite3 (Node)": ["node", benchFile("peers/fastify.js")],
  "Hono, zod, bun:sqlite (Bun)": [process.execPath, benchFile("peers/hono.js")],
};
const ESTIMATE = requestBytes("POST", `${API}/estimates`, {
  body: { vehicle_type: "suv", film_type: "ceramic", coverage: "full", shade: 35, addons: ["windshield_strip"] },
});

export async function measurePeers(rounds: number, seconds: number): Promise<Figure[]> {
  const fault = install();
  if (fault) {
    process.stderr.write(`The peers are left out: ${fault}\n`);
    return [];
  }
  using shim = temporaryFolder();
  const slow = await slowDisk(shim.path);
  await using bare = await startBare();
  const samples = new Map<string, number[]>();
  const note = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value]);
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(PEERS)) {
      await using peer = await startChild(command);
      const answers = await load({ port: peer.port, requests: [ESTIMATE], seconds });
      const constant = [withHeader(ESTIMATE, "X-Size", String(answers.bytes))];
      note(
        `${name}: POST /estimates ÷ bare`,
        answers.perSecond / (await load({ port: bare.port, requests: constant, seconds })).perSecond,
      );
      if (!slow) continue;
      using folder = shopFolder();
      await using durable = await startChild([...command, `${folder.path}/peer.db`], slow);
      const commits = await bareCommits(folder.path, seconds, slow);
      const booked = await load({ port: durable.port, requests: bookingRequests(20_000), seconds });
      note(`${name}: bookings, 32 connections ÷ bare commits`, booked.perSecond / commits);
    }
  }
  return [...samples].map(([name, values]) => ({ name, samples: values, better: "more" }));
}

/** Installs the peers' own packages, once. @returns why it could not be done */
function install(): string | undefined {
  const folder = benchFile("peers");
  const native = `${folder}/node_modules/better-sqlite3`;
  if (existsSync(`${native}/build/Release/better_sqlite3.node`)) return undefined;
  const node = Bun.which("node");
  const npm = Bun.which("npm");
  if (!node || !npm) return "there is no Node or no npm.";
  const prefix = dirname(dirname(node));
  const steps = [
    { cwd: folder, command: [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"] },
    // Built from source against Node's own headers, so that only the registry is contacted.
    { cwd: native, command: [npm, "exec", "--yes", "node-gyp", "--", "rebuild", "--release", `--nodedir=${prefix}`] },
  ];
  for (const { cwd, command } of steps) {
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: "ignore", stderr: "pipe" });
    if (exitCode !== 0) return `${command.join(" ")} failed: ${stderr.toString().slice(-500)}`;
  }
  return undefined;
}
