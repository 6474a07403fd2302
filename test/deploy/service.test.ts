/** `tint service`, judged by systemd itself. */
import { expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { checkUnits } from "../../cli/doctor/server.ts";
import { installedFor, startUnits, systemdUnits } from "../../cli/server/service.ts";
import { saying, tint } from "../cli/run.ts";
import { pathOf } from "../needs.ts";
import { freePort, MAIN, type ShopFolder, shopFolder, temporaryFolder } from "../process/server.ts";
import { runTool } from "./tools.ts";

setDefaultTimeout(60_000);

/** A user that every Debian has, and root may give a folder to. */
const USER = process.getuid?.() === 0 ? "daemon" : undefined;

async function installedIn(folder: ShopFolder) {
  const to = join(folder.path, "units");
  mkdirSync(to);
  if (USER) chownSync(folder.path, 1, 1);
  chmodSync(folder.path, 0o755);
  return { to, ...(await tint(folder, ["service", "install", "--to", to, ...(USER ? ["--user", USER] : [])])) };
}

test("the units name the shop's program, user and folders; systemd takes them, and calls them well protected", async () => {
  using folder = shopFolder();
  const { to, status, stderr } = await installedIn(folder);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("Written to") });
  expect(readdirSync(to).sort()).toEqual(["tintdesk-backup.service", "tintdesk-backup.timer", "tintdesk.service"]);
  const server = readFileSync(join(to, "tintdesk.service"), "utf8");
  expect(server).toContain(`serve --catalog ${folder.catalog} --data ${folder.data}\n`);
  expect(server).toContain(`ExecStart=${process.execPath} `);
  expect(server).not.toContain("/srv/tintdesk");
  for (const made of [folder.data, join(folder.path, "backups")]) {
    const { mode, uid } = statSync(made);
    expect([mode & 0o777, uid]).toEqual([0o700, statSync(folder.path).uid]);
  }
  const analyze = pathOf("systemd-analyze");
  if (!analyze) return;
  const units = readdirSync(to).map((name) => join(to, name));
  expect(runTool([analyze, "verify", "--man=no", ...units])).toEqual({ status: 0, said: "" });
  for (const unit of units.filter((name) => name.endsWith(".service"))) {
    // Tenths: an exposure of at most 2.0.
    const { status, said } = runTool([analyze, "security", "--offline=true", "--threshold=20", unit]);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(/exposure level .*: [01]\.\d|: 2\.0/) });
  }
});

test("a folder in a home stays readable, and the units stay as good", () => {
  const places = {
    name: "tintdesk",
    program: ["/usr/bin/env"],
    user: "nobody",
    folder: "/home/sam/shop",
    catalog: "/home/sam/shop/catalog.yaml",
    data: "/home/sam/shop/data",
    backups: "/mnt/backups",
  };
  using folder = shopFolder();
  const units = systemdUnits(places);
  const unit = join(folder.path, "tintdesk.service");
  expect(units.get("tintdesk.service")).toContain("ProtectHome=read-only\n");
  expect(units.get("tintdesk-backup.service")).toContain("ReadWritePaths=/home/sam/shop/data /mnt/backups\n");
  void Bun.write(unit, units.get("tintdesk.service") ?? "");
  const analyze = pathOf("systemd-analyze");
  if (analyze) expect(runTool([analyze, "security", "--offline=true", "--threshold=20", unit]).status).toBe(0);
  expect(() => systemdUnits({ ...places, data: "/srv/my shop" })).toThrow("without spaces");
  const elsewhere = { ...places, folder: "/srv/shop", catalog: "/srv/shop/catalog.yaml", data: "/srv/shop/data" };
  expect(systemdUnits(elsewhere).get("tintdesk-backup.service")).toContain("ProtectHome=yes\n");
  const intoHome = systemdUnits({ ...elsewhere, backups: "/home/sam/backups" });
  expect(intoHome.get("tintdesk-backup.service")).toContain("ProtectHome=read-only\n");
});

