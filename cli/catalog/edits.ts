/** Shared by what changes the catalog: saving, refusals, the difference to look at, doubtful values, and bookings that a change touches. */
import { setFlow, setScalar } from "../../src/catalog/edit/changes.ts";
import { renderFlow, renderScalar } from "../../src/catalog/edit/layout.ts";
import { type Edit, editCatalog, previewEdit } from "../../src/catalog/edit/save.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { priceDoubts } from "../../src/catalog/load/notes.ts";
import { differencesOf, readLayout } from "../../src/catalog/load/values.ts";
import { isWithin, type Path } from "../../src/catalog/path.ts";
import { findSetting, readTyped, settingAt, UnknownPath } from "../../src/catalog/settings.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { type CatalogSource, EditError, type SaveOptions } from "../../src/catalog/source.ts";
import { changesOpenings, conflictsWith } from "../../src/domain/booking-conflicts.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { dataLocation } from "../../src/env/env.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { counted } from "../../src/lib/text.ts";
import { diaryDays } from "../../src/store/diary-days.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { catalogSource } from "../shop/catalog.ts";
import { type CommonOptions, hasDatabase, withStore } from "../shop/database.ts";
import { actAsOwner } from "../shop/rights.ts";
import { askToAgree, canAsk } from "../terminal/asking.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, clean, jsonLine, print, UsageError } from "../terminal/output.ts";
import { datesInWords, firstOf, startInWords } from "../terminal/wording.ts";
import { plainNumber } from "../typed/values.ts";
import { type PriceChange, priceChangeJson, priceChangeTable, reprice } from "./reprice.ts";
import { readTemplate } from "./terms.ts";

export interface EditOptions extends CommonOptions {
  dryRun?: boolean;
  /** Of commands that ask before they save. */
  yes?: boolean;
}

interface Report {
  words: (edit: Edit) => string;
  /** The message when nothing changed, behind the name of the catalog; by default that the value is there already. */
  unchanged?: string;
  /** Whether the words list the prices themselves: those of the samples would say them twice. */
  isPriceTable?: boolean;
  json: (edit: Edit) => object;
  /** Asked on a terminal, after the words, before it is saved; undefined where the edit needs no yes. */
  question?: (edit: Edit) => string | undefined;
}

/**
 * Makes a change and reports it with its effect on sample prices and on bookings; with `dryRun` nothing is saved.
 * @returns the edit, for notes that follow the report
 * @throws CliError when the change is refused, UsageError when it names a setting that does not exist
 */
export async function makeEdit(
  options: EditOptions,
  change: (text: string) => string,
  report: Report,
  save: SaveOptions = {},
): Promise<Edit> {
  const source = catalogSource(options);
  if (source.file !== null && !options.dryRun) actAsOwner(source.file);
  const mayAsk = report.question && !options.yes && !options.dryRun && canAsk();
  const preview = mayAsk ? await explainingRefusals(() => previewEdit(source, change, save), source) : null;
  const question = preview?.changed && report.question?.(preview);
  if (preview && question) {
    process.stderr.write(describeEdit(preview, report.words(preview), priceChanges(preview, report)));
    await askToAgree(question, "", "Nothing was saved.");
  }
  const edit = await explainingRefusals(
    () => (options.dryRun ? previewEdit(source, change, save) : editCatalog(source, change, save)),
    source,
  );
  const saved = edit.changed && !options.dryRun;
  if (options.json) {
    // The current version, of a catalog in a database.
    const version = source.file === null ? source.read().version : null;
    const { changed } = edit;
    const made = { file: source.name, ...(version !== null && { catalog_version: version }), saved, changed };
    await print(jsonLine({ ...made, ...report.json(edit), prices: priceChanges(edit).map(priceChangeJson) }));
  } else {
    if (!question) await print(describeEdit(edit, report.words(edit), priceChanges(edit, report)));
    process.stderr.write(`${outcome(edit, source, saved, report.unchanged)}\n`);
    if (!edit.undoable)
      process.stderr.write("Note: the version before could not be kept, so tint catalog undo cannot go back.\n");
  }
  await warnOfConflicts(edit, options);
  return edit;
}

