/** Whom the shop's news reach: mobiles, e-mail addresses and web addresses of the catalog. Source: contract 22. */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { toE164 } from "../lib/phone.ts";
import type { JobContent, ShopNews } from "../store/store.ts";

export type ShopCopy = Extract<JobContent, { kind: "shop_sms" | "shop_email" | "shop_push" }>;

/** Those of `alerts.to`; in a catalog without it one mobile. */
export const ownerContacts = perCatalog(
  ({ alerts, business, messages }): readonly string[] =>
    alerts.to ?? [messages.shop_sms_to ?? toE164(business.phone, business.address.country) ?? business.phone],
);

/**
 * Who gets a copy: the owner may have corrected a wrong number meanwhile. @returns undefined for a receiver who was
 * taken off the list
 */
export function receiverOf({ to, isOnly }: { to: string; isOnly?: boolean | undefined }, catalog: Shop) {
  const contacts = ownerContacts(catalog);
  if (contacts.includes(to) || catalog.follow_up.some((step) => step.to?.includes(to))) return to;
  const [other, ...more] = contacts.filter((contact) => channelOf(contact) === channelOf(to));
  return isOnly && more.length === 0 ? other : undefined;
}

/** The lists of those who are told: `alerts.to`, and the steps of `follow_up` that name others. */
export function newsLists(catalog: Shop): { path: string; contacts: readonly string[] }[] {
  const steps = catalog.follow_up.map(({ to }, i) => ({ path: `follow_up.${i}.to`, contacts: to ?? [] }));
  return [{ path: "alerts.to", contacts: ownerContacts(catalog) }, ...steps];
}

/** The ways of sending; null where one has no settings. */
export type Reached = Readonly<Record<"twilio" | "mail" | "push", object | null>>;

/** By which way of sending somebody is reached. */
export function channelOf(contact: string): "twilio" | "mail" | "push" {
  if (contact.startsWith("+")) return "twilio";
  return /^https?:\/\//i.test(contact) ? "push" : "mail";
}

/** Whether anybody can be told. Until then news waits, and goes to those who can be reached then. */
export function isOwnerReachable(channels: Reached, catalog: Shop): boolean {
  return newsLists(catalog).some(({ contacts }) => contacts.some((contact) => channels[channelOf(contact)] !== null));
}

/** A copy for each receiver who can be reached; the others would get weeks of old news once they can be. */
export function copiesOf({ receivers, ...news }: ShopNews, channels: Reached, catalog: Shop): ShopCopy[] {
  const reached = (receivers ?? ownerContacts(catalog)).filter((contact) => channels[channelOf(contact)] !== null);
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
      return { kind: "shop_email", payload: { ...copy, subject: `${business.name}: ${headOf(text)}`, ...mail } };
  }
}

/** The beginning of a text, up to its first colon or full stop: `New booking 7F3A1B2C`. */
function headOf(text: string): string {
  return text.split(/[.:] /, 1)[0] ?? text;
}
