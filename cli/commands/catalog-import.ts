/** `tint catalog import` and `export`: the whole text of the catalog, from a file and to a file. */
import { writeFileSync } from "node:fs";
import { changedPaths } from "../../src/catalog/edit/save.ts";
import { fileSource } from "../../src/catalog/file/file-source.ts";
import { readText, textOrEmpty } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { codeOf, explainCode } from "../../src/lib/files.ts";
import { changesBetween, differenceInWords, replacing, versionNumber } from "../catalog/difference.ts";
import { addEditOptions, type EditOptions, explainingRefusals, makeEdit } from "../catalog/edits.ts";
import { catalogSource, catalogStore } from "../shop/catalog.ts";
import { actAsOwner } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { PROGRAMMERS } from "../terminal/help.ts";
import { CliError, clean, print, UsageError } from "../terminal/output.ts";

interface ImportOptions extends EditOptions {
  basedOn?: string;
}

interface ExportOptions extends EditOptions {
  version?: string;
  force?: boolean;
}

export function addImportAndExport(command: Command): void {
  addEditOptions(command.command("import"))
    .helpGroup(`${PROGRAMMERS}:`)
    .summary("put the text of a file in place of the catalog")
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
    .command("export")
    .summary("write the text of the catalog to a file")
    .description("Writes the text of the catalog, byte for byte, to a file or to standard output.")
    .argument("[file]", "the file to make (default: standard output)")
    .option("--version <number>", "an earlier version, as in tint catalog history")
    .option("--force", "replace the file if it is there")
    .examples("tint catalog export", "tint catalog export spring.yaml --version 3")
    .action(exportTo);
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
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
    },
    { note: `import of ${file}`, create: true },
  );
}

/** @throws CliError when the catalog has a later version */
async function refuseLater(typed: string, options: ImportOptions): Promise<void> {
  const store = catalogStore(options);
  if (!store) throw new UsageError("--based-on is for a catalog in a database; a file has no versions with numbers.");
  const [newest] = await store.history(1);
  const version = versionNumber(typed);
  if (newest && newest.version !== version)
    throw new CliError(
      `Not saved: version ${newest.version} is in force, saved by ${clean(newest.madeBy)} (${clean(newest.note)}), and the file was made from version ${version}. Bring its changes into the file, then import with --based-on ${newest.version}.`,
    );
}

async function exportTo(file: string | undefined, options: ExportOptions): Promise<void> {
  const source = catalogSource(options);
  const text = await explainingRefusals(() =>
    options.version === undefined ? readText(source) : earlierText(source, versionNumber(options.version)),
  );
  if (file === undefined) return await print(text);
  actAsOwner(file);
  try {
    writeFileSync(file, text, { flag: options.force ? "w" : "wx" });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST")
      throw new CliError(`${file} exists already. Choose another name, or replace it with --force.`);
    throw new CliError(`${file} cannot be written: ${explainCode(code)}.`);
  }
  process.stderr.write(
    `${file} is written: ${clean(options.version === undefined ? source.read().name : `version ${options.version}`)}.\n`,
  );
}

async function earlierText(source: CatalogSource, version: number): Promise<string> {
  const found = await source.earlier(version);
  if (!found) throw new CliError(`There is no version ${version}. See tint catalog history.`);
  return found.text;
}
