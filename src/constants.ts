/**
 * Words that law and protocol fix (contract 10). The shop's own terms, like vehicle types and films, stand in the
 * catalog: see `termsOf` in `catalog/terms.ts`.
 */

export const API_PREFIX = "/api/v1";

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

/** The tools that every shop offers over MCP unless the catalog says otherwise, by operationId (contract 16). */
export const USUAL_TOOLS = [
  "get_services",
  "get_location",
  "get_faq",
  "check_availability",
  "estimate_price",
  "request_quote",
  "book_appointment",
  "find_booking",
  "reschedule_booking",
  "cancel_booking",
] as const;

/** All tools that the catalog's `mcp.tools` may list. Registering is no tool, because tools need no API key. */
export const TOOLS = [...USUAL_TOOLS, "get_booking_status"] as const;

/** How a service is priced. */
export const ESTIMATE_KINDS = ["automotive", "flat_glass", "quote_only"] as const;

/** Where work is done: the customer comes to the shop, or the shop to the customer. */
export const PLACES = ["shop", "customer"] as const;

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Positions of glass in tint law. */
export const POSITIONS = ["front_side", "rear_side", "rear_window", "windshield"] as const;
export type Position = (typeof POSITIONS)[number];

/** The shapes in which the booking page can draw a vehicle. */
export const DRAWINGS = ["car", "coupe", "wagon", "crossover", "tall", "pickup", "box"] as const;
export type Drawing = (typeof DRAWINGS)[number];

/** The classes of vehicles that tint laws tell apart. */
export const VEHICLE_CLASSES = ["passenger", "multipurpose"] as const;

/** Stands in place of an agent's class and of a network where the shop itself booked. */
export const OWNER = "owner";

/** The origins of a lead. */
export const LEAD_KINDS = ["booking", "quote_request"] as const;

/** How customers pay. */
export const PAID_BY = ["cash", "card", "other"] as const;
export type PaidBy = (typeof PAID_BY)[number];

/** What a payment is: money ahead of the work, for it, on top of it, or given back. */
export const PAYMENT_KINDS = ["deposit", "payment", "tip", "refund"] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** The steps that the catalog's `follow_up` may list. */
export const FOLLOW_UP_STEPS = [
  "notify_shop_sms",
  "push_to_crm",
  "remind_owner",
  "reply_to_customer",
  "nudge_customer",
] as const;
/** The steps that are jobs themselves. The other two become one of the messages to customers. */
const STEP_JOBS = ["notify_shop_sms", "push_to_crm", "remind_owner"] as const;

/** The texts to customers that the catalog's `messages` can switch on. Limits per number, hour and day hold for all. */
export const CUSTOMER_TEXTS = [
  "confirmation_sms",
  "reminder_sms",
  "rescheduled_sms",
  "cancelled_sms",
  "ready_sms",
  "aftercare_sms",
  "review_sms",
  "quote_reply_sms",
  "quote_nudge_sms",
] as const;

/** Texts once the work is done. They are wrong when it turns out that it was not. */
export const TEXTS_AFTER_WORK: readonly JobKind[] = ["aftercare_sms", "review_sms"];

/** The e-mails to customers that the catalog's `messages` can switch on. */
export const CUSTOMER_EMAILS = [
  "confirmation_email",
  "reminder_email",
  "rescheduled_email",
  "cancelled_email",
  "quote_reply_email",
  "quote_nudge_email",
] as const;

/** Messages to somebody who asked for a quote. They are wrong once the customer has booked. */
export const QUOTE_MESSAGES: readonly JobKind[] = [
  "quote_reply_sms",
  "quote_nudge_sms",
  "quote_reply_email",
  "quote_nudge_email",
];

/** The messages to customers. */
export const CUSTOMER_MESSAGES = [...CUSTOMER_TEXTS, ...CUSTOMER_EMAILS] as const;

/** Messages that name an appointment to come. They are wrong once it is moved, cancelled or begun. */
export const MESSAGES_TO_COME: readonly JobKind[] = CUSTOMER_MESSAGES.filter(
  (kind) =>
    kind !== "cancelled_sms" &&
    kind !== "cancelled_email" &&
    kind !== "ready_sms" &&
    !TEXTS_AFTER_WORK.includes(kind) &&
    !QUOTE_MESSAGES.includes(kind),
);

/**
 * News for the owner beside that of `follow_up`: many bookings (`alerts`), many leads in one message, customer messages that
 * wait, late messages, a customer to call back.
 */
const SHOP_NOTICES = [
  "bookings_alert_sms",
  "digest_sms",
  "text_limit_sms",
  "late_messages_sms",
  "remind_owner_notice",
] as const;
/** What the owner is told. When it is due, each of `alerts.to` gets a copy. */
export const SHOP_NEWS = ["notify_shop_sms", ...SHOP_NOTICES] as const;
/** The copies: to a mobile, to an e-mail address, to a web address. */
const SHOP_COPIES = ["shop_sms", "shop_email", "shop_push"] as const;
/** The messages to the shop. */
export const SHOP_MESSAGES = [...SHOP_NEWS, ...SHOP_COPIES] as const;

/** The kinds of outbox jobs. */
export const JOB_KINDS = [...STEP_JOBS, ...SHOP_NOTICES, ...SHOP_COPIES, ...CUSTOMER_MESSAGES] as const;
export type JobKind = (typeof JOB_KINDS)[number];
