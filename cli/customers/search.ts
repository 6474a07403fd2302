/** Customers by what an owner types: name, phone in any notation, e-mail, vehicle, booking code or lead. */
import { readCode } from "../../src/lib/ids.ts";
import { toE164 } from "../../src/lib/phone.ts";
import type { Customer, Store } from "../../src/store/store.ts";
import { readReference } from "../typed/codes.ts";

/** Fewer digits than this are no part of a phone number. */
const LEAST_DIGITS = 3;

/**
 * The customers that fit, the newest first; one that a code or a whole phone number names stands alone.
 * @param country ISO 3166 code of the country that a number without a country code belongs to
 */
export async function searchCustomers(
  store: Store,
  typed: string,
  country: string,
  limit: number,
): Promise<Customer[]> {
  const named = await phoneNamed(store, typed, country);
  const phones = named ? [named] : await store.findCustomers(textsOf(typed), limit);
  const found = await Promise.all(phones.map((phone) => store.customer(phone)));
  return found.filter((customer) => customer !== null);
}

/** The phone of the customer whom a booking code, a lead or a whole number names. */
async function phoneNamed(store: Store, typed: string, country: string): Promise<string | undefined> {
  const booking = await store.findBooking(readCode(typed));
  const lead = booking?.lead ?? (await store.findLead(readReference(typed)));
  const phone = lead?.phone || (digitsOf(typed) && toE164(typed, country));
  return phone && (await store.customer(phone)) ? phone : undefined;
}

function textsOf(typed: string): string[] {
  const digits = digitsOf(typed);
  return digits ? [digits] : typed.trim().split(/\s+/);
}

/** The digits of a number or a part of one, like `(404) 555`; null when the text is something else. */
function digitsOf(typed: string): string | null {
  const digits = typed.replace(/\D/g, "");
  return /^[\d\s().+/-]+$/.test(typed) && digits.length >= LEAST_DIGITS ? digits : null;
}
