/**
 * `synonyms`: words of customers that mean a word of the catalog, by kind, and words that say nothing beside such a word.
 * `mail_domains`: what the end of an e-mail address is compared with.
 */
import { z } from "zod";
import { BUILDING_TYPES, CONCERNS } from "../../constants.ts";
import { byWord, word } from "./values.ts";

const group = byWord(word).default({});
const fillers = z
  .array(
    z
      .string()
      .max(40)
      .regex(/^[a-z0-9]+$/, "must be one word in small letters"),
  )
  .max(400)
  .default([]);

const phrases = z
  .array(
    z
      .string()
      .max(40)
      .regex(/^[a-z0-9]+(?:_[a-z0-9]+)*$/, "must be in small letters, with _ for a space"),
  )
  .max(300);

/** Domains of well-known mail providers. One that is a slip of the keys away from one of them is asked about. */
export const mailDomains = z
  .array(
    z
      .string()
      .max(100)
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be a mail domain in small letters, like gmail.com"),
  )
  .max(100)
  .default([]);

export const synonyms = z.strictObject({
  vehicle_types: group,
  films: group,
  coverages: group,
  addons: group,
  services: group,
  site_types: group,
  buildings: byWord(z.enum(BUILDING_TYPES)).default({}),
  concerns: byWord(z.enum(CONCERNS)).default({}),
  /** A shade that follows from the law. */
  shades: byWord(z.enum(["darkest_legal"])).default({}),
  /** Taken for another word by the search in `faq`. */
  questions: group,
  /** Named by customers, and priced as none of the shop's vehicle types. */
  other_vehicles: phrases.default([]),
  /** Stands where a customer's name is asked for, and is none. */
  no_name: phrases.default("unknown anonymous customer client guest tbd not_given not_known not_provided".split(" ")),
  /** What a sentence to the agent asks for. */
  requests: z
    .strictObject({
      price: phrases.default(["how_much", "price", "cost", "quote", "estimate"]),
      /** Questions about all prices rather than for one. */
      lowest: phrases.default(["lowest", "cheapest", "highest"]),
      law: phrases.default(["legal", "allowed", "law"]),
      appointment: phrases.default(["booking", "appointment"]),
      time: phrases.default(["time", "opening", "slot"]),
      available: phrases.default(["available"]),
      /** What is asked with "when can you …" and "when can I …". */
      work: phrases.default(["tint", "do", "bring", "come"]),
      book: phrases.default(["book", "schedule", "reserve"]),
      cancel: phrases.default(["cancel"]),
      move: phrases.default(["move", "reschedule", "change"]),
      find: phrases.default(["find", "show", "status", "when"]),
      hold: phrases.default(["hold", "put_a_hold_on"]),
      /** Film that is to come off: a word alone, a word with "off" or before "old film". */
      remove: phrases.default(["remove", "removed", "removing", "removal"]),
      take_off: phrases.default(["take", "taking", "strip", "stripping", "scrape", "scraping", "peel", "pull"]),
      film: phrases.default(["tint", "film"]),
      old: phrases.default(["old", "existing"]),
      /** Beside a removal: film that is to go on as well. */
      anew: phrases.default(["new", "redo"]),
    })
    .prefault({}),
  /** Beside every kind of word, and beside a vehicle type. */
  fillers: z
    .strictObject({ all: fillers, vehicle_types: fillers, buildings: fillers, questions: fillers })
    .prefault({}),
  /** Asked by customers, by subject: the search in `faq` says that nothing is published about it, rather than the nearest answer. */
  unanswered: z.record(z.string().max(40), phrases).default({}),
});
