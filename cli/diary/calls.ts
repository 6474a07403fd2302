/** Who must be called, because no message tells of a move or cancellation. */
import { isToldOf } from "../../src/capabilities/booking/deposit.ts";
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
 * Puts a customer whom no message tells of a change on the list of calls, and takes off whom one tells, or who knows.
 * @param isQuiet the owner tells the customer, or does not want it told
 * @param news whether the customer asked for the change, and so knows it; or the message of before lapsed unsent, and they know no other
 * @returns whom to call, in a line; empty where a message tells, or where all is over
 */
export async function callAfter(
  desk: BareDesk,
  before: Booking,
  booking: Booking,
  isQuiet = false,
  news: "own" | "unsent" | "usual" = booking.status === "cancelled_by_customer" ? "own" : "usual",
): Promise<string> {
  const { store, catalog, now } = desk;
  const { id, startAt, lead } = booking;
  if (news === "own") {
    await store.endCall(id);
    return "";
  }
  const isUnsent = news === "unsent";
  if (isUnsent) await store.tellCall(id, null);
  const known = (await store.callsToMake()).find((call) => call.booking.id === id);
  const isOver = Math.max(startAt, before.startAt) <= now.epochMilliseconds;
  const isAsKnown = booking.status === "confirmed" && known?.knownAt === startAt;
  const isNew = isOnlyHeld(before);
  const isSame = startAt === before.startAt && isCancelled(booking.status) === isCancelled(before.status);
  const isNoNews = isNew && booking.status !== "confirmed" ? !isToldOf(before) : isSame && !isNew;
  if (isOver || isNoNews || ((isQuiet || isUnsent) && !isAsKnown)) return "";
  const isBooked = isNew || isCancelled(before.status);
  const what = isCancelled(booking.status) ? "cancelled" : isBooked ? "booked" : "rescheduled";
  const why = isAsKnown ? null : await whyUntold(desk, booking, what);
  if (why === null) {
    if (isAsKnown) await store.endCall(id);
    else await store.tellCall(id, now.epochMilliseconds);
    return "";
  }
  await store.addCall(id, isBooked ? null : before.startAt, now.epochMilliseconds);
  const phone = lead.phone === "" ? "there is no phone" : `call ${clean(contactInWords(lead, countryOf(catalog)))}`;
  return `Nobody is told (${why}): ${phone}. Then: tint calls done ${booking.confirmationCode}\n`;
}

/** Why no message tells a customer of the news; null where one waits that goes out. */
async function whyUntold({ store, catalog }: BareDesk, { lead }: Booking, what: News): Promise<string | null> {
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
  const known = knownAt ?? booking.startAt;
  const isMoved = known !== booking.startAt && `now ${startInWords(booking, now)}`;
  return `${momentInWords(clock, known, now)}, ${isCancelled(booking.status) ? "is cancelled" : isMoved || "is confirmed"}`;
}

/** `2 customers must be called, the first Jordan Sample`. */
export function callsInWords(calls: readonly CallToMake[]): string {
  const [first] = calls;
  return `${counted(calls.length, "customer")} must be called about a change, the first ${clean(first?.booking.lead.name ?? "")}`;
}
