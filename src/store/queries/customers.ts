/** Customers. Everybody who gave the same phone number is one customer. */

import type { Phone } from "../../lib/phone.ts";
import { type Booking, bookingsOfCustomer } from "./bookings.ts";
import { type OptOut, optOutOf } from "./delivery-status.ts";
import { findLead, type LeadInFull } from "./leads.ts";
import { all, type Steps, together } from "./steps.ts";

/** Everybody who gave the same phone number; a walk-in without one stands alone. */
export interface Customer extends Phone {
  /** The phone, or the reference of the lead of a customer without one. */
  id: string;
  /** Newest first; at least one. */
  leads: LeadInFull[];
  /** The latest first. */
  bookings: Booking[];
  /** Set when the customer wants no more texts. */
  optOut: OptOut | null;
}

/**
 * The customers, by `id`, about whom every one of these texts stands, newest lead first. Name, e-mail, phone and
 * vehicle are searched, without regard to letter case and accents. A million leads take half a second.
 */
export function* findCustomers(texts: readonly string[], limit: number): Steps<string[]> {
  const phones = yield* findPhones(texts, limit);
  if (phones.length >= limit) return phones;
  // Few customers leave no phone: walk-ins.
  return [...phones, ...(yield* leadsAbout(texts, "reference", "phone = ''", limit - phones.length))];
}

function* findPhones(texts: readonly string[], limit: number): Steps<string[]> {
  // A customer has more leads than one. A common text finds enough customers among the first of them.
  for (let leads = limit * 10; ; leads *= 10) {
    const found = yield* leadsAbout(texts, "phone", "phone <> ''", leads);
    const phones = new Set(found);
    if (phones.size >= limit || found.length < leads) return [...phones].slice(0, limit);
  }
}

function* leadsAbout(texts: readonly string[], column: string, which: string, limit: number): Steps<string[]> {
  const rows = yield* all<{ id: string }>(
    `SELECT ${column} AS id FROM leads INDEXED BY leads_by_text
     WHERE forgotten_at IS NULL AND ${which}${texts.map(() => " AND about GLOB ?").join("")}
     ORDER BY created_at DESC LIMIT ?`,
    ...texts.map(pattern),
    limit,
  );
  return rows.map(({ id }) => id);
}

/** @param id the phone in E.164; the reference of the lead of a customer who left none */
export function* customer(id: string): Steps<Customer | null> {
  const ids = yield* all<{ id: string; createdAt: number; phone: string }>(
    `SELECT id, created_at AS createdAt, phone FROM leads WHERE phone = ?1 AND phone <> ''
     UNION ALL SELECT id, created_at AS createdAt, phone FROM leads WHERE reference = ?1 AND phone = '' AND forgotten_at IS NULL`,
    id,
  );
  ids.sort((a, b) => b.createdAt - a.createdAt);
  const leads = yield* together(...ids.map(({ id }) => findLead(id)));
  if (leads.length === 0) return null;
  const phone = ids[0]?.phone ?? "";
  // The latest: who calls a company has one, and does not always say it.
  const extension = leads.find((lead) => lead?.extension)?.extension ?? "";
  const [bookings, stop] = yield* together(bookingsOfCustomer(phone, ids[0]?.id ?? ""), optOutOf(phone));
  return { id, phone, extension, leads: leads.filter((lead) => lead !== null), bookings, optOut: stop };
}

/**
 * The text anywhere in another, as a pattern of GLOB whose inner part is also a regular expression. The column holds ASCII
 * letters in lower case.
 */
function pattern(text: string): string {
  accented ??= accentedLetters();
  const accents = accented;
  return `*${Array.from(text, (letter) => {
    const plain = withoutAccents(letter);
    if (/^[a-z]$/.test(plain)) return `[${plain}${accents.get(plain) ?? ""}]`;
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    if (lower !== upper) return `[${lower}${upper}]`;
    if (/[\p{L}\p{N} ]/u.test(letter)) return letter;
    // Inside brackets every character stands for itself unless it comes first.
    return letter === "]" ? "[]]" : `[${NEVER}${letter === "\\" ? "\\\\" : letter}]`;
  }).join("")}*`;
}

/** A code point that is no character, so that no text contains it. */
const NEVER = "\uffff";

function withoutAccents(letter: string): string {
  return letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The accented letters of each plain one, in both cases. Latin-1 and the two blocks behind it hold those of Europe. */
function accentedLetters(): Map<string, string> {
  const letters = new Map<string, string>();
  for (let code = 0xc0; code < 0x250; code += 1) {
    const plain = withoutAccents(String.fromCodePoint(code));
    if (/^[a-z]$/.test(plain)) letters.set(plain, (letters.get(plain) ?? "") + String.fromCodePoint(code));
  }
  return letters;
}

/** Made for the first search, because every program that opens a database loads this file. */
let accented: Map<string, string> | undefined;
