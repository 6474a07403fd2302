/** Who must be called, because no message tells of a move or cancellation. */
import { CUSTOMER_MESSAGES } from "../../src/constants.ts";
import { isCancelled, isOnlyHeld } from "../../src/domain/lifecycle.ts";
import { contactInWords } from "../../src/lib/phone.ts";
import { counted } from "../../src/lib/text.ts";
import { isNewsOf, type News } from "../../src/messages/customer-messages.ts";
import type { Booking, CallToMake } from "../../src/store/store.ts";
import { offInWords, offWayOf, UNTOLD } from "../server/outbox.ts";
import { countryOf, type ShopLocale } from "../shop/clock.ts";
import { clean } from "../terminal/output.ts";
import { momentInWords, startInWords } from "../terminal/wording.ts";
import type { BareDesk } from "./actions.ts";

/** More messages wait nowhere. */
const MOST_WAITING = 100_000;

/**
 * Puts the customer of a changed booking on the list of calls where no message goes out, and takes off the list whom one
 * tells, or whose booking is as they know it.
 * @param isQuiet the owner tells the customer, or does not want it told
 * @param isOwn the customer asked for the change, and so knows it
 * @returns whom to call, in a line; empty where a message tells, or where all is over
 */
export async function callAfter(
  { store, catalog, now }: BareDesk,
  before: Booking,
  booking: Booking,
  isQuiet = false,
  isOwn = booking.status === "cancelled_by_customer",
): Promise<string> {
  const { id, startAt, lead } = booking;
  if (isOwn) {
    await store.endCall(id);
    return "";
  }
  const known = (await store.callsToMake()).find((call) => call.booking.id === id);
  const isOver = Math.max(startAt, before.startAt) <= now.epochMilliseconds;
  const isAsKnown = booking.status === "confirmed" && known?.knownAt === startAt;
  // A hold is told to nobody before it is booked.
  const isNew = isOnlyHeld(before);
  const isSame = startAt === before.startAt && isCancelled(booking.status) === isCancelled(before.status);
  const isNoNews = isNew ? booking.status !== "confirmed" : isSame;
  if (isOver || isNoNews || (isQuiet && !isAsKnown)) return "";
  const isBooked = isNew || isCancelled(before.status);
  const what = isCancelled(booking.status) ? "cancelled" : isBooked ? "booked" : "rescheduled";
  const why = isAsKnown ? null : await whyUntold({ store, catalog }, booking, what);
  if (why === null) {
    if (known) await store.endCall(id);
    return "";
  }
  await store.addCall(id, before.startAt, now.epochMilliseconds);
  const phone = lead.phone === "" ? "there is no phone" : `call ${clean(contactInWords(lead, countryOf(catalog)))}`;
  return `Nobody is told (${why}): ${phone}. Then: tint calls done ${booking.confirmationCode}\n`;
}

/** Why no message tells a customer of the news; null where one waits that goes out. */
async function whyUntold(
  { store, catalog }: Pick<BareDesk, "store" | "catalog">,
  { lead }: Booking,
  what: News,
): Promise<string | null> {
  // A confirmation that still waited has the new time.
  const kinds = CUSTOMER_MESSAGES.filter(
    (kind) => isNewsOf(what, kind) || (what === "rescheduled" && isNewsOf("booked", kind)),
  );
  if (!kinds.some((kind) => catalog?.messaging.customerMessages.has(kind))) return UNTOLD.off;
  const planned = (await store.waitingJobs(MOST_WAITING, { kinds })).filter((job) => job.lead.id === lead.id);
  if (planned.length === 0) return lead.phone === "" && lead.email === "" ? UNTOLD.nowhere : UNTOLD.unwanted;
  const ways = planned.map(({ kind }) => offWayOf(kind, null));
  const stop = await store.optOutOf(lead.phone);
  const reasons = planned.map(({ kind }, i) =>
    ways[i] ? offInWords([ways[i]]) : stop && kind.endsWith("_sms") ? UNTOLD.stopped : null,
  );
  return reasons.includes(null) ? null : [...new Set(reasons)].join(", ");
}

/** The news that a customer is called about: `was Fri Nov 27, 9:00 AM, now Mon Nov 30, 9:00 AM`. */
export function newsInWords({ booking, knownAt }: CallToMake, clock: ShopLocale, now: Temporal.Instant): string {
  const was = momentInWords(clock, knownAt, now);
  const is = isCancelled(booking.status) ? "is cancelled" : `now ${startInWords(booking, now)}`;
  return knownAt === booking.startAt && !isCancelled(booking.status) ? `${was}, is confirmed` : `${was}, ${is}`;
}

/** `2 customers must be called, the first Jordan Sample`. */
export function callsInWords(calls: readonly CallToMake[]): string {
  const [first] = calls;
  return `${counted(calls.length, "customer")} must be called about a change, the first ${clean(first?.booking.lead.name ?? "")}`;
}
