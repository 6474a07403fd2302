/** `--data` and `TINT_DATA` with the URL of a database, before any database is asked. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cannotUse } from "../../cli/shop/database.ts";
import { CliError } from "../../cli/terminal/output.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { OutcomeUnknown, StoreTooNew, StoreTooOld, StoreUnavailable } from "../../src/store/store-errors.ts";
import { shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const URL_WITH_PASSWORD = "postgres://tint:hunter2@db.example.com/shop";

test.each([
  [["keys"], { TINT_DATA: "mysql://u:hunter2@db/shop" }, "TINT_DATA must be a folder"],
  [["doctor"], { TINT_DATA: "postgres://u:hunter2/@db/shop" }, "TINT_DATA cannot be read as a URL"],
  [["keys", "--data", "mysql://u:hunter2@db/shop"], {}, "--data must be a folder"],
  [["restore", "copy.db", "--data", URL_WITH_PASSWORD], {}, "tint data copy copy.db URL"],
  [["service", "show", "--user", "nobody", "--data", URL_WITH_PASSWORD], {}, "must be in .env beside the catalog"],
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

const server = (errno: string) => Object.assign(new Error("of PostgreSQL"), { errno });
const connection = (code: string) => Object.assign(new Error("of the connection"), { code });
test.each([
  [server("28P01"), "does not let this user in"],
  [server("28000"), "does not let this user in"],
  [server("3D000"), "has no database of this name"],
  [server("42501"), "ALTER DATABASE"],
  [server("53300"), "no connection left"],
  [server("53100"), "the disk of PostgreSQL is full"],
  [server("25006"), "Name the primary"],
  [server("57P03"), "Try again in a moment"],
  [server("57014"), "does not answer in time"],
  [server("22021"), "U\\+0000"],
  [connection("ERR_POSTGRES_CONNECTION_CLOSED"), "Try again in a moment"],
  [connection("ERR_POSTGRES_CONNECTION_REFUSED"), "nothing answers there"],
  [connection("ERR_POSTGRES_TLS_NOT_AVAILABLE"), "has no TLS"],
  [connection("ERR_POSTGRES_TLS_UPGRADE_FAILED"), "certificate of PostgreSQL is not trusted"],
  [connection("DEPTH_ZERO_SELF_SIGNED_CERT"), "certificate of PostgreSQL is not trusted"],
  [connection("ERR_INVALID_URL"), "write / as %2F"],
  [new StoreUnavailable("no", { cause: server("53300") }), "no connection left.*Nothing was changed.$"],
  [new StoreUnavailable("no"), "cannot be written just now \\(no\\). Nothing was changed.$"],
  [
    new OutcomeUnknown("no", { cause: connection("ERR_POSTGRES_CONNECTION_CLOSED") }),
    "not known whether the change was made",
  ],
  [new StoreTooNew(99, 12), "version 99, newer than this program"],
  [new StoreTooOld(3, 12), "version 3, older than .* in an empty database.$"],
])("%o is said in words", (error, words) => {
  const said = cannotUse(error, locationOf(URL_WITH_PASSWORD));
  expect(said).toBeInstanceOf(CliError);
  expect(String(said)).toMatch(new RegExp(words));
  expect(String(said)).toContain("postgres://tint:***@db.example.com/shop");
});
