/** The schema of catalog.yaml. Money is dollars there and cents after parsing. Rules across keys are in `checks/`. */
import { z } from "zod";
import { FAQ_CATEGORIES, FAQ_SWITCHES } from "../constants.ts";
import { date } from "../schema/fields.ts";
import { automotive, flatGlass, tintLaw } from "./sections/automotive.ts";
import { business, mcp, scheduling, service, tax } from "./sections/business.ts";
import { deposit } from "./sections/deposit.ts";
import { followUpStep, messages } from "./sections/messages.ts";
import { site } from "./sections/site.ts";
import { mailDomains, synonyms } from "./sections/synonyms.ts";
import { access, alerts, keys, rateLimits } from "./sections/traffic.ts";
import { limit, lineOfText, longText, word } from "./sections/values.ts";

export type { Jurisdiction, TintRule } from "./sections/automotive.ts";

export const catalogSchema = z.strictObject({
  version: z.literal(1, { error: "must be 1" }),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code, like USD"),
  reviewed_on: date(),
  business,
  tax: tax.prefault({ status: "none" }),
  /** How binding a price is; the same sentence wherever a price stands, but for `flat_glass.price_note`. */
  price_note: lineOfText.max(200).default("The shop confirms the price when it sees the vehicle or the glass."),
  services: z.array(service).min(1),
  automotive,
  flat_glass: flatGlass.optional(),
  synonyms: synonyms.prefault({}),
  mail_domains: mailDomains,
  scheduling,
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
  follow_up: z.array(followUpStep),
  messages: messages.prefault({}),
  alerts: alerts.prefault({}),
  site,
  mcp: mcp.prefault({}),
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
  tint_law: tintLaw,
});

/** The file as the owner wrote it: money in dollars, optional keys absent. */
export type WrittenCatalog = z.input<typeof catalogSchema>;
/** The catalog as the program uses it: money in cents, defaults filled in, frozen. */
export type Catalog = z.output<typeof catalogSchema>;
export type Service = Catalog["services"][number];
export type AutomotiveFilm = Catalog["automotive"]["films"][string];
export type FlatGlass = NonNullable<Catalog["flat_glass"]>;
export type FlatGlassFilm = FlatGlass["films"][string];
