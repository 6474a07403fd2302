/** Builds the executable, unless it is the program of all tests, and tries a quote, the server with its pages, and a screen. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openTerminal } from "../screens/tmux.ts";
import { childEnv, PROGRAM, shopFolder, temporaryFolder } from "./server.ts";

setDefaultTimeout(60_000);

const BUILD = new URL("../../cli/build.ts", import.meta.url).pathname;
const built = temporaryFolder();
const isBuilt = PROGRAM.length === 1;
const BINARY = isBuilt ? PROGRAM.join() : join(built.path, "tint");

beforeAll(async () => {
  if (isBuilt) return;
  const cwd = join(BUILD, "../..");
  const child = Bun.spawn([process.execPath, BUILD, BINARY], { cwd, env: childEnv(), stderr: "inherit" });
  expect(await child.exited).toBe(0);
});
afterAll(() => built[Symbol.dispose]());

test("quotes, and quotes the same from what it remembers", async () => {
  using folder = shopFolder();
  const env = childEnv({ TINT_CATALOG: folder.catalog, XDG_CACHE_HOME: join(folder.path, "cache") });
  const quote = async () => {
    const child = Bun.spawn([BINARY, "estimate", "suv", "--film", "ceramic", "--json"], { cwd: folder.path, env });
    return JSON.parse(await new Response(child.stdout).text());
  };
  const first = await quote();
  expect(first.data.total).toBe(599);
  expect((await quote()).data).toEqual(first.data);
  folder.edit({ "automotive.vehicle_types.suv.ceramic.full": 601 });
  expect((await quote()).data.total).toBe(601);
});

test("serves the API and the docs page", async () => {
  using folder = shopFolder();
  const env = childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data });
  const child = Bun.spawn([BINARY, "serve", "--port", "0"], { cwd: folder.path, env, stderr: "pipe" });
  try {
    const url = await listening(child.stderr);
    const paths = "api/v1/services api/v1/docs api/v1/docs/changelog api/v1/docs/explorer llms.txt readyz";
    for (const path of paths.split(" ")) expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  } finally {
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  }
});

test("opens the home screen", async () => {
  using folder = shopFolder();
  await using terminal = await openTerminal(folder, { columns: 80, rows: 24 });
  await terminal.run(`'${BINARY}'`).see("Marlow Ridge Window Film");
  await terminal.press("q");
  await terminal.prompt();
});

/** Reads the address from the log line that announces it. */
async function listening(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stderr) {
    text += new TextDecoder().decode(chunk);
    const url = /"url":"([^"]+)"/.exec(text)?.[1];
    if (url) return url;
  }
  throw new Error(`it never listened:\n${text}`);
}
