/** `tint catalog history` and `undo`: the versions that saves replaced. */
import type { Command } from "commander";
import { previewEdit } from "../../src/catalog/edit/save.ts";
import { type Version, versionsOf } from "../../src/catalog/file/history.ts";
import { readText } from "../../src/catalog/load/read-text.ts";
import { catalogFile, dataPlace } from "../../src/env/env.ts";
import { folderOf } from "../../src/store/place/place.ts";
import { differenceInWords, differencesOf } from "../catalog/difference.ts";
import { addEditOptions, type EditOptions, explainingRefusals, makeEdit } from "../catalog/edits.ts";
import { catalogSource } from "../catalog/source.ts";
import { Failure, Misuse } from "../failure.ts";
import { shopClock } from "../shop/clock.ts";
import { examples } from "../terminal/help.ts";
import { jsonLine, print } from "../terminal/output.ts";
import { clean, table } from "../terminal/text.ts";
import { momentInWords } from "../terminal/times.ts";

export function addHistory(command: Command): void {
  command
    .command("history")
    .summary("the last 50 saves, and what each changed")
    .description(
      "The last 50 saves, the newest first, with what each changed. Version 1 is the catalog before the last save.",
    )
    .option("--json", "print JSON")
    .addHelpText("after", examples("tint catalog history", "tint catalog undo 3"))
    .action((_options: object, self: Command) => history(self.optsWithGlobals<EditOptions>()));
  addEditOptions(command.command("undo"))
    .summary("go back to the catalog before the last save")
    .description(
      "Shows the difference, then saves the catalog as it was before the last save, or before an earlier one. An undo is a save itself: undo it to go forward again.",
    )
    .argument("[number]", "a version of tint catalog history (default: 1)")
    .addHelpText("after", examples("tint catalog undo", "tint catalog undo 3 --dry-run"))
    .action((number: string | undefined, _options: object, self: Command) =>
      undo(number ?? "1", self.optsWithGlobals<EditOptions>()),
    );
}

async function history(options: EditOptions): Promise<void> {
  const clock = shopClock(options.catalog);
  const { now, versions } = await explainingRefusals(() => ({
    now: readText(catalogSource(options)),
    versions: keptVersions(options),
  }));
  const entries = versions.map(({ replacedAt, text }, i) => {
    const changes = changesBetween(text, versions[i - 1]?.text ?? now);
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
      changes.length === 0 ? "notes and layout" : clean(changes.map(({ path }) => path).join(", ")),
    ]);
    await print(table(["version", "saved", "changed"], rows, ["changed"]));
  }
}

/** A version that YAML cannot read has no differences to show. */
function changesBetween(was: string, text: string): ReturnType<typeof differencesOf> {
  try {
    return differencesOf({ was, text });
  } catch {
    return [];
  }
}

async function undo(typed: string, options: EditOptions): Promise<void> {
  if (!/^\d{1,2}$/.test(typed))
    throw new Misuse(`${clean(typed)} is not the number of a version. See tint catalog history.`);
  const version = keptVersions(options)[Number(typed) - 1];
  if (!version) throw new Failure(`There is no version ${typed}. See tint catalog history.`);
  const source = catalogSource(options);
  const change = () => version.text;
  const preview = await explainingRefusals(() => previewEdit(source, change), source);
  if (!options.json) process.stderr.write(differenceInWords(preview));
  await makeEdit(options, change, {
    words: () =>
      `The catalog is as it was before the save of ${momentInWords(preview.after, version.replacedAt, Temporal.Now.instant())}.`,
    json: ({ was, text }) => ({ version: Number(typed), differences: changesBetween(was, text) }),
  });
}

/** @throws Failure when the folder cannot be read */
function keptVersions({ catalog, data }: EditOptions): Version[] {
  try {
    return versionsOf(folderOf(dataPlace(data)), catalogFile(catalog));
  } catch (error) {
    throw new Failure(`The versions before cannot be read (${error instanceof Error ? error.message : error}).`);
  }
}
