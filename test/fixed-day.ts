/** The fixed clock of the tests, and what customers ask on that day. Loads no code of the application. */

/** Saturday, 10:00 in the shop's time zone; the shop is open until 15:00. */
export const NOW = Temporal.Instant.from("2026-11-21T15:00:00Z");

/** A date at the shop, by the fixed clock of the tests. @param days from the day of NOW */
export function dateFromNow(days: number): string {
  return NOW.toZonedDateTimeISO("America/New_York").toPlainDate().add({ days }).toString();
}

export const API = "/api/v1";

/** An edit of the catalog: one reminder by each way, a day before. */
export const A_DAY_BEFORE = {
  "messages.reminders": [
    { hours_before: 24, by: "sms" },
    { hours_before: 24, by: "email" },
  ],
};

/** The customer of `BOOKING`. */
export const PAT = {
  customer_name: "Pat Example",
  customer_phone: "+1-404-555-0111",
  customer_email: "pat@example.com",
};

/** A booking that succeeds at NOW: Tuesday morning, an SUV in ceramic film (240 minutes). */
export const BOOKING = {
  date: "2026-11-24",
  time: "09:00",
  ...PAT,
  vehicle_type: "suv",
  film_type: "ceramic",
};

/** The last warning of every dry run of a booking, the same to everybody. */
export const AT_BOOKING = {
  code: "QUOTA_AT_BOOKING",
  message: "The limits of the customer's phone and e-mail are known only when it is booked.",
} as const;

/** As `BOOKING`, at another time, for a customer who has no booking yet. */
export function bookingOn(date: string, time = BOOKING.time) {
  return { ...BOOKING, date, time, customer_phone: freshPhone() };
}

export const QUOTE = {
  first_name: "Pat",
  phone: "(404) 555-0112",
  email: "pat@example.com",
  service_type: "commercial",
};

/**
 * A sample as an agent sends it for Pat, who agreed: in Pat's own name, and not as a dry run.
 * @param fillIn the fields that the sample leaves to the caller
 */
export function inOwnName(sample: object, fillIn: readonly string[] = []): Record<string, unknown> {
  const { dry_run: _, ...request } = sample as Record<string, unknown>;
  const own = { ...BOOKING, ...QUOTE, name: "Pat Example", last_name: "Example" } as Record<string, unknown>;
  const person = "customer_name customer_phone customer_email first_name last_name phone email name".split(" ");
  return {
    ...Object.fromEntries(
      Object.entries(request).map(([field, value]) => [field, person.includes(field) ? own[field] : value]),
    ),
    ...Object.fromEntries(fillIn.map((field) => [field, field === "accept_not_legal" ? true : own[field]])),
  };
}

/**
 * A sample with what it asks for put in, by path: `vehicle_type`, `addons[1]`, `windows[0].width_in`.
 * @param answers by path, or by the last name in it
 */
export function filledIn(
  sample: object,
  fillIn: readonly string[] = [],
  answers: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const filled: Record<string, unknown> = structuredClone({ ...sample });
  for (const path of fillIn) {
    const steps = path.match(/[^.[\]]+/g) ?? [];
    const last = steps.pop() ?? "";
    let inside = filled;
    for (const step of steps) inside = inside[step] as typeof inside;
    inside[last] = answers[path] ?? answers[last];
  }
  return filled;
}

/** An answer without the ids that differ from one answer to the next. */
export function withoutFreshIds<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replace(/try_\w{16}/g, "try_"));
}

/** A phone number that no other call has been given. */
export function freshPhone(): string {
  phones += 1;
  return `+1404555${String(phones).padStart(4, "0")}`;
}
let phones = 1000;
