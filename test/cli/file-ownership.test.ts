/** Whoever runs a command, what it makes belongs to the owner of the shop's folder, as whom the server runs. */
import { expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ownerOf } from "../../cli/shop/rights.ts";
import { leaveToOwner } from "../../src/lib/files.ts";
import { failToStart, shopFolder, startServer, temporaryFolder } from "../process/server.ts";
import { FLAGS } from "./init-flags.ts";
import { tint } from "./run.ts";

setDefaultTimeout(60_000);

test("root makes nothing that the shop's user cannot use", async () => {
  using folder = shopFolder();
  // Only root can give a folder away; for anybody else all of it is their own.
  if (process.getuid?.() === 0) for (const path of [folder.path, folder.catalog]) chownSync(path, 65_534, 65_534);

  for (const line of [
    "init --catalog other.yaml",
    "keys issue --name A --email a@agent.example",
    "price set suv ceramic full 629",
    "setup --no-test LOG_LEVEL=warn",
    "backup --keep 2 copies/nightly",
    "backup one.db",
    "restore one.db --data restored/data",
    "data copy one.db copied/data",
  ]) {
    const { status, stderr } = await tint(folder, [...line.split(" "), ...(line.startsWith("init") ? FLAGS : [])], {
      // Apart, because root gives up its rights for good.
      apart: true,
    });
    expect([line, status, stderr]).toEqual([line, 0, expect.any(String)]);
  }

  const { uid } = lstatSync(folder.path);
  const made = [...new Bun.Glob("**/*").scanSync({ cwd: folder.path, dot: true, onlyFiles: false })];
  expect(made).toContain("data/tintdesk.db");
  expect(made.filter((name) => lstatSync(join(folder.path, name)).uid !== uid)).toEqual([]);
});

const isRoot = process.getuid?.() === 0;

test.if(isRoot)("root acts as the shop's user, whose links lead it nowhere that user may not go", async () => {
  using folder = shopFolder();
  using elsewhere = temporaryFolder();
  await tint(folder, ["keys", "issue", "--name", "A", "--email", "a@agent.example"]);
  await tint(folder, ["backup", "one.db"]);
  const own = (path: string) => lchownSync(path, 65_534, 65_534);
  for (const name of ["", "catalog.yaml", "one.db"]) own(join(folder.path, name));
  for (const name of ["data", "copied", "copies"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
    symlinkSync(elsewhere.path, join(folder.path, name));
    own(join(folder.path, name));
  }
  for (const line of ["restore one.db", "data copy one.db copied", "backup --keep 2 copies", "keys list", "doctor"]) {
    const { status, stderr } = await tint(folder, line.split(" "), { apart: true });
    expect([line, status, stderr]).toEqual([line, 1, expect.stringContaining("Goes on as nobody, to whom")]);
  }
  // What needs no database is done; only the version before has no place.
  for (const line of ["price set suv ceramic full 629", "catalog export out.yaml"]) {
    const { status, stderr } = await tint(folder, line.split(" "), { apart: true });
    expect([line, status, stderr]).toEqual([line, 0, expect.stringContaining("Goes on as nobody, to whom")]);
  }
  expect(readdirSync(elsewhere.path)).toEqual([]);

  // A copy that only root may read is named, and what the user must be able to read.
  symlinkSync(elsewhere.path, join(folder.path, "linked"));
  own(join(folder.path, "linked"));
  writeFileSync(join(elsewhere.path, "secret.db"), "", { mode: 0o600 });
  const { stderr } = await tint(folder, ["restore", join(elsewhere.path, "secret.db")], { apart: true });
  expect(stderr).toContain("secret.db cannot be read by the user to whom the shop's folder belongs");
  // Saved again as root, the settings of another shop would belong to this one's user.
  symlinkSync(join(elsewhere.path, "secret.db"), join(folder.path, ".env"));
  const setup = await tint(folder, ["setup", "--no-test", "LOG_LEVEL=warn"], { apart: true });
  expect([setup.status, setup.stderr]).toEqual([1, expect.stringContaining(".env cannot be read")]);

  // A catalog that root has put there with the rights of a backup.
  rmSync(join(folder.path, ".env"));
  chownSync(folder.catalog, 0, 0);
  chmodSync(folder.catalog, 0o600);
  const { stdout } = await tint(folder, ["doctor", "--json"], { apart: true });
  expect(JSON.parse(stdout).checks[0]).toMatchObject({
    name: "catalog",
    message: expect.stringContaining("you are not allowed to"),
    fix: expect.stringContaining("chown"),
  });
});

test.if(isRoot)("a server that root starts follows no link in place of the catalog's history", async () => {
  using folder = shopFolder();
  using elsewhere = temporaryFolder();
  const own = (path: string) => lchownSync(path, 65_534, 65_534);
  const history = join(folder.data, "catalog-history");
  for (const path of [folder.path, folder.catalog]) own(path);
  await (await startServer(folder))[Symbol.asyncDispose]();
  const [kept = ""] = readdirSync(history);
  expect(readdirSync(join(history, kept))).toEqual(["in-force.yaml"]);

  for (const place of [join(history, kept), history]) {
    rmSync(place, { recursive: true });
    symlinkSync(elsewhere.path, place);
    own(place);
    {
      await using server = await startServer(folder);
      folder.edit({ "business.name": "Changed Tint" });
      await server.logged(({ msg }) => msg === "catalog reloaded");
    }
    expect(readdirSync(elsewhere.path)).toEqual([]);
    folder.edit({});
  }
  // What stands there is not put in force either.
  mkdirSync(join(elsewhere.path, kept));
  writeFileSync(join(elsewhere.path, kept, "in-force.yaml"), folder.read());
  folder.write("business: 5");
  expect((await failToStart(folder)).stderr).toContain("mistake");
});

test.if(isRoot)("the first owner above a path that is not root decides; a link is its owner's", () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  chownSync(folder.path, 65_534, 65_534);
  mkdirSync(join(folder.path, "roots"));
  symlinkSync(folder.path, join(elsewhere.path, "way-in"));
  symlinkSync("/etc", join(folder.path, "way-out"));
  lchownSync(join(folder.path, "way-out"), 1, 1);
  const uids = ["roots/data", "way-out/data"].map((path) => ownerOf(join(folder.path, path))?.uid);
  expect(uids).toEqual([65_534, 1]);
  expect(ownerOf(join(elsewhere.path, "way-in", "data"))?.uid).toBe(65_534);
  expect(ownerOf("/etc/tintdesk")).toBeUndefined();
});

test("a link in place of the new file does not give away the file that it names", () => {
  using shop = temporaryFolder();
  using elsewhere = temporaryFolder();
  if (process.getuid?.() === 0) chownSync(shop.path, 65_534, 65_534);
  const secret = join(elsewhere.path, "secret");
  writeFileSync(secret, "");
  const before = lstatSync(secret).uid;
  symlinkSync(secret, join(shop.path, "one.db"));
  leaveToOwner(join(shop.path, "one.db"));
  expect(lstatSync(secret).uid).toBe(before);
});
