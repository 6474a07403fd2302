/** The walk in docs/api.md, sent to a started app: each command as it stands there answers what is printed. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createRateLimiter } from "../src/limits/rate-limit.ts";
import { listen } from "./agents/listen.ts";
import { tint } from "./cli/run.ts";
import { toolOrWarn } from "./deploy/tools.ts";
import { NOW } from "./helpers.ts";
import { shopFolder } from "./process/server.ts";

const TEXT = readFileSync(new URL("../docs/api.md", import.meta.url), "utf8");
const WALK_MS = 60_000;

/** Each command of the walk with the output that is printed below it. */
function commandsOf(text: string): { command: string; printed: string }[] {
  const [, walk = ""] = /^```console\n(.*?)^```/ms.exec(text) ?? [];
  return walk
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...lines] = part.split("\n");
      return { command, printed: lines.join("\n").trim() };
    });
}

/** Ids, codes and signatures are new each time. */
function withoutFreshParts(text: string): string {
  return text
    .replace(/("confirmation_code":"|\/bookings\/)[0-9A-HJKMNP-TV-Z]{8}/g, "$1CODE")
    .replace(/("estimate_id":"[^"]*\.)[\w-]+"/g, '$1SIGNATURE"')
    .replace(/("booking_request_id":"try_)[\w-]+/g, "$1ID")
    .replace(/("reference":"Q-)\w{6}/g, "$1CODE")
    .replace(/(tint_live_)[\w-]{4}…/g, "$1KEY");
}

const hasTools = [toolOrWarn("curl"), toolOrWarn("jq")].every((tool) => tool !== undefined);

test.skipIf(!hasTools)(
  "the walk in docs/api.md answers as printed",
  async () => {
    const commands = commandsOf(TEXT);
    expect(commands.length).toBeGreaterThanOrEqual(14);
    using folder = shopFolder();
    await using server = listen({ limiter: createRateLimiter(() => NOW.epochMilliseconds) });
    const printedCode = /"confirmation_code":"(\w{8})"/.exec(TEXT)?.[1] ?? "";
    let code = printedCode;
    const runInShell = async (command: string) => {
      const env = { ...process.env, B: `${server.url}/api/v1`, no_proxy: "*" };
      const child = Bun.spawn(["sh", "-c", command], { cwd: folder.path, env, stdout: "pipe", stderr: "inherit" });
      return await new Response(child.stdout).text();
    };
    /** The command of the owner; the server reads the new price, as it does when the file changes. */
    const runTint = async (command: string) => {
      const { stdout, stderr } = await tint(folder, command.replace(/#.*/, "").trim().split(/\s+/).slice(1));
      const [, path = "", price] = /^(\S+): \d+ → (\d+)$/m.exec(stdout) ?? [];
      server.setCatalog({ [path]: Number(price) });
      return `${stdout}${stderr}`.replaceAll(folder.catalog, "./catalog.yaml");
    };
    for (const { command, printed } of commands) {
      const mine = command.replaceAll(printedCode, code);
      const output = await (mine.startsWith("tint ") ? runTint(mine) : runInShell(mine));
      code = /"confirmation_code":"(\w{8})"/.exec(output)?.[1] ?? code;
      const answer = output.replaceAll("\r", "").trim();
      expect([command, withoutFreshParts(answer)]).toEqual([command, withoutFreshParts(printed)]);
    }
  },
  WALK_MS,
);