test("a folder whose name begins like the example's is put in once", () => {
  const folder = "/srv/tintdesk-east";
  const own = { folder, catalog: `${folder}/catalog.yaml`, data: `${folder}/data`, backups: `${folder}/backups` };
  const units = systemdUnits({ name: "tintdesk", program: ["/srv/tintdesk/bin/tint"], user: "tintdesk", ...own });
  const server = units.get("tintdesk.service") ?? "";
  expect(server).toContain(`WorkingDirectory=${folder}\n`);
  expect(server).toContain(
    `ExecStart=/srv/tintdesk/bin/tint serve --catalog ${folder}/catalog.yaml --data ${folder}/data\n`,
  );
  expect([...units.values()].join("")).not.toContain("east-east");
});

test("a second shop takes a name of its own, and never the place of the first", async () => {
  using first = shopFolder();
  using second = shopFolder();
  const { to } = await installedIn(first);
  if (USER) chownSync(second.path, 1, 1);
  const install = (...more: string[]) =>
    tint(second, ["service", "install", "--to", to, ...(USER ? ["--user", USER] : []), ...more]);
  const refused = await install();
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`is the service of the shop in ${first.path}, and stays`),
  ]);
  expect(await install("--name", "East Side")).toMatchObject(saying(2, "--name must be a word"));
  expect((await install("--name", "east")).status).toBe(0);
  expect(readFileSync(join(to, "tintdesk.service"), "utf8")).toContain(first.path);
  const east = readFileSync(join(to, "tintdesk-east.service"), "utf8");
  expect(east).toContain(`WorkingDirectory=${second.path}\n`);
  expect(east).toContain("CacheDirectory=tintdesk-east\nEnvironment=XDG_CACHE_HOME=/var/cache/tintdesk-east\n");
  expect(existsSync(join(to, "tintdesk-east-backup.service"))).toBe(true);
  expect(readFileSync(join(to, "tintdesk-east-backup.timer"), "utf8")).toContain("Starts tintdesk-east-backup.service");
  // The same shop again takes its own place, and its backups go where they went.
  const elsewhere = join(second.path, "elsewhere");
  expect((await install("--name", "east", "--backups", elsewhere)).status).toBe(0);
  expect((await install("--name", "east")).status).toBe(0);
  expect((await install()).status).toBe(0);
  expect(readFileSync(join(to, "tintdesk-east-backup.service"), "utf8")).toContain(`--keep 14 ${elsewhere} `);
  expect((await install("--name", "west")).stderr).toContain("has the service tintdesk-east already");
  expect(readdirSync(to).filter((name) => name.startsWith("tintdesk-west"))).toEqual([]);
});

test("the units for Litestream and for copies name their files, systemd takes them, and calls them well protected", () => {
  using folder = temporaryFolder();
  const names = [
    "tintdesk-litestream.service",
    "tintdesk-trial-restore.service",
    "tintdesk-copy.service",
    "tintdesk-trial-restore.timer",
    "tintdesk-copy.timer",
  ];
  const units = names.map((name) => join(folder.path, name));
  for (const [i, name] of names.entries()) {
    const text = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");
    // The programs need not be on this machine.
    writeFileSync(
      units[i] ?? "",
      text.replace(/^(ExecStart=)\S+/gm, "$1/usr/bin/env").replace("User=tintdesk", "User=daemon"),
    );
  }
  const { dbs } = parse(readFileSync(new URL("../../deploy/litestream.yml", import.meta.url), "utf8"));
  expect(dbs).toEqual([{ path: "/srv/tintdesk/data/tintdesk.db", replica: expect.objectContaining({ type: "s3" }) }]);
  const analyze = pathOf("systemd-analyze");
  if (!analyze) return;
  expect(runTool([analyze, "verify", "--man=no", ...units])).toEqual({ status: 0, said: "" });
  for (const unit of units.filter((name) => name.endsWith(".service")))
    expect(runTool([analyze, "security", "--offline=true", "--threshold=20", unit]).status).toBe(0);
});

