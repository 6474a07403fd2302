/** The catalog through a cache: the same answers as without one, whatever stands in the cache. */
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCachedCatalog } from "../../src/catalog/load/load-cached.ts";
import { shopFolder } from "../process/server.ts";

const BUILD = "1.0.0";

test("the second load takes the cache; a changed file or program does not", async () => {
  using folder = shopFolder({ "scheduling.bays": 2 });
  const cache = { folder: join(folder.path, "cache"), build: BUILD };
  const place = join(cache.folder, "catalog.json");
  const bays = async (from: typeof cache | null = cache) =>
    (await loadCachedCatalog(folder.catalog, from)).catalog.scheduling.bays;

  expect(await bays()).toBe(2);
  expect(statSync(place).mode & 0o777).toBe(0o600);
  expect(statSync(cache.folder).mode & 0o777).toBe(0o700);
  // A value that no file holds shows that a catalog came from the cache.
  writeFileSync(place, readFileSync(place, "utf8").replace('"bays":2', '"bays":7'));
  expect(await bays()).toBe(7);
  const cached = await loadCachedCatalog(folder.catalog, cache);
  expect(cached).toEqual({ ...(await loadCachedCatalog(folder.catalog, null)), catalog: cached.catalog });
  expect(Object.isFrozen(cached.catalog.scheduling)).toBe(true);
  expect(await bays(null)).toBe(2);
  expect(await bays({ ...cache, build: "1.0.1" })).toBe(2);

  folder.edit({ "scheduling.bays": 3 });
  expect(await bays()).toBe(3);
  expect(await bays()).toBe(3);
});

test.each(["", "{", "null", '{"key":"","catalog":{}}'])("a cache that holds %j is made anew", async (held) => {
  using folder = shopFolder();
  const place = join(folder.path, "catalog.json");
  writeFileSync(place, held);
  const { catalog } = await loadCachedCatalog(folder.catalog, { folder: folder.path, build: BUILD });
  expect(catalog.currency).toBe("USD");
  expect(JSON.parse(readFileSync(place, "utf8")).catalog.currency).toBe("USD");
});

test("a cache that cannot be written costs nothing but time; a catalog with a fault is refused all the same", async () => {
  using folder = shopFolder();
  const cache = { folder: join(folder.catalog, "cache"), build: BUILD };
  expect((await loadCachedCatalog(folder.catalog, cache)).catalog.currency).toBe("USD");
  folder.write("currency: USD\n");
  expect(loadCachedCatalog(folder.catalog, cache)).rejects.toThrow("catalog.yaml");
});