function priceChanges({ before, after }: Edit, { isPriceTable = false }: Partial<Report> = {}): PriceChange[] {
  return before && !isPriceTable ? reprice(before, after) : [];
}

function describeEdit({ after }: Edit, words: string, prices: readonly PriceChange[]): string {
  return `${words.trimEnd()}\n${prices.length > 0 ? `\n${priceChangeTable(prices, after)}` : ""}`;
}

function outcome({ changed }: Edit, source: CatalogSource, saved: boolean, unchanged = "has that value already") {
  if (!changed) return `${capitalizedName(source.name)} ${unchanged}; nothing was changed.`;
  return saved ? `Saved ${source.read().name}.` : `Not saved. To save it in ${source.name}, leave out --dry-run.`;
}

/** The name of a catalog at the start of a sentence; a path stays as it is. */
export function capitalizedName(name: string): string {
  return name.replace(/^the /, "The ");
}

/** Sets the value at a dotted path, and reports old → new. @param setAgain the command that sets the old amount again, after a typo */
export async function setSetting(
  options: EditOptions,
  dotted: string,
  typed: string,
  setAgain = (amount: string) => `tint catalog set ${dotted} ${amount}`,
): Promise<Edit> {
  const change = (text: string) => {
    const { path, value } = findSetting(readLayout(text).source, dotted);
    const now = valueFor(path, typed);
    if (typeof now === "object" && now !== null) return setFlow(text, path, now);
    if (Array.isArray(value)) throw new EditError(`${dotted} is a list: put it in brackets, like '[${clean(typed)}]'.`);
    const keys = value && typeof value === "object" ? Object.keys(value) : [];
    if (keys.length > 0) throw new UnknownPath(`${dotted} is a group: set one of its keys (${keys.join(", ")}).`);
    return setScalar(text, path, now);
  };
  const factsOf = ({ was }: Edit) => {
    const { path, value: old } = findSetting(readLayout(was).source, dotted);
    return { path, old, now: valueFor(path, typed) };
  };
  const edit = await makeEdit(options, change, {
    words: (made) => {
      const { path, old, now } = factsOf(made);
      return `${dotted}: ${shownValueAt(path, old)} → ${shownValueAt(path, now)}`;
    },
    json: (made) => {
      const { old = null, now = null } = factsOf(made);
      return { path: dotted, old, new: now };
    },
    question(made) {
      const { path, old, now } = factsOf(made);
      const isBig = settingAt(path)?.money && typeof old === "number" && typeof now === "number" && isLeap(old, now);
      return isBig ? "That is a change by more than half. Save it?" : undefined;
    },
  });
  const { path, old, now } = factsOf(edit);
  const warnings = edit.changed ? editWarnings(path, old, now, edit.after) : [];
  for (const warning of warnings) process.stderr.write(`Note: ${warning}\n`);
  if (warnings.length > 0 && !options.dryRun && old !== undefined)
    process.stderr.write(`To undo it: ${setAgain(shownValueAt(path, old))}\n`);
  return edit;
}

/** The typed text as a value of the kind that the setting holds. Amounts may be typed as `$1,299`. */
function valueFor(path: Path, typed: string) {
  return readTyped(path, settingAt(path)?.money ? plainNumber(typed) : typed);
}

export function shownValueAt(path: Path, value: unknown): string {
  if (value === undefined) return "not set";
  if (typeof value === "number" && settingAt(path)?.money)
    return renderScalar(value, { inFlow: false, money: "plain" });
  return typeof value === "object" && value !== null ? renderFlow(value, " ") : clean(String(value));
}

export function addEditOptions(command: Command): Command {
  return command.option("--dry-run", "show what would change, without saving").option("--json", "print JSON");
}

