/** A catalog in a database as a source. The database is stood in for; `catalogs.test.ts` asks PostgreSQL. */
import { expect, onTestFinished, setDefaultTimeout, test } from "bun:test";
import { setScalar } from "../../src/catalog/edit/changes.ts";
import { editCatalog, previewEdit } from "../../src/catalog/edit/save.ts";
import { CatalogError, NoCatalog } from "../../src/catalog/load/document.ts";
import { watchCatalog } from "../../src/catalog/load/watch.ts";
import { EditError } from "../../src/catalog/source.ts";
import { OutcomeUnknown } from "../../src/store/store-errors.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { catalogStoreWith } from "./fake-catalogs.ts";

// The watch looks twice a second, less often on a busy machine.
setDefaultTimeout(20_000);

const bays = (count: number | string) => CATALOG_TEXT.replace("bays: 2", `bays: ${count}`);
const setBays = (count: number) => (text: string) => setScalar(text, ["scheduling", "bays"], count);

test("without a catalog, reading and editing name the way to bring one in; with `create` the first is saved", async () => {
  const { open, versions } = catalogStoreWith();
  const source = await open();
  expect(() => source.read()).toThrow(NoCatalog);
  expect(() => source.read()).toThrow(
    "in the database postgres://db/shop yet. To put one there: tint catalog import catalog.yaml",
  );
  await expect(editCatalog(source, setBays(3))).rejects.toThrow("tint catalog import catalog.yaml");
  expect(() => previewEdit(source, setBays(3))).toThrow(EditError);
  const { before, changed } = await editCatalog(source, () => CATALOG_TEXT, { create: true, note: "import of a.yaml" });
  expect([before, changed]).toEqual([null, true]);
  expect(versions).toMatchObject([
    { version: 1, text: CATALOG_TEXT, madeBy: "ana on desk-1", note: "import of a.yaml" },
  ]);
});

test("a save is a new version with a note of what changed; one that changes nothing or has faults is none", async () => {
  const { open, versions } = catalogStoreWith(CATALOG_TEXT);
  const source = await open();
  await editCatalog(source, setBays(3), { note: "undo" });
  await editCatalog(source, setBays(3));
  await expect(editCatalog(source, setBays(0))).rejects.toThrow(/the catalog in the database:\d+:9: scheduling\.bays/);
  expect(versions.map(({ version, note }) => [version, note])).toEqual([
    [1, ""],
    [2, "undo: scheduling.bays"],
  ]);
  expect(source.read()).toMatchObject({ version: 2, name: "the catalog in the database (version 2)" });
  expect(await source.earlier()).toMatchObject({ number: 1, text: CATALOG_TEXT });
  expect(await source.earlier(7)).toBeNull();
});

test("a text with a NUL, which PostgreSQL refuses, is refused before it is sent", async () => {
  const source = await catalogStoreWith(CATALOG_TEXT).open();
  await expect(editCatalog(source, (text) => `${text}# \0\n`)).rejects.toThrow(/NUL|control/);
});

test("two editors at once: the second makes its change once more from the first one's text", async () => {
  const { open, versions } = catalogStoreWith(CATALOG_TEXT);
  const [ana, ben] = [await open(), await open()];
  const seen: number[] = [];
  await Promise.all([
    editCatalog(ana, setBays(3)),
    editCatalog(ben, (text) => {
      seen.push(text.length);
      return text.replace("Marlow Ridge Window Film", "Marlow Ridge Film");
    }),
  ]);
  expect(seen.length).toBe(2);
  expect(versions.length).toBe(3);
  const last = versions.at(-1)?.text ?? "";
  expect([last.includes("bays: 3 "), last.includes("Marlow Ridge Film")]).toEqual([true, true]);
});

test("when others save all the time, a save gives up and says so", async () => {
  const { open, put, versions } = catalogStoreWith(CATALOG_TEXT);
  const source = await open();
  const change = (text: string) => {
    put(bays(versions.length + 5));
    return setBays(3)(text);
  };
  await expect(editCatalog(source, change, { waitMs: 0 })).rejects.toThrow("nothing was saved");
});

test("a save says whether it is known that nothing was saved", async () => {
  const { open, isAway, store } = catalogStoreWith(CATALOG_TEXT);
  const source = await open();
  isAway.now = true;
  await expect(editCatalog(source, setBays(3))).rejects.toThrow("Nothing was saved");
  isAway.now = false;
  store.add = () => Promise.reject(new OutcomeUnknown("away"));
  await expect(editCatalog(source, setBays(3))).rejects.toThrow("Whether the change was saved is not known");
});

test("a server takes a change over, refuses one with faults once, and goes on without the database", async () => {
  const { open, put, isAway } = catalogStoreWith(CATALOG_TEXT);
  const events: (number | string)[] = [];
  let next = Promise.withResolvers<void>();
  const report = (event: number | string) => {
    events.push(event);
    next.resolve();
    next = Promise.withResolvers();
  };
  const watch = watchCatalog(await open(), {
    reloaded: ({ catalog }) => report(catalog.scheduling.bays),
    refused: (error) => report(error instanceof CatalogError ? (error.issues[0]?.split(" scheduling")[0] ?? "") : "?"),
  });
  onTestFinished(watch.stop);
  put(bays(3));
  await next.promise;
  isAway.now = true;
  put(bays("two"));
  expect(watch.current.catalog.scheduling.bays).toBe(3);
  isAway.now = false;
  await next.promise;
  expect(watch.current.catalog.scheduling.bays).toBe(3);
  put(bays(4));
  await next.promise;
  expect(watch.current.catalog.scheduling.bays).toBe(4);
  expect(events).toEqual([3, expect.stringMatching(/^the catalog in the database \(version 3\):\d+:9:$/), 4]);
});
