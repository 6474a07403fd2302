/** `tint mcp`: the same tools over standard input and output. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { USUAL_TOOLS } from "../../src/constants.ts";
import { QUOTE } from "../helpers.ts";
import { childEnv, PROGRAM, type ShopFolder, shopFolder } from "../process/server.ts";
import { ERAS, type Program } from "./mcp-clients.ts";

const [command = "", ...args] = PROGRAM;
const program = ({ path, catalog, data }: ShopFolder): Program => ({
  command,
  args: [...args, "mcp", "--catalog", catalog, "--data", data],
  env: childEnv(),
  cwd: path,
});

test.each(ERAS)(
  "a client of revision $revision walks from the tools to a stored lead",
  async ({ connect }) => {
    using folder = shopFolder();
    {
      await using client = await connect(program(folder));
      expect((await client.tools()).map(({ name }) => name)).toEqual([...USUAL_TOOLS]);
      const priced = await client.call("estimate_price", { vehicle_type: "suv" });
      expect(JSON.stringify(priced.content)).toContain('\\"kind\\":\\"automotive\\"');
      expect((await client.call("estimate_price", { vehicle_type: "boat" })).isError).toBe(true);
      for (let i = 0; i < 5; i++) expect((await client.call("request_quote", QUOTE)).isError ?? false).toBe(false);
      const refused = await client.call("request_quote", QUOTE);
      expect(JSON.stringify(refused.content)).toContain("RATE_LIMITED");
      const unknown = await client.call("get_booking_status").catch((error) => error);
      expect(unknown.code).toBe(-32602);
    }
    using db = new Database(folder.database);
    expect(db.query("SELECT count(*) AS n FROM leads").get()).toEqual({ n: 5 });
  },
  30_000,
);

const PIPES = { stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const;

/** Runs the program, which is asked for the shop's address after what it is sent before, and then has no more input. */
async function run(folder: ShopFolder, level = "info", ...before: string[]) {
  const { command, args, env, cwd } = program(folder);
  const child = Bun.spawn([command, ...args], { cwd, env: { ...env, LOG_LEVEL: level }, ...PIPES });
  const ask = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "x", version: "1" };
  ask({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  ask({ method: "notifications/initialized" });
  for (const line of before) child.stdin.write(`${line}\n`);
  ask({ id: 3, method: "tools/call", params: { name: "get_location", arguments: {} } });
  child.stdin.flush();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('"id":3')) child.stdin.end();
  }
  return { text, status: await child.exited, stderr: await new Response(child.stderr).text() };
}

test("standard output carries only the protocol, every line is answered, and the end of input ends the program", async () => {
  using folder = shopFolder();
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  // As over HTTP. An answer is answered by nobody, however faulty it is.
  const REFUSED: [line: string, id: unknown, code: number][] = [
    ["this is no message", null, -32700],
    [list.slice(0, -1), null, -32700],
    [`[${list}]`, null, -32600],
    ["7", null, -32600],
    ['{"jsonrpc":"1.0","id":4,"method":"ping"}', 4, -32600],
    ['{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', "a", -32600],
    [`"${"x".repeat(200_000)}"`, null, -32000],
  ];
  const ANSWERS = ["", '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}', '{"id":1,"result":{}}'];
  const before = [...REFUSED.map(([line]) => line), ...ANSWERS, `\uFEFF${list}`];
  const { text, status, stderr } = await run(folder, "trace", ...before);
  expect(status).toBe(0);
  const lines = Bun.JSONL.parse(text) as { jsonrpc: string; id?: unknown; error?: { code: number } }[];
  expect(lines.map(({ jsonrpc }) => jsonrpc)).toEqual(lines.map(() => "2.0"));
  expect(lines.flatMap(({ id, error }) => (error ? [[id, error.code]] : []))).toEqual(
    REFUSED.map(([, id, code]) => [id, code]),
  );
  expect(lines.flatMap(({ id, error }) => (error ? [] : id)).sort()).toEqual([1, 2, 3]);
  expect(stderr).not.toContain("    at ");
}, 30_000);

test("SIGTERM ends it, and a faulty catalog without an earlier one is reported on standard error", async () => {
  using folder = shopFolder();
  const { command, args, env, cwd } = program(folder);
  const child = Bun.spawn([command, ...args], { cwd, env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  child.stdin.flush();
  await child.stdout.getReader().read();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);

  using other = shopFolder();
  other.write("version: 2\n");
  const faulty = program(other);
  const refused = Bun.spawn([faulty.command, ...faulty.args], { cwd: faulty.cwd, env, ...PIPES });
  expect(await refused.exited).toBe(1);
  expect(await new Response(refused.stdout).text()).toBe("");
  expect(await new Response(refused.stderr).text()).toContain("catalog.yaml:1:");
}, 30_000);

test("a faulty catalog after a good one: the last good one answers, and standard error names the mistake", async () => {
  using folder = shopFolder();
  expect((await run(folder)).status).toBe(0);
  folder.write(folder.read().replace("bays: 2", "bays: two"));
  const { text, status, stderr } = await run(folder);
  expect([status, text.includes("Marlow Ridge")]).toEqual([0, true]);
  expect(stderr).toContain("started with the last good one");
  expect(stderr).toMatch(/catalog\.yaml:\d+:\d+: scheduling\.bays/);
}, 30_000);
