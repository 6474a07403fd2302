/** `tint catalog history` and `undo`: the versions that saves replaced. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { noCatalogMessage, readText } from "../../src/catalog/load/document.ts";
import type { ShopClock } from "../../src/domain/schedule.ts";
import { catalogFile, dataLocation } from "../../src/env/env.ts";
import { codeOf, explainCode, makeFile } from "../../src/lib/files.ts";
import { type EarlierVersion, lostText, MOST_VERSIONS, versionsOf } from "../../src/store/catalog/history.ts";
import type { CatalogStore } from "../../src/store/catalog/stored-catalog.ts";
import { folderOf } from "../../src/store/location/location.ts";
import { addAskedEditOptions, type EditOptions, explainingRefusals, makeEdit } from "../catalog/edits.ts";
import { changesBetween, differenceInWords, replacing } from "../catalog/effects.ts";
import { catalogSource, catalogStore } from "../shop/catalog.ts";
import { shopClock } from "../shop/clock.ts";
import { actAsOwner } from "../shop/rights.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";
import { readNumber } from "../typed/values.ts";

export function addHistory(command: Command): void {
  command
    .command("history")
    .summary(`the last ${MOST_VERSIONS} saves, and what each changed`)
    .description(
      `The last ${MOST_VERSIONS} saves, the newest first, with what each changed. Version 1 is the catalog before the last save. In a database each version has a number of its own, and the first line is the one in force.`,
    )
    .option("--json", "print JSON")
    .examples("tint catalog history", "tint catalog undo 3")
    .action(history);
  addAskedEditOptions(command.command("undo"))
    .summary("go back to the catalog before the last save")
    .description(
      "Shows the difference, then saves the catalog as it was before the last save, or before an earlier one. An undo is a save itself: undo it to go forward again.",
    )
    .option("--only", "take back that one save, and keep what was saved later")
    .argument("[number]", "a version of tint catalog history (default: before the last save)")
    .examples("tint catalog undo", "tint catalog undo 3 --dry-run", "tint catalog undo 3 --only")
    .action(undoLastSave);
}

async function history(options: EditOptions): Promise<void> {
  const store = catalogStore(options);
  if (store) return await storedHistory(store, options);
  const clock = shopClock(options.catalog);
  const now = await explainingRefusals(() => readText(catalogSource(options)));
  const versions = await readable(() => savedVersions(options));
  const entries = versions.map(({ replacedAt, text }, i) => {
    const changes = changesBetween({ was: text, text: versions[i - 1]?.text ?? now });
    return { number: i + 1, replacedAt, changes };
  });
  if (options.json) {
    const json = entries.map(({ number, replacedAt, changes }) => ({
      number,
      saved_at: Temporal.Instant.fromEpochMilliseconds(replacedAt).toString(),
      changes,
    }));
    await print(jsonLine(json));
  } else if (entries.length === 0) process.stderr.write("No save was made yet.\n");
  else {
    const rows = entries.map(({ number, replacedAt, changes }) => [
      String(number),
      momentInWords(clock, replacedAt, Temporal.Now.instant()),
      changes.length === 0 ? "notes and layout" : changedInWords(changes.map(({ path }) => path)),
    ]);
    await print(textTable(["version", "saved", "changed"], rows, ["changed"]));
  }
}

/** The first places and how many more, so that a save is a line. */
function changedInWords(paths: readonly string[]): string {
  const [first = "", ...more] = new Set(paths);
  return clean(more.length > 1 ? `${first} and ${more.length} more` : [first, ...more].join(", "));
}

async function storedHistory(store: CatalogStore, { json, catalog }: EditOptions): Promise<void> {
  const versions = await readable(() => store.history(MOST_VERSIONS));
  if (json) {
    const facts = versions.map(({ version, madeAt, madeBy, note }) => ({
      version,
      saved_at: Temporal.Instant.fromEpochMilliseconds(madeAt).toString(),
      saved_by: madeBy,
      changed: note,
    }));
    return await print(jsonLine(facts));
  }
  if (versions.length === 0) return void process.stderr.write("No catalog was saved yet.\n");
  const clock = shopClock(catalog);
  const rows = versions.map(({ version, madeAt, madeBy, note }) => [
    String(version),
    momentInWords(clock, madeAt, Temporal.Now.instant()),
    clean(madeBy),
    clean(note),
  ]);
  await print(textTable(["version", "saved", "by", "changed"], rows, ["by", "changed"]));
}

