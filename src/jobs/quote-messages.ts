/** Messages to somebody who asked for a quote: a receipt, and one question later. Source: contract 22. */
import { placeLinks } from "../catalog/page-addresses.ts";
import { fillTemplate } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import { addsTax, formatMoney } from "../domain/money.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { NewJob, NewLead } from "../store/store.ts";
import { mayBeTexted } from "./customer-messages.ts";
import { nameForSms, plainName, toGsm7 } from "./gsm7.ts";
import { quietUntil } from "./message-rules.ts";
import { addressOf, serviceOfAppointment, textCountries } from "./message-texts.ts";

/** What was asked, and the first figure that the customer got, in cents. */
export interface Quoted extends Pick<NewLead, "reference" | "name" | "phone" | "email" | "serviceType" | "consent"> {
  sqft: number | undefined;
  range: { min: number; max: number } | undefined;
}

/**
 * Goes by e-mail, else by text to a customer who agreed to texts; neither goes out at night. It lapses once the lead is
 * contacted.
 * @param step of `follow_up` @param dueAt epoch milliseconds
 */
export function quoteMessage(step: "reply" | "nudge", quoted: Quoted, dueAt: number, catalog: Shop): NewJob[] {
  if (quoted.consent === null) return [];
  const when = { dueAt: quietUntil(catalog, dueAt) ?? dueAt, unless: "contacted" as const };
  const { [`quote_${step}_email` as const]: mail, [`quote_${step}_sms` as const]: text } = catalog.messages;
  const fields = quoteValues(quoted, catalog);
  const { email: to, phone } = quoted;
  if (mail?.enabled && to !== "") {
    const payload = { to, subject: fillTemplate(mail.subject, fields), text: fillTemplate(mail.text, fields) };
    return [{ ...when, kind: `quote_${step}_email`, payload }];
  }
  const kind = `quote_${step}_sms` as const;
  if (!text?.enabled || !mayBeTexted(quoted, kind, catalog)) return [];
  if (whyNoTexts(phone, textCountries(catalog)) !== undefined) return [];
  const words = fillTemplate(text.text, { ...fields, name: nameForSms(quoted.name) });
  return [{ ...when, kind, payload: { to: phone, text: toGsm7(words, quoted.reference) } }];
}

/** The template fields of such a message. */
export function quoteValues(
  { reference, name, serviceType, sqft, range }: Pick<Quoted, "reference" | "name" | "serviceType" | "sqft" | "range">,
  catalog: Shop,
) {
  const { business, currency, tax } = catalog;
  const money = (cents: number) => formatMoney(cents, currency);
  const plus = addsTax(catalog) ? ` plus ${tax.label ?? "tax"}` : "";
  return {
    name: plainName(name),
    reference,
    request: `${serviceOfAppointment({ service: serviceType }, catalog)}${sqft === undefined ? "" : `, ${sqft} sq ft`}`,
    range: range ? `${money(range.min)} to ${money(range.max)}${plus}` : "to be settled",
    shop: business.name,
    shop_phone: business.phone,
    address: addressOf(catalog),
    ...placeLinks(catalog),
  };
}
