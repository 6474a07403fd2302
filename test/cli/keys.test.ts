/** `tint keys`: issue, list, revoke, rotate, beside a server that asks for the key. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { isApiKey } from "../../src/lib/ids.ts";
import { API, inOwnName } from "../fixed-day.ts";
import { shopFolder, startServer } from "../process/server.ts";
import { expectRefusals, saying, tint, tintJson, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(30_000);

const ISSUE = ["keys", "issue", "--name", "Example Assistant", "--email", "agent@example.com"];

test("a key is printed once and works at once; rotated and revoked ones do not", async () => {
  using folder = shopFolder();
  await using server = await startServer(folder);
  const asks = async (key: string) => {
    const response = await server.fetch(`${API}/location`, { headers: { "X-API-Key": key } });
    return { status: response.status, limit: response.headers.get("x-ratelimit-limit") };
  };

  const issued = await tint(folder, [...ISSUE, "--limit", "7"]);
  const key = issued.stdout.trimEnd();
  expect(isApiKey(key)).toBe(true);
  expect(issued.stderr).toContain("shown this once");
  expect(issued.stderr).not.toContain(key);
  expect(await asks(key)).toEqual({ status: 200, limit: "7" });

  const list = (await tint(folder, ["keys"])).stdout;
  expect(list).toContain(`${key.slice(0, 12)}…`);
  expect(list).not.toContain(key);
  const [listed] = await tintJson(folder, ["keys", "list"]);
  expect(listed).toMatchObject({ name: "Example Assistant", rate_limit_per_minute: 7, revoked_at: null });

  const rotated = await tint(folder, ["keys", "rotate", listed.key_id.slice(0, 8)]);
  const fresh = rotated.stdout.trimEnd();
  expect(isApiKey(fresh)).toBe(true);
  expect((await asks(key)).status).toBe(401);
  expect(await asks(fresh)).toEqual({ status: 200, limit: "7" });

  expect((await tint(folder, ["keys", "revoke", listed.key_id])).stderr).toContain("is revoked");
  expect((await asks(fresh)).status).toBe(403);
  const back = await tintJson(folder, ["keys", "rotate", listed.key_id]);
  expect(back).toMatchObject({ key_id: listed.key_id, revoked_at: null });
  expect((await asks(back.api_key)).status).toBe(200);
});

test("keys, bookings and leads work with a faulty catalog", async () => {
  using folder = shopFolder();
  await tint(folder, ISSUE);
  folder.write(folder.read().replace(/bays: \d+/, "bays: none"));
  const list = await tint(folder, ["keys"]);
  expect(list).toMatchObject(saying(0, "tint catalog check"));
  expect(list.stdout).toContain("unknown");
  const [{ key_id: id, rate_limit_per_minute: limit }] = await tintJson(folder, ["keys"]);
  expect(limit).toBeNull();
  for (const act of ["rotate", "revoke"]) expect((await tint(folder, ["keys", act, id])).status).toBe(0);
  for (const command of ["bookings", "leads"])
    expect(await tint(folder, command)).toMatchObject(saying(0, "tint catalog check"));
});

test("a list is as wide as the terminal at most: names and addresses are shortened, nothing else", async () => {
  using folder = shopFolder();
  const email = "the-example-assistant-of-marlow-ridge@example.com";
  await tintToday(folder, ["keys", "issue", "--name", "Example", "--email", email]);
  const [, whole = ""] = (await tintToday(folder, ["keys"])).stdout.split("\n");
  expect(whole.length).toBeGreaterThan(110);
  const [, coloured = "", ...more] = await tintOnTerminal(folder, 110, ["keys"]);
  const row = Bun.stripANSI(coloured);
  expect([row.length, more]).toEqual([110, []]);
  const cells = (line: string) => line.split(/ {2,}/).filter((cell) => !cell.startsWith("the-example"));
  expect(cells(row)).toEqual(cells(whole));
});

test("refusals say what to do", async () => {
  using folder = shopFolder();
  expect((await tint(folder, ["keys"])).stderr).toBe(`There is no database in ${folder.data} yet.\nNo keys.\n`);
  expect(existsSync(folder.data)).toBe(false);
  await tint(folder, ISSUE);
  await tint(folder, ["keys", "issue", "--name", "Other", "--email", "other@example.com"]);
  const [{ key_id: id }] = await tintJson(folder, ["keys"]);
  const swapped = id.slice(0, -1) + (id.endsWith("x") ? "y" : "x");
  const all = "--name must not be blank.\n--email must be an e-mail address, like name@example.com.\n--limit must be";
  await expectRefusals(folder, [
    [[...ISSUE.slice(0, 5), "Agent@Example.com"], 1, "has a key already: key_"],
    ["keys issue --name X", 2, "--email"],
    ["keys issue --name  --email x --limit 0", 2, all],
    [[...ISSUE, "--limit", "1e3"], 2, "--limit must be"],
    ["keys revoke key_", 1, "may be any of key_"],
    [["keys", "revoke", swapped], 1, `Did you mean ${id}?`],
    ["keys rotate nothing-like-it", 1, "There is no key"],
  ]);
});

test("rotate-signing voids every estimate, and a running server follows", async () => {
  using folder = shopFolder();
  await using server = await startServer(folder);
  const ask = async (path: string, body: object) => {
    const response = await server.fetch(API + path, { method: "POST", body: JSON.stringify(body) });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const { json } = await ask("/estimates", { vehicle_type: "suv" });
  const next = json.next_actions.find(({ action }: { action: string }) => action === "book_appointment");
  const booking = { ...inOwnName(next.sample_request, next.fill_in), dry_run: true };
  expect((await ask("/bookings", booking)).status).toBe(200);
  const said = await tint(folder, ["keys", "rotate-signing"]);
  expect(said.stderr).toContain("void: 0 bookings");
  expect(await ask("/bookings", booking)).toMatchObject({
    status: 400,
    json: { invalid_fields: [{ field: "estimate_id" }] },
  });
});
