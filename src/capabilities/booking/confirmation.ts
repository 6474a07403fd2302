/** The confirmation of a booking: the answer that is stored, and read again for a repeat and for the diary. */

import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { rfc3339 } from "../../domain/schedule.ts";
import { type Appointed, partsOf } from "../../domain/slots.ts";
import { shadeShapes, toShades, toVehicle, vehicle } from "../../job/job.ts";
import type { PricedJob } from "../../job/price.ts";
import { toCents, toUnits } from "../../lib/money.ts";
import { durationInWords } from "../../lib/text.ts";
import type { Appointment } from "../../messages/words.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { linesFor } from "../../schema/fields.ts";
import type { Booking } from "../../store/store.ts";
import { warningShape } from "../core/envelope.ts";
import { lawJurisdiction, lawStatus, priceNote, taxed, taxShape, totalWithTax } from "../core/price-shapes.ts";
import {
  address,
  calendarDate,
  clockTime,
  currency,
  currencyUnits,
  durationMinutes,
  durationSaid,
  lineItem,
  split,
  termFields,
  timestamp,
  timezone,
  toSplit,
} from "../core/shapes.ts";
import { asksForDeposits, paymentShape } from "./deposit.ts";

/** The kinds of messages that the answer to a booking announces. */
const ANNOUNCED = ["confirmation", "reminder"] as const;

type WordShapes = Record<"vehicleType" | "filmType" | "coverage" | "addon", z.ZodType<string, string>>;

const confirmationWith = ({ vehicleType, filmType, coverage, addon }: WordShapes) =>
  z.object({
    confirmation_code: z.string().meta({ description: "8 characters; the customer needs it to change or cancel." }),
    booking_id: z.string().describe("The shop's id of it."),
    status: z.enum(["confirmed", "held"]).describe("The state of the booking."),
    held_until: timestamp().meta({ description: "Until then the time is held." }).optional(),
    payment: paymentShape().optional(),
    date: calendarDate(),
    time: clockTime(),
    start: timestamp(),
    end: timestamp(),
    split: split(),
    timezone: timezone(),
    duration_minutes: durationMinutes(),
    duration: durationSaid().optional(),
    service: z.string().describe("Key of the service."),
    vehicle: vehicle(vehicleType),
    film_type: filmType.nullable(),
    coverage: coverage.nullable(),
    addons: z.array(addon).describe("Extras in the work."),
    remove_old_film: z.boolean().describe("Whether old film is taken off first."),
    ...shadeShapes(),
    tint_law: z
      .object({ jurisdiction: lawJurisdiction(), status: lawStatus() })
      .nullable()
      .meta({ description: "Information, not advice; null when no vehicle_type was given." }),
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
    assumed: z
      .array(z.string())
      .default([])
      .meta({ description: "Fields that the shop filled in because the request left them out." }),
    accepted_not_legal: z.boolean().meta({
      description: "A shade is not legal in the state, and the customer wanted it knowing that.",
    }),
    special_requests: z.string().nullable().describe("As the customer wrote it."),
    estimate_id: z.string().nullable().describe("The estimate whose price holds."),
    customer: z
      .object({ name: z.string().describe("The customer's name.") })
      .meta({ title: "BookedCustomer", description: "Whose booking it is." }),
    location: z
      .object({
        name: z.string().describe("The shop's name."),
        address: address(),
        phone: z.string().describe("The number to call."),
      })
      .meta({ title: "BookingLocation", description: "Where to come." }),
    booking_request_id: z.string().nullable().describe("The caller's own id of the request."),
    can_change_until: timestamp().nullable().meta({
      description:
        "Until then it can be moved or cancelled online (a held one cancelled), afterwards by phone; null when it is over or cancelled, or changed by phone only.",
    }),
    manage_url: z.string().optional().meta({
      format: "uri",
      description: "The page where the customer sees, moves or cancels it; the contact is typed there.",
    }),
    prepare: z.string().nullable().meta({ description: "What the customer should bring or know." }),
    lead_id: z.string().describe("The shop's id of the customer's request."),
    messages: z
      .object({
        text: messageNames().describe("By text."),
        email: messageNames().describe("By e-mail."),
        said: z.string().describe("The same in a sentence."),
      })
      .meta({ title: "BookingMessages", description: "What the customer will be sent, and how." }),
  });

type Announced = Record<"text" | "email", (typeof ANNOUNCED)[number][]>;

/** What the customer will be sent, in a sentence. */
function inSentence({ text, email }: Announced, hasPage = true) {
  const sent = [...text.map((name) => `a ${name} by text`), ...email.map((name) => `a ${name} by e-mail`)];
  const said =
    sent.length === 0
      ? `Nothing will be sent: give the customer the code${hasPage ? " and the link" : ""}.`
      : `The customer gets ${joinWithAnd(sent)}.`;
  return { text, email, said };
}

/** Which messages are planned of those that the answer announces. */
export function messagesIn(jobs: readonly { kind: string }[], hasPage: boolean): Confirmation["messages"] {
  const messages: Announced = { text: [], email: [] };
  const planned = new Set<string>();
  for (const { kind } of jobs) planned.add(kind);
  for (const name of ANNOUNCED) {
    if (planned.has(`${name}_sms`)) messages.text.push(name);
    if (planned.has(`${name}_email`)) messages.email.push(name);
  }
  return inSentence(messages, hasPage);
}

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

