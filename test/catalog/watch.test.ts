/** The file is changed as people and editors do it. Each test waits for a report of the watch. */
import { afterAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { watchCatalog } from "../../src/catalog/load/watch.ts";
import { fileSource, watchFile } from "../../src/store/catalog/file-source.ts";
import { CALIFORNIA_FILE } from "../shops.ts";

// Each test waits for two or more looks at the file, which takes long on a busy machine.
setDefaultTimeout(60_000);

const ROOT = mkdtempSync(join(tmpdir(), "tintdesk-watch-"));
const watches: { stop: () => void }[] = [];
afterAll(() => {
  for (const watch of watches) watch.stop();
  rmSync(ROOT, { recursive: true, force: true });
});

/** The shortest catalog of the tests: each test reads several. */
const CATALOG_TEXT = readFileSync(CALIFORNIA_FILE, "utf8");
const withBays = (bays: number | string) => CATALOG_TEXT.replace("bays: 1", `bays: ${bays}`);
type Event = ["reloaded", bays: number] | ["refused", message: string];

let files = 0;
/** A watched file, with all reports so far. */
function watched(file = join(ROOT, `catalog-${++files}.yaml`), text: string | null = withBays(2)) {
  if (text !== null) writeFileSync(file, text);
  const events: Event[] = [];
  const waiting: ((event: Event) => void)[] = [];
  const report = (event: Event) => {
    events.push(event);
    waiting.shift()?.(event);
  };
  const watch = watchCatalog(fileSource(file), {
    reloaded: ({ catalog }) => report(["reloaded", catalog.scheduling.bays]),
    refused: ({ message }) => report(["refused", message]),
  });
  watches.push(watch);
  return {
    file,
    events,
    watch,
    bays: () => watch.current.catalog.scheduling.bays,
    next: () => new Promise<Event>((resolve) => waiting.push(resolve)),
  };
}

test.concurrent("a good change is picked up, whole and frozen", async () => {
  const { file, watch, bays, next } = watched();
  const before = watch.current;
  expect(bays()).toBe(2);
  writeFileSync(file, withBays(3));
  expect(await next()).toEqual(["reloaded", 3]);
  expect(bays()).toBe(3);
  expect(watch.current.hash).not.toBe(before.hash);
  // A request that began with the old catalog goes on with it.
  expect(before.catalog.scheduling.bays).toBe(2);
  expect(Object.isFrozen(watch.current.catalog.scheduling)).toBe(true);
});

test.concurrent("a bad change is refused once, and the last good one serves on", async () => {
  const { file, events, watch, bays, next } = watched();
  const good = watch.current;
  writeFileSync(file, withBays("two"));
  expect(await next()).toEqual(["refused", expect.stringMatching(/\.yaml:\d+:9: scheduling\.bays must be a whole/)]);
  expect(watch.current).toBe(good);
  writeFileSync(file, withBays(4));
  await next();
  // The watch looked at the file several times in between.
  expect(events.map(([kind]) => kind)).toEqual(["refused", "reloaded"]);
  expect(bays()).toBe(4);
});

test.concurrent("a file saved by renaming another over it is picked up, again and again", async () => {
  const { file, events, bays, next } = watched();
  for (const count of [3, 4]) {
    writeFileSync(`${file}.new`, withBays(count));
    renameSync(`${file}.new`, file);
    expect(await next()).toEqual(["reloaded", count]);
    expect(bays()).toBe(count);
  }
  expect(events).toHaveLength(2);
});

test.concurrent("a removed file is reported once, and loaded when it is back", async () => {
  const { file, events, bays, next } = watched();
  unlinkSync(file);
  expect(await next()).toEqual(["refused", expect.stringContaining("There is no file")]);
  expect(bays()).toBe(2);
  writeFileSync(file, withBays(5));
  expect(await next()).toEqual(["reloaded", 5]);
  expect(events).toHaveLength(2);
});

test.concurrent("a file that was only touched, or saved as it was, is not reported", async () => {
  const { file, events, next } = watched();
  const witness = watched(file, null);
  utimesSync(file, 1, 1);
  writeFileSync(file, withBays(2));
  writeFileSync(`${file}.other`, "");
  writeFileSync(file, withBays(6));
  await Promise.all([next(), witness.next()]);
  expect(events).toEqual([["reloaded", 6]]);
});

test.concurrent("a change that is undone leaves the catalog as it was", async () => {
  const { file, events, bays, next } = watched();
  writeFileSync(file, "version: 1\n");
  await next();
  writeFileSync(file, withBays(2));
  writeFileSync(file, withBays(7));
  expect(await next()).toEqual(["reloaded", 7]);
  expect(bays()).toBe(7);
  expect(events).toHaveLength(2);
});

test.concurrent("after stop nothing is reported", async () => {
  const stopped = watched();
  const witness = watched(stopped.file, null);
  stopped.watch.stop();
  writeFileSync(stopped.file, withBays(8));
  expect(await witness.next()).toEqual(["reloaded", 8]);
  expect(stopped.events).toEqual([]);
  expect(stopped.bays()).toBe(2);
});

test("continuous saves delay each reload by at most 4 looks", () => {
  const file = join(ROOT, "storm.yaml");
  writeFileSync(file, "");
  const { hasChanged } = watchFile(file);
  let saves = 0;
  const answers = Array.from({ length: 12 }, () => {
    writeFileSync(file, "x".repeat(++saves));
    return hasChanged();
  });
  const round = [false, false, false, true];
  expect(answers).toEqual([...round, ...round, ...round]);
  expect(hasChanged()).toBeFalse();
  writeFileSync(file, "calm");
  expect([hasChanged(), hasChanged(), hasChanged()]).toEqual([false, true, false]);
});

test("a server gives back the memory that parsing took, and loses no compiled code when the catalog was known", () => {
  const file = join(ROOT, `catalog-${++files}.yaml`);
  writeFileSync(file, withBays(2));
  const source = { ...fileSource(file), memory: join(ROOT, "memory") };
  const shrink = spyOn(Bun, "shrink");
  const shrinks = [1, 2].map(() => {
    watches.push(watchCatalog(source, { reloaded() {}, refused() {} }));
    return shrink.mock.calls.length;
  });
  shrink.mockRestore();
  expect(shrinks).toEqual([1, 1]);
});

test("a file that is bad at the start is not served at all", () => {
  expect(() => watched(undefined, withBays("two"))).toThrow(CatalogError);
  expect(() => watched(join(ROOT, "no-such-file.yaml"), null)).toThrow(/There is no file/);
});

/** Texts of at most 256 KiB that once held up a server for minutes; those nested too deep: load.test.ts. */
const HEAVY: Record<string, string> = {
  "as many keys as fit": Array.from({ length: 25_000 }, (_, i) => `k${i}: 1`).join("\n"),
  "anchors without end": Array.from({ length: 19_000 }, (_, i) => `- &a${i} 1`).join("\n"),
};

test.each(Object.entries(HEAVY))("a server refuses a hostile file, and serves on: %s", async (_, text) => {
  const { file, next, bays } = watched();
  writeFileSync(file, text);
  expect(await next()).toEqual(["refused", expect.stringContaining(file)]);
  expect(bays()).toBe(2);
});

test("a good file of 256 KiB is taken over", async () => {
  const { file, next } = watched();
  const bulk = Array.from(
    { length: Math.floor((255_000 - CATALOG_TEXT.length) / 322) },
    (_, i) => `  - question: Is this question ${i}?\n    answer: ${"Yes. ".repeat(50)}\n    category: general\n`,
  );
  const text = CATALOG_TEXT.replace(/^faq:\n/m, (head) => head + bulk.join(""));
  expect([text.length > 240_000, text.length < 262_000]).toEqual([true, true]);
  writeFileSync(file, text);
  expect((await next())[0]).toBe("reloaded");
});
