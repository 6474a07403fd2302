/** How a customer is reached: what is refused of phones and postal codes, and what is only doubted. Source: contract 1, "Contact". */
import type { Shop } from "../../catalog/shop.ts";
import { isOneSlip } from "../../catalog/words.ts";
import { isUnheardOf, type Phone, phoneInWords, readPhone } from "../../lib/phone.ts";
import { domainOf } from "../../lib/text.ts";
import { postalForm } from "../../schema/contact.ts";
import { isNothing } from "../../schema/quantities.ts";
import type { FieldIssue } from "./capability.ts";
import type { Warning } from "./envelope.ts";

export function phoneIssue(text: string | undefined, { business }: Shop): FieldIssue | undefined {
  return text !== undefined && readPhone(text, business.address.country) === undefined
    ? { message: "must be a phone number that can be dialled, with area code" }
    : undefined;
}

const NO_NAME = /^(?:\P{L}*|unknown|anonymous|customer|client|guest|tbd|not (?:given|known|provided))$/iu;

/** A word that stands for no name. */
export function nameIssue(name: string | undefined): FieldIssue | undefined {
  return name !== undefined && (isNothing(name) || NO_NAME.test(name))
    ? { message: "must be the name of the customer: ask for it" }
    : undefined;
}

/** @throws Error for a number in which `phoneIssue` finds an issue */
export function phoneOf(text: string, { business }: Shop): Phone {
  const number = readPhone(text, business.address.country);
  if (!number) throw new Error("the phone number was not checked");
  return number;
}

export const NO_PHONE: Phone = { phone: "", extension: "" };

export function postalIssue(code: string | undefined, { business }: Shop): FieldIssue | undefined {
  const { country, postal_code: own } = business.address;
  const { form, name } = postalForm(country);
  return code === undefined || form.test(code) ? undefined : { message: `must be ${name}, like ${own}` };
}

/** The well-known mail domain that is one slip of the keys away. @param domain in small letters */
export function likelyDomain(domain: string, { mail_domains: known }: Shop): string | undefined {
  if (known.includes(domain)) return undefined;
  for (const one of known) if (isOneSlip(domain, one)) return one;
  return undefined;
}

/**
 * What is doubted of a contact, and taken all the same: a number that nobody can have, and a slip of the keys in one of the
 * well-known mail domains.
 * @param prefix of the fields `phone` and `email`
 */
export function contactDoubts({ phone, email }: { phone: string; email: string }, shop: Shop, prefix = ""): Warning[] {
  const found: Warning[] = [];
  const doubt = (field: string, message: string) =>
    found.push({ code: "CONTACT_CHECK", field: prefix + field, message });
  if (phone !== "" && isUnheardOf(phone)) {
    const number = phoneInWords(phone, shop.business.address.country);
    doubt("phone", `Nobody can have the phone number ${number}: ask for it again.`);
  }
  const domain = domainOf(email).toLowerCase();
  const meant = likelyDomain(domain, shop);
  if (meant !== undefined) doubt("email", `The e-mail address ends in ${domain}: ask whether ${meant} is meant.`);
  return found;
}
