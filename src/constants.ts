/** Words that law and protocol fix (contract 10). The shop's own terms are in the catalog: see `termsOf` in `catalog/terms.ts`. */

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
  "confirm_booking",
  "reschedule_booking",
  "cancel_booking",
] as const;

/** All tools that the catalog's `mcp.tools` may list. Registering is no tool, because tools need no API key. */
export const TOOLS = [...USUAL_TOOLS, "get_booking_status"] as const;

/** Values of the catalog on which a question may depend. */
export const FAQ_SWITCHES = ["bookings.hold_minutes", "deposit.services"] as const;

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

/** A job: the event that it tells of, to whom, and the channel by which it goes out. */
interface Job {
  event: string;
  to: "shop" | "customer" | "crm";
  /** `owner`: each of `alerts.to` gets a copy, by the channels of their contacts. Null for what is never sent. */
  by: "owner" | "twilio" | "mail" | "push" | "crm" | null;
}

/** The kinds of outbox jobs. Messages to customers are named as in the catalog's `messages`; limits hold for all together. */
export const JOBS = {
  notify_shop_sms: { event: "lead", to: "shop", by: "owner" },
  push_to_crm: { event: "lead", to: "crm", by: "crm" },
  /** The owner sees reminders in `tint leads`. */
  remind_owner: { event: "reminder", to: "shop", by: null },
  bookings_alert_sms: { event: "many_bookings", to: "shop", by: "owner" },
  digest_sms: { event: "many_leads", to: "shop", by: "owner" },
  text_limit_sms: { event: "messages_wait", to: "shop", by: "owner" },
  late_messages_sms: { event: "messages_late", to: "shop", by: "owner" },
  remind_owner_notice: { event: "reminder", to: "shop", by: "owner" },
  shop_sms: { event: "copy", to: "shop", by: "twilio" },
  shop_email: { event: "copy", to: "shop", by: "mail" },
  shop_push: { event: "copy", to: "shop", by: "push" },
  confirmation_sms: { event: "booked", to: "customer", by: "twilio" },
  reminder_sms: { event: "begins", to: "customer", by: "twilio" },
  rescheduled_sms: { event: "rescheduled", to: "customer", by: "twilio" },
  cancelled_sms: { event: "cancelled", to: "customer", by: "twilio" },
  ready_sms: { event: "ready", to: "customer", by: "twilio" },
  aftercare_sms: { event: "completed", to: "customer", by: "twilio" },
  review_sms: { event: "completed", to: "customer", by: "twilio" },
  quote_reply_sms: { event: "quoted", to: "customer", by: "twilio" },
  quote_nudge_sms: { event: "quoted", to: "customer", by: "twilio" },
  deposit_link_sms: { event: "deposit", to: "customer", by: "twilio" },
  deposit_expired_sms: { event: "deposit", to: "customer", by: "twilio" },
  deposit_refunded_sms: { event: "deposit", to: "customer", by: "twilio" },
  deposit_link_email: { event: "deposit", to: "customer", by: "mail" },
  deposit_expired_email: { event: "deposit", to: "customer", by: "mail" },
  deposit_refunded_email: { event: "deposit", to: "customer", by: "mail" },
  confirmation_email: { event: "booked", to: "customer", by: "mail" },
  reminder_email: { event: "begins", to: "customer", by: "mail" },
  rescheduled_email: { event: "rescheduled", to: "customer", by: "mail" },
  cancelled_email: { event: "cancelled", to: "customer", by: "mail" },
  quote_reply_email: { event: "quoted", to: "customer", by: "mail" },
  quote_nudge_email: { event: "quoted", to: "customer", by: "mail" },
  /** A quote or receipt, when the owner sends it. */
  paper_sms: { event: "paper", to: "customer", by: "twilio" },
  paper_email: { event: "paper", to: "customer", by: "mail" },
} as const satisfies Record<string, Job>;
export type JobKind = keyof typeof JOBS;

type Fitting<Want> = { [Kind in JobKind]: (typeof JOBS)[Kind] extends Want ? Kind : never }[JobKind];

/** The kinds of jobs that fit. */
export function jobsThatAre<const Want extends Partial<Job>>(want: Want): readonly Fitting<Want>[] {
  // Safe, because the kinds are filtered by the same fields as their type.
  return Object.entries(JOBS).flatMap(([kind, job]) =>
    Object.entries(want).every(([field, value]) => job[field as keyof Job] === value) ? (kind as Fitting<Want>) : [],
  );
}

export const JOB_KINDS = jobsThatAre({});
export const CUSTOMER_MESSAGES = jobsThatAre({ to: "customer" });
export const CUSTOMER_TEXTS = jobsThatAre({ to: "customer", by: "twilio" });
/** Texts that a booking brings by itself, in a shop without deposits. */
export const BOOKING_TEXTS = CUSTOMER_TEXTS.filter(
  (kind) => !["quoted", "paper", "deposit"].includes(JOBS[kind].event),
);
/** Texts about the deposit of a booking. */
export const DEPOSIT_TEXTS = jobsThatAre({ to: "customer", by: "twilio", event: "deposit" });
export const CUSTOMER_EMAILS = jobsThatAre({ to: "customer", by: "mail" });
/** What the owner is told. When it is due, each of `alerts.to` gets a copy. */
export const SHOP_NEWS = jobsThatAre({ to: "shop", by: "owner" });
/** What is sent to customers and shop. */
export const MESSAGES: readonly JobKind[] = JOB_KINDS.filter(
  (kind) => kind !== "push_to_crm" && kind !== "remind_owner",
);

/** Messages that name an appointment to come. They are wrong once it is moved, cancelled or begun. */
export const MESSAGES_TO_COME: readonly JobKind[] = [
  ...jobsThatAre({ to: "customer", event: "booked" }),
  ...jobsThatAre({ to: "customer", event: "begins" }),
  ...jobsThatAre({ to: "customer", event: "rescheduled" }),
];

/** The least that Stripe takes of a dollar, in cents: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. */
export const LEAST_CHARGE = 50;

/** The warnings of `/readyz`: all of one, or how it begins, before its number. */
export const READY_WARNINGS = {
  sharing: "callers come from an address of TINT_TRUSTED_PROXIES itself, so they share one limit",
  backup: "the last nightly backup is",
  late: "the oldest unsent message is",
  deposits: "deposits about which Stripe gave no answer:",
} as const;
