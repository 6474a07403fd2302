/** The containers and the proxies of deploy/, for one server and for several, each validated by the program that reads it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, normalize } from "node:path";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { pathOf } from "../needs.ts";
import { freePort, temporaryFolder } from "../process/server.ts";
import { until } from "../service-process.ts";
import { runTool } from "./tools.ts";

setDefaultTimeout(60_000);

const ROOT = new URL("../../", import.meta.url).pathname;
const DEPLOY = join(ROOT, "deploy");
const read = (name: string) => readFileSync(join(DEPLOY, name), "utf8");
const COMPOSE = read("compose.cluster.yaml");
const CADDYFILE = join(DEPLOY, "Caddyfile.cluster");

test("compose has two equal servers on one database, and shows only Caddy to the world", () => {
  const { services, networks, volumes } = parse(COMPOSE, { merge: true });
  expect(Object.keys(services).sort()).toEqual(["caddy", "postgres", "tint-1", "tint-2", "valkey"]);
  const { ports, ...equal } = services["tint-1"];
  expect(services["tint-2"]).toEqual({ ...equal, ports: expect.any(Array) });
  expect(services["tint-1"]).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  const published = Object.keys(services).filter((name) => services[name].ports);
  expect(published).toEqual(["tint-1", "tint-2"]);
  // Caddy sees the address of each caller, also with IPv6, and reaches the servers on the machine itself.
  expect(services.caddy).toMatchObject({ network_mode: "host" });
  const upstreams: string[] = services.caddy.environment.TINT_SERVERS.split(" ");
  expect([...ports, ...services["tint-2"].ports]).toEqual(upstreams.map((upstream) => `${upstream}:3000`));
  expect(upstreams.every((upstream) => upstream.startsWith("127.0.0.1:"))).toBe(true);
  for (const [name, service] of Object.entries<Record<string, unknown>>(services)) {
    expect(service.stop_grace_period).toMatch(/^\d+s$/);
    expect(service.restart).toBe("unless-stopped");
    expect(service.logging).toEqual({ driver: "local" });
    if (name !== "caddy") expect(service.networks).toEqual(["inside"]);
  }
  const { environment } = services["tint-1"];
  expect(environment.TINT_TRUSTED_PROXIES).toBe(networks.inside.ipam.config[0].subnet);
  // A command runs in a container of its own, which goes away with all that is in no volume.
  expect(services["tint-1"].volumes).toEqual(["backups:/shop/backups"]);
  // What is stored lies in a volume with a name, and a file that is mounted exists.
  for (const mount of [...services["tint-1"].volumes, ...services.postgres.volumes, ...services.caddy.volumes]) {
    const [from] = mount.split(":");
    expect(from.startsWith("./") ? existsSync(join(DEPLOY, from)) : from in volumes).toBe(true);
  }
});

test("no password is in the file", () => {
  const { services } = parse(COMPOSE, { merge: true });
  const words = Object.values<{ environment: Record<string, string> }>(services).flatMap(({ environment }) =>
    Object.entries(environment),
  );
  const secret = words.filter(([name, value]) => /PASSWORD/.test(name) || value.includes("://"));
  expect(secret).not.toBeEmpty();
  expect(
    secret.filter(([, value]) => !/^(\w+:\/\/\w+:)?\$\{(POSTGRES|VALKEY)_PASSWORD[^}]*\}(@[\w/]+)?$/.test(value)),
  ).toEqual([]);
});

describe.skipIf(!pathOf("Caddy"))("Caddy", () => {
  const folder = temporaryFolder();
  const url = `http://127.0.0.1:${freePort()}`;
  const servers = [standIn(), standIn()] as const;
  const [one, other] = servers;
  let caddy: Bun.Subprocess;

  beforeAll(async () => {
    const [file, log] = [join(folder.path, "Caddyfile"), join(folder.path, "log")];
    writeFileSync(file, `{\n\tadmin off\n}\nimport ${CADDYFILE}\n`);
    caddy = Bun.spawn([pathOf("Caddy") ?? "", "run", "--config", file, "--adapter", "caddyfile"], {
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        TINT_DOMAIN: url,
        TINT_SERVERS: servers.map(({ port }) => `127.0.0.1:${port}`).join(" "),
      },
      stdio: ["ignore", "ignore", Bun.file(log)],
    });
    await until("Caddy to answer", async () => {
      if (caddy.exitCode !== null) throw new Error(readFileSync(log, "utf8"));
      return (await fetch(url).catch(() => undefined))?.ok === true;
    });
  });
  afterAll(async () => {
    caddy.kill("SIGKILL");
    await caddy.exited;
    for (const server of servers) server.stop();
    folder[Symbol.dispose]();
  });

  /** The status of so many bookings, and how many of them each server received. */
  const book = async (count: number) => {
    const before = servers.map(({ received }) => received());
    const sent = Array.from({ length: count }, () => fetch(url, { method: "POST", body: "{}" }));
    const statuses = new Set((await Promise.all(sent)).map(({ status }) => status));
    return { statuses: [...statuses], received: servers.map(({ received }, i) => received() - (before[i] ?? 0)) };
  };

  test.each(["Caddyfile", "Caddyfile.cluster"])("takes %s", (name) => {
    const words = [pathOf("Caddy") ?? "", "validate", "--config", join(DEPLOY, name), "--adapter", "caddyfile"];
    const { status, said } = runTool(words, folder.path);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("Valid configuration") });
  });

  test("gives both servers work, and none to one that is not ready", async () => {
    await until("both to get work", async () => (await book(4)).received.every((n) => n > 0));
    one.ready = false;
    await until("the work to go to the other", async () => (await book(12)).received[0] === 0);
    expect(await book(4)).toEqual({ statuses: [200], received: [0, 4] });
  });

  test("still asks the servers when none is ready, because reading goes on without the database", async () => {
    other.ready = false;
    await until("the one that is alive to be asked", async () => (await book(4)).received.every((n) => n > 0));
    expect((await book(4)).statuses).toEqual([200]);
    for (const server of servers) Object.assign(server, { ready: true, saidReady: false });
    await until("Caddy to hear that both are ready", () => servers.every(({ saidReady }) => saidReady));
  });

  test("sends requests to the other server when one is gone, and no booking to both", async () => {
    await until("both to get work", async () => (await book(4)).received.every((n) => n > 0));
    one.stop();
    // A booking that met the closed port must not take the server that is well out of service.
    for (let nth = 0; nth < 20; nth++) expect((await book(1)).statuses[0]).toBeOneOf([200, 502]);
    const reads = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
    expect(reads.filter(({ ok }) => !ok)).toEqual([]);
    await until("Caddy to hear that one is gone", async () => (await book(20)).statuses.join() === "200");
    expect(await book(20)).toEqual({ statuses: [200], received: [0, 20] });
    other.breaks = true;
    const { statuses, received } = await book(1);
    expect(received).toEqual([0, 1]);
    expect(statuses[0]).toBeOneOf([502, 503]);
  });
});

