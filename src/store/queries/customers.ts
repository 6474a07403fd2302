/** Customers in SQLite. Everybody who gave the same phone number is one customer. */
import type { Database } from "bun:sqlite";
import type { Customer } from "../store.ts";
import { bookingsOfPhone } from "./bookings.ts";
import { findLead } from "./leads.ts";

/**
 * The phone numbers of customers about whom every one of these texts stands, newest lead first. Name, e-mail, phone and
 * vehicle are searched, without regard to letter case and accents. A million leads take half a second.
 */
export function findCustomers(db: Database, texts: readonly string[], limit: number): string[] {
  const rows = db
    .query<{ phone: string }, string[]>(
      `SELECT phone FROM leads INDEXED BY leads_by_text
       WHERE forgotten_at IS NULL AND phone <> ''${texts.map(() => " AND about GLOB ?").join("")} ORDER BY created_at DESC`,
    )
    .iterate(...texts.map(pattern));
  const phones = new Set<string>();
  for (const { phone } of rows) if (phones.add(phone).size === limit) break;
  return [...phones];
}

/** @param phone E.164 */
export function customer(db: Database, phone: string): Customer | null {
  const leads = db
    .query<{ id: string; createdAt: number }, [string]>(
      "SELECT id, created_at AS createdAt FROM leads WHERE phone = ? AND phone <> ''",
    )
    .all(phone)
    .sort((a, b) => b.createdAt - a.createdAt)
    .flatMap(({ id }) => findLead(db, id) ?? []);
  return leads.length === 0 ? null : { phone, leads, bookings: bookingsOfPhone(db, phone) };
}

/** The text anywhere in another, as a pattern of GLOB. The column holds ASCII letters in lower case. */
function pattern(text: string): string {
  return `*${Array.from(text, (letter) => {
    const plain = withoutAccents(letter);
    if (/^[a-z]$/.test(plain)) return `[${plain}${accented.get(plain) ?? ""}]`;
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower === upper && !"*?[".includes(letter) ? letter : `[${lower}${upper}]`;
  }).join("")}*`;
}

function withoutAccents(letter: string): string {
  return letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The accented letters of each plain one, in both cases. Latin-1 and the two blocks behind it hold those of Europe. */
const accented = new Map<string, string>();
for (let code = 0xc0; code < 0x250; code += 1) {
  const plain = withoutAccents(String.fromCodePoint(code));
  if (/^[a-z]$/.test(plain)) accented.set(plain, (accented.get(plain) ?? "") + String.fromCodePoint(code));
}
