/** A customer's phone and consent, checked against the catalog. */

import type { Catalog } from "../../catalog/schema.ts";
import { toE164 } from "../../lib/phone.ts";
import type { FieldFault } from "../core/capability.ts";

export function phoneFault(text: string | undefined, { business }: Catalog): FieldFault | undefined {
  return text !== undefined && toE164(text, business.address.country) === undefined
    ? { message: "must be a phone number that can be dialled, with area code" }
    : undefined;
}

/** The number in E.164. @throws Error for a number in which `phoneFault` finds a fault */
export function phoneOf(text: string, { business }: Catalog): string {
  const number = toE164(text, business.address.country);
  if (!number) throw new Error("the phone number was not checked");
  return number;
}

export function consentFault(consent: object | undefined, { bookings }: Catalog): FieldFault | undefined {
  return bookings.require_consent && consent === undefined
    ? { missing: "consent.confirmed_by_user", message: "is missing" }
    : undefined;
}
