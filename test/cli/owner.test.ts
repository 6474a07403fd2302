/** Whoever runs a command, what it makes belongs to the owner of the shop's folder, as whom the server runs. */
import { expect, test } from "bun:test";
import { chownSync, lstatSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leaveToOwner } from "../../src/lib/files.ts";
import { shopFolder, temporaryFolder } from "../process/server.ts";
import { FLAGS } from "./init-flags.ts";
import { tint } from "./run.ts";

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
    const { status, stderr } = await tint(folder, [...line.split(" "), ...(line.startsWith("init") ? FLAGS : [])]);
    expect([line, status, stderr]).toEqual([line, 0, expect.any(String)]);
  }

  const { uid } = lstatSync(folder.path);
  const made = [...new Bun.Glob("**/*").scanSync({ cwd: folder.path, dot: true, onlyFiles: false })];
  expect(made).toContain("data/tintdesk.db");
  expect(made.filter((name) => lstatSync(join(folder.path, name)).uid !== uid)).toEqual([]);
});

test("a link in the place of the new file does not give away the file that it names", () => {
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
