/** The schema of catalog.yaml, and its smaller sections. Money is dollars there and cents after parsing. Rules across keys are in `checks/`. */

import ipaddr from "ipaddr.js";
import { z } from "zod";
import { BUILDING_TYPES, CONCERNS, FAQ_CATEGORIES, FAQ_SWITCHES, LEAST_CHARGE, type Position } from "../constants.ts";
import { isCountryHeader } from "../lib/network.ts";
import { date, every } from "../schema/fields.ts";
import { WORK } from "./sections/automotive.ts";
import { SHOP } from "./sections/business.ts";
import { MESSAGES } from "./sections/messages.ts";
import { site } from "./sections/site.ts";
import { FIELDS } from "./sections/template.ts";
import { byWord, contact, country, limit, lineOfText, longText, money, template, word } from "./sections/values.ts";

const network = z.string().refine((cidr) => ipaddr.isValidCIDR(cidr), "must be an address range, like 203.0.113.0/24");

/** The limits that stack on a caller's general one; their rows are in `LIMITS`. */
const LIMIT_NAMES = ["quote_requests_per_minute", "registrations_per_hour"] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** User agents of common browsers, in small letters. */
const BROWSERS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
].map((name) => name.toLowerCase());

const agentWord = lineOfText.refine(
  (word) => !BROWSERS.some((name) => name.includes(word.toLowerCase())),
  "is in the name of every browser or of a common one, so that customers would share the limit of an agent",
);

const rateLimits = z.strictObject({
  anonymous_per_minute: limit,
  agent_class_per_minute: limit,
  api_key_per_minute: limit,
  bookings_per_10_minutes: limit,
  bookings_per_phone_per_day: limit,
  ...every(LIMIT_NAMES, limit).shape,
  /** Requests under the names of AI services from one network, whichever names they are. */
  agents_per_network_per_minute: limit.default(240),
  /** Views of the customers' pages from one network, which count apart from requests to the API. */
  pages_per_minute: limit.default(240),
  /** How many times the limit of one network all keys together get that registered themselves from it. */
  self_registered_times: limit.default(3),
  /** Wrong confirmation codes and contacts, and wrong bodies under a request id, by network and by code or id. */
  wrong_codes_per_10_minutes: limit.default(5),
  /** Wrong contacts for one code, or bodies for one request id; beyond them a right one is refused too, except to its own network. */
  wrong_codes_per_code_per_day: limit.default(50),
  /** How many times the limit of one caller an IPv6 network around it gets: a /56 and a /48. */
  ipv6_56_times: limit.default(8),
  ipv6_48_times: limit.default(32),
  agent_classes: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/i), z.array(agentWord).min(1)),
});

const keys = z.strictObject({
  /** Days after which a key that registered itself ends when it is not used. */
  self_registered_days: z.int().min(1).max(3650).default(90),
});

const access = z.strictObject({
  blocked_networks: z.array(network),
  blocked_countries: z.array(country),
  country_header: lineOfText.refine(
    isCountryHeader,
    "must be the name of a header that holds a country, like CF-IPCountry: the agent proxy removes those a caller sends",
  ),
});

const alerts = z.strictObject({
  /** Who hears of bookings, quote requests and what goes wrong. Without it `messages.shop_sms_to`, else `business.phone`. */
  to: z.array(contact).min(1).max(20).optional(),
  /** The owner gets one text when more bookings than this are made within an hour. */
  bookings_per_hour: limit.default(20),
  /** The owner gets at most one text in so many hours about messages that are late by `messages.stuck_after_minutes`. */
  late_messages_once_in_hours: limit.default(24),
});

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
const mailDomains = z
  .array(
    z
      .string()
      .max(100)
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be a mail domain in small letters, like gmail.com"),
  )
  .max(100)
  .default([]);

const synonyms = z.strictObject({
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
      /** Film that the shop may not have, and asks about. */
      other_film: phrases.default([]),
      /** Beside a removal: film that is to go on as well. */
      anew: phrases.default(["new", "redo"]),
    })
    .prefault({}),
  /** Beside every kind of word, and beside a vehicle type. */
  fillers: z
    .strictObject({ all: fillers, vehicle_types: fillers, buildings: fillers, questions: fillers })
    .prefault({}),
  /** Asked by customers, by subject: the search in `faq` says that nothing is published about it, rather than the nearest answer. */
  unanswered: z.record(z.string().max(40), z.array(lineOfText)).default({}),
});

/** Sentences about a paid deposit, for a catalog that has none, or no `deposit` section any more. */
export const DEPOSIT_SAID = {
  paid: "Your deposit of {deposit} is paid.",
  goes_back: "Your deposit of {deposit} goes back to your card.",
  by_hand: "The shop gives your deposit of {deposit} back.",
  kept: "The deposit of {deposit} is kept: it goes back only until {refund_hours} hours before the appointment.",
};

