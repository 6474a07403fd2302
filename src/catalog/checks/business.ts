/** Rules of `business`. */
import { NANP, toE164 } from "../../lib/phone.ts";
import type { Issue } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { type Rule, repeated } from "./rule.ts";

export const businessRules: Rule[] = [
  { needs: ["business.phone", "business.address.country"], check: phoneCanBeCalled },
  { needs: ["business.special_hours"], check: specialDaysAreClear },
];

/** A number with its country code, and nothing else but an extension. */
const WRITTEN_PHONE = /^\+[\d ()./-]+(,? *(ext\.?|x) *\d{1,6})?$/i;

/** Customers and assistants from everywhere are sent to this number whenever a booking cannot be made or changed online. */
function phoneCanBeCalled({ business: { phone, address } }: WrittenCatalog): Issue[] {
  // Loading the numbering plans would slow down a quick quote. The usual North American form needs none.
  const isUsual = NANP.test(phone.replace(/[ ().-]/g, ""));
  const number = isUsual ? phone : toE164(phone, address.country);
  if (number !== undefined && WRITTEN_PHONE.test(phone)) return [];
  const hint = number === undefined ? "" : `: write "${number}"`;
  const message = `must be a number with its country code, like "+1-404-555-0142"${hint}`;
  return [{ path: ["business", "phone"], message }];
}

/** A day that is listed twice, or both closed and open, has no clear meaning. */
function specialDaysAreClear({ business: { special_hours: days = [] } }: WrittenCatalog): Issue[] {
  const again = new Set(repeated(days, ({ date }) => date).map(({ index }) => index));
  return days.flatMap(({ date, closed, hours = [] }, i) => {
    const path = ["business", "special_hours", i];
    if (again.has(i)) return [{ path, message: `is a second entry for ${date}` }];
    if (closed && hours.length > 0) return [{ path, message: "must be either closed or have hours, not both" }];
    if (!closed && hours.length === 0) return [{ path, message: "must have hours, or closed: true" }];
    return [];
  });
}
