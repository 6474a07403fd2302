/** What the commands that change the catalog share: saving, telling what changed, and refusals in the owner's words. */
import type { Command } from "commander";
import type { Path } from "../src/catalog/cross-checks.ts";
import { setFlow, setScalar } from "../src/catalog/edit.ts";
import { EditError, readLayout } from "../src/catalog/layout.ts";
import { CatalogError } from "../src/catalog/load.ts";
import { type Edit, editCatalog, previewEdit } from "../src/catalog/save.ts";
import type { Catalog } from "../src/catalog/schema.ts";
import { findPlace, placeAt, readTyped, UnknownPath } from "../src/catalog/shape.ts";
import { renderFlow, renderScalar } from "../src/catalog/yaml-text.ts";
import { shopDate } from "../src/domain/schedule.ts";
import { catalogFile } from "../src/env.ts";
import { jsonLine, print } from "./output.ts";
import { Failure, Misuse } from "./program.ts";
import { type PriceChange, priceChangeJson, priceChangeTable, reprice } from "./reprice.ts";
import { clean } from "./text.ts";

export interface EditOptions {
  catalog?: string;
  json?: boolean;
  dryRun?: boolean;
}

/** What was changed, asked for once it is; the old catalog is null when it was faulty. */
interface Report {
  words: (after: Catalog, before: Catalog | null) => string;
  json: (after: Catalog, before: Catalog | null) => object;
}

/**
 * Makes a change and reports it with its effect on sample prices; with `dryRun` nothing is saved.
 * @returns the change, for whatever else is to be said of it
 * @throws Failure when the change is refused, Misuse when it names a place that does not exist
 */
export async function makeEdit(options: EditOptions, change: (text: string) => string, report: Report): Promise<Edit> {
  const file = catalogFile(options.catalog);
  const edit = await refusing(() => (options.dryRun ? previewEdit(file, change) : editCatalog(file, change)));
  const prices = edit.before ? reprice(edit.before, edit.after) : [];
  const saved = edit.changed && !options.dryRun;
  if (options.json) {
    const answer = {
      file,
      saved,
      changed: edit.changed,
      ...report.json(edit.after, edit.before),
      prices: prices.map(priceChangeJson),
    };
    await print(jsonLine(answer));
  } else {
    await print(inWords(edit, report.words(edit.after, edit.before), prices));
    process.stderr.write(`${outcome(edit, file, saved)}\n`);
  }
  return edit;
}

function inWords({ after }: Edit, words: string, prices: readonly PriceChange[]): string {
  return `${words.trimEnd()}\n${prices.length > 0 ? `\n${priceChangeTable(prices, after)}` : ""}`;
}

function outcome({ changed }: Edit, file: string, saved: boolean): string {
  if (!changed) return `${file} says so already; nothing was changed.`;
  return saved ? `Saved ${file}.` : `Not saved: leave out --dry-run to save it in ${file}.`;
}

/** Sets the value at a dotted path to what was typed, and reports old → new. */
export async function setPlace(options: EditOptions, dotted: string, typed: string): Promise<void> {
  const made: { path: Path; old?: unknown; now?: unknown } = { path: [] };
  const change = (text: string) => {
    const { path, value } = findPlace(readLayout(text).source, dotted);
    const now = readTyped(path, typed);
    Object.assign(made, { path, old: value, now });
    if (typeof now === "object" && now !== null) return setFlow(text, path, now);
    if (Array.isArray(value)) throw new EditError(`${dotted} is a list: put it in brackets, like '[${clean(typed)}]'.`);
    const keys = value && typeof value === "object" ? Object.keys(value) : [];
    if (keys.length > 0) throw new UnknownPath(`${dotted} is a group: set one of its keys (${keys.join(", ")}).`);
    return setScalar(text, path, now);
  };
  await makeEdit(options, change, {
    words: () => `${dotted}: ${shown(made.path, made.old)} → ${shown(made.path, made.now)}`,
    json: () => ({ path: dotted, old: made.old ?? null, new: made.now ?? null }),
  });
}

function shown(path: Path, value: unknown): string {
  if (value === undefined) return "not set";
  if (typeof value === "number" && placeAt(path)?.money) return renderScalar(value, { inFlow: false, money: "plain" });
  return typeof value === "object" && value !== null ? renderFlow(value, " ") : clean(String(value));
}

/** The options of every command that changes the catalog. */
export function addEditOptions(command: Command): Command {
  return command.option("--dry-run", "show what would change, without saving").option("--json", "print JSON");
}

/** Runs an edit and turns its refusals into the exit statuses of the command line. */
export async function refusing<T>(edit: () => T | Promise<T>): Promise<T> {
  try {
    return await edit();
  } catch (error) {
    if (error instanceof UnknownPath) throw new Misuse(error.message);
    if (error instanceof EditError) throw new Failure(error.message);
    if (error instanceof CatalogError) throw new Failure(`Not saved, because then ${error.message.trimEnd()}`);
    throw error;
  }
}

/** A date as typed. @throws Misuse */
export function calendarDate(typed: string): string {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(typed)) return Temporal.PlainDate.from(typed, { overflow: "reject" }).toString();
  } catch {
    throw new Misuse(`${clean(typed)} is not a date of the calendar.`);
  }
  throw new Misuse(`${clean(typed)} is not a date: write YYYY-MM-DD, like 2026-12-24.`);
}

/** An amount as people write it, `$1,299`, as the catalog does. @throws Misuse */
export function amountOf(typed: string): string {
  const plain = typed
    .trim()
    .replace(/^\$/, "")
    .replace(/^\d{1,3}(,\d{3})+(?!\d)/, (grouped) => grouped.replaceAll(",", ""));
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(plain))
    throw new Misuse(`${clean(typed)} is not an amount. Write the amount like 629 or 629.50.`);
  return plain;
}

/** A day that has passed can be changed, but is hardly meant. */
export function warnOfPast(date: string, { after }: Edit): void {
  const today = shopDate(after, Temporal.Now.instant());
  if (date < today) process.stderr.write(`Note: ${date} has passed already; today is ${today}.\n`);
}
