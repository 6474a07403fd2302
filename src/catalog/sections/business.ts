/**
 * `business`, `scheduling`, `services`, `tax` and `mcp`: the shop, its hours and bays, the services it sells, its sales tax and its tools.
 */
import { z } from "zod";
import { ESTIMATE_KINDS, FAQ_CATEGORIES, PLACES, TOOLS, USUAL_TOOLS, WEEKDAYS } from "../../constants.ts";
import { date, time } from "../../schema/fields.ts";
import { byWord, country, lineOfText, longText, minutes, url, word } from "./values.ts";

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
  .array(interval, {
    error: ({ code }) =>
      code === "invalid_type"
        ? 'must be a list of times, like [{opens: "09:00", closes: "18:00"}], or [] when closed'
        : undefined,
  })
  .max(6)
  .refine(
    (list) => list.every((next, i) => i === 0 || (list[i - 1]?.closes ?? "") <= next.opens),
    "must list opening times in order, without overlap",
  );

const timezone = z.string().refine((zone) => {
  try {
    return Temporal.Now.zonedDateTimeISO(zone) !== undefined && zone.includes("/");
  } catch {
    return false;
  }
}, "must be a time zone of the IANA list, like America/New_York");

const business = z.strictObject({
  name: lineOfText.max(100),
  legal_note: lineOfText.optional(),
  schema_type: lineOfText.default("AutoRepair"),
  google_category: lineOfText.optional(),
  phone: lineOfText.max(32),
  email: z.email(),
  url,
  links: z.record(z.string(), url).default({}),
  price_range: lineOfText.optional(),
  address: z.strictObject({
    street: lineOfText,
    locality: lineOfText,
    region: lineOfText,
    postal_code: lineOfText,
    country: country,
  }),
  geo: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }),
  timezone,
  service_area: z.strictObject({
    label: lineOfText,
    counties: z.array(lineOfText).default([]),
    postal_prefixes: z
      .array(z.string().regex(/^[0-9A-Z]{1,10}$/i, "must be the first digits of a postal code, in quotes"))
      .default([]),
  }),
  credentials: z
    .array(z.strictObject({ name: lineOfText, issuer: lineOfText.optional(), verified: z.boolean() }))
    .default([]),
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
        reason: lineOfText.optional(),
      }),
    )
    .default([]),
});

const service = z.strictObject({
  id: z.int().min(1).max(9999),
  key: word,
  name: lineOfText,
  description: longText.default(""),
  /** The service in the middle of a sentence, like `removing film`; by default the name in small letters. */
  phrase: lineOfText.optional(),
  bookable: z.boolean(),
  /** The work may pause when the shop closes and go on when it opens again; the vehicle keeps its bay. */
  over_night: z.boolean().default(false),
  /** Customers pay nothing: prices of 0 are meant. */
  free: z.boolean().default(false),
  /** Takes old film off, so that a tint job can include it. */
  removes_film: z.boolean().optional(),
  estimate: z.enum(ESTIMATE_KINDS),
  /** Where the work is done; by default at the customer's for flat glass, else at the shop. */
  place: z.enum(PLACES).optional(),
  faq_category: z.enum(FAQ_CATEGORIES),
});

/** The operations that assistants find as tools over MCP. */
const mcp = z.strictObject({
  tools: z
    .array(z.enum(TOOLS))
    .min(1)
    .refine((list) => new Set(list).size === list.length, "must list each tool once")
    .default([...USUAL_TOOLS]),
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
      .union([date(), z.strictObject({ date: date(), reason: lineOfText.optional() })], {
        error: "must be a date written YYYY-MM-DD, or {date, reason}",
      })
      .transform((entry): { date: string; reason?: string } => (typeof entry === "string" ? { date: entry } : entry)),
  ),
  /** Hours in which bays take no work: the bay of this number (`bay`), so many (`bays`), or all; open ends are those of the day. */
  blocked_hours: z
    .array(
      z
        .strictObject({
          date: date(),
          from: time().optional(),
          to: time().optional(),
          bay: z.int().min(1).max(50).optional(),
          bays: z.int().min(1).max(50).optional(),
          reason: lineOfText.optional(),
        })
        .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
          path: ["to"],
          error: "must be later than from",
        })
        .refine(({ bay, bays }) => bay === undefined || bays === undefined, {
          path: ["bays"],
          error: "must be left out beside bay, which is one bay by its number",
        })
        .refine(({ from, to, bay, bays }) => [from, to, bay, bays].some((one) => one !== undefined), {
          error: "must name hours or bays; a whole day belongs into blocked_dates",
        }),
    )
    .default([]),
  default_minutes: z.record(z.string().regex(/^\d+$/, "must be the id of a service"), minutes.min(1)),
  /** By coverage: one number, or one for each vehicle type; there a film may take longer: `<film>_extra`. */
  job_minutes: byWord(
    z.union([minutes, byWord(minutes.min(1))], { error: "must be minutes, or minutes for each vehicle type" }),
  ),
  cure: z.strictObject({ keep_windows_up_days: z.int().min(0), full_cure_days: z.int().min(0) }),
});

export const TAX_STATUSES = ["none", "included", "added"] as const;

const tax = z
  .strictObject({
    status: z.enum(TAX_STATUSES),
    /** Percent, with at most 3 decimals. */
    rate_pct: z.number().min(0.001).max(50).multipleOf(0.001).optional(),
    /** The name of the tax, like Sales tax. */
    label: lineOfText.max(40).optional(),
    /** For customers: one sentence; without it one that follows from the rest. */
    note: lineOfText.max(160).optional(),
  })
  .refine(({ status, rate_pct: rate }) => status === "none" || rate !== undefined, {
    error: "must have a rate_pct, because tax is included or added",
    path: ["rate_pct"],
  })
  .refine(({ status, rate_pct: rate }) => status !== "none" || rate === undefined, {
    error: "must be left out, because status is none: or set status to included or added",
    path: ["rate_pct"],
  })
  .refine(({ status, label }) => status === "none" || label !== undefined, {
    error: "must have a label, like Sales tax, because tax is included or added",
    path: ["label"],
  })
  .refine(({ status, note = "" }) => status !== "added" || !/\bno (\w+ )?tax\b/i.test(note), {
    error: "says that there is no tax, but status is added: change it, or leave it out",
    path: ["note"],
  })
  .transform((tax) => ({ ...tax, note: tax.note ?? usualNote(tax) }));

function usualNote({ status, rate_pct, label }: { status: string; rate_pct?: number; label?: string }): string {
  if (status === "none") return "The price is what you pay: no tax is added.";
  const named = `${label} of ${rate_pct}%`;
  return status === "included" ? `The price includes ${named}.` : `${named} is added to the price.`;
}

/** The sections about the shop, by their keys; `services` is a list of `service`. */
export const SHOP = { business, service, mcp, scheduling, tax };
