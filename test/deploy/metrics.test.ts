/** `/metrics` of a running server, and the alert rules on it, validated by Prometheus's own tool. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { tintToday } from "../cli/run.ts";
import { API, BOOKING } from "../helpers.ts";
import { until } from "../jobs/outbox.ts";
import { pathOf } from "../needs.ts";
import {
  dateIn,
  freePort,
  NO_LIMITS,
  OPEN_DAILY,
  type ServerProcess,
  type ShopFolder,
  shopFolder,
  startServer,
  temporaryFolder,
} from "../process/server.ts";
import { catalogText } from "../small-shop.ts";
import { runTool } from "./tools.ts";

setDefaultTimeout(60_000);

const RULES = new URL("../../deploy/prometheus/", import.meta.url).pathname;
const EDITS = { ...OPEN_DAILY, ...NO_LIMITS };
let folder: ShopFolder;
let server: ServerProcess;
let metricsPort: number;

beforeAll(async () => {
  folder = shopFolder(EDITS);
  metricsPort = freePort();
  server = await startServer(folder, { env: { TINT_METRICS: `127.0.0.1:${metricsPort}` } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const scrape = async () => await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
/** The value of one line. */
const valueIn = (text: string, line: string) =>
  Number(
    text
      .split("\n")
      .find((one) => one.startsWith(`${line} `))
      ?.split(" ")
      .at(-1),
  );
const send = (path: string, body?: unknown) =>
  fetch(`http://127.0.0.1:${server.port}${API}${path}`, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { "User-Agent": "Mozilla/5.0 ChatGPT-User/1.0" },
  });

test("requests, errors, estimates and bookings by agent class, jobs, commits and the catalog", async () => {
  const booking = { ...BOOKING, date: dateIn(4), booking_request_id: "once" };
  for (const body of [booking, booking]) expect((await send("/bookings", body)).status).toBe(201);
  expect(
    (await send("/bookings", { ...booking, booking_request_id: "dry", time: "13:00", dry_run: true })).status,
  ).toBe(200);
  expect((await send("/estimates", { vehicle_type: "suv" })).status).toBe(200);
  expect((await send("/bookings", { ...booking, customer_name: "Other" })).status).toBe(409);
  expect((await fetch(`http://127.0.0.1:${server.port}/no/such/path/${crypto.randomUUID()}`)).status).toBe(404);
  const text = await scrape();
  const route = `route="${API}/bookings",method="POST"`;
  for (const [line, value] of [
    [`requests_total{${route},status="201"}`, 2],
    [`requests_total{${route},status="409"}`, 1],
    ['errors_total{code="IDEMPOTENCY_CONFLICT"}', 1],
    ['requests_total{route="unknown",method="GET",status="404"}', 1],
    ['bookings_total{agent_class="openai"}', 1],
    ['estimates_total{agent_class="openai"}', 1],
    ["catalog_refused", 0],
    ["store_up", 1],
    ["log_lines_dropped", 0],
  ] as const)
    expect([line, valueIn(text, `tintdesk_${line}`)]).toEqual([line, value]);
  expect(valueIn(text, "tintdesk_commit_seconds_count")).toBeGreaterThan(0);
  expect(valueIn(text, `tintdesk_request_seconds_count{route="${API}/bookings"}`)).toBe(4);
  expect(text).toMatch(/tintdesk_catalog_info\{hash="[0-9a-f]{12}",reviewed_on="[\d-]+"\} 1/);
  expect(text).not.toMatch(/Pat|404-?555/);
  const promtool = pathOf("promtool");
  if (promtool) {
    const judged = Bun.spawnSync([promtool, "check", "metrics"], { stdin: Buffer.from(text) });
    expect({ status: judged.exitCode, said: `${judged.stdout}${judged.stderr}` }).toEqual({ status: 0, said: "" });
  }
});

