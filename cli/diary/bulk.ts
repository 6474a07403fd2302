/** Cancelling many future bookings at one go (of one key, of one network, or made since a moment), and undoing it. */
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import type { ShopClock } from "../../src/domain/schedule.ts";
import { networkOf, parseAddress, parseNetworks } from "../../src/lib/network.ts";
import type { DiaryEntry } from "../../src/store/diary-days.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { requireIssuedKey } from "../server/keys.ts";
import { clean, table, UsageError } from "../terminal/output.ts";
import { momentInWords } from "../terminal/wording.ts";
import { readInstant, readMoment } from "../typed/times.ts";
import { readDiary } from "./entries.ts";

/** The criteria that choose bookings, as typed. A booking must fit all of them. */
export interface Common {
  key?: string;
  network?: string;
  since?: string;
  /** The moment that a mass cancel wrote into all its bookings. */
  cancelledAt?: string;
}

export function isGiven({ key, network, since, cancelledAt }: Common): boolean {
  return [key, network, since, cancelledAt].some((one) => one !== undefined);
}

/**
 * The future bookings in any of these states that fit what was typed, by start.
 * @throws CliError when there is no such key, UsageError for a network or moment that cannot be read
 */
export async function bookingsThatFit(
  store: Store,
  { key, network, since, cancelledAt }: Common,
  statuses: readonly BookingStatus[],
  clock: ShopClock,
): Promise<Booking[]> {
  const now = Temporal.Now.instant();
  const keyId = key === undefined ? undefined : (await requireIssuedKey(store, key)).id;
  const isInNetwork = network === undefined ? () => true : readNetwork(network);
  const madeSince = since === undefined ? 0 : readMoment(since, clock, now);
  const endedAt = cancelledAt === undefined ? undefined : readInstant(cancelledAt);
  return (await store.upcoming(now.epochMilliseconds, statuses)).filter(
    (booking) =>
      (keyId === undefined || booking.keyId === keyId) &&
      isInNetwork(booking) &&
      booking.createdAt >= madeSince &&
      (endedAt === undefined || booking.endedAt === endedAt),
  );
}

/** An address stands for the network that it counts towards; a range stands for all networks in it. */
function readNetwork(typed: string): (booking: Booking) => boolean {
  const address = parseAddress(typed.trim());
  try {
    const networks = parseNetworks([address ? networkOf(address) : typed.trim()]);
    return ({ network }) => networks.has(parseAddress(network.replace(/\/\d+$/, "")));
  } catch {
    throw new UsageError(
      `${clean(typed)} is not a network: write an address like 203.0.113.9 or a range like 203.0.113.0/24.`,
    );
  }
}

const HEAD = ["code", "begins", "customer", "booked", "key", "network"];

/** The bookings as a table, for the owner to look at before they change. */
export function bookingsTable(bookings: readonly Booking[], clock: ShopClock): string {
  const rows = bookings.map((booking) => [
    booking.confirmationCode,
    momentInWords(clock, booking.startAt),
    clean(booking.lead.name),
    momentInWords(clock, booking.createdAt),
    booking.keyId ?? "",
    booking.network,
  ]);
  return table(HEAD, rows, ["customer"]);
}

/** The bookings with their bays, which depend on the other jobs of each day. */
export async function diaryEntries(
  store: Store,
  bookings: readonly Booking[],
  clock: ShopClock,
): Promise<DiaryEntry[]> {
  const dates = bookings.map(({ date }) => date).sort();
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return [];
  const ids = new Set(bookings.map(({ id }) => id));
  return (await readDiary(store, from, to, clock)).filter(({ booking }) => ids.has(booking.id));
}