async function undoLastSave(typed: string | undefined, options: EditOptions & { only?: boolean }): Promise<void> {
  const number = typed === undefined ? undefined : readNumber(typed, "a version", "tint catalog history");
  const source = catalogSource(options);
  if (source.file !== null && !existsSync(source.file)) return bringBack(source.file, options);
  const version = await readable(() => source.earlier(number));
  if (!version) throw new CliError(`There is no version ${typed ?? "before this one"}. See tint catalog history.`);
  const now = await explainingRefusals(() => readText(source));
  // The version that the save made: in a file the one with the number before, in a database with the number after.
  const next = number && options.only ? number + (source.file === null ? 1 : -1) : 0;
  const saved = next === 0 ? now : ((await readable(() => source.earlier(next)))?.text ?? now);
  const text = options.only ? withoutSave(version.text, saved, now) : version.text;
  if (text === null)
    throw new CliError(
      `Nothing was saved: a later save changed the same place. To go back with it: tint catalog undo ${typed ?? ""}`.trim(),
    );
  const later = options.only || number === undefined ? [] : await readable(() => savesAfter(number, options));
  const goAlong = (clock: ShopClock) => later.map((at) => momentInWords(clock, at, Temporal.Now.instant())).join("; ");
  await makeEdit(
    options,
    replacing(now, text),
    {
      words: (edit) =>
        [
          `${options.only ? "Without" : "As it was before"} the save of ${momentInWords(edit.after, version.replacedAt, Temporal.Now.instant())}.`,
          differenceInWords(edit).trimEnd(),
          later.length > 0 &&
            `${later.length === 1 ? "A later save goes" : `${later.length} later saves go`} with it: ${goAlong(edit.after)}.`,
        ]
          .filter(Boolean)
          .join("\n"),
      json: (edit) => ({ version: version.number, differences: changesBetween(edit) }),
      question: () => (options.only ? "Take it back?" : "Go back to it?"),
    },
    {
      note:
        number === undefined
          ? "undo"
          : options.only
            ? `without the save after version ${number}`
            : `back to version ${number}`,
    },
  );
}

/** When the saves were made that go along when the one behind a version is taken back, the last first. */
async function savesAfter(version: number, options: EditOptions): Promise<number[]> {
  const store = catalogStore(options);
  if (!store)
    return savedVersions(options)
      .slice(0, version - 1)
      .map(({ replacedAt }) => replacedAt);
  const made = await store.history(MOST_VERSIONS);
  return made.filter((one) => one.version > version + 1).map(({ madeAt }) => madeAt);
}

async function bringBack(file: string, { data, json }: EditOptions): Promise<void> {
  const folder = folderOf(dataLocation(data));
  const lost = folder === undefined ? null : lostText(folder, file);
  if (!lost) throw new CliError(noCatalogMessage(file));
  actAsOwner(dirname(file));
  try {
    makeFile(file, lost.text);
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${explainCode(codeOf(error))}.`);
  }
  process.stderr.write(`${file} is back, ${lost.what}.\n`);
  if (json) await print(jsonLine({ file, text: lost.text }));
}

async function readable<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = codeOf(error);
    const reason = code === undefined && error instanceof Error ? error.message : explainCode(code);
    throw new CliError(`The versions before cannot be read (${reason}).`);
  }
}

function savedVersions({ catalog, data }: EditOptions): EarlierVersion[] {
  const folder = folderOf(dataLocation(data));
  return folder === undefined ? [] : versionsOf(folder, catalogFile(catalog));
}

/** The pieces [from, to) of a text, and what is in their place. */
interface Change {
  from: number;
  to: number;
  pieces: readonly string[];
}

/** Values of a row in one line are pieces of their own. */
function mergePieces(text: string): string[] {
  return text.split(/(?<=[\n,])/);
}

/** @returns null where a later save changed the same place */
function withoutSave(before: string, after: string, now: string): string | null {
  const base = mergePieces(after);
  const wanted = lineChanges(base, mergePieces(before));
  const later = lineChanges(base, mergePieces(now));
  const meets = (one: Change, other: Change) =>
    (one.from < other.to && other.from < one.to) || (one.from === other.from && one.to === other.to);
  if (wanted.some((one) => later.some((other) => meets(one, other)))) return null;
  const pieces = [...base];
  for (const { from, to, pieces: instead } of [...wanted, ...later].sort((a, b) => b.from - a.from || b.to - a.to))
    pieces.splice(from, to - from, ...instead);
  return pieces.join("");
}

/** By the longest common run of pieces between what both texts begin and end with. */
function lineChanges(old: readonly string[], now: readonly string[]): Change[] {
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [rows, columns] = [old.length - start - end, now.length - start - end];
  const width = columns + 1;
  const common = new Uint16Array((rows + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      common[i * width + j] =
        old[start + i] === now[start + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const changes: Change[] = [];
  for (let i = 0, j = 0; i < rows || j < columns; ) {
    if (i < rows && j < columns && old[start + i] === now[start + j]) {
      i++;
      j++;
      continue;
    }
    const [fromOld, fromNow] = [i, j];
    while ((i < rows || j < columns) && !(i < rows && j < columns && old[start + i] === now[start + j]))
      if (j >= columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) i++;
      else j++;
    changes.push({ from: start + fromOld, to: start + i, pieces: now.slice(start + fromNow, start + j) });
  }
  return changes;
}
