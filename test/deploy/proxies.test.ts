/** The container and the proxies in deploy/, each validated by the program that reads it. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { pathOf } from "../needs.ts";
import { temporaryFolder } from "../process/server.ts";
import { runTool } from "./tools.ts";

setDefaultTimeout(60_000);

const ROOT = new URL("../../", import.meta.url).pathname;
const read = (name: string) => readFileSync(join(ROOT, "deploy", name), "utf8");

test("Caddy takes the Caddyfile, and passes on the address of the caller", () => {
  const caddy = pathOf("Caddy");
  if (!caddy) return;
  using folder = temporaryFolder();
  const file = join(ROOT, "deploy/Caddyfile");
  const { status, said } = runTool([caddy, "validate", "--config", file, "--adapter", "caddyfile"], folder.path);
  expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("Valid configuration") });
  const adapted = Bun.spawnSync([caddy, "adapt", "--config", file], {
    env: {
      PATH: process.env.PATH,
      HOME: folder.path,
      TINT_DOMAIN: "book.lakeside.example",
      TINT_UPSTREAM: "tint:3000",
    },
  });
  expect(adapted.stdout.toString()).toContain('"dial":"tint:3000"');
  expect(adapted.stdout.toString()).toContain('"book.lakeside.example"');
});

test("Caddy passes on answers whole: a request's body has a limit, in the file of docs/going-live.md too", () => {
  const caddy = pathOf("Caddy");
  if (!caddy) return;
  using folder = temporaryFolder();
  const [, line = ""] =
    /^(sed '.*' )Caddyfile > \/etc\/caddy\/Caddyfile/m.exec(readFileSync(join(ROOT, "docs/going-live.md"), "utf8")) ??
    [];
  const ofReadme = join(folder.path, "Caddyfile");
  writeFileSync(ofReadme, runTool(["sh", "-c", line + join(ROOT, "deploy/Caddyfile")]).said);
  for (const file of [ofReadme, join(ROOT, "deploy/Caddyfile"), join(ROOT, "deploy/Caddyfile.cluster")]) {
    const { status, said } = runTool([caddy, "adapt", "--config", file, "--adapter", "caddyfile"], folder.path);
    expect({ file, status, said }).toEqual({
      file,
      status: 0,
      said: expect.stringContaining('"handler":"request_body"'),
    });
  }
});

test("nginx takes its example", () => {
  const nginx = pathOf("nginx");
  if (!nginx) return;
  using folder = temporaryFolder();
  const whole = join(folder.path, "nginx.conf");
  // Only root may open ports below 1024.
  const ports = read("nginx.conf").replace(/^( +listen .*)80;$/gm, "$18080;");
  expect(ports.match(/8080;$/gm)).toHaveLength(2);
  writeFileSync(join(folder.path, "site.conf"), ports);
  writeFileSync(
    whole,
    `pid ${folder.path}/pid;\nerror_log stderr;\nevents {}\nhttp {\n  access_log off;\n  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder.path}/${name};`).join(" ")}\n  include ${folder.path}/site.conf;\n}\n`,
  );
  const { status, said } = runTool([nginx, "-t", "-q", "-c", whole], folder.path);
  expect({ status, said }).toEqual({ status: 0, said: "" });
});

describe("the container", () => {
  test("is built from files that are there, with the Bun of this project, and runs without rights", () => {
    const dockerfile = read("Dockerfile");
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    // The program imports files of the root and of deploy/.
    const sources = [...new Bun.Glob("{src,cli}/**/*.{ts,tsx}").scanSync({ cwd: ROOT })];
    const outside = sources.flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/from "(\.\.?\/[^"]+)"/g)]
        .map(([, target = ""]) => normalize(join(dirname(file), target)))
        .filter((target) => !/^(src|cli)\//.test(target)),
    );
    expect(outside.length).toBeGreaterThan(3);
    expect([...new Set(outside)].filter((target) => !copied.includes(target))).toEqual([]);
    expect(dockerfile).toContain(`bun@${manifest.engines.bun.replace(">=", "")}`);
    for (const words of [":nonroot", "HEALTHCHECK", "trixie", "cc-debian13", "test/packages/empty"])
      expect(dockerfile).toContain(words);
    // A volume that was forgotten is an error, not a nameless volume.
    expect(dockerfile).not.toMatch(/^VOLUME/m);
  });

  test("compose gives it no more than it needs", () => {
    const { services, networks } = parse(read("compose.yaml"));
    expect(services.tint).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    for (const service of Object.values<Record<string, unknown>>(services)) {
      expect(service.stop_grace_period).toMatch(/^[2-9]\ds$/);
      expect(service.logging).toEqual({ driver: "local" });
    }
    // Two shops, or a shop and a trial of the cluster, do not share volumes.
    const names = ["compose.yaml", "compose.cluster.yaml"].map((file) => parse(read(file)).name);
    expect(names).toEqual(["tintdesk", "tintdesk-cluster"]);
    // Cron starts in a home, so it needs the whole path.
    for (const file of ["compose.yaml", "compose.cluster.yaml"])
      expect(read(file)).toMatch(/^#\s+30 3 \* \* \* +docker compose -f \/\S+ .*backup --keep 14 \/shop\/backups$/m);
    // Only Caddy is reached from outside, and the server trusts its network alone.
    expect(services.tint.ports).toEqual([`${services.caddy.environment.TINT_UPSTREAM}:3000`]);
    expect(services.caddy.environment.TINT_UPSTREAM).toStartWith("127.0.0.1:");
    // Caddy sees the address of each caller, also with IPv6.
    expect(services.caddy).toMatchObject({ network_mode: "host" });
    expect(services.tint.environment.TINT_TRUSTED_PROXIES).toBe(networks.inside.ipam.config[0].subnet);
  });
});
