/** Checks of a customer's details against the catalog, for the requests that carry them. */

import type { Catalog } from "../../catalog/schema.ts";
import { toE164 } from "../../lib/phone.ts";
import type { FieldFault } from "../core/capability.ts";

export function phoneFault(text: string | undefined, { business }: Catalog): FieldFault | undefined {
  return text !== undefined && toE164(text, business.address.country) === undefined
    ? { message: "must be a phone number that can be dialled, with area code" }
    : undefined;
}

export function consentFault(consent: object | undefined, { bookings }: Catalog): FieldFault | undefined {
  return bookings.require_consent && consent === undefined
    ? { missing: "consent.confirmed_by_user", message: "is missing" }
    : undefined;
}