test("what cannot be installed is refused in words", async () => {
  using folder = shopFolder();
  const refused = async (...args: string[]) => (await tint(folder, ["service", ...args])).stderr;
  expect(await refused("install", "--user", "nobody-of-that-name")).toContain("There is no user nobody-of-that-name");
  expect(await refused("show", "--catalog", "none.yaml")).toContain("Make one with tint init");
  if (process.getuid?.() === 0) expect(await refused("show")).toContain("useradd --system");
  if (!existsSync("/run/systemd/system")) {
    expect(await refused("install", ...(USER ? ["--user", USER] : []))).toContain("systemd does not run");
    expect(await refused("remove")).toContain("systemd does not run");
  }
});

test("a .env in the folder where a checkout is started says nothing, and neither do the units' own", async () => {
  using folder = shopFolder();
  using stranger = temporaryFolder();
  if (USER) chownSync(folder.path, 1, 1);
  writeFileSync(
    join(stranger.path, ".env"),
    `TINT_DATA=${stranger.path}/evil\nTINT_CATALOG=${stranger.path}/evil.yaml\n`,
  );
  const { PATH = "" } = process.env;
  const show = Bun.spawnSync([process.execPath, MAIN, "service", "show", "--catalog", folder.catalog], {
    cwd: stranger.path,
    env: { PATH },
  });
  const units = show.stdout.toString();
  expect([show.exitCode, show.stderr.toString()]).toEqual([0, ""]);
  expect(units).not.toContain("/evil");
  expect(units).toContain(` --no-env-file --config=${join(MAIN, "../../bunfig.toml")} ${MAIN} serve --catalog`);
});

test.skipIf(USER === undefined || process.platform !== "linux")(
  "programs that root starts get nothing of a .env in the working folder, and nothing of the shop's",
  () => {
    using folder = shopFolder();
    using stranger = temporaryFolder();
    using seen = temporaryFolder();
    chmodSync(seen.path, 0o777);
    chownSync(folder.path, 1, 1);
    chmodSync(folder.path, 0o755);
    const to = join(seen.path, "units");
    mkdirSync(to);
    // Like LD_PRELOAD, this is obeyed by the loader of each program.
    const obeyed = (by: string) => `LD_DEBUG=files\nLD_DEBUG_OUTPUT=${join(seen.path, by)}\n`;
    writeFileSync(join(stranger.path, ".env"), obeyed("working-folder"));
    writeFileSync(join(folder.path, ".env"), obeyed("shop"));
    const places = ["--to", to, "--catalog", folder.catalog, "--data", folder.data];
    const install = (cwd: string) =>
      Bun.spawnSync([process.execPath, MAIN, "service", "install", ...places], {
        cwd,
        env: { PATH: process.env.PATH ?? "" },
      });
    for (const cwd of [stranger.path, "/"]) {
      const { exitCode, stderr } = install(cwd);
      expect([exitCode, stderr.toString()]).toEqual([0, expect.stringContaining("Written to")]);
    }
    expect(readdirSync(seen.path)).toEqual(["units"]);
  },
);

test("a folder for backups is made with those above it, as the shop's user, and links in it lead root nowhere", async () => {
  using folder = shopFolder();
  using elsewhere = temporaryFolder();
  const { to } = await installedIn(folder);
  const install = (backups: string) =>
    tint(folder, ["service", "install", "--to", to, "--backups", backups, ...(USER ? ["--user", USER] : [])]);
  const deep = join(folder.path, "far", "away", "backups");
  expect((await install(deep)).status).toBe(0);
  const { mode, uid } = statSync(deep);
  expect([mode & 0o777, uid]).toEqual([0o700, statSync(folder.path).uid]);
  if (!USER) return;

  symlinkSync(elsewhere.path, join(folder.path, "link"));
  lchownSync(join(folder.path, "link"), 1, 1);
  expect((await install(join(folder.path, "link", "backups"))).stderr).toContain(`${USER} cannot make`);
  expect((await install(elsewhere.path)).stderr).toContain(`${USER} may not write in ${elsewhere.path}. Give it`);
  expect(readdirSync(elsewhere.path)).toEqual([]);

  const victim = join(elsewhere.path, "victim");
  writeFileSync(victim, "precious");
  rmSync(join(to, "tintdesk.service"));
  symlinkSync(victim, join(to, "tintdesk.service"));
  expect((await install(deep)).status).toBe(0);
  expect(readFileSync(victim, "utf8")).toBe("precious");
});

