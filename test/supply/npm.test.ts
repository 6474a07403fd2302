/**
 * The README's commands for a machine with only Node and npm, without and with node_modules: once it is there, npm reads package.json
 * too, and that of Debian 12 and 13 and Ubuntu 24.04 (9.2.0) refuses fields that others take.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../process/server.ts";

setDefaultTimeout(60_000);

const ROOT = join(import.meta.dir, "../..");
/** What the server is made of, as in a fresh checkout: without node_modules. */
const CHECKOUT = ["package.json", "bun.lock", "bunfig.toml", "catalog.yaml", "cli", "src", "test/packages"];

const npm = temporaryFolder();
const checkout = temporaryFolder();
/** The user's environment holds what npm and Bun need to reach the registry; the settings of their own shop stay out. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_ENV$|TINT_)/.test(name)));

beforeAll(() => {
  for (const name of CHECKOUT) cpSync(join(ROOT, name), join(checkout.path, name), { recursive: true });
  const install = ["npm", "install", "--prefix", npm.path, "--prefer-offline", "--no-audit", "--no-fund", "npm@9.2.0"];
  const { exitCode, stderr } = Bun.spawnSync(install, { stdout: "ignore", stderr: "pipe", env });
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
});
afterAll(() => {
  npm[Symbol.dispose]();
  checkout[Symbol.dispose]();
});

/** `npx -y bun@1.4.5 …` in the checkout, as a group of processes. */
function npx(args: readonly string[], more: Record<string, string> = {}) {
  const program = join(npm.path, "node_modules/npm/bin/npx-cli.js");
  const child = spawn("node", [program, "-y", "bun@1.4.5", ...args], {
    cwd: checkout.path,
    env: { ...env, ...more },
    detached: true,
  });
  let text = "";
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      text += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (url) resolve(url);
    });
  const ended = once(child, "exit").then(([code]) => ({ code, text }));
  return { listening, ended, stop: () => process.kill(-(child.pid ?? 0), "SIGTERM") };
}

test("`npx bun start` serves a fresh checkout", async () => {
  const server = npx(["start"], { PORT: "0" });
  const url = await Promise.race([server.listening, server.ended.then(({ text }) => text)]);
  expect(url).toStartWith("http://");
  try {
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  } finally {
    server.stop();
    await server.ended;
  }
});

test("`npx bun run …` runs a script of a checkout with node_modules", async () => {
  expect(await npx(["run", "tint", "--version"]).ended).toEqual({ code: 0, text: expect.stringContaining("1.0.0\n") });
});
