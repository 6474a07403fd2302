/** What a change of the catalog does: the difference to look at, values that are probably not meant, and the bookings that it touches. */
import { renderFlow } from "../../src/catalog/edit/layout.ts";
import type { Edit } from "../../src/catalog/edit/save.ts";
import { priceDoubts } from "../../src/catalog/load/notes.ts";
import { differencesOf } from "../../src/catalog/load/values.ts";
import { isWithin, type Path } from "../../src/catalog/path.ts";
import { settingAt } from "../../src/catalog/settings.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { EditError } from "../../src/catalog/source.ts";
import { changesOpenings, conflictsWith } from "../../src/domain/booking-conflicts.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { dataLocation } from "../../src/env/env.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { counted } from "../../src/lib/text.ts";
import { diaryDays } from "../../src/store/diary-days.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { type CommonOptions, hasDatabase, withStore } from "../shop/database.ts";
import { CliError, clean } from "../terminal/output.ts";
import { firstOf, startInWords } from "../terminal/wording.ts";
import { readTemplate } from "./terms.ts";

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
export function isLeap(old: number, now: number): boolean {
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
export async function warnOfConflicts(edit: Versions, options: CommonOptions & { dryRun?: boolean }): Promise<void> {
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

/** The same for the notice of a screen. */
export async function conflictNotice(store: Store, edit: Versions, now: Temporal.Instant): Promise<string> {
  const text = inWords(await findConflicts(store, edit, now), now);
  return text === "" ? "" : ` ${text}`;
}