/** The options of a command that asks before it saves, with `--yes` to skip the question. */
export function addAskedEditOptions(command: Command): Command {
  return addEditOptions(command).option("--yes", "save without asking");
}

/** Runs an edit. @param source to tell new issues from old ones @throws CliError when it is refused, UsageError for an unknown setting */
export async function explainingRefusals<T>(edit: () => T | Promise<T>, source?: CatalogSource): Promise<T> {
  try {
    return await edit();
  } catch (error) {
    if (error instanceof UnknownPath) throw new UsageError(error.message);
    if (error instanceof EditError) throw new CliError(datesInWords(error.message));
    if (!(error instanceof CatalogError)) throw error;
    const others = source === undefined ? [] : issuesIn(source);
    const [mistakes, them] = others.length === 1 ? ["a mistake", "it"] : ["mistakes", "them"];
    const already =
      others.length === 0 ? "" : ` The file has ${mistakes} already, and this change does not mend ${them}.`;
    throw new CliError(`Not saved.${already} With the change, ${error.message.trimEnd()}`);
  }
}

function issuesIn(source: CatalogSource): readonly string[] {
  try {
    loadCatalog(source);
    return [];
  } catch (error) {
    if (error instanceof CatalogError) return error.issues;
    throw error;
  }
}

/** Turns a typed amount such as `$1,299` into the form of the catalog. @throws UsageError */
export function amountOf(typed: string): string {
  const plain = plainNumber(typed);
  // In many countries 1.200 is twelve hundred.
  if (!/^-?\d{1,12}(\.\d{1,2})?$/.test(plain))
    throw new UsageError(`${clean(typed)} is not an amount. Write the amount like 629 or 629.50.`);
  return plain;
}

/** Today by the clock of the edited catalog, so that a day of another year is written with it. */
export function todayIn(after: Edit["after"]): string {
  return shopDate(after, Temporal.Now.instant());
}

export function warnOfPast(date: string, { after }: Edit): void {
  const today = todayIn(after);
  if (date < today)
    process.stderr.write(`Note: ${dayAndDate(date, today)} has passed already; today is ${dayAndDate(today)}.\n`);
}

/** The differences; none where one of the texts is so broken that nothing can be compared. */
export function changesBetween(edit: Pick<Edit, "was" | "text">): ReturnType<typeof differencesOf> {
  try {
    return differencesOf(edit);
  } catch (error) {
    if (error instanceof EditError) return [];
    throw error;
  }
}

/** A line for each value: `- ` before, `+ ` after. */
export function differenceInWords(edit: Pick<Edit, "was" | "text">): string {
  const line = (sign: string, path: string, value: unknown) =>
    value === null ? "" : `${sign} ${path}: ${clean(renderFlow(value, ""))}\n`;
  return changesBetween(edit)
    .map((one) => line("-", one.path, one.old) + line("+", one.path, one.new))
    .join("");
}

/** The same in a line, for a question: `business.phone: old → new; …`. */
export function differenceInALine(edit: Pick<Edit, "was" | "text">): string {
  const shown = (value: unknown) => (value === null ? "none" : clean(renderFlow(value, "")));
  return changesBetween(edit)
    .map((one) => `${one.path}: ${shown(one.old)} → ${shown(one.new)}`)
    .join("; ");
}

/** A change of the whole text, as it was read. @returns a change that throws EditError when somebody else saved since */
export function replacing(was: string, text: string): (now: string) => string {
  return (now) => {
    if (now !== was)
      throw new EditError("Somebody else changed the catalog in the meantime; nothing was saved. Look, and try again.");
    return text;
  };
}

/** Values that are allowed, but probably not what the owner wants: a sentence for each. @param old the value before */
export function editWarnings(path: Path, old: unknown, now: unknown, after: Shop): string[] {
  return [...priceWarnings(path, old, now, after), ...textWarnings(path, now)];
}

