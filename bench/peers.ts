/** Two small applications on other stacks, which answer estimates in the same run as ours. */
import { existsSync } from "node:fs";
import { benchFile, type Child, outputOf, startChild } from "./children.ts";

export const HONO = "Hono, zod (Bun)";
const PEERS = {
  "Fastify, ajv (Node)": ["node", benchFile("peers/fastify.js")],
  [HONO]: [process.execPath, benchFile("peers/hono.js")],
};

interface Peers extends AsyncDisposable {
  /** None where Node is missing, or their packages cannot be installed. */
  started: readonly (Child & { name: string })[];
}

export async function startPeers(): Promise<Peers> {
  const started: (Child & { name: string })[] = [];
  try {
    const cwd = benchFile("peers");
    if (!existsSync(`${cwd}/node_modules`)) outputOf(["npm", "ci"], { cwd, env: process.env });
    for (const [name, command] of Object.entries(PEERS)) started.push({ name, ...(await startChild(command)) });
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
