/** Who is told of bookings, as an owner types it: mobiles in any form, e-mail addresses and web addresses, with commas. */
import { contact } from "../../src/catalog/sections/traffic.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { UsageError } from "../terminal/output.ts";

/** @returns the entries of `alerts.to` @throws UsageError that names the first one that is wrong */
export function readContacts(typed: string, country: string): string[] {
  const words = typed.split(/[,;]/).flatMap((word) => word.trim() || []);
  if (words.length === 0) throw new UsageError("must name somebody");
  return [...new Set(words.map((word) => readContact(word, country)))];
}

function readContact(word: string, country: string): string {
  const isPhone = /^[+\d(][\d\s().-]*$/.test(word);
  const to = isPhone ? (toE164(word, country) ?? word) : word;
  if (contact.safeParse(to).success) return to;
  throw new UsageError(
    isPhone
      ? "must be a phone number with area code"
      : `must be mobiles, e-mail addresses, or addresses that begin with https:// (ntfy or a webhook), with commas between them: ${word} is none`,
  );
}
