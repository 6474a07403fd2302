/** `tint catalog`: checking, reading, comparing and changing the catalog. */
import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { linesOf } from "../../src/catalog/edit/layout.ts";
import { CatalogError, readText, textOrEmpty } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { loadWithNotes } from "../../src/catalog/load/notes.ts";
import { changedPaths, readLayout } from "../../src/catalog/load/values.ts";
import { findSetting } from "../../src/catalog/settings.ts";
import { shopTime } from "../../src/domain/schedule.ts";
import { makeFile } from "../../src/lib/files.ts";
import { counted } from "../../src/lib/text.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import {
  addAskedEditOptions,
  capitalizedName,
  changesBetween,
  differenceInWords,
  type EditOptions,
  explainingRefusals,
  makeEdit,
  replacing,
  setSetting,
} from "../catalog/edits.ts";
import { priceChangeJson, priceChangeTable, reprice } from "../catalog/reprice.ts";
import { checkHours } from "../doctor/catalog.ts";
import { isInteractive, openScreen } from "../screens/open.ts";
import { catalogSource, catalogStore } from "../shop/catalog.ts";
import { actAsOwner, writingTo } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { PROGRAMMERS } from "../terminal/help.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { readNumber } from "../typed/values.ts";
import { addHistory } from "./catalog-history.ts";

export function configure(command: Command): void {
  command.examples("tint catalog check", "tint catalog get business.phone", "tint catalog set scheduling.bays 3");
  command.completes("path", "paths").commandsGroup("Read and change:");
  command
    .subcommand("check", "find every mistake in the catalog")
    .description(
      "Reads the catalog and names every mistake with its line, and what is probably not meant. Exit status 1 when there is a mistake.",
    )
    .examples("tint catalog check", "tint catalog check --catalog new-prices.yaml")
    .jsonAction(check);
  command
    .subcommand("show", "print the catalog or a part of it")
    .description("Prints the catalog or a part of it, exactly as in the file, with the notes.")
    .argument("[path]", "dotted keys")
    .examples("tint catalog show", "tint catalog show automotive.addons", "tint catalog show business --json")
    .jsonAction(show, "the values as JSON");
  command
    .subcommand("get", "print one value")
    .description("Prints one value, bare, for use in scripts; a group is printed as YAML.")
    .argument("<path>", "dotted keys; entries of a list are counted from 0")
    .examples(
      "tint catalog get automotive.vehicle_types.suv.ceramic.full",
      "tint catalog get faq.0.question",
      "tint catalog get scheduling --json",
    )
    .jsonAction(get);
  addAskedEditOptions(command.subcommand("set", "change one value"))
    .description("Changes one value and nothing else in the file; a value that is not valid is refused.")
    .argument("<path>", "dotted keys; entries of a list are counted from 0")
    .argument("<value>", "the new value; a list in brackets, like '[FR, DE]'")
    .examples(
      "tint catalog set automotive.vehicle_types.suv.ceramic.full 629",
      'tint catalog set business.phone "+1-404-555-0199"',
      "tint catalog set scheduling.bays 3",
      "tint catalog set flat_glass.minimum_job_charge 250 --dry-run",
    )
    .action(async (path: string, value: string, options: EditOptions) => void (await setSetting(options, path, value)));
  command
    .subcommand("diff", "show what another catalog file does to sample prices")
    .description("Prices sample cars and buildings with both files and prints the prices that differ, old → new.")
    .argument("<file>", "the catalog file with the changes")
    .examples(
      "cp catalog.yaml spring.yaml",
      "tint price set suv ceramic full 629 --catalog spring.yaml",
      "tint catalog diff spring.yaml",
    )
    .jsonAction(diff);
  command.commandsGroup("All of it:").helpCommand(true);
  addHistory(command);
  addImportAndExport(command);
  command
    .subcommand("edit", "change the catalog on screen")
    .helpGroup("Read and change:")
    .description("Opens a screen for prices, add-ons, hours, questions and any other value.")
    .examples("tint catalog edit")
    .action(async (options: EditOptions) => {
      if (!isInteractive())
        throw new UsageError("tint catalog edit needs a terminal; in a script use tint catalog set PATH VALUE.");
      process.exitCode = await openScreen("catalog", options);
    });
}

async function check({ catalog: named, json }: EditOptions): Promise<void> {
  const source = catalogSource({ catalog: named });
  try {
    const now = Temporal.Now.instant();
    const { catalog, notes: doubts } = loadWithNotes(source, now);
    const { name: file } = source;
    const summary = {
      services: catalog.services.length,
      flat_glass_films: Object.keys(catalog.flat_glass?.films ?? {}).length,
      faqs: catalog.faq.length,
      jurisdictions: Object.keys(catalog.tint_law.jurisdictions).length,
    };
    const found = [
      counted(summary.services, "service"),
      counted(summary.flat_glass_films, "film for glass", "films for glass"),
      counted(summary.faqs, "question"),
      counted(summary.jurisdictions, "state's tint law", "states' tint laws"),
    ];
    const text = `${capitalizedName(source.read().name)} is good: ${found.join(", ")}.`;
    // A day on which nobody can book is allowed, but seldom meant.
    const { level, message, fix } = checkHours(catalog, shopTime(catalog, now).toPlainDate());
    const notes = [...doubts, ...(level === "ok" ? [] : [`${message}; ${fix}.`])];
    await print(json ? jsonLine({ valid: true, file, ...summary, notes }) : `${text}\n`);
    for (const note of notes) process.stderr.write(`Note: ${note}\n`);
  } catch (error) {
    if (json && error instanceof CatalogError)
      await print(jsonLine({ valid: false, file: source.name, issues: error.issues }));
    throw error;
  }
}

