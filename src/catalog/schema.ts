/**
 * The shape of catalog.yaml: what an owner may write. Money is dollars in the file and integer cents after parsing;
 * durations are minutes, percentages are 0–100. Rules that span several keys are in `cross-checks.ts`.
 */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { oneOf } from "../explain.ts";
import { date, time } from "../fields.ts";
import { TEMPLATE_FIELDS, unknownFields } from "../template.ts";
import {
  ADDONS,
  AUTOMOTIVE_SERVICES,
  CONCERNS,
  COVERAGES,
  FAQ_CATEGORIES,
  FILM_GOALS,
  FILM_TYPES,
  FOLLOW_UP_STEPS,
  POSITIONS,
  SITE_TYPES,
  TIERS,
  VEHICLE_CLASSES,
  VEHICLE_TYPES,
  WEEKDAYS,
} from "../vocabulary.ts";

/** Dollars with at most 2 decimals in the file, integer cents in the program. */
const money = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((amount) => /^-?\d+(\.\d{1,2})?$/.test(String(amount)), "must have at most 2 decimals, like 289 or 289.50")
  .transform((amount) => Math.round(amount * 100));

const text = z.string().trim().min(1).max(500);
const longText = z.string().trim().min(1).max(2000);
const percent = z.number().min(0).max(100);
const vlt = z.int().min(1).max(100);
const minutes = z
  .int()
  .min(0)
  .max(24 * 60);
const perMinute = z.int().min(1).max(100_000);
const url = z.url({ protocol: /^https?$/, error: "must be a web address beginning with https://" });

/** A record that must hold every one of the given keys and no other. */
function every<K extends string, V extends z.ZodType>(keys: readonly K[], value: V) {
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>);
}

const interval = z
  .strictObject({
    opens: time(),
    closes: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "must be a time of day written HH:MM, like 18:00"),
  })
  .refine(({ opens, closes }) => opens.length < 5 || closes.length < 5 || opens < closes, {
    path: ["closes"],
    error: "must be later than opens",
  });
const intervals = z
  .array(interval)
  .max(6)
  .refine(
    (list) => list.every((next, i) => i === 0 || (list[i - 1]?.closes ?? "") <= next.opens),
    "must list its opening times in order, without overlap",
  );

const timezone = z.string().refine((zone) => {
  try {
    return Temporal.Now.zonedDateTimeISO(zone) !== undefined && zone.includes("/");
  } catch {
    return false;
  }
}, "must be a time zone of the IANA list, like America/New_York");

const network = z.string().refine((cidr) => ipaddr.isValidCIDR(cidr), "must be an address range, like 203.0.113.0/24");

const shade = z.strictObject({ label: z.int().min(0).max(100), vlt });

const business = z.strictObject({
  name: text.max(100),
  legal_note: text.optional(),
  schema_type: text.default("AutoRepair"),
  google_category: text.optional(),
  phone: text.max(32),
  email: z.email(),
  url,
  links: z.record(z.string(), url).default({}),
  price_range: text.optional(),
  address: z.strictObject({
    street: text,
    locality: text,
    region: text,
    postal_code: text,
    country: z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code, like US"),
  }),
  geo: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  timezone,
  service_area: z.strictObject({
    label: text,
    counties: z.array(text).default([]),
    postal_prefixes: z
      .array(z.string().regex(/^[0-9A-Z]{1,10}$/i, "must be the first digits of a postal code, in quotes"))
      .default([]),
  }),
  credentials: z.array(z.strictObject({ name: text, issuer: text.optional(), verified: z.boolean() })).default([]),
  hours: z.strictObject(
    Object.fromEntries(WEEKDAYS.map((day) => [day, intervals.default([])])) as Record<
      (typeof WEEKDAYS)[number],
      z.ZodDefault<typeof intervals>
    >,
  ),
  special_hours: z
    .array(
      z.strictObject({
        date: date(),
        closed: z.boolean().default(false),
        hours: intervals.default([]),
        reason: text.optional(),
      }),
    )
    .default([]),
});

const service = z.strictObject({
  id: z.int().min(1).max(9999),
  key: z.string().regex(/^[a-z][a-z0-9_]*$/, "must be small letters, digits and underscores"),
  name: text,
  description: longText.default(""),
  bookable: z.boolean(),
  estimate: z.enum(["automotive", "flat_glass", "quote_only"]),
  faq_category: z.enum(FAQ_CATEGORIES),
});

