/** Two small applications on other stacks, which answer estimates in the same run as ours. */
import { existsSync } from "node:fs";
import { benchFile, outputOf, startChild } from "./children.ts";

export const HONO = "Hono, zod (Bun)";
const PEERS = {
  "Fastify, ajv (Node)": ["node", benchFile("peers/fastify.js")],
  [HONO]: [process.execPath, benchFile("peers/hono.js")],
};

/** @returns none where Node is missing, or their packages cannot be installed @param stack ends them */
export async function startPeers(stack: AsyncDisposableStack): Promise<{ name: string; port: number }[]> {
  const started: { name: string; port: number }[] = [];
  try {
    const cwd = benchFile("peers");
    if (!existsSync(`${cwd}/node_modules`)) outputOf(["npm", "ci"], { cwd, env: process.env });
    for (const [name, command] of Object.entries(PEERS))
      started.push({ name, port: stack.use(await startChild(command)).port });
  } catch (error) {
    process.stderr.write(`The peers are left out: ${error}\n`);
  }
  return started;
}
