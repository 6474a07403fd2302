/** Limits that several processes share, against a real Valkey or Redis; TINT_LIMITS in `tint serve` and `tint doctor`. Source: contract 19. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RedisClient } from "bun";
import { pino } from "pino";
import { checkLimits } from "../../cli/doctor/server.ts";
import { type Charge, createRateLimiter, type Limiter } from "../../src/limits/rate-limit.ts";
import { createPoolNames, createValkeyLimiter, keepConnected, shareLimits } from "../../src/limits/valkey/share.ts";
import { tintToday } from "../cli/run.ts";
import { BOOKING, catalogWith, QUOTE, roomFor, type TestApp, testApp } from "../helpers.ts";
import { freePort, type ServerProcess, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { until } from "../service-process.ts";
import { hasValkey, SERVICE_PASSWORD, startValkey, type Valkey } from "../services.ts";
import { limiterConformance } from "./conformance.ts";

setDefaultTimeout(60_000);

/** For tests in which Valkey is well: a busy machine must not look like one whose Valkey is slow. */
const PATIENT = 60_000;
const WELL_MS = 20;

describe.skipIf(!hasValkey())("shared", () => {
  let valkey: Valkey;
  let client: RedisClient;
  const opened: (() => unknown)[] = [];
  beforeAll(async () => {
    valkey = await startValkey();
    client = new RedisClient(valkey.url);
  });
  afterAll(async () => {
    for (const close of opened) close();
    client.close();
    await valkey[Symbol.asyncDispose]();
  });

  /** Moves all times in Valkey back, which is the same as its clock going ahead. */
  const AGE = `
    for _, pool in ipairs(redis.call('KEYS', '*')) do
      for _, name in ipairs(redis.call('ZRANGE', pool, 0, -1)) do
        redis.call('ZINCRBY', pool, string.format('%.0f', -1000 * ARGV[1]), name)
      end
      redis.call('PEXPIRE', pool, string.format('%.0f', redis.call('PTTL', pool) - ARGV[1]))
    end`;
  const age = async (ms: number) => {
    if (ms !== 0) await client.send("EVAL", [AGE, "0", String(ms)]);
  };

  limiterConformance("in Valkey alone", {
    async make() {
      const ignore = () => {};
      const probe = async () => {};
      const options = { url: valkey.url, waitMs: PATIENT, everyMs: PATIENT, probe, lost: ignore, found: ignore };
      const connection = await keepConnected(options);
      opened.push(connection.close);
      const names = createPoolNames(crypto.randomUUID());
      return { limiter: createValkeyLimiter(connection, () => names), advance: age };
    },
    driftSeconds: 100,
  });

  interface Process {
    limiter: Limiter;
    logs: Record<string, unknown>[];
  }
  /** The limiter of one of the processes of a shop. */
  async function oneProcess(options: Partial<Parameters<typeof shareLimits>[0]> = {}): Promise<Process> {
    const logs: Process["logs"] = [];
    const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
    const secret = async () => "the shop's";
    const local = createRateLimiter(undefined, roomFor(1000));
    const usual = { url: valkey.url, secret, log, local, waitMs: PATIENT, everyMs: WELL_MS };
    const shared = await shareLimits({ ...usual, ...options });
    opened.push(shared.close);
    return { limiter: shared.limiter, logs };
  }
  async function twoProcesses(options: Partial<Parameters<typeof shareLimits>[0]> = {}): Promise<[Process, Process]> {
    const shop = crypto.randomUUID();
    const given = { secret: async () => shop, ...options };
    return [await oneProcess(given), await oneProcess(given)];
  }

  limiterConformance("in a process and in Valkey", {
    async make() {
      const at = { now: 0 };
      const shop = crypto.randomUUID();
      const local = createRateLimiter(() => at.now, roomFor(1000));
      const { limiter } = await oneProcess({ secret: async () => shop, local, everyMs: PATIENT });
      const advance = async (ms: number) => {
        at.now += ms;
        await age(ms);
      };
      return { limiter, advance };
    },
    driftSeconds: 100,
  });

  const charge = (pool: string, given: Partial<Charge> = {}): Charge => {
    return { kind: "general", pool, limit: 60, windowMs: 60_000, ...given };
  };
  /** Requests in turn at each process. @returns how many passed */
  async function ask(processes: readonly Process[], count: number, one: Charge): Promise<number> {
    const decisions = Array.from({ length: count }, (_, i) => processes[i % processes.length]?.limiter.take([one]));
    return (await Promise.all(decisions)).filter((decision) => decision?.allowed).length;
  }
  const isDown = (...processes: Process[]) =>
    until("Valkey to be missed", () => processes.every(({ logs }) => logs.some(({ level }) => level === 40)));
  const isBack = (...processes: Process[]) =>
    until("Valkey to be found again", () => processes.every(({ logs }) => logs.at(-1)?.level === 30));
  const told = ({ logs }: Process) => logs.map(({ level, msg }) => [level, msg]);
  const SHARED = [30, "limits are shared through Valkey"];
  const APART = [40, "Valkey does not answer; this process limits by itself meanwhile"];

  test("two processes grant one limit", async () => {
    const two = await twoProcesses();
    expect(await ask(two, 400, charge("net 192.0.2.1"))).toBe(60);
    for (const one of two) expect(await ask([one], 5, charge("net 192.0.2.1"))).toBe(0);
    expect(told(two[0])).toEqual([SHARED]);
  });

  test("two shops on one Valkey have nothing in common", async () => {
    const [one, other] = await Promise.all([twoProcesses(), twoProcesses()]);
    expect(await ask(one, 100, charge("net 192.0.2.1"))).toBe(60);
    expect(await ask(other, 100, charge("net 192.0.2.1"))).toBe(60);
  });

  test("names in Valkey hold no address and no code, and all of them end", async () => {
    const two = await twoProcesses();
    await ask(two, 10, charge("net 192.0.2.77"));
    await ask(two, 10, charge("code SECRET99", { kind: "wrong_codes" }));
    const names: string[] = await client.send("KEYS", ["*"]);
    expect(names.filter((name) => !/^tint:\{[\w-]{22}\}:[\w-]{22}$/.test(name))).toEqual([]);
    // -1: it never ends. -2: it ended meanwhile.
    for (const name of names) expect(await client.send("PTTL", [name])).not.toBe(-1);
  });

  test("a secret that the owner replaced is taken over by all", async () => {
    let shop: string = crypto.randomUUID();
    const secret = async () => shop;
    const [one, other] = await twoProcesses({ secret });
    expect(await ask([one], 30, charge("net 192.0.2.1", { limit: 30 }))).toBe(30);
    shop = crypto.randomUUID();
    const fresh = await oneProcess({ secret });
    // Both count under the new name once they have read it: then a name that the fresh one used up is used up for all.
    expect(await ask([fresh], 5, charge("net 192.0.2.2", { limit: 5 }))).toBe(5);
    await until(
      "the new name",
      async () => !(await other.limiter.peek([charge("net 192.0.2.2", { limit: 5 })])).allowed,
    );
  });

  test("scripts that Valkey forgot are sent again", async () => {
    const two = await twoProcesses();
    expect(await ask(two, 30, charge("a"))).toBe(30);
    await client.send("SCRIPT", ["FLUSH"]);
    expect(await ask(two, 100, charge("a"))).toBe(30);
    expect(told(two[0])).toEqual([SHARED]);
  });

  test("times far ahead, from a clock that was set back, do not count", async () => {
    const secret = async () => "a clock that was set back";
    const [one, other] = await twoProcesses({ secret });
    const far = charge("a", { windowMs: 60 * 60_000 });
    expect(await ask([one, other], 60, far)).toBe(60);
    await age(-2 * 60 * 60_000);
    // The first two remember what they granted themselves.
    expect(await ask(await twoProcesses({ secret }), 100, far)).toBe(60);
  });

  test("times are exact to the microsecond", async () => {
    const secret = async () => "exact";
    const [one] = await twoProcesses({ secret });
    const time = async () =>
      (await client.send("TIME", [])).map(Number).reduce((s: number, us: number) => s * 1e6 + us);
    const [from, count] = [await time(), 20];
    for (let i = 0; i < count; i++) await one.limiter.take([charge("a")]);
    const to = await time();
    const kept = await client.send("ZRANGE", [createPoolNames("exact")(charge("a")), "0", "-1", "WITHSCORES"]);
    const times = kept.map((pair: [string, number]) => Number(pair[1]));
    expect(times).toHaveLength(count);
    expect(times.filter((at: number) => at < from || at > to)).toEqual([]);
    // Rounded numbers would end in zeros.
    expect(times.some((at: number) => at % 100 !== 0)).toBe(true);
  });

  describe("without Valkey", () => {
    test("killed and back: at most the limit for each process, then exact again, told once", async () => {
      await using own = await startValkey();
      const two = await twoProcesses({ url: own.url });
      expect(await ask(two, 40, charge("early"))).toBe(40);
      expect(await ask([two[1]], 60, charge("other"))).toBe(60);
      expect(await ask([two[0]], 60, charge("other"))).toBe(0);
      await own.kill();
      await isDown(...two);
      // What Valkey refused is charged nowhere.
      expect(await ask([two[0]], 100, charge("other"))).toBe(60);
      expect(await ask([two[0]], 50, charge("partly"))).toBe(50);
      // Each process remembers what it granted before: 20 each.
      expect(await ask(two, 400, charge("early"))).toBe(80);
      expect(await ask(two, 400, charge("meanwhile"))).toBe(120);
      await own.start();
      await isBack(...two);
      expect(await ask(two, 400, charge("meanwhile"))).toBe(0);
      const left = async () => (await two[0].limiter.peek([charge("partly")])).states;
      expect(await left()).toMatchObject([{ limit: 60, remaining: 10 }]);
      expect((await two[0].limiter.take([charge("partly")])).states).toMatchObject([{ limit: 60, remaining: 9 }]);
      expect(await ask(two, 400, charge("afterwards"))).toBe(60);
      for (const one of two) expect(told(one)).toEqual([SHARED, APART, SHARED]);
    });

    test("frozen: requests under way are decided here, later ones at once", async () => {
      await using own = await startValkey();
      const two = await twoProcesses({ url: own.url, waitMs: 100 });
      await isBack(...two);
      for (const { limiter } of two) expect(await limiter.take([charge("a")])).toMatchObject({ allowed: true });
      own.freeze();
      const standing = two[0].limiter.peek([charge("c")]);
      expect(await ask(two, 400, charge("a", { limit: 10 }))).toBe(18);
      expect(await standing).toMatchObject({ allowed: true, states: [{ limit: 60, remaining: 60 }] });
      const late = Bun.sleep(50).then(() => "late");
      for (const { limiter } of two)
        expect(await Promise.race([limiter.take([charge("b")]), late])).toMatchObject({ allowed: true });
      own.thaw();
      await isBack(...two);
      for (const one of two) expect(told(one)).toContainEqual(APART);
      // The connections that were given up are closed: one is left for each, and this one.
      const direct = new RedisClient(own.url);
      const clients = async () =>
        String(await direct.send("CLIENT", ["LIST"]))
          .trim()
          .split("\n").length;
      await until("the old connections to end", async () => (await clients()) === 3);
      direct.close();
    });

    test("a process that was busy reads the answer before it counts as late", async () => {
      const one = await oneProcess({ waitMs: 100 });
      let read = 0;
      // Where the machine is so busy that Valkey is slow indeed, another attempt counts.
      for (let attempts = 0; read < 5 && attempts < 25; attempts++) {
        await isBack(one);
        // What is sent while an answer is read waits until this turn ends.
        await one.limiter.peek([charge("a")]);
        const asked = one.limiter.take([charge("a")]);
        const from = performance.now();
        while (performance.now() - from < 120);
        await asked;
        if (one.limiter.take([charge("b")]) instanceof Promise) read += 1;
      }
      expect(read).toBe(5);
    });

    test("full: a Valkey that cannot store is not asked, until it can", async () => {
      await using own = await startValkey();
      const direct = new RedisClient(own.url);
      const two = await twoProcesses({ url: own.url });
      await direct.send("CONFIG", ["SET", "maxmemory", "1"]);
      await isDown(...two);
      expect(two[0].logs.at(-1)).toMatchObject({ reason: expect.stringMatching(/^OOM/) });
      expect(await ask(two, 400, charge("a"))).toBe(120);
      await direct.send("CONFIG", ["SET", "maxmemory", "0"]);
      await isBack(...two);
      expect(await ask(two, 400, charge("b"))).toBe(60);
      for (const one of two) expect(told(one)).toEqual([SHARED, APART, SHARED]);
      direct.close();
    });

    test("not there at the start: the server starts, and finds it later; the password is in no line", async () => {
      await using own = await startValkey({ tcp: true });
      await own.kill();
      const two = await twoProcesses({ url: own.url });
      expect(await ask(two, 400, charge("a"))).toBe(120);
      await own.start();
      await isBack(...two);
      expect(await ask(two, 400, charge("b"))).toBe(60);
      const refused = await oneProcess({ url: own.url.replace(SERVICE_PASSWORD, "wrong-0199") });
      expect(told(refused)).toEqual([APART]);
      expect(JSON.stringify([...two.map(({ logs }) => logs), refused.logs])).not.toMatch(/never-shown|wrong-0199/);
    });
  });

  describe("through the application", () => {
    async function twoApps(edits: Record<string, unknown> = {}): Promise<[TestApp, TestApp]> {
      const catalog = catalogWith(edits);
      const [one, other] = await twoProcesses();
      const first = testApp({ catalog, limiter: one.limiter });
      return [first, testApp({ catalog, limiter: other.limiter, store: first.store })];
    }

    test("what a refused request is given back is there at the other process with the next request", async () => {
      const [one, other] = await twoApps({ "rate_limits.quote_requests_per_minute": 1 });
      for (let i = 0; i < 5; i++) {
        expect((await one.post("/api/v1/quote-request", {})).status).toBe(400);
        expect((await other.post("/api/v1/quote-request", { ...QUOTE, dry_run: true })).status).toBe(200);
      }
      expect((await one.post("/api/v1/quote-request", QUOTE)).status).toBe(200);
      expect((await other.post("/api/v1/quote-request", QUOTE)).status).toBe(429);
    });

    test("wrong codes are counted over both processes; right ones are not", async () => {
      const apps = await twoApps();
      const booked = await apps[0].post("/api/v1/bookings", BOOKING);
      const code: string = booked.json.data.confirmation_code;
      const hits = Array.from({ length: 30 }, (_, i) => apps[i % 2 ? 1 : 0].get(`/api/v1/bookings/${code}`));
      expect(new Set((await Promise.all(hits)).map(({ status }) => status))).toEqual(new Set([200]));
      const miss = (i: number) => apps[i % 2 ? 1 : 0].get("/api/v1/bookings/NOSUCH00");
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => miss(i)));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(404), ...Array(15).fill(429)]);
    });
  });
});

