/** `tint proxy` as a process. */
import { expect, test } from "bun:test";
import { childEnv, MAIN, temporaryFolder } from "../process/server.ts";
import { echo, upstream } from "./proxied.ts";

const start = (...args: string[]) => {
  const folder = temporaryFolder();
  const child = Bun.spawn([process.execPath, MAIN, "proxy", ...args], {
    cwd: folder.path,
    env: childEnv(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
  });
  child.exited.then(() => folder[Symbol.dispose]());
  return child;
};

test("forwards until SIGTERM, and lets requests in flight finish", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using api = upstream(async () => {
    asked.resolve();
    await gate.promise;
    return new Response("done");
  });
  const child = start("--upstream", api.url.origin, "--port", "0");
  const reader = child.stderr.getReader();
  const { url } = JSON.parse(new TextDecoder().decode((await reader.read()).value).split("\n")[0] ?? "");
  const answer = fetch(url).then((response) => response.text());
  await asked.promise;
  child.kill("SIGTERM");
  await reader.read();
  gate.resolve();
  expect(await answer).toBe("done");
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stdout).text()).toBe("");
}, 20_000);

test.each([
  [[], "--upstream"],
  [["--upstream", "example.com"], "https://"],
  [["--upstream", "file:///etc/passwd"], "https://"],
  [["--upstream", "https://example.com/api/v1?x=1"], "https://example.com/api/v1."],
  [["--upstream", "https://user:pass@example.com"], "https://example.com/."],
  [["--upstream", "https://example.com", "--timeout", "soon"], "--timeout"],
])("%p is wrong usage", async (args, said) => {
  const child = start(...args);
  expect(await child.exited).toBe(2);
  expect(await new Response(child.stderr).text()).toContain(said);
});

test("a port in use is reported in words", async () => {
  await using api = upstream(echo);
  const child = start("--upstream", api.url.origin, "--port", api.url.port);
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toContain("in use");
});
