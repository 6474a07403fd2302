/**
 * Words that the catalog, the capabilities and the command line share. The API fixes them (spec section 2): an owner
 * prices them in catalog.yaml, but cannot add new ones.
 */

export const API_PREFIX = "/api/v1";

export const VEHICLE_TYPES = ["sedan", "coupe", "suv", "truck", "wagon", "crossover", "van"] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

export const AUTOMOTIVE_SERVICES = ["automotive", "film_removal", "clearplex"] as const;
export type AutomotiveService = (typeof AUTOMOTIVE_SERVICES)[number];

export const FILM_TYPES = ["standard", "ceramic"] as const;
export type FilmType = (typeof FILM_TYPES)[number];

export const COVERAGES = ["full", "front2"] as const;
export type Coverage = (typeof COVERAGES)[number];

/** In the order in which an estimate lists them. */
export const ADDONS = ["windshield_strip", "windshield", "sunroof", "nofault"] as const;
export type Addon = (typeof ADDONS)[number];

export const SITE_TYPES = ["commercial", "residential", "security"] as const;
export type SiteType = (typeof SITE_TYPES)[number];

export const CONCERNS = ["heat", "glare", "privacy", "security", "uv", "leed", "energy"] as const;
export type Concern = (typeof CONCERNS)[number];

export const FILM_GOALS = [
  "heat_reduction",
  "glare_reduction",
  "uv_protection",
  "privacy",
  "security",
  "decorative",
  "energy_savings",
  "leed_credits",
] as const;
export type FilmGoal = (typeof FILM_GOALS)[number];

export const TIERS = ["good", "better", "best"] as const;
export type Tier = (typeof TIERS)[number];

export const BUILDING_TYPES = [
  "office",
  "storefront",
  "warehouse",
  "restaurant",
  "medical",
  "church",
  "school",
  "home",
  "condo",
  "other",
] as const;

export const FAQ_CATEGORIES = ["automotive", "residential", "commercial", "security", "general"] as const;

/** How a service is priced. */
export const ESTIMATE_KINDS = ["automotive", "flat_glass", "quote_only"] as const;

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Positions of glass in tint law. */
export const POSITIONS = ["front_side", "rear_side", "rear_window", "windshield"] as const;
export type Position = (typeof POSITIONS)[number];

export const VEHICLE_CLASSES = ["passenger", "multipurpose"] as const;

/** The steps that the catalog's `follow_up` may list. */
export const FOLLOW_UP_STEPS = ["notify_shop_sms", "push_to_crm", "remind_owner"] as const;

/** The texts to customers that the catalog's `messages` can switch on. Limits per number, hour and day hold for all. */
export const CUSTOMER_TEXTS = ["confirmation_sms", "reminder_sms", "rescheduled_sms", "cancelled_sms"] as const;

/** The e-mails to customers that the catalog's `messages` can switch on. */
export const CUSTOMER_EMAILS = [
  "confirmation_email",
  "reminder_email",
  "rescheduled_email",
  "cancelled_email",
] as const;

/** The messages to customers. */
export const CUSTOMER_MESSAGES = [...CUSTOMER_TEXTS, ...CUSTOMER_EMAILS] as const;

/** Messages that name an appointment to come. They are wrong once it is moved, cancelled or begun. */
export const MESSAGES_TO_COME: readonly JobKind[] = CUSTOMER_MESSAGES.filter(
  (kind) => kind !== "cancelled_sms" && kind !== "cancelled_email",
);

/** Texts to the shop beside `follow_up`: many bookings (`alerts`), many leads in one text, customer texts that wait. */
const SHOP_NOTICES = ["bookings_alert_sms", "digest_sms", "text_limit_sms"] as const;
/** The texts to the shop. */
export const SHOP_TEXTS = ["notify_shop_sms", ...SHOP_NOTICES] as const;

/** The kinds of outbox jobs. */
export const JOB_KINDS = [...FOLLOW_UP_STEPS, ...SHOP_NOTICES, ...CUSTOMER_MESSAGES] as const;
export type JobKind = (typeof JOB_KINDS)[number];
