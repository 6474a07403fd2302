/** The catalog through a cache: the same answers as without one, whatever stands in the cache. */
import { expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileSource } from "../../src/catalog/file/file-source.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { shopFolder } from "../process/server.ts";

const BUILD = "1.0.0";

const filesOf = (cache: string) => readdirSync(cache).map((name) => join(cache, name));
/** The only file of a cache. */
function fileOf(cache: string): string {
  const [file = "", ...others] = filesOf(cache);
  expect(others).toEqual([]);
  return file;
}

test("the second load takes the cache; a changed file or program does not", () => {
  using folder = shopFolder({ "scheduling.bays": 2 });
  const cache = { folder: join(folder.path, "cache"), build: BUILD };
  const bays = (from: typeof cache | null = cache) =>
    loadCatalog(fileSource(folder.catalog), from).catalog.scheduling.bays;

  expect(bays()).toBe(2);
  const place = fileOf(cache.folder);
  expect(statSync(place).mode & 0o777).toBe(0o600);
  expect(statSync(cache.folder).mode & 0o777).toBe(0o700);
  // A value that no file holds shows that a catalog came from the cache.
  writeFileSync(place, readFileSync(place, "utf8").replace('"bays":2', '"bays":7'));
  expect(bays()).toBe(7);
  const cached = loadCatalog(fileSource(folder.catalog), cache);
  const parsed = loadCatalog(fileSource(folder.catalog), null);
  expect(cached).toEqual({ ...parsed, catalog: cached.catalog, written: cached.written, isParsed: false });
  expect(parsed.isParsed).toBe(true);
  expect(Object.isFrozen(cached.catalog.scheduling)).toBe(true);
  expect(bays(null)).toBe(2);
  expect(bays({ ...cache, build: "1.0.1" })).toBe(2);

  folder.edit({ "scheduling.bays": 3 });
  expect(bays()).toBe(3);
  expect(bays()).toBe(3);
});

test("builds that take turns each find their own; of many, the newest stay", () => {
  using folder = shopFolder({ "scheduling.bays": 2 });
  const cache = join(folder.path, "cache");
  const bays = (build: string) =>
    loadCatalog(fileSource(folder.catalog), { folder: cache, build }).catalog.scheduling.bays;
  expect(bays("old")).toBe(2);
  const old = fileOf(cache);
  writeFileSync(old, readFileSync(old, "utf8").replace('"bays":2', '"bays":7'));
  expect(bays("new")).toBe(2);
  expect(bays("old")).toBe(7);
  // Copies stand for catalogs of other builds.
  for (let other = 0; other < 20; other++) copyFileSync(old, old.replace(/-\w+\.json$/, `-${other}.json`));
  utimesSync(old, 0, 0);
  bays("newest");
  expect(filesOf(cache).length).toBeLessThan(20);
  expect(filesOf(cache)).not.toContain(old);
  expect(bays("old")).toBe(2);
});

test.each(["", "{", "null", '{"key":"","catalog":{}}'])("a cache that holds %j is made anew", (held) => {
  using folder = shopFolder();
  const cache = { folder: join(folder.path, "cache"), build: BUILD };
  loadCatalog(fileSource(folder.catalog), cache);
  const place = fileOf(cache.folder);
  writeFileSync(place, held);
  const { catalog } = loadCatalog(fileSource(folder.catalog), cache);
  expect(catalog.currency).toBe("USD");
  expect(JSON.parse(readFileSync(place, "utf8")).catalog.currency).toBe("USD");
});

test("a cache that cannot be written costs nothing but time; a catalog with a fault is refused all the same", () => {
  using folder = shopFolder();
  const cache = { folder: join(folder.catalog, "cache"), build: BUILD };
  expect(loadCatalog(fileSource(folder.catalog), cache).catalog.currency).toBe("USD");
  folder.write("currency: USD\n");
  expect(() => loadCatalog(fileSource(folder.catalog), cache)).toThrow("catalog.yaml");
});
