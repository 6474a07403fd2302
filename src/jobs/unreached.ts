/** Whom the shop's news cannot reach, and the messages that wait, because a way of sending has no settings. */
import type { Shop } from "../catalog/shop.ts";
import { JOB_KINDS, SHOP_NEWS } from "../constants.ts";
import { joinWithAnd } from "../schema/explain.ts";
import type { Store, WaitingJob } from "../store/store.ts";
import { CHANNEL_OF } from "./channels.ts";
import { channelOf, newsLists, ownerContacts, type Reached } from "./owner-contacts.ts";

export interface Unreached {
  /** A sentence without its full stop. */
  message: string;
  /** Nobody of the list can be reached. */
  isNobody: boolean;
}

const OFF = { twilio: "texts", mail: "e-mails", push: "web addresses" } as const;

/** In every such message. */
export const NOT_HEARD = "hears of bookings:";

/** For `alerts.to`, and each step of `follow_up` that names somebody. */
export function unreached(catalog: Shop, channels: Reached): Unreached[] {
  return newsLists(catalog).flatMap(({ path, contacts }) => {
    const missed = contacts.filter((contact) => channels[channelOf(contact)] === null);
    if (missed.length === 0) return [];
    const isNobody = missed.length === contacts.length;
    const ways = joinWithAnd([...new Set(missed.map((contact) => OFF[channelOf(contact)]))]);
    // No address where nobody hears: anybody may read what a running server says of that.
    const message = isNobody
      ? `nobody in ${path} ${NOT_HEARD} ${ways} are off`
      : `not everybody in ${path} ${NOT_HEARD} ${joinWithAnd(missed)} cannot be reached, because ${ways} are off`;
    return [{ message, isNobody }];
  });
}

/** The most news that is read. */
const LOOKED_THROUGH = 1_000;

/** Due messages that wait because a way of sending is off. A CRM that is off is no mistake. */
export async function withoutChannel(
  store: Pick<Store, "countDueJobs" | "waitingJobs">,
  catalog: Shop,
  channels: Reached,
  now: number,
): Promise<{ what: string; count: number }[]> {
  const ways = [
    { what: "text", channel: "twilio" },
    { what: "e-mail", channel: "mail" },
  ] as const;
  const held = ways.map(async ({ what, channel }) => {
    const kinds = JOB_KINDS.filter((kind) => CHANNEL_OF[kind] === channel && channels[channel] === null);
    return { what, count: (await store.countDueJobs(kinds, now)).count };
  });
  const news = await store.waitingJobs(LOOKED_THROUGH, { kinds: SHOP_NEWS, dueBefore: now + 1 });
  const isHeld = ({ content }: WaitingJob) => {
    const named = content && "receivers" in content.payload ? content.payload.receivers : undefined;
    return (named ?? ownerContacts(catalog)).every((contact) => channels[channelOf(contact)] === null);
  };
  return [...(await Promise.all(held)), { what: "news to the shop", count: news.filter(isHeld).length }];
}
