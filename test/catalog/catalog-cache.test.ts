/** The catalog through a cache: the same answers as without one, whatever stands in the cache. */
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { shopFolder } from "../process/server.ts";

const BUILD = "1.0.0";

test("the second load takes the cache; a changed file or program does not", () => {
  using folder = shopFolder({ "scheduling.bays": 2 });
  const cache = { folder: join(folder.path, "cache"), build: BUILD };
  const place = join(cache.folder, "catalog.json");
  const bays = (from: typeof cache | null = cache) => loadCatalog(folder.catalog, from).catalog.scheduling.bays;

  expect(bays()).toBe(2);
  expect(statSync(place).mode & 0o777).toBe(0o600);
  expect(statSync(cache.folder).mode & 0o777).toBe(0o700);
  // A value that no file holds shows that a catalog came from the cache.
  writeFileSync(place, readFileSync(place, "utf8").replace('"bays":2', '"bays":7'));
  expect(bays()).toBe(7);
  const cached = loadCatalog(folder.catalog, cache);
  expect(cached).toEqual({ ...loadCatalog(folder.catalog, null), catalog: cached.catalog });
  expect(Object.isFrozen(cached.catalog.scheduling)).toBe(true);
  expect(bays(null)).toBe(2);
  expect(bays({ ...cache, build: "1.0.1" })).toBe(2);

  folder.edit({ "scheduling.bays": 3 });
  expect(bays()).toBe(3);
  expect(bays()).toBe(3);
});

test.each(["", "{", "null", '{"key":"","catalog":{}}'])("a cache that holds %j is made anew", (held) => {
  using folder = shopFolder();
  const place = join(folder.path, "catalog.json");
  writeFileSync(place, held);
  const { catalog } = loadCatalog(folder.catalog, { folder: folder.path, build: BUILD });
  expect(catalog.currency).toBe("USD");
  expect(JSON.parse(readFileSync(place, "utf8")).catalog.currency).toBe("USD");
});

test("a cache that cannot be written costs nothing but time; a catalog with a fault is refused all the same", () => {
  using folder = shopFolder();
  const cache = { folder: join(folder.catalog, "cache"), build: BUILD };
  expect(loadCatalog(folder.catalog, cache).catalog.currency).toBe("USD");
  folder.write("currency: USD\n");
  expect(() => loadCatalog(folder.catalog, cache)).toThrow("catalog.yaml");
});