/** What a message to customers lacks that the stock text has: how to end the texts, and the links. */
function textWarnings(path: Path, now: unknown): string[] {
  if (path[0] !== "messages" || typeof now !== "string") return [];
  const stock = valueAt(readTemplate(), path);
  if (typeof stock !== "string") return [];
  const [end] = /(?! )[^.{}]*\bSTOP\b[^.]*\./.exec(stock) ?? [];
  const links = stock.match(/\{\w+_url\}/g) ?? [];
  return [
    ...(end !== undefined && !/\bSTOP\b/.test(now) ? [`it does not say how to end the texts, like: ${end}`] : []),
    ...links
      .filter((link) => !now.includes(link))
      .map((link) => `it lacks the link ${link}, which the stock text has.`),
  ];
}

/** Whether a price changes by more than half of the old one, as with a digit too many or too few. */
function isLeap(old: number, now: number): boolean {
  return old > 0 && Math.abs(now - old) > old / 2;
}

/** Prices that are probably a typo: a digit too many or too few, or the wrong column. */
function priceWarnings(path: Path, old: unknown, now: unknown, after: Shop): string[] {
  if (typeof now !== "number" || !settingAt(path)?.money) return [];
  const row = path.length > 4 ? path.slice(0, -1) : path;
  return [
    ...(now === 0 ? ["the price is 0 now: customers are told it costs nothing."] : []),
    ...(now !== 0 && typeof old === "number" && isLeap(old, now) ? ["that is a change by more than half."] : []),
    ...priceDoubts(after)
      .filter((doubt) => isWithin(doubt.path.join("."), row.join(".")))
      .map((doubt) => `${doubt.path.slice(3).join(" ")} ${doubt.message}${doubt.message.endsWith("?") ? "" : "."}`),
  ];
}

type Versions = Pick<Edit, "before" | "after">;

async function findConflicts(store: Store, { before, after }: Versions, now: Temporal.Instant): Promise<Booking[]> {
  if (!before || !changesOpenings(before, after)) return [];
  const days = await Array.fromAsync(diaryDays(store, shopDate(after, now), LAST_DATE, after));
  const bookings = days
    .flat()
    .map(({ booking }) => booking)
    .filter(({ status }) => status === "confirmed");
  return conflictsWith(before, after, bookings);
}

const LAST_DATE = "9999-12-31";
const MOST_NAMED = 5;

/** `2 confirmed bookings no longer fit and stay: Mon Nov 23, 9:00 AM Jordan Sample (Z7P3DKQD); …`; empty for none. */
function inWords(bookings: readonly Booking[], now: Temporal.Instant, isTrial = false): string {
  if (bookings.length === 0) return "";
  const named = bookings.map((one) => `${startInWords(one, now)} ${clean(one.lead.name)} (${one.confirmationCode})`);
  const [fit, stay] = bookings.length === 1 ? ["fits", "stays"] : ["fit", "stay"];
  const list = firstOf(named, MOST_NAMED).join("; ");
  return `${counted(bookings.length, "confirmed booking")} no longer ${fit} and ${isTrial ? "would stay" : stay}: ${list}.`;
}

/** Names them on standard error. A database that cannot be read is only noted, because the catalog is saved already. */
async function warnOfConflicts(edit: Versions, options: CommonOptions & { dryRun?: boolean }): Promise<void> {
  if (!edit.before || !changesOpenings(edit.before, edit.after) || !hasDatabase(dataLocation(options.data))) return;
  const now = Temporal.Now.instant();
  try {
    const found = await withStore(options, (store) => findConflicts(store, edit, now));
    const [first] = found;
    if (!first) return;
    const toMove = `To move one: tint bookings move ${first.confirmationCode} DATE TIME`;
    process.stderr.write(`Note: ${inWords(found, now, options.dryRun)} ${toMove}\n`);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`Note: the bookings that this touches could not be read. ${error.message}\n`);
  }
}

export async function conflictNotice(store: Store, edit: Versions, now: Temporal.Instant): Promise<string> {
  const text = inWords(await findConflicts(store, edit, now), now);
  return text === "" ? "" : ` ${text}`;
}