/** The confirmation as a schema, with the words of the current catalog. */
export const confirmation = (catalog: Shop) => {
  const all = confirmationWith(termFields(catalog));
  // Safe, because a field that may be missing is left out of the documents of a shop without deposits.
  return asksForDeposits(catalog) ? all : (all.omit({ payment: true }) as unknown as typeof all);
};

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
      status: z.enum(["confirmed", "held", "dry_run"]).meta({
        description: "What became of it.",
        ...linesFor({
          confirmed: "It is booked.",
          held: "The time is held, and booked once confirmed.",
          dry_run: "Nothing was stored.",
        }),
      }),
      lead_id: lead_id.nullable(),
    })
    .meta({ title: "Booking", description: "What was booked." });
};

/** The time of a booking, as its confirmation tells it. */
export function timeIn({ date, time, startAt, endAt }: Appointed, catalog: Shop) {
  const parts = toSplit(catalog, partsOf(catalog, { startAt, endAt }));
  return { date, time, start: rfc3339(catalog, startAt), end: rfc3339(catalog, endAt), ...parts };
}

/** The work of a booking, with its price. */
export function workInBooking({ job, price }: Pick<PricedJob, "job" | "price">, catalog: Shop) {
  const { work } = job;
  const law = price?.law;
  const line_items = [];
  for (const { wire } of price?.lines ?? []) line_items.push(wire);
  return {
    duration_minutes: work.minutes,
    duration: durationInWords(work.minutes),
    service: work.service,
    vehicle: toVehicle(job, catalog),
    film_type: work.filmType,
    coverage: work.coverage,
    addons: work.addons,
    remove_old_film: work.removal !== null,
    ...toShades(job),
    tint_law: law ? { jurisdiction: law.jurisdiction, status: law.status } : null,
    estimate: price && {
      currency: catalog.currency,
      ...taxed(price.total, catalog),
      line_items,
      locked: price.locked,
    },
  };
}

/** The code of the line in which the owner agreed another price. */
const AGREED_PRICE = "agreed_price";

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

/** The estimate with another total; its line replaces that of an earlier agreement. @param price in cents */
export function agreedEstimate(estimate: Confirmation["estimate"], price: number, catalog: Shop): Estimate {
  const lines = estimate ? listedIn(estimate) : [];
  const amount = toUnits(price - lines.reduce((sum, line) => sum + toCents(line.amount), 0));
  const line = { code: AGREED_PRICE, label: "Agreed price", quantity: 1, unit_price: amount, amount };
  return {
    currency: estimate?.currency ?? catalog.currency,
    ...taxed(price, catalog),
    line_items: amount === 0 ? lines : [...lines, line],
    locked: false,
  };
}
type Estimate = NonNullable<Confirmation["estimate"]>;

/** The price as it was stored; null when no vehicle was named. */
export function storedEstimate(answer: unknown): Confirmation["estimate"] {
  return storedConfirmation.pick({ estimate: true }).safeParse(answer).data?.estimate ?? null;
}

/** The agreed price in cents; null when no vehicle was named. */
export function bookedPrice({ answer }: { answer: unknown }): number | null {
  const estimate = storedEstimate(answer);
  return estimate && toCents(estimate.total);
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
    messages: messages
      .omit({ said: true })
      .transform((sent) => inSentence(sent))
      .prefault({ text: [], email: [] }),
    prepare: prepare.default(null),
  });
}

/** The warnings of an answer, which are stored beside the confirmation: a repeat and a look-up get them again. */
export const storedWarnings = z.object({ warnings: z.array(warningShape).default([]) });

export type Confirmation = z.output<typeof storedConfirmation>;
export type BookingAnswer = z.output<ReturnType<typeof bookingAnswer>>;

// What messages and the diary say of it.

export function appointmentOf(booking: Booking, catalog: Shop): Appointment {
  const answer = storedConfirmation.safeParse(booking.answer).data;
  return { ...appointmentIn(booking, answer, catalog), price: bookedPrice(booking), changes: booking.changes };
}

type Booked = Pick<Booking, "confirmationCode" | "service" | "startAt" | "endAt"> & {
  lead: Pick<Booking["lead"], "name" | "phone" | "extension" | "email">;
};

/** @param answer what was confirmed; undefined where an unknown version of the program wrote it */
export function appointmentIn(
  { confirmationCode: code, service, startAt, endAt, lead }: Booked,
  answer: Omit<Confirmation, "lead_id" | "messages"> | undefined,
  catalog: Shop,
): Appointment {
  const booked = { code, name: lead.name, service, startAt, endAt };
  if (!answer) return { ...booked, price: null, extras: [] };
  const { estimate, vehicle, film_type: film, coverage } = answer;
  const withTax = estimate?.total_with_tax;
  return {
    ...booked,
    price: estimate && toCents(estimate.total),
    ...(withTax !== undefined && { withTax: toCents(withTax) }),
    extras: extrasOf(answer, catalog),
    job: { phone: lead.phone, extension: lead.extension, email: lead.email, vehicle, film, coverage },
    note: answer.special_requests,
  };
}

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
