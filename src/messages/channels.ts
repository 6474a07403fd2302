/** The outbound channels, which kinds of message each sends, and whom the shop's news reach by them. Source: contract 22. */
import type { Shop } from "../catalog/shop.ts";
import { type JobKind, jobsThatAre, SHOP_NEWS } from "../constants.ts";
import { inOneLine } from "../lib/text.ts";
import { joinWithAnd } from "../schema/explain.ts";
import type { JobContent, ShopNews, Store, WaitingJob } from "../store/store.ts";
import type { MailSettings } from "./mail.ts";
import type { TwilioSettings } from "./twilio.ts";
import type { CrmSettings, PushSettings } from "./webhook.ts";

/** Null when the channel is not configured. */
export interface Channels {
  twilio: TwilioSettings | null;
  crm: CrmSettings | null;
  mail: MailSettings | null;
  /** The owner's own web addresses, which need no settings. */
  push: PushSettings | null;
}

const CHANNELS = ["twilio", "crm", "mail"] as const;
/** As the server names them. */
export const CHANNEL_NAMES = { twilio: "sms", crm: "crm", mail: "email" } as const satisfies Record<
  (typeof CHANNELS)[number],
  string
>;

export function unconfiguredChannels(channels: Channels): string[] {
  return CHANNELS.filter((name) => channels[name] === null).map((name) => CHANNEL_NAMES[name]);
}

/** Grouped by channel: one that hangs must not delay another. */
export function lanes(channels: Channels, catalog: () => Shop): (() => readonly JobKind[])[] {
  const configured = [...CHANNELS, "push" as const].filter((name) => channels[name] !== null);
  return [
    () => (isOwnerReachable(channels, catalog()) ? SHOP_NEWS : []),
    ...configured.map((by) => () => jobsThatAre({ by })),
  ];
}

export type ShopCopy = Extract<JobContent, { kind: `shop_${string}` }>;

/** The owner may have corrected a wrong number meanwhile. Undefined for a receiver who was taken off the list. */
export function receiverOf({ to, isOnly }: { to: string; isOnly?: boolean | undefined }, catalog: Shop) {
  const contacts = catalog.messaging.ownerContacts;
  if (contacts.includes(to) || catalog.follow_up.some((step) => step.to?.includes(to))) return to;
  const [other, ...more] = contacts.filter((contact) => channelOf(contact) === channelOf(to));
  return isOnly && more.length === 0 ? other : undefined;
}

/** The lists of those who are told: `alerts.to`, and the steps of `follow_up` that name others. */
function newsLists(catalog: Shop): { path: string; contacts: readonly string[] }[] {
  const steps = catalog.follow_up.map(({ to }, i) => ({ path: `follow_up.${i}.to`, contacts: to ?? [] }));
  return [{ path: "alerts.to", contacts: catalog.messaging.ownerContacts }, ...steps];
}

type Reached = Readonly<Record<"twilio" | "mail" | "push", object | null>>;

export function channelOf(contact: string): "twilio" | "mail" | "push" {
  if (contact.startsWith("+")) return "twilio";
  return /^https?:\/\//i.test(contact) ? "push" : "mail";
}

/** Whether anybody can be told. Until then news waits, and goes to those who can be reached then. */
function isOwnerReachable(channels: Reached, catalog: Shop): boolean {
  return newsLists(catalog).some(({ contacts }) => contacts.some((contact) => channels[channelOf(contact)] !== null));
}

/** A copy for each receiver who can be reached; the others would get weeks of old news once they can be. */
export function copiesOf({ receivers, ...news }: ShopNews, channels: Reached, catalog: Shop): ShopCopy[] {
  const reached = (receivers ?? catalog.messaging.ownerContacts).filter(
    (contact) => channels[channelOf(contact)] !== null,
  );
  const isOnly = (to: string) => reached.every((other) => other === to || channelOf(other) !== channelOf(to));
  return [...new Set(reached)].map((to) => copyFor(to, news, catalog, isOnly(to)));
}

export function copyFor(
  to: string,
  { text, mail }: Pick<ShopNews, "text" | "mail">,
  { business }: Shop,
  isOnly = false,
): ShopCopy {
  const copy = { to, text, ...(isOnly && { isOnly }) };
  switch (channelOf(to)) {
    case "twilio":
      return { kind: "shop_sms", payload: copy };
    case "push":
      return { kind: "shop_push", payload: copy };
    case "mail":
      return { kind: "shop_email", payload: { ...copy, subject: inOneLine(`${business.name}: ${text}`), ...mail } };
  }
}

const OFF = { twilio: "texts", mail: "e-mails", push: "web addresses" } as const;

/** For `alerts.to`, and each step of `follow_up` that names somebody. @returns sentences without their full stop */
export function unreached(catalog: Shop, channels: Reached) {
  return newsLists(catalog).flatMap(({ path, contacts }) => {
    const missed = contacts.filter((contact) => channels[channelOf(contact)] === null);
    if (missed.length === 0) return [];
    const isNobody = missed.length === contacts.length;
    const ways = joinWithAnd([...new Set(missed.map((contact) => OFF[channelOf(contact)]))]);
    // No address where nobody hears: anybody may read what a running server says of that.
    const message = isNobody
      ? `nobody in ${path} hears of bookings: ${ways} are off`
      : `not everybody in ${path} hears of bookings: ${joinWithAnd(missed)} cannot be reached, because ${ways} are off`;
    return [{ message, isNobody }];
  });
}

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
    const kinds = channels[channel] === null ? jobsThatAre({ by: channel }) : [];
    return { what, count: (await store.countDueJobs(kinds, now)).count };
  });
  const news = await store.waitingJobs(LOOKED_THROUGH, { kinds: SHOP_NEWS, dueBefore: now + 1 });
  const isHeld = ({ content }: WaitingJob) => {
    const named = content && "receivers" in content.payload ? content.payload.receivers : undefined;
    return (named ?? catalog.messaging.ownerContacts).every((contact) => channels[channelOf(contact)] === null);
  };
  return [...(await Promise.all(held)), { what: "news to the shop", count: news.filter(isHeld).length }];
}
