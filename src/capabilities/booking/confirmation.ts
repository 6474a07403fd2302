/** A booking in the making, and its confirmation: the answer that is stored, and read again for a repeat and for the diary. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import type { JobKind } from "../../constants.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { partsOf, type Slot } from "../../domain/slots.ts";
import { requestOf, shadeShapes, toShades, toVehicle, vehicle } from "../../job/job.ts";
import { accepts } from "../../job/legal-job.ts";
import type { PricedJob } from "../../job/price.ts";
import { newConfirmationCode, newId } from "../../lib/ids.ts";
import { addsTax, taxOf, toCents, toUnits } from "../../lib/money.ts";
import { linesFor } from "../../schema/fields.ts";
import type { NewBooking } from "../../store/store.ts";
import { type Warning, warningShape } from "../core/envelope.ts";
import { lawJurisdiction, lawStatus, priceNote, taxed, taxShape, totalWithTax } from "../core/price-shapes.ts";
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
  toAddress,
  toLineItem,
  toSplit,
} from "../core/shapes.ts";
import { newLead } from "../core/stored-requests.ts";
import { canChangeUntil } from "./self-service.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";

export interface Facts extends PricedJob {
  /** The request as it was sent. What is booked is `job`, in which the defaults are filled in. */
  input: BookingRequest;
  ctx: BookingContext;
  /** The customer's number in E.164; empty for a walk-in who left none. */
  phone: string;
  slot: Slot;
  idempotency: NewBooking["idempotency"];
  /** Whether a kind of message goes out; by default all do. */
  isSent?: (kind: JobKind) => boolean;
}

export async function newBooking({
  input,
  ctx,
  job,
  price,
  phone,
  slot,
  idempotency,
  isSent,
}: Facts): Promise<NewBooking & { answer: Confirmation }> {
  const { catalog, caller, now } = ctx;
  const { work } = job;
  const id = newId("bk");
  const confirmationCode = newConfirmationCode();
  const vehicle = toVehicle(job, catalog);
  const shades = toShades(job);
  const appointment = {
    code: confirmationCode,
    name: input.customer_name,
    service: work.service,
    startAt: slot.startAt,
    endAt: slot.endAt,
    price: price?.total ?? null,
    ...(price && addsTax(catalog) && { withTax: price.total + taxOf(price.total, catalog) }),
    extras: extrasOf(
      {
        addons: work.addons,
        remove_old_film: work.removal !== null,
        ...shades,
        accepted_not_legal: accepts(price?.law, input),
      },
      catalog,
    ),
    job: {
      phone,
      email: input.customer_email,
      vehicle,
      film: work.filmType,
      coverage: work.coverage,
    },
    note: input.special_requests ?? null,
  };
  const { lead: planned, alert } = await newLead(
    {
      kind: "booking",
      name: input.customer_name,
      phone,
      email: input.customer_email,
      serviceType: work.service,
      details: { ...input, ...requestOf(job) },
    },
    appointment,
    ctx,
  );
  const lead = isSent ? { ...planned, jobs: planned.jobs.filter(({ kind }) => isSent(kind)) } : planned;
  const { business } = catalog;
  const createdAt = now.epochMilliseconds;
  const until = canChangeUntil({ status: "confirmed", startAt: slot.startAt, createdAt }, ctx);
  const { manage } = catalog.pages;
  return {
    id,
    confirmationCode,
    service: work.service,
    date: slot.date,
    time: slot.time,
    startAt: slot.startAt,
    endAt: slot.endAt,
    busyUntil: slot.busyUntil,
    network: caller.network,
    keyId: caller.keyId,
    idempotency,
    createdAt,
    lead,
    alert,
    answer: {
      confirmation_code: confirmationCode,
      booking_id: id,
      status: "confirmed",
      date: slot.date,
      time: slot.time,
      start: rfc3339(catalog, slot.startAt),
      end: rfc3339(catalog, slot.endAt),
      timezone: business.timezone,
      duration_minutes: work.minutes,
      ...toSplit(catalog, partsOf(catalog, slot)),
      service: work.service,
      vehicle,
      film_type: work.filmType,
      coverage: work.coverage,
      addons: work.addons,
      assumed: assumedIn(job),
      remove_old_film: work.removal !== null,
      ...shades,
      tint_law: price?.law ? { jurisdiction: price.law.jurisdiction, status: price.law.status } : null,
      accepted_not_legal: accepts(price?.law, input),
      special_requests: input.special_requests ?? null,
      estimate: price && {
        currency: catalog.currency,
        ...taxed(price.total, catalog),
        line_items: price.lines.map(toLineItem),
        locked: price.locked,
      },
      estimate_id: input.estimate_id ?? null,
      customer: { name: input.customer_name },
      lead_id: lead.id,
      location: { name: business.name, address: toAddress(business.address), phone: business.phone },
      booking_request_id: idempotency && idempotency.since === undefined ? idempotency.id : null,
      can_change_until: until === null ? null : rfc3339(catalog, until),
      ...(manage !== undefined && { manage_url: manage + confirmationCode }),
      messages: messagesIn(lead.jobs),
      prepare: catalog.bookings.prepare ?? null,
    },
  };
}

/** @param assumed fields of the work; a booking names the service under `service_type` */
function assumedIn({ vehicle_type, work }: PricedJob["job"]): string[] {
  const fields = work.assumed.map((field) => (field === "service" ? "service_type" : field));
  return vehicle_type === undefined ? ["vehicle_type", ...fields] : fields;
}

/** Which messages are planned of those that the answer announces. */
function messagesIn(jobs: readonly { kind: string }[]): Confirmation["messages"] {
  const planned = new Set<string>();
  for (const { kind } of jobs) planned.add(kind);
  const messages: Confirmation["messages"] = { text: [], email: [] };
  for (const name of ANNOUNCED) {
    if (planned.has(`${name}_sms`)) messages.text.push(name);
    if (planned.has(`${name}_email`)) messages.email.push(name);
  }
  return messages;
}

/** The kinds of messages that the answer to a booking announces. */
const ANNOUNCED = ["confirmation", "reminder"] as const;

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
    accepted_not_legal: z.boolean().meta({
      description: "A shade is not legal in the state, and the customer wanted it knowing that.",
    }),
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
  const { accepted_not_legal } = now.shape;
  const { locked } = estimate.unwrap().shape;
  return now.extend({
    addons: z.array(z.string()).default([]),
    remove_old_film: z.boolean().default(false),
    shade: shade.default(null),
    windshield_shade: windshield_shade.default(null),
    tint_law: tint_law.default(null),
    accepted_not_legal: accepted_not_legal.default(false),
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
    accepted_not_legal: isAccepted,
  }: Pick<Confirmation, "addons" | "remove_old_film" | "shade" | "windshield_shade" | "accepted_not_legal">,
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
  if (isAccepted) extras.push("not legal (accepted)");
  return extras;
}
