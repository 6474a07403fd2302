/** The answer to a booking. It is stored, and read again for a repeated request and for the diary. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { shadeShapes, vehicle } from "../../job/job.ts";
import { toCents, toUnits } from "../../lib/money.ts";
import { linesFor } from "../../schema/fields.ts";
import { type Warning, warningShape } from "../core/envelope.ts";
import { lawJurisdiction, lawStatus, priceNote, taxShape, totalWithTax } from "../core/price-shapes.ts";
import {
  address,
  calendarDate,
  clockTime,
  currency,
  currencyUnits,
  durationMinutes,
  lineItem,
  split,
  termFields,
  timestamp,
  timezone,
} from "../core/shapes.ts";

/** The kinds of messages that the answer to a booking announces. */
const ANNOUNCED = ["confirmation", "reminder"] as const;

/** Which of them are planned. */
export function messagesIn(jobs: readonly { kind: string }[]): Confirmation["messages"] {
  const planned = new Set<string>();
  for (const { kind } of jobs) planned.add(kind);
  const messages: Confirmation["messages"] = { text: [], email: [] };
  for (const name of ANNOUNCED) {
    if (planned.has(`${name}_sms`)) messages.text.push(name);
    if (planned.has(`${name}_email`)) messages.email.push(name);
  }
  return messages;
}

/** The fields with the shop's own terms. */
type WordShapes = Record<"vehicleType" | "filmType" | "coverage" | "addon", z.ZodType<string, string>>;

const confirmationWith = ({ vehicleType, filmType, coverage, addon }: WordShapes) =>
  z.object({
    confirmation_code: z.string().meta({ description: "8 characters; the customer needs it to change or cancel." }),
    booking_id: z.string().describe("The shop's id of it."),
    status: z.literal("confirmed").describe("The state of the booking."),
    date: calendarDate(),
    time: clockTime(),
    start: timestamp(),
    end: timestamp(),
    timezone: timezone(),
    duration_minutes: durationMinutes(),
    split: split(),
    service: z.string().describe("Key of the service."),
    vehicle: vehicle(vehicleType),
    film_type: filmType.nullable(),
    coverage: coverage.nullable(),
    addons: z.array(addon).describe("Extras in the work."),
    assumed: z
      .array(z.string())
      .default([])
      .meta({ description: "Fields that the shop filled in because the request left them out." }),
    remove_old_film: z.boolean().describe("Whether old film is taken off first."),
    ...shadeShapes(),
    tint_law: z
      .object({ jurisdiction: lawJurisdiction(), status: lawStatus() })
      .nullable()
      .meta({ description: "Information, not advice; null when no vehicle_type was given." }),
    special_requests: z.string().nullable().describe("As the customer wrote it."),
    estimate: z
      .object({
        currency: currency(),
        total: currencyUnits(),
        tax: taxShape().optional(),
        total_with_tax: totalWithTax(),
        price_note: priceNote().optional(),
        line_items: z.array(lineItem()).describe("The lines; their amounts add up to the total."),
        locked: z.boolean().meta({ description: "The price of the estimate holds." }),
      })
      .nullable()
      .meta({ description: "null when no vehicle_type was given." }),
    estimate_id: z.string().nullable().describe("The estimate whose price holds."),
    customer: z
      .object({ name: z.string().describe("The customer's name.") })
      .meta({ title: "BookedCustomer", description: "Whose booking it is." }),
    lead_id: z.string().describe("The shop's id of the customer's request."),
    location: z
      .object({
        name: z.string().describe("The shop's name."),
        address: address(),
        phone: z.string().describe("The number to call."),
      })
      .meta({ title: "BookingLocation", description: "Where to come." }),
    booking_request_id: z.string().nullable().describe("The caller's own id of the request."),
    can_change_until: canChangeUntilField(),
    manage_url: z.string().optional().meta({
      format: "uri",
      description: "The page where the customer sees, moves or cancels it; the contact is typed there.",
    }),
    messages: z
      .object({ text: messageNames().describe("By text."), email: messageNames().describe("By e-mail.") })
      .meta({ title: "BookingMessages", description: "What the customer will be sent, and how." }),
    prepare: z.string().nullable().meta({ description: "What the customer should bring or know." }),
  });

/** The messages that go out by one channel. */
const messageNames = () =>
  z.array(
    z.enum(ANNOUNCED).meta(
      linesFor<(typeof ANNOUNCED)[number]>({
        confirmation: "Once it is booked.",
        reminder: "Before the appointment.",
      }),
    ),
  );

const canChangeUntilField = () =>
  timestamp().nullable().meta({
    description:
      "Until then it can be moved or cancelled online, afterwards by phone; null when it is over or cancelled, or changed by phone only.",
  });

