/** `--data` and `TINT_DATA` with the URL of a database, before any database is asked. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const URL_WITH_PASSWORD = "postgres://tint:hunter2@db.example.com/shop";

test.each([
  [["keys"], { TINT_DATA: "mysql://u:hunter2@db/shop" }, "TINT_DATA must be a folder"],
  [["doctor"], { TINT_DATA: "postgres://u:hunter2/@db/shop" }, "TINT_DATA cannot be read as a URL"],
  [["keys", "--data", "mysql://u:hunter2@db/shop"], {}, "--data must be a folder"],
  [["restore", "copy.db", "--data", URL_WITH_PASSWORD], {}, "tint data copy copy.db URL"],
  [["service", "show", "--user", "nobody", "--data", URL_WITH_PASSWORD], {}, "must stand in .env beside the catalog"],
])("tint %j says why not, without the password", async (args, env, why) => {
  using folder = shopFolder();
  const { status, stdout, stderr } = await tint(folder, args, { env });
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining(why) });
  expect(stderr).not.toContain("hunter2");
});

test("a service reads the URL from .env, and its backup may reach the server", async () => {
  using folder = shopFolder();
  const setup = await tint(folder, ["setup", `TINT_DATA=${URL_WITH_PASSWORD}`, "--no-test", "--json"]);
  expect(setup).toMatchObject({ status: 0, stdout: expect.not.stringContaining("hunter2") });
  expect(readFileSync(join(folder.path, ".env"), "utf8")).toBe(`TINT_DATA=${URL_WITH_PASSWORD}\n`);
  const { status, stdout } = await tint(folder, ["service", "show", "--user", "nobody"], {
    env: { TINT_DATA: URL_WITH_PASSWORD },
  });
  const [, server = "", backup = ""] = stdout.split(/^# tintdesk[\w.-]+$/m);
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/hunter2|\/data|db\.example/);
  // The catalog is in the database, too.
  expect(server).toMatch(/^ExecStart=.* serve$/m);
  expect(server).not.toContain("ReadWritePaths");
  expect(backup).toContain(`ReadWritePaths=${join(folder.path, "backups")}\n`);
  expect(backup).toContain("RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n");
  expect(backup).not.toContain("PrivateNetwork");
});