const automotive = z.strictObject({
  defaults: z.strictObject({
    service: z.enum(AUTOMOTIVE_SERVICES),
    film_type: z.enum(FILM_TYPES),
    coverage: z.enum(COVERAGES),
  }),
  films: every(
    FILM_TYPES,
    z.strictObject({
      name: text,
      description: longText.optional(),
      ir_rejection_pct: percent,
      uv_rejection_pct: percent,
      warranty: text,
      shades: z.array(shade).min(1),
    }),
  ),
  /** Trade words for a shade; the usual ones hold where the catalog does not list its own. */
  shade_words: z.record(z.string(), vlt).default({ limo: 5, dark: 20, medium: 35, light: 50 }),
  windshield_default_vlt: vlt.default(70),
  estimate_valid_days: z.int().min(0).max(365).default(0),
  vehicle_types: every(
    VEHICLE_TYPES,
    z.strictObject({
      standard: every(COVERAGES, money),
      ceramic: every(COVERAGES, money),
      film_removal: every(COVERAGES, money),
      clearplex: money,
    }),
  ),
  addons: every(
    ADDONS,
    z.strictObject({
      name: text,
      price: every(FILM_TYPES, money),
      applies_to: z.array(z.enum(AUTOMOTIVE_SERVICES)),
      minutes,
      position: z.enum([...POSITIONS, "windshield_strip"]).nullable(),
      suggest: text.optional(),
      terms: longText.optional(),
    }),
  ),
});

const flatGlassFilm = z.strictObject({
  name: text,
  family: text,
  vlt: percent.nullable().default(null),
  tser: percent.nullable().default(null),
  glare: percent.nullable().default(null),
  uv: percent.nullable().default(null),
  ext_reflect: percent.nullable().default(null),
  mil: z.number().positive().max(100).nullable().default(null),
  anchored: z.boolean().default(false),
  note: text.nullable().default(null),
});

const flatGlass = z.strictObject({
  ballpark_per_sqft: z.strictObject({ low: money, high: money }),
  rates_per_sqft: every(SITE_TYPES, every(TIERS, money)),
  ladder: z.strictObject({ per_sqft: money, floors_min: z.int().min(1).max(200) }),
  survey_floors_min: z.int().min(1).max(200),
  blocked_window_each: money,
  curtain_window_each: money,
  removal_per_sqft: z.strictObject({ low: money, high: money }),
  minimum_job_charge: money,
  recommended_tier: z.enum(TIERS).default("better"),
  films: z.record(z.string(), flatGlassFilm),
  recommend: every(CONCERNS, every(TIERS, z.string())),
  default_concern: z.enum(CONCERNS),
  goal_to_concern: every(FILM_GOALS, z.enum(CONCERNS)),
});

const scheduling = z.strictObject({
  bays: z.int().min(1).max(50),
  grid_minutes: z.int().min(5).max(720),
  buffer_minutes: minutes,
  lead_minutes: z
    .int()
    .min(0)
    .max(60 * 24 * 30),
  horizon_days: z.int().min(1).max(365),
  blocked_dates: z.array(
    z
      .union([date(), z.strictObject({ date: date(), reason: text.optional() })], {
        error: "must be a date written YYYY-MM-DD, or {date, reason}",
      })
      .transform((entry): { date: string; reason?: string } => (typeof entry === "string" ? { date: entry } : entry)),
  ),
  default_minutes: z.record(z.string().regex(/^\d+$/, "must be the id of a service"), minutes.min(1)),
  job_minutes: z.strictObject({
    full: every(VEHICLE_TYPES, minutes.min(1)),
    front2: minutes.min(1),
    ceramic_extra: minutes,
  }),
  cure: z.strictObject({ keep_windows_up_days: z.int().min(0), full_cure_days: z.int().min(0) }),
});

const rule = z.discriminatedUnion(
  "rule",
  [
    z.strictObject({ rule: z.literal("min_vlt"), vlt }),
    z.strictObject({ rule: z.literal("any") }),
    z.strictObject({ rule: z.literal("prohibited") }),
    z.strictObject({
      rule: z.literal("strip"),
      inches: z.number().positive().max(30).optional(),
      as1: z.boolean().optional(),
    }),
  ],
  { error: "must have a rule: min_vlt (with vlt), any, prohibited or strip" },
);
export type TintRule = z.output<typeof rule>;

const alternatives = z.array(every(POSITIONS, rule)).min(1);

