/** Customers. Everybody who gave the same phone number is one customer. */

import type { Phone } from "../../lib/phone.ts";
import { folded } from "../../lib/text.ts";
import { type Booking, bookingsOfCustomer } from "./bookings.ts";
import { type OptOut, optOutOf } from "./delivery-status.ts";
import { findLead, type LeadInFull } from "./leads.ts";
import { all, type Steps, together } from "./steps.ts";

export const customerQueries = {
  reads: { findCustomers, customer },
};

/** Everybody who gave the same phone number; a walk-in without one stands alone. */
export interface Customer extends Phone {
  /** The phone, or the reference of the lead of a customer without one. */
  id: string;
  leads: LeadInFull[];
  /** The latest first. */
  bookings: Booking[];
  optOut: OptOut | null;
}

/** Newest lead first; about whom all of the texts stand, without case, accents and width. A million leads take half a second. */
function* findCustomers(texts: readonly string[], limit: number): Steps<string[]> {
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
  const asked = texts.map(standsIn);
  const rows = yield* all<{ id: string }>(
    `SELECT ${column} AS id FROM leads INDEXED BY leads_by_text
     WHERE forgotten_at IS NULL AND ${which}${asked.map(({ condition }) => ` AND ${condition}`).join("")}
     ORDER BY created_at DESC LIMIT ?`,
    [...asked.flatMap(({ patterns }) => patterns), limit],
  );
  return rows.map(({ id }) => id);
}

/** @param id the phone in E.164; the reference of the lead of a customer who left none */
function* customer(id: string): Steps<Customer | null> {
  const ids = yield* all<{ id: string; createdAt: number; phone: string }>(
    `SELECT id, created_at AS createdAt, phone FROM leads WHERE phone = ?1 AND phone <> ''
     UNION ALL SELECT id, created_at AS createdAt, phone FROM leads WHERE reference = ?1 AND phone = '' AND forgotten_at IS NULL`,
    [id],
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

/** Of a longer word the beginning is looked for; SQLite takes patterns of 50,000 bytes. */
const MOST_LETTERS = 100;
const MOST_SPELLINGS = 16;
const FOREIGN = "*[^ -~]*";
/** How letters of other alphabets are written with two: `Thor` is Þór, `Mueller` is Müller. */
const TWO_LETTERS: Readonly<Record<string, string>> = { th: "þ", ss: "ßẞ", ae: "æä", oe: "œöø", ue: "ü", aa: "å" };

/** The column has ASCII in lower case, so nearly all texts need no other spellings. Inner parts of GLOBs are regular expressions too. */
function standsIn(typed: string): { condition: string; patterns: string[] } {
  const letters = Array.from(folded(typed).slice(0, MOST_LETTERS));
  const usual = `*${letters.map((letter) => anyOneOf([letter])).join("")}*`;
  if (!letters.some((letter) => /[\p{L}'-]/u.test(letter))) return { condition: "about GLOB ?", patterns: [usual] };
  const spellings = spelled(letters).map((spelling) => `*${spelling}*`);
  const others = spellings.map(() => "about GLOB ?").join(" OR ");
  return {
    condition: `(about GLOB ? OR (about GLOB ? AND (${others})))`,
    patterns: [usual, FOREIGN, ...spellings],
  };
}

function spelled(letters: readonly string[]): string[] {
  let before = [""];
  let spellings = [""];
  letters.forEach((letter, at) => {
    const pair = TWO_LETTERS[(letters[at - 1] ?? "") + letter];
    const asOne = pair ? before.map((start) => start + anyOneOf([...pair, ...pair.toUpperCase()])) : [];
    before = spellings;
    spellings = [...spellings.map((start) => start + anyOneOf(lettersLike(letter))), ...asOne].slice(0, MOST_SPELLINGS);
  });
  return spellings;
}

/** One of these letters. Inside brackets every character stands for itself unless it comes first. */
function anyOneOf(letters: readonly string[]): string {
  const [letter = ""] = letters;
  if (letters.length > 1) return `[${letters.join("")}]`;
  if (/[\p{L}\p{N} ]/u.test(letter)) return letter;
  return letter === "]" ? "[]]" : `[${NEVER}${letter === "\\" ? "\\\\" : letter}]`;
}

/** A code point that is no character, so that no text contains it. */
const NEVER = "\uffff";

/** The letters of Latin, Greek and Cyrillic, hyphens and apostrophes, and the full-width forms. */
const BLOCKS = [
  [0xb4, 0xb4],
  [0xc0, 0x2af],
  [0x370, 0x52f],
  [0x2bc, 0x2bc],
  [0x1e00, 0x1fff],
  [0x2010, 0x2019],
  [0xff01, 0xff5e],
] as const;

/** All that is the letter without its accents, in both cases. */
function lettersLike(letter: string): string[] {
  if (!like) {
    like = new Map();
    for (const [first, last] of BLOCKS)
      for (let code = first; code <= last; code++) {
        const one = String.fromCodePoint(code);
        const plain = folded(one);
        if (plain !== one) like.set(plain, [...(like.get(plain) ?? []), one]);
      }
  }
  return [letter, ...(like.get(letter) ?? [])];
}

/** Made for the first search, because every program that opens a database loads this file. */
let like: Map<string, string[]> | undefined;