/** Without this section no booking asks for one. */
const deposit = z.strictObject({
  amount: money
    .refine((cents) => cents >= LEAST_CHARGE, "must be 0.50 or more, the least that Stripe takes")
    .optional(),
  /** Percentage of the price, or of the lowest price of the service while the vehicle is unknown. */
  percent: z.number().min(1).max(100).optional(),
  /** Keys of services. */
  services: z.array(word).min(1),
  /** Stripe's page lives for a day at most. */
  minutes_to_pay: z
    .int()
    .min(5)
    .max(23 * 60)
    .default(30),
  /** A customer who cancels so many hours before the start gets it back. */
  refund_until_hours: z
    .int()
    .min(0)
    .max(24 * 30)
    .default(24),
  /** Stands wherever a customer agrees to it. */
  note: template(500, FIELDS.deposit).default(
    "A deposit of {deposit} is part of the price and makes the booking certain. It is given back if the booking is cancelled at least {refund_hours} hours before it begins; later it is kept.",
  ),
  /** Sentences for customers: with the confirmation; after a cancellation, when paid by card, by hand, or too late. */
  paid: template(200, FIELDS.deposit).default(DEPOSIT_SAID.paid),
  goes_back: template(200, FIELDS.deposit).default(DEPOSIT_SAID.goes_back),
  by_hand: template(200, FIELDS.deposit).default(DEPOSIT_SAID.by_hand),
  kept: template(200, FIELDS.deposit).default(DEPOSIT_SAID.kept),
  /** In place of those of `site.texts`, which speak of no payment. */
  texts: z
    .strictObject({
      intro: longText.default("Your price in seconds. A deposit makes the time yours."),
      pay: lineOfText.max(40).default("Deposit now, the rest at the shop"),
      payment: longText.default(
        "A deposit by card makes the booking certain. You pay the rest at the shop when the work is done.",
      ),
    })
    .prefault({}),
});

export const catalogSchema = z.strictObject({
  version: z.literal(1, { error: "must be 1" }),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code, like USD"),
  reviewed_on: date(),
  business: SHOP.business,
  tax: SHOP.tax.prefault({ status: "none" }),
  /** How binding a price is; the same sentence wherever a price stands, but for `flat_glass.price_note`. */
  price_note: lineOfText.max(200).default("The shop confirms the price when it sees the vehicle or the glass."),
  services: z.array(SHOP.service).min(1),
  automotive: WORK.automotive,
  flat_glass: WORK.flat_glass.optional(),
  synonyms: synonyms.prefault({}),
  mail_domains: mailDomains,
  scheduling: SHOP.scheduling,
  bookings: z.strictObject({
    require_api_key: z.boolean(),
    require_consent: z.boolean(),
    /** The most future bookings one customer may hold, by phone number or e-mail address. */
    open_per_customer: limit.default(4),
    /** For so long a time is held for whoever asks so, until it is confirmed; 0 holds none. */
    hold_minutes: z
      .int()
      .min(0)
      .max(24 * 60)
      .default(0),
    /** What a customer should bring or know before the appointment. */
    prepare: longText.optional(),
    /** Whether customers move and cancel their own bookings online, and until how many hours before the start; for so many
     * minutes after it was made, a booking can be changed even later. */
    self_service: z
      .strictObject({
        enabled: z.boolean().default(true),
        cutoff_hours: z
          .int()
          .min(0)
          .max(24 * 30)
          .default(24),
        grace_minutes: z
          .int()
          .min(0)
          .max(24 * 60)
          .default(30),
        /** The most times that a customer moves one booking on one day of the shop. */
        changes_per_day: limit.default(5),
      })
      .prefault({}),
  }),
  deposit: deposit.optional(),
  /** Days after which the personal data of old bookings and leads is erased; null keeps it. */
  retention_days: z
    .int()
    .min(1)
    .max(365 * 100)
    .nullable()
    .default(null),
  /** The diary in the owner's phone. `initials`: entries without name, phone, price and note. */
  calendar: z.strictObject({ details: z.enum(["full", "initials"]).default("full") }).prefault({}),
  rate_limits: rateLimits,
  keys: keys.prefault({}),
  access,
  follow_up: MESSAGES.follow_up,
  messages: MESSAGES.messages.prefault({}),
  alerts: alerts.prefault({}),
  site,
  mcp: SHOP.mcp.prefault({}),
  faq: z.array(
    z.strictObject({
      category: z.enum(FAQ_CATEGORIES),
      /** Keys of services. The question is shown while the shop offers one of them. */
      services: z.array(word).min(1).optional(),
      /** The question is shown while this value is not 0, or is. */
      while: z.enum(FAQ_SWITCHES).optional(),
      unless: z.enum(FAQ_SWITCHES).optional(),
      question: lineOfText,
      /** Other ways to ask it, as customers write. `GET /faq?q=` learns from them. */
      also: z.array(lineOfText).min(1).optional(),
      /** Stands below the booking page of the services that it is about, as long as there are not too many. */
      on_page: z.boolean().optional(),
      answer: longText,
    }),
  ),
  tint_law: WORK.tint_law,
});

/** The file as the owner wrote it: money in dollars, optional keys absent. */
export type WrittenCatalog = z.input<typeof catalogSchema>;
/** The catalog as the program uses it: money in cents, defaults filled in, frozen. */
export type Catalog = z.output<typeof catalogSchema>;
export type Service = Catalog["services"][number];
export type AutomotiveFilm = Catalog["automotive"]["films"][string];
export type FlatGlass = NonNullable<Catalog["flat_glass"]>;
export type FlatGlassFilm = FlatGlass["films"][string];
export type Jurisdiction = Catalog["tint_law"]["jurisdictions"][string];
export type TintRule = Jurisdiction["classes"]["passenger"][number][Position];