describe.skipIf(!hasValkey())("TINT_LIMITS", () => {
  let valkey: Valkey;
  let folder: ShopFolder;
  const servers: ServerProcess[] = [];
  const metricsPort = freePort();
  beforeAll(async () => {
    valkey = await startValkey();
    folder = shopFolder();
    const env = { TINT_LIMITS: valkey.url };
    servers.push(await startServer(folder, { env: { ...env, TINT_METRICS: `127.0.0.1:${metricsPort}` } }));
    servers.push(await startServer(folder, { env }));
  });
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
    await valkey[Symbol.asyncDispose]();
  });

  const logs = () => JSON.stringify(servers.map(({ lines }) => lines));
  /** The lines of `tint doctor` with this setting. */
  const check = async (url: string, isShared = false) => {
    const before = process.env.TINT_LIMITS;
    process.env.TINT_LIMITS = url;
    try {
      return await checkLimits(isShared);
    } finally {
      if (before === undefined) delete process.env.TINT_LIMITS;
      else process.env.TINT_LIMITS = before;
    }
  };
  const isApart = async () =>
    /^tintdesk_limits_apart (\d)$/m.exec(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text())?.[1];

  test("two servers grant one limit", async () => {
    for (const { logged } of servers) await logged(({ msg }) => msg === "limits are shared through Valkey");
    expect(await isApart()).toBe("0");
    const ask = async (i: number) => await fetch(`http://127.0.0.1:${servers[i % 2]?.port}/api/v1/faq`);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i)));
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed + answers.filter(({ status }) => status === 429).length).toBe(200);
    // A machine that is too busy to answer within 100 ms is a Valkey that is slow.
    const wasSlow = logs().includes("limits by itself");
    expect(passed).toBeGreaterThanOrEqual(60);
    expect(passed).toBeLessThanOrEqual(wasSlow ? 120 : 60);
  });

  test("doctor says how long a limit takes", async () => {
    const env = { PORT: String(freePort()), TINT_LIMITS: valkey.url };
    const { stdout } = await tintToday(folder, ["doctor"], { env });
    expect(stdout).toMatch(/^limits +ok +shared through redis\+unix:.*, in [\d.]+ ms a request$/m);
    expect(stdout).not.toContain(SERVICE_PASSWORD);
  });

  test("without Valkey servers, metrics and doctor say so, and none of them its password", async () => {
    await valkey.kill();
    for (const { logged } of servers)
      await logged(({ level, msg }) => level === 40 && msg.includes("limits by itself"));
    await until("the figure", async () => (await isApart()) === "1");
    for (const { port } of servers) expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    const lines = await check(valkey.url);
    expect(lines).toMatchObject([
      { level: "fault", message: expect.stringMatching(/cannot be used: .+ counts by itself/) },
    ]);
    expect(logs() + JSON.stringify(lines)).not.toContain(SERVICE_PASSWORD);
    expect(logs()).toContain("redis+unix://default:***@localhost/");
  });

  test("doctor names a wrong setting, and a missing one where servers may be several", async () => {
    expect(await check("localhost")).toMatchObject([
      { level: "fault", message: expect.stringContaining("TINT_LIMITS must be like redis://") },
    ]);
    expect(await check("", true)).toMatchObject([{ level: "ok", message: expect.stringContaining("set TINT_LIMITS") }]);
    expect(await check("")).toEqual([]);
  });
});
