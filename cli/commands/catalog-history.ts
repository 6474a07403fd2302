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
import {
  addAskedEditOptions,
  changesBetween,
  differenceInWords,
  type EditOptions,
  explainingRefusals,
  makeEdit,
  replacing,
} from "../catalog/edits.ts";
import { catalogSource, catalogStore } from "../shop/catalog.ts";
import { shopClock } from "../shop/clock.ts";
import { actAsOwner, writingTo } from "../shop/rights.ts";
import { textTable } from "../terminal/columns.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";
import { readNumber } from "../typed/values.ts";

export function addHistory(command: Command): void {
  command
    .subcommand("history", `the last ${MOST_VERSIONS} saves, and what each changed`)
    .description(
      `The last ${MOST_VERSIONS} saves, the newest first, with what each changed. Version 1 is the catalog before the last save. In a database each version has a number of its own, and the first line is the one in force.`,
    )
    .examples("tint catalog history", "tint catalog undo 3")
    .jsonAction(history);
  addAskedEditOptions(command.subcommand("undo", "go back to the catalog before the last save"))
    .description(
      "Shows the difference, then saves the catalog as it was before the last save, or before an earlier one. An undo is a save itself: undo it to go forward again.",
    )
    .option("--only", "take back that one save, and keep what was saved later")
    .argument("[number]", "a version of tint catalog history (default: before the last save)")
    .examples("tint catalog undo", "tint catalog undo 3 --dry-run", "tint catalog undo 3 --only")
    .action(undoLastSave);
}

interface Save {
  number: number;
  at: number;
  /** In a database. */
  by?: string;
  changed: string;
  json: object;
}

async function history(options: EditOptions): Promise<void> {
  const store = catalogStore(options);
  const clockOfFile = store ? null : shopClock(options.catalog);
  const saves = store ? await savesOfStore(store) : await savesOfFile(options);
  if (options.json) return await print(jsonLine(saves.map(({ json }) => json)));
  if (saves.length === 0)
    return void process.stderr.write(store ? "No catalog was saved yet.\n" : "No save was made yet.\n");
  const clock = clockOfFile ?? shopClock(options.catalog);
  const rows = saves.map(({ number, at, by, changed }) => {
    const saved = momentInWords(clock, at, Temporal.Now.instant());
    return [String(number), saved, ...(by === undefined ? [] : [clean(by)]), clean(changed)];
  });
  await print(textTable(["version", "saved", ...(store ? ["by"] : []), "changed"], rows, ["by", "changed"]));
}

async function savesOfStore(store: CatalogStore): Promise<Save[]> {
  const versions = await readable(() => store.history(MOST_VERSIONS));
  return versions.map(({ version, madeAt, madeBy, note }) => {
    const json = { version, saved_at: instantOf(madeAt), saved_by: madeBy, changed: note };
    return { number: version, at: madeAt, by: madeBy, changed: note, json };
  });
}

/** The first place that each save changed, and the number of others, so that a save takes one line. */
async function savesOfFile(options: EditOptions): Promise<Save[]> {
  const now = await explainingRefusals(() => readText(catalogSource(options)));
  const versions = await readable(() => savedVersions(options));
  return versions.map(({ replacedAt: at, text }, i) => {
    const changes = changesBetween({ was: text, text: versions[i - 1]?.text ?? now });
    const [first = "notes and layout", ...more] = new Set(changes.map(({ path }) => path));
    const changed = more.length > 1 ? `${first} and ${more.length} more` : [first, ...more].join(", ");
    return { number: i + 1, at, changed, json: { number: i + 1, saved_at: instantOf(at), changes } };
  });
}

function instantOf(epochMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toString();
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
      words: (edit) => {
        const at = momentInWords(edit.after, version.replacedAt, Temporal.Now.instant());
        const others = later.length === 1 ? "A later save goes" : `${later.length} later saves go`;
        const along = later.length > 0 && `${others} with it: ${goAlong(edit.after)}.`;
        const head = `${options.only ? "Without" : "As it was before"} the save of ${at}.`;
        return [head, differenceInWords(edit).trimEnd(), along].filter(Boolean).join("\n");
      },
      json: (edit) => ({ version: version.number, differences: changesBetween(edit) }),
      question: () => (options.only ? "Take it back?" : "Go back to it?"),
    },
    {
      note: number === undefined ? "undo" : `${options.only ? "without the save after" : "back to"} version ${number}`,
    },
  );
}

/** When the saves were made that go along when the one behind a version is taken back, the last first. */
async function savesAfter(version: number, options: EditOptions): Promise<number[]> {
  const made = await catalogStore(options)?.history(MOST_VERSIONS);
  if (made) return made.filter((one) => one.version > version + 1).map(({ madeAt }) => madeAt);
  const earlier = savedVersions(options).slice(0, version - 1);
  return earlier.map(({ replacedAt }) => replacedAt);
}

async function bringBack(file: string, { data, json }: EditOptions): Promise<void> {
  const folder = folderOf(dataLocation(data));
  const lost = folder === undefined ? null : lostText(folder, file);
  if (!lost) throw new CliError(noCatalogMessage(file));
  actAsOwner(dirname(file));
  writingTo(file, () => makeFile(file, lost.text));
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
type Change = { from: number; to: number; pieces: readonly string[] };

/** @returns null where a later save changed the same place */
function withoutSave(before: string, after: string, now: string): string | null {
  // Values of a row in one line are pieces of their own.
  const [base = [], first = [], last = []] = [after, before, now].map((text) => text.split(/(?<=[\n,])/));
  const wanted = lineChanges(base, first);
  const later = lineChanges(base, last);
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
  const kept = [{ i: -1, j: -1 }];
  for (let i = 0, j = 0; i < rows && j < columns; )
    if (old[start + i] === now[start + j]) kept.push({ i: i++, j: j++ });
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  kept.push({ i: rows, j: columns });
  return kept.slice(1).flatMap(({ i, j }, n) => {
    const before = kept[n] ?? { i: -1, j: -1 };
    const pieces = now.slice(start + before.j + 1, start + j);
    return i - before.i > 1 || pieces.length > 0 ? [{ from: start + before.i + 1, to: start + i, pieces }] : [];
  });
}
