/** What all messages of a shop share: whom they reach, when customers are reminded, and what they say of the shop. */
import { CUSTOMER_MESSAGES, JOBS } from "../constants.ts";
import { phoneInWords, toE164 } from "../lib/phone.ts";
import { placeLinks } from "./page-addresses.ts";
import type { Catalog } from "./schema.ts";
import { SHOP_NEWS_KINDS, type ShopNewsKind, shopMailWords } from "./sections/messages.ts";
import { parseTemplate, type Template } from "./sections/template.ts";

type Reminder = NonNullable<Catalog["messages"]["reminders"]>[number];

interface Messaging {
  /** Whom the shop's news reach: those of `alerts.to`; in a catalog without it one mobile. */
  ownerContacts: readonly string[];
  textCountries: readonly string[];
  /** The messages to customers that are switched on and ever go out. */
  customerMessages: ReadonlySet<(typeof CUSTOMER_MESSAGES)[number]>;
  /** The words of the e-mails to the shop. */
  shopMails: Readonly<Record<ShopNewsKind, { subject: string; text: string }>>;
  /** The same, and those of the texts to the shop, as they are filled: a booking fills nine. */
  shopNews: Readonly<Record<ShopNewsKind, Readonly<Record<"sms" | "subject" | "text", Template>>>>;
  /** The list of the catalog, or the one time that is at each of the two messages. */
  reminders: readonly Reminder[];
  /** The template fields that are the same in all messages. */
  fields: {
    shop: string;
    /** As people there write it: `(770) 555-0142`. */
    shop_phone: string;
    address: string;
    /** Where the shop switched links off, its own website. */
    book_url: string;
    directions_url: string;
  };
}

export function messagingOf(catalog: Catalog): Messaging {
  const { alerts, business, messages } = catalog;
  const { country } = business.address;
  const number = toE164(business.phone, country);
  const own = (by: Reminder["by"], message: { hours_before?: number | undefined } | undefined) =>
    message?.hours_before === undefined ? [] : [{ by, hours_before: message.hours_before }];
  const shopMails = SHOP_NEWS_KINDS.map((kind) => [kind, shopMailWords(kind, messages)] as const);
  const shopNews = shopMails.map(([kind, { subject, text }]) => [
    kind,
    {
      sms: parseTemplate(messages[`shop_${kind}_sms`]),
      subject: parseTemplate(subject),
      text: parseTemplate(text),
    },
  ]);
  return {
    ownerContacts: alerts.to ?? [messages.shop_sms_to ?? number ?? business.phone],
    textCountries: messages.sms_countries ?? [country],
    customerMessages: new Set(CUSTOMER_MESSAGES.filter((kind) => goesOut(kind, catalog))),
    shopMails: Object.fromEntries(shopMails) as Messaging["shopMails"],
    shopNews: Object.fromEntries(shopNews),
    reminders: messages.reminders ?? [...own("sms", messages.reminder_sms), ...own("email", messages.reminder_email)],
    fields: {
      shop: business.name,
      shop_phone: number === undefined ? business.phone : phoneInWords(number, country),
      address: addressOf(catalog),
      ...placeLinks(catalog),
    },
  };
}

/** E-mails about a change correct the entry in the customer's calendar, which only the confirmation brings. */
function goesOut(kind: (typeof CUSTOMER_MESSAGES)[number], { deposit, messages }: Catalog): boolean {
  if (messages[kind]?.enabled !== true) return false;
  const { event, by } = JOBS[kind];
  const confirmation = by === "mail" ? messages.confirmation_email : messages.confirmation_sms;
  if (event === "deposit") return deposit !== undefined && confirmation?.enabled === true;
  const corrects = by === "mail" && (event === "rescheduled" || event === "cancelled");
  return !corrects || messages.confirmation_email?.enabled === true;
}

/** In one line: `123 Main St, Atlanta, GA 30303`. */
export function addressOf({ business: { address } }: Pick<Catalog, "business">): string {
  return `${address.street}, ${address.locality}, ${address.region} ${address.postal_code}`;
}