async function show(dotted: string | undefined, { catalog, json }: EditOptions): Promise<void> {
  const output = await explainingRefusals(() => {
    const text = readText(catalogSource({ catalog }));
    if (dotted === undefined && !json) return text;
    const layout = readLayout(text);
    if (dotted === undefined) return jsonLine(layout.source);
    const { path, value } = findSetting(layout.source, dotted);
    requireSet(dotted, value);
    return json ? jsonLine(value) : linesOf(layout, path);
  });
  await print(output);
}

async function get(dotted: string, { catalog, json }: EditOptions): Promise<void> {
  const value = await explainingRefusals(
    () => findSetting(readLayout(readText(catalogSource({ catalog }))).source, dotted).value,
  );
  requireSet(dotted, value);
  if (json) await print(jsonLine(value));
  else await print(typeof value === "object" && value !== null ? stringify(value) : `${value}\n`);
}

function requireSet(dotted: string, value: unknown): void {
  if (value === undefined) throw new CliError(`${dotted} is not set in this catalog, so the default holds.`);
}

async function diff(other: string, { catalog: file, json }: EditOptions): Promise<void> {
  const before = loadCatalog(catalogSource({ catalog: file })).catalog;
  const after = loadCatalog(fileSource(other)).catalog;
  const prices = reprice(before, after);
  if (json) await print(jsonLine({ prices: prices.map(priceChangeJson) }));
  else if (prices.length > 0) await print(priceChangeTable(prices, after));
  else process.stderr.write("No sample price changes.\n");
}

function addImportAndExport(command: Command): void {
  addAskedEditOptions(command.subcommand("import", "put the text of a file in place of the catalog"))
    .helpGroup(`${PROGRAMMERS}:`)
    .description(
      "Checks a file, shows what it changes, and puts its text in place of the catalog. A shop with PostgreSQL keeps its catalog in the database: this brings the first one there. To go back: tint catalog undo.",
    )
    .argument("<file>", "the catalog file")
    .option("--based-on <version>", "refuse when a later version is in force than the one that the file was made from")
    .examples(
      "tint catalog import catalog.yaml",
      "tint catalog export spring.yaml",
      "tint catalog import spring.yaml --dry-run",
      "tint catalog import spring.yaml --based-on 7",
    )
    .action(importFile);
  command
    .subcommand("export", "write the text of the catalog to a file")
    .description("Writes the text of the catalog, byte for byte, to a file or to standard output.")
    .argument("[file]", "the file to make (default: standard output)")
    .option("--version <number>", "an earlier version, as in tint catalog history")
    .option("--force", "replace the file if it is there")
    .examples("tint catalog export", "tint catalog export spring.yaml --version 3")
    .action(exportTo);
}

async function importFile(file: string, options: EditOptions & { basedOn?: string }): Promise<void> {
  const from = fileSource(file);
  const { catalog } = loadCatalog(from);
  const text = await explainingRefusals(() => readText(from));
  const source = catalogSource(options);
  if (options.basedOn !== undefined) await refuseLater(options.basedOn, options);
  const was = await explainingRefusals(() => textOrEmpty(source));
  await makeEdit(
    options,
    replacing(was, text),
    {
      words: (edit) => {
        if (was === "") return `The first catalog: ${clean(catalog.business.name)}.`;
        return differenceInWords(edit) || (edit.changed ? `Changed: ${changedPaths(edit)}.` : "");
      },
      unchanged: "has that text already",
      json: (edit) => ({ differences: was === "" ? [] : changesBetween(edit) }),
      question: () => (was === "" ? undefined : "Save this in place of the catalog?"),
    },
    { note: `import of ${file}`, create: true },
  );
}

async function refuseLater(typed: string, options: EditOptions): Promise<void> {
  const store = catalogStore(options);
  if (!store) throw new UsageError("--based-on is for a catalog in a database; a file has no versions with numbers.");
  const [newest] = await store.history(1);
  const version = readNumber(typed, "a version", "tint catalog history");
  if (newest && newest.version !== version)
    throw new CliError(
      `Not saved: version ${newest.version} is in force, saved by ${clean(newest.madeBy)} (${clean(newest.note)}), and the file was made from version ${version}. Bring its changes into the file, then import with --based-on ${newest.version}.`,
    );
}

async function exportTo(file: string | undefined, options: EditOptions & { version?: string; force?: boolean }) {
  const source = catalogSource(options);
  const text = await explainingRefusals(async () => {
    if (options.version === undefined) return readText(source);
    const version = readNumber(options.version, "a version", "tint catalog history");
    const found = await source.earlier(version);
    if (!found) throw new CliError(`There is no version ${version}. See tint catalog history.`);
    return found.text;
  });
  if (file === undefined) return await print(text);
  actAsOwner(file);
  const taken = `${file} exists already. Choose another name, or replace it with --force.`;
  writingTo(file, () => (options.force ? writeFileSync(file, text) : makeFile(file, text)), { taken });
  process.stderr.write(
    `${file} is written: ${clean(options.version === undefined ? source.read().name : `version ${options.version}`)}.\n`,
  );
}
