/** A running server takes over changes of its catalog: no request is lost, and a bad change is ignored. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { tintToday } from "../cli/run.ts";
import { API } from "../helpers.ts";
import { until, untilIs } from "../jobs/outbox.ts";
import { catalogText } from "../small-shop.ts";
import {
  jsonOf,
  NO_LIMITS,
  OPEN_DAILY,
  type ServerProcess,
  type ShopFolder,
  shopFolder,
  startServer,
} from "./server.ts";

setDefaultTimeout(30_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };
/** It is 2 seconds on a machine that does nothing else; the tests of three files run at once here. */
const RELOAD_MS = 10_000;

test("a faulty catalog after a good one: the last good one is served, and the mended one taken over", async () => {
  using folder = shopFolder();
  const good = readFileSync(folder.catalog, "utf8");
  const faulty = good.replace(/bays: "?\d+"?/, "bays: two");
  expect(faulty).not.toBe(good);
  await (await startServer(folder))[Symbol.asyncDispose]();
  writeFileSync(folder.catalog, faulty);
  await using server = await startServer(folder);
  const said = await server.logged(({ msg }) =>
    msg.startsWith("the catalog is faulty; started with the last good one"),
  );
  expect(said.level).toBe(50);
  expect(JSON.stringify(said)).toMatch(/catalog\.yaml:\d+:\d+: scheduling\.bays/);
  expect((await server.fetch(`${API}/services`)).status).toBe(200);
  const doctor = await tintToday(folder, ["doctor"], { env: { PORT: String(server.port) } });
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toContain("scheduling.bays");
  writeFileSync(folder.catalog, good.replace(/bays: "?\d+"?/, "bays: 7"));
  await server.logged(({ msg }) => msg === "catalog reloaded", RELOAD_MS);
});

test("a reload tells the values that changed, and those that are probably not meant", async () => {
  using folder = shopFolder({ "business.special_hours": [] });
  await using server = await startServer(folder);
  // Whom alerts reach is nobody's business but the owner's.
  const alerts = { "alerts.to": ["https://ntfy.example/a-name-nobody-guesses"] };
  folder.edit({ ...alerts, "automotive.vehicle_types.suv.ceramic.full": 5990 });
  const { level, changed, notes } = await server.logged(({ msg }) => msg === "catalog reloaded", 30_000);
  expect(level).toBe(40);
  // The form of each change: test/catalog/settings.test.ts.
  expect(changed.toSorted()).toEqual(["alerts.to.0: changed", "automotive.vehicle_types.suv.ceramic.full: 599 → 5990"]);
  expect(notes).toEqual([
    expect.stringMatching(/catalog\.yaml:\d+:\d+: automotive\.vehicle_types\.suv\.ceramic\.full is 5990/),
  ]);
}, 60_000);

const VEHICLES = ["coupe", "sedan", "wagon", "crossover", "suv", "truck", "van"];
/** Sets every tint price to one amount: an answer made from two catalogs would hold two amounts. */
const allPrices = (amount: number) =>
  Object.fromEntries(
    VEHICLES.flatMap((vehicle) =>
      ["standard", "ceramic"].map((film) => [
        `automotive.vehicle_types.${vehicle}.${film}`,
        { full: amount, front2: amount },
      ]),
    ),
  );

async function priceOf(server: ServerProcess): Promise<number> {
  const response = await server.post(`${API}/estimates`, { vehicle_type: "suv" });
  expect(response.status).toBe(200);
  return (await jsonOf(response)).data.total;
}

test("a new price is in force soon; no request is lost and none sees both catalogs", async () => {
  using folder = shopFolder({ ...SHOP, ...allPrices(111) });
  await using server = await startServer(folder);
  let over = false;
  let asked = 0;
  const firstSeen = new Map<number, number>();

  const worker = async () => {
    let newest = 111;
    while (!over) {
      asked += 1;
      const response = await server.fetch(`${API}/estimates`);
      expect(response.status).toBe(200);
      const { data } = await jsonOf(response);
      const totals = new Set<number>(data.matrix.map(({ total }: { total: number }) => total));
      expect(totals.size).toBe(1);
      const [total = 0] = totals;
      // No caller sees an old price after a new one.
      expect(total).toBeGreaterThanOrEqual(newest);
      newest = total;
      if (!firstSeen.has(total)) firstSeen.set(total, performance.now());
    }
  };
  const workers = Promise.all(Array.from({ length: 8 }, worker));
  try {
    for (const price of [222, 333]) {
      const written = performance.now();
      if (price === 222) folder.edit(allPrices(price));
      // The second change is made like a plain editor's: the file is emptied and written again.
      else writeFileSync(folder.catalog, catalogText({ ...SHOP, ...allPrices(price) }));
      await untilIs(() => firstSeen.get(price) !== undefined, true);
      expect((firstSeen.get(price) ?? 0) - written).toBeLessThan(RELOAD_MS);
    }
  } finally {
    over = true;
  }
  await workers;
  expect([...firstSeen.keys()]).toEqual([111, 222, 333]);
  expect(asked).toBeGreaterThan(100);
  // The log is written in batches.
  await untilIs(() => server.lines.filter(({ msg }) => msg === "catalog reloaded").length, 2);
});

describe("a server that runs through changes of its catalog", () => {
  let folder: ShopFolder;
  let server: ServerProcess;
  beforeAll(async () => {
    folder = shopFolder(SHOP);
    server = await startServer(folder);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const refusals = () => server.lines.filter(({ msg }) => msg.startsWith("catalog refused"));

  test("a bad change is logged with its place and ignored; mending it is enough", async () => {
    const good = folder.read();
    expect(await priceOf(server)).toBe(349);

    folder.write(good.replace("bays: 2", "bays: lots"));
    await until(refusals, (refused) => refused.length === 1);
    expect(refusals()[0]?.level).toBeGreaterThanOrEqual(40);
    expect(JSON.stringify(refusals())).toMatch(/catalog\.yaml:\d+:\d+: scheduling\.bays/);
    expect(await priceOf(server)).toBe(349);
    expect((await server.fetch("/readyz")).status).toBe(200);

    // A truncated file is usually still valid YAML.
    folder.write(good.slice(0, good.indexOf("\nrate_limits:")));
    await until(refusals, (refused) => refused.length === 2);
    expect(await priceOf(server)).toBe(349);

    folder.edit({ "automotive.vehicle_types.suv.standard.full": 350.25 });
    await untilIs(() => priceOf(server), 350.25);
  });

  test("a lowered limit holds without a restart, also for callers who are already beyond it", async () => {
    folder.edit({ "rate_limits.anonymous_per_minute": 2 });
    await untilIs(async () => (await server.fetch(`${API}/location`)).status, 429);
  });
});