test("doctor knows the shop's service by its units, where its backups go, and what is down or has failed", async () => {
  using first = shopFolder();
  using second = shopFolder();
  const { to } = await installedIn(first);
  if (USER) chownSync(second.path, 1, 1);
  const more = ["--name", "east", "--backups", join(second.path, "copies"), ...(USER ? ["--user", USER] : [])];
  expect((await tint(second, ["service", "install", "--to", to, ...more])).status).toBe(0);
  expect(installedFor(first.path, to)).toEqual({ name: "tintdesk", backups: join(first.path, "backups") });
  const east = installedFor(second.path, to);
  expect(east).toEqual({ name: "tintdesk-east", backups: join(second.path, "copies") });
  expect(installedFor("/srv/none", to)).toBeUndefined();
  expect(installedFor(first.path, "/no/such/folder")).toBeUndefined();
  if (!east) throw new Error("the service was not found");
  const states = (server: string, backup: string) =>
    checkUnits(east, (unit) => (unit === "tintdesk-east.service" ? server : backup)).map(
      ({ name, level, message }) => `${name} ${level}: ${message}`,
    );
  expect(states("active", "inactive")).toEqual([]);
  expect(states("", "")).toEqual([]);
  expect(states("failed", "failed")).toEqual([
    "service fault: tintdesk-east.service is failed",
    "backups fault: the last nightly backup failed",
  ]);
  expect(states("inactive", "active")).toEqual(["service fault: tintdesk-east.service is inactive"]);
});

test("a server is said to run once it is ready, not before", async () => {
  const words: string[] = [];
  const headers = { "X-Request-Id": "req_0" };
  let asked = 0;
  const serve = (port: number) =>
    Bun.serve({
      port,
      hostname: "127.0.0.1",
      fetch: () => Response.json({ status: asked++ < 2 ? "unready" : "ready" }, { headers }),
    });
  const port = freePort();
  let server: ReturnType<typeof serve> | undefined;
  const systemctl = (...more: string[]) => {
    words.push(more.join(" "));
    if (more[0] === "start") server ??= serve(port);
  };
  const at = { systemctl, name: "tintdesk", host: "127.0.0.1", port };
  await startUnits(at);
  expect(asked).toBe(3);
  expect(words).toEqual([
    "daemon-reload",
    "stop tintdesk.service",
    "enable tintdesk.service tintdesk-backup.timer",
    "start tintdesk.service tintdesk-backup.timer",
    // A folder that cannot take it is known today, not in the night.
    "start tintdesk-backup.service",
  ]);
  // The server of another shop would answer in place of this one's.
  words.length = 0;
  await expect(startUnits(at)).rejects.toThrow(`another program listens on 127.0.0.1:${port}`);
  expect(words).toEqual(["daemon-reload", "stop tintdesk.service"]);
  await server?.stop(true);
  await expect(startUnits({ ...at, systemctl: () => {}, withinMs: 0 })).rejects.toThrow("is not ready on 127.0.0.1");
});

test.skipIf(USER === undefined)(
  "root reads the units too, with the lines that make their user; installing stays refused",
  async () => {
    using folder = shopFolder();
    const shown = await tint(folder, ["service", "show"]);
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringMatching(/^User=tintdesk$/m) });
    expect(shown.stderr).toContain(`useradd --system --home-dir ${folder.path} tintdesk`);
    const installed = await tint(folder, ["service", "install", "--to", folder.path]);
    expect(installed).toMatchObject({ status: 1, stderr: expect.stringContaining("would run as root") });
  },
);