/** The confirmation as a schema, with the words of the current catalog. */
export const confirmation = (catalog: Shop) => confirmationWith(termFields(catalog));

/** The answer to the request: of a dry run, without codes and ids. */
export const bookingAnswer = (catalog: Shop) => {
  const made = confirmation(catalog);
  const { confirmation_code, booking_id, lead_id } = made.shape;
  return made
    .extend({
      confirmation_code: confirmation_code.nullable().meta({
        description: "8 characters; the customer needs it to change or cancel. Null in a dry run.",
      }),
      booking_id: booking_id.nullable(),
      status: z.enum(["confirmed", "dry_run"]).meta({
        description: "What became of it.",
        ...linesFor({ confirmed: "It is booked.", dry_run: "Nothing was stored." }),
      }),
      lead_id: lead_id.nullable(),
    })
    .meta({ title: "Booking", description: "What was booked." });
};

/** The code of the line in which the owner agreed another price. */
export const AGREED_PRICE = "agreed_price";

interface StoredPrice {
  total: number;
  tax?: { amount: number | null } | undefined;
  total_with_tax?: number | undefined;
  line_items: { code: string; unit_price: number; amount: number }[];
}

/** The lines of the price list. */
export function listedIn<Line extends { code: string }>({ line_items: lines }: { line_items: Line[] }): Line[] {
  return lines.filter(({ code }) => code !== AGREED_PRICE);
}

export function hasAgreedPrice({ estimate }: Pick<Confirmation, "estimate">): boolean {
  return estimate !== null && listedIn(estimate).length < estimate.line_items.length;
}

/** Agreed prices were once kept as differences, which other work could bring below zero. */
function neverBelowZero<Price extends StoredPrice>(price: Price): Price {
  if (price.total >= 0) return price;
  const listed = listedIn(price).reduce((sum, { amount }) => sum + toCents(amount), 0);
  const amount = toUnits(-listed);
  return {
    ...price,
    total: 0,
    ...(price.tax && { tax: { ...price.tax, amount: 0 } }),
    ...(price.total_with_tax !== undefined && { total_with_tax: 0 }),
    line_items: price.line_items.map((line) =>
      line.code === AGREED_PRICE ? { ...line, unit_price: amount, amount } : line,
    ),
  };
}

/** A stored confirmation, which may hold words that the shop has given up since. */
export const storedConfirmation = withDefaults(
  confirmationWith({ vehicleType: z.string(), filmType: z.string(), coverage: z.string(), addon: z.string() }),
);

/** Older bookings lack the fields of the whole job. */
function withDefaults(now: ReturnType<typeof confirmationWith>) {
  const { shade, windshield_shade, tint_law, estimate, estimate_id, can_change_until, messages, prepare } = now.shape;
  const { locked } = estimate.unwrap().shape;
  return now.extend({
    addons: z.array(z.string()).default([]),
    remove_old_film: z.boolean().default(false),
    shade: shade.default(null),
    windshield_shade: windshield_shade.default(null),
    tint_law: tint_law.default(null),
    estimate: estimate
      .unwrap()
      .extend({ locked: locked.default(false) })
      .transform(neverBelowZero)
      .nullable(),
    estimate_id: estimate_id.default(null),
    can_change_until: can_change_until.default(null),
    messages: messages.default({ text: [], email: [] }),
    prepare: prepare.default(null),
  });
}

/** The answer as it is stored: with its warnings, so that a repeat gets them again. */
export function withWarnings(answer: Confirmation, warnings: readonly Warning[]): object {
  return warnings.length === 0 ? answer : { ...answer, warnings };
}

/** The warnings of the first answer, which are stored beside the confirmation. */
export const storedWarnings = z.object({ warnings: z.array(warningShape).default([]) });

export type Confirmation = z.output<typeof storedConfirmation>;
export type BookingAnswer = z.output<ReturnType<typeof bookingAnswer>>;

/** Add-ons and shades of a booking in few words, for the shop's text. */
export function extrasOf(
  {
    addons,
    remove_old_film: removesFilm,
    shade,
    windshield_shade: windshield,
  }: Pick<Confirmation, "addons" | "remove_old_film" | "shade" | "windshield_shade">,
  catalog: Shop,
): string[] {
  const extras: string[] = [];
  if (removesFilm) {
    const remover = catalog.services.find(({ key }) => key === catalog.terms.removal);
    extras.push(remover?.name ?? "old film off");
  }
  for (const code of addons) extras.push(catalog.automotive.addons[code]?.name ?? code);
  if (shade !== null) {
    const sides = typeof shade === "object" ? Object.values(shade).map((one) => one ?? "-") : [shade];
    extras.push(`shade ${sides.join("/")}`);
  }
  if (windshield !== null) extras.push(`windshield ${windshield}`);
  return extras;
}
