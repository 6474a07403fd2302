/** The files for a shop with several servers: compose.cluster.yaml, and the Caddyfile that spreads the requests. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import { pathOf } from "../needs.ts";
import { freePort, temporaryFolder } from "../process/server.ts";
import { until } from "../service-process.ts";
import { runTool } from "./tools.ts";

setDefaultTimeout(60_000);

const DEPLOY = new URL("../../deploy/", import.meta.url).pathname;
const COMPOSE = readFileSync(join(DEPLOY, "compose.cluster.yaml"), "utf8");
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

  test("takes the file", () => {
    const words = [pathOf("Caddy") ?? "", "validate", "--config", CADDYFILE, "--adapter", "caddyfile"];
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
