/** TINT_LIMITS in `tint serve` and `tint doctor`: two servers that share limits, and what is said when Valkey is gone. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkLimits } from "../../cli/doctor/server.ts";
import { tintToday } from "../cli/run.ts";
import { until } from "../service-process.ts";
import { hasValkey, SERVICE_PASSWORD, startValkey, type Valkey } from "../services.ts";
import { freePort, type ServerProcess, type ShopFolder, shopFolder, startServer } from "./server.ts";

setDefaultTimeout(60_000);

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