test("news that reaches nobody is counted, and the server warns", async () => {
  await send("/bookings", { ...BOOKING, date: dateIn(5), customer_phone: "404-555-0188", dry_run: false });
  const news = () => scrape().then((text) => valueIn(text, HELD));
  expect(await news()).toBeGreaterThan(0);
  const readiness = await fetch(`http://127.0.0.1:${server.port}/readyz`);
  expect(await readiness.json()).toMatchObject({
    warnings: ["nobody in alerts.to hears of bookings: texts are off"],
  });
  await server.logged(({ msg }) => msg === "nobody in alerts.to hears of bookings: texts are off; see tint doctor");
  writeFileSync(folder.catalog, catalogText({ ...EDITS, "alerts.to": ["https://127.0.0.1:9/nowhere"] }));
  await until(news, (count) => count === 0);
  writeFileSync(folder.catalog, catalogText(EDITS));
});
const HELD = 'tintdesk_messages_held{what="news to the shop",why="no_channel"}';

test("a catalog with faults shows until the file is good again, also when it is as it was", async () => {
  const isRefused = async () => valueIn(await scrape(), "tintdesk_catalog_refused");
  writeFileSync(folder.catalog, "version: 2\n");
  await until(isRefused, (value) => value === 1);
  writeFileSync(folder.catalog, catalogText(EDITS));
  await until(isRefused, (value) => value === 0);
});

test("the last nightly backup shows", async () => {
  const at = async () => valueIn(await scrape(), "tintdesk_last_backup_timestamp_seconds");
  expect(await at()).toBe(0);
  const once = await tintToday(folder, ["backup", join(folder.path, "once.db")]);
  expect({ status: once.status, at: await at() }).toEqual({ status: 0, at: 0 });
  const backups = join(folder.path, "backups");
  expect((await tintToday(folder, ["backup", "--keep", "2", backups])).status).toBe(0);
  const [made = ""] = readdirSync(backups);
  expect(await at()).toBeCloseTo(statSync(join(backups, made)).mtimeMs / 1000, 0);
});

test("the API has no metrics, and the listener nothing else", async () => {
  expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(404);
  const answer = async (path: string, method = "GET") =>
    (await fetch(`http://127.0.0.1:${metricsPort}${path}`, { method })).status;
  expect([await answer("/livez"), await answer("/metrics", "POST")]).toEqual([404, 405]);
});

test("the alert rules hold, and speak of metrics that there are", async () => {
  const rules = readFileSync(join(RULES, "tintdesk.rules.yml"), "utf8");
  const text = await scrape();
  const named = new Set(rules.match(/tintdesk_\w+/g));
  expect([...named].filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([]);
  expect(rules.match(/- alert:/g)).toHaveLength(8);
  const runbook = readFileSync(new URL("../../docs/runbook.md", import.meta.url), "utf8");
  const entries = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^a-z ]/g, "")
      .replaceAll(" ", "-"),
  );
  const anchors = [...rules.matchAll(/runbook\.md#(\S+)/g)].map(([, anchor = ""]) => anchor);
  expect(anchors.filter((anchor) => !entries.includes(anchor))).toEqual([]);
  // The alerts go to a receiver that is there.
  const { route, receivers } = parse(readFileSync(join(RULES, "alertmanager.yml"), "utf8"));
  expect(receivers).toEqual([
    { name: route.receiver, email_configs: [expect.objectContaining({ to: expect.any(String) })] },
  ]);
  const promtool = pathOf("promtool");
  if (!promtool) return;
  const scraping = rules.replace(/^(?!# {5}).*\n/gm, "").replace(/^# {5}/gm, "");
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "prometheus.yml"), scraping.replace("[tintdesk", `[${RULES}tintdesk`));
  expect(runTool([promtool, "check", "config", "prometheus.yml"], folder.path).said).toContain("1 rule files found");
  expect(runTool([promtool, "check", "rules", "tintdesk.rules.yml"], RULES).status).toBe(0);
  const { status, said } = runTool([promtool, "test", "rules", "tintdesk.rules.test.yml"], RULES);
  expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("SUCCESS") });
});