const jurisdiction = z.strictObject({
  name: text,
  citation: text.nullable().default(null),
  reviewed_on: date().nullable().default(null),
  confidence: text,
  note: text.optional(),
  measure: z.enum(["net", "film", "unclear"]),
  tolerance: z.number().min(0).max(20).nullable(),
  reflectance_max: z.partialRecord(z.enum(POSITIONS), percent).optional(),
  colors_restricted: z.array(text).optional(),
  classes: z.strictObject({ passenger: alternatives, multipurpose: alternatives.optional() }),
  installer_must_certify: z.boolean().optional(),
  exemptions: z
    .array(
      z.strictObject({
        kind: text,
        authority: text.optional(),
        needs: text.optional(),
        fee: money.optional(),
        renew_years: z.int().min(0).optional(),
        carry_in_vehicle: z.boolean().optional(),
        min_vlt: vlt.nullable().optional(),
      }),
    )
    .optional(),
});
export type Jurisdiction = z.output<typeof jurisdiction>;

const tintLaw = z.strictObject({
  home: z.string(),
  disclaimer: text,
  glass_vlt: every(VEHICLE_CLASSES, every(POSITIONS, vlt)),
  vehicle_class: every(VEHICLE_TYPES, z.enum(VEHICLE_CLASSES)),
  confirm_class: z.array(z.enum(VEHICLE_TYPES)),
  jurisdictions: z.record(z.string(), jurisdiction),
});

const rateLimits = z.strictObject({
  anonymous_per_minute: perMinute,
  agent_class_per_minute: perMinute,
  api_key_per_minute: perMinute,
  quote_requests_per_minute: perMinute,
  bookings_per_10_minutes: perMinute,
  bookings_per_phone_per_day: perMinute,
  registrations_per_hour: perMinute,
  agent_classes: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/i), z.array(text).min(1)),
});

const followUpStep = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,5}[mhd]$/, "must be a time span, like 30m, 4h or 2d")
    .transform((span) => Number.parseInt(span, 10) * { m: 1, h: 60, d: 1440 }[span.at(-1) as "m" | "h" | "d"]),
  do: z.enum(FOLLOW_UP_STEPS),
  /** Put off to the next opening when the shop is closed. */
  in_opening_hours: z.boolean().default(false),
  unless: z.enum(["contacted"]).optional(),
});

const template = longText.refine((text) => unknownFields(text).length === 0, {
  error: ({ input }) =>
    `names ${oneOf(unknownFields(String(input)).map((field) => `{${field}}`))}, which is not known; known are ${oneOf(TEMPLATE_FIELDS.map((field) => `{${field}}`))}`,
});
const smsMessage = z.strictObject({ enabled: z.boolean(), text: template });
const emailMessage = z.strictObject({ enabled: z.boolean(), subject: template, text: template });
const hoursBefore = z
  .int()
  .min(1)
  .max(24 * 14);

/** Texts that go out; without this section only the shop is told. */
const messages = z.strictObject({
  shop_sms_to: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, "must be a phone number like +14045550142")
    .optional(),
  stuck_after_minutes: z.int().min(1).default(60),
  confirmation_sms: smsMessage.optional(),
  confirmation_email: emailMessage.optional(),
  reminder_sms: smsMessage.extend({ hours_before: hoursBefore }).optional(),
  reminder_email: emailMessage.extend({ hours_before: hoursBefore }).optional(),
});

const site = z.strictObject({
  url,
  base_url: url.refine((address) => address.endsWith("/api/v1"), "must end with /api/v1"),
  agent_proxy_url: url,
  mcp_url: url,
});

export const catalogSchema = z.strictObject({
  version: z.literal(1, { error: "must be 1" }),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code, like USD"),
  reviewed_on: date(),
  business,
  services: z.array(service).min(1),
  automotive,
  flat_glass: flatGlass,
  scheduling,
  bookings: z.strictObject({ require_api_key: z.boolean(), require_consent: z.boolean() }),
  rate_limits: rateLimits,
  access: z.strictObject({
    blocked_networks: z.array(network),
    blocked_countries: z.array(z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code, like FR")),
    country_header: text,
  }),
  follow_up: z.array(followUpStep),
  messages: messages.prefault({}),
  site,
  faq: z.array(z.strictObject({ category: z.enum(FAQ_CATEGORIES), question: text, answer: longText })),
  tint_law: tintLaw,
});

/** What the owner wrote, before money became cents. */
export type CatalogSource = z.input<typeof catalogSchema>;
/** The catalog the program works with; frozen. */
export type Catalog = z.output<typeof catalogSchema>;
export type Service = Catalog["services"][number];
export type AutomotiveFilm = Catalog["automotive"]["films"]["standard"];
export type FlatGlassFilm = Catalog["flat_glass"]["films"][string];