/** A server that is ready, or breaks off in the middle of a request, as the test says. */
function standIn() {
  let received = 0;
  const state = { ready: true, breaks: false, saidReady: false };
  const server = createServer((request, response) => {
    const isCheck = request.method === "GET" && request.url !== "/";
    if (request.method === "POST") received += 1;
    if (state.breaks && !isCheck) return void request.socket.destroy();
    const isRefusal = request.url === "/readyz" && !state.ready;
    if (request.url === "/readyz" && state.ready) state.saidReady = true;
    // As a real server, which has to read a booking before it answers.
    request.resume().on("end", () => response.writeHead(isRefusal ? 503 : 200).end());
  }).listen(0, "127.0.0.1");
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

// The files for one server.

test.skipIf(!pathOf("Caddy"))("Caddy has the names of the shop and of its server from the environment", () => {
  const named = { TINT_DOMAIN: "book.lakeside.example", TINT_UPSTREAM: "tint:3000" };
  const adapted = Bun.spawnSync([pathOf("Caddy") ?? "", "adapt", "--config", join(DEPLOY, "Caddyfile")], {
    env: { PATH: process.env.PATH, HOME: "/tmp", ...named },
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
  writeFileSync(ofReadme, runTool(["sh", "-c", line + join(DEPLOY, "Caddyfile")]).said);
  const limited = { status: 0, said: expect.stringContaining('"handler":"request_body"') };
  for (const file of [ofReadme, join(DEPLOY, "Caddyfile"), CADDYFILE]) {
    const said = runTool([caddy, "adapt", "--config", file, "--adapter", "caddyfile"], folder.path);
    expect({ file, ...said }).toEqual({ file, ...limited });
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
