/** The bookings that a change of days, hours or bays touches, named for the owner: they stay, and somebody has to call. */
import type { Edit } from "../../src/catalog/edit/save.ts";
import { changesOpenings, conflictsWith } from "../../src/domain/booking-conflicts.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { dataLocation } from "../../src/env/env.ts";
import { counted } from "../../src/lib/text.ts";
import { diaryDays } from "../../src/store/diary-days.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { type CommonOptions, hasDatabase, withStore } from "../shop/database.ts";
import { CliError, clean } from "../terminal/output.ts";
import { firstOf, startInWords } from "../terminal/wording.ts";

type Versions = Pick<Edit, "before" | "after">;

/** The confirmed bookings from today on that no longer fit. */
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
