import { z } from "zod";
import { derived, derivedBy } from "../catalog/derived.ts";
import type { Catalog, Service } from "../catalog/schema.ts";
import { words } from "../catalog/words.ts";
import { bookableServices, rfc3339, type Slot, shopDate } from "../domain/schedule.ts";
import { pricedByOf, resolveWork, serviceOf } from "../domain/work.ts";
import { lasting } from "../lib/json.ts";
import { keepLatest } from "../lib/latest.ts";
import { pick } from "../lib/pick.ts";
import { date, optional } from "../schema/fields.ts";
import { defineCapability, type Suggestion } from "./core/capability.ts";
import type { DiaryDay } from "./core/diary.ts";
import { calendarDate, dayStatus, serviceRef, slot, timestamp, toSlot, weekday } from "./core/shapes.ts";
import { wordFields } from "./core/word-fields.ts";
import { lengthFields } from "./shared/job.ts";
import { bookingStep } from "./shared/samples.ts";

const DEFAULT_DAYS = 7;
const MOST_DAYS = 30;

const availabilityQuery = derived((catalog) => {
  const { vehicleType, coverage, filmType } = wordFields(catalog);
  return z.object({
    date: optional(date()).meta({ description: "One day; without it the answer covers several days from today." }),
    service: optional(z.int().min(0)).meta({
      description: "Numeric service id from list_services; the shop's default service where it is left out.",
    }),
    days: optional(z.int().min(1).max(MOST_DAYS)).meta({
      description: `How many days from today, when date is omitted; default ${DEFAULT_DAYS}.`,
      example: DEFAULT_DAYS,
    }),
    vehicle_type: optional(vehicleType).meta({
      description: "Makes the length of the work exact, so that more times fit.",
      example: words(catalog).example.vehicle_type,
    }),
    coverage: optional(coverage).meta({
      description: "With vehicle_type: the glass to be covered; the shop's default where it is left out.",
    }),
    film_type: optional(filmType).meta({
      description: "With vehicle_type: the film; the shop's default where it is left out.",
    }),
    ...lengthFields(catalog),
  });
});
type Query = z.output<ReturnType<typeof availabilityQuery>>;

const common = () => ({ timezone: z.string(), generated_at: timestamp(), service: serviceRef() });
const day = () =>
  z
    .object({
      date: calendarDate(),
      weekday: weekday(),
      status: dayStatus(),
      reason: z.string().optional().meta({ description: "Why the day is not open, or what is special about it." }),
      available_count: z.int(),
      slots: z.array(slot()),
    })
    .meta({ title: "AvailabilityDay" });

const answer = () =>
  z.union([
    z.object({ ...common(), ...day().omit({ available_count: true }).shape }),
    z.object({ ...common(), from: calendarDate(), to: calendarDate(), days: z.array(day()) }),
  ]);

/** Open appointment times. Source: spec sections 2.6 and 4.4, contract section 5. */
export const checkAvailability = defineCapability({
  id: "check_availability",
  title: "Open appointment times",
  description:
    "Appointment slots of one day, or of the next days, each with its status. A slot is available only when the whole work fits before closing and a bay is free; its date and time go verbatim into book_appointment.",
  returnsPrice: false,
  useWhen: [
    "The user wants to know when the shop has time.",
    "Before book_appointment, to offer times that are really open.",
  ],
  avoidWhen: ["The work is on a building: send a quote_request, it is scheduled by the shop."],
  input: availabilityQuery,
  output: answer,
  status: 200,
  errors: ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE"],
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  sample: (catalog) => ({ service: serviceById(undefined, catalog).id, days: DEFAULT_DAYS }),
  checks: {
    service(id, catalog) {
      const services = bookableServices(catalog);
      return id === undefined || services.some((service) => service.id === id)
        ? undefined
        : {
            code: "SERVICE_NOT_FOUND",
            message: "must be the id of a service that can be booked online",
            allowed: services.map((service) => service.id),
          };
    },
  },
  async run(input, { catalog, now, diary }) {
    const { minutes, answer } = queryOf(catalog, JSON.stringify(input));
    const from = input.date ?? shopDate(catalog, now);
    const count = input.date === undefined ? (input.days ?? DEFAULT_DAYS) : 1;
    const days = await diary.days(from, count, minutes, { catalog, now });
    return answer(rfc3339(catalog, now.epochMilliseconds), days);
  },
});

/** Queries whose latest answer is kept, each of up to 60 kB. */
const MOST_QUERIES = 50;

/** Everything about a query, as JSON, that the catalog decides. */
const queryOf = derivedBy(MOST_QUERIES, (catalog, json) => {
  const input: Query = JSON.parse(json);
  const service = serviceById(input.service, catalog);
  const { minutes } = resolveWork(catalog, { ...input, service: service.key });
  return {
    minutes,
    /** The diary gives the same list until one of its days changes. */
    answer: keepLatest((generated_at: string, found: DiaryDay[]) => {
      const days = found.map((day) => shownDay(catalog, day));
      const [first] = days;
      const last = days.at(-1);
      if (!first || !last) throw new Error("no days");
      const head = {
        timezone: catalog.business.timezone,
        generated_at,
        service: { id: service.id, key: service.key, name: service.name },
      };
      const open = days.find(({ available_count: count }) => count > 0)?.slots.find(({ available }) => available);
      return lasting({
        data:
          input.date === undefined
            ? { ...head, from: first.date, to: last.date, days }
            : { ...head, ...withoutCount(first) },
        suggestions: suggest(input, service, open, catalog),
      });
    }),
  };
});

/** The service with an id; without one, the shop's default service. */
function serviceById(id: number | undefined, catalog: Catalog): Service {
  if (id === undefined) return serviceOf(catalog, catalog.automotive.defaults.service);
  const service = catalog.services.find((one) => one.id === id);
  if (!service) throw new Error(`no service ${id}`);
  return service;
}

/** Days on the wire, as long as the diary keeps them. */
const shown = new WeakMap<DiaryDay, ReturnType<typeof toDay>>();

function shownDay(catalog: Catalog, day: DiaryDay) {
  let known = shown.get(day);
  if (!known) {
    known = toDay(catalog, day);
    shown.set(day, known);
  }
  return known;
}

function toDay(catalog: Catalog, { date, weekday, status, reason, slots }: DiaryDay) {
  return {
    date,
    weekday,
    status,
    ...(reason !== null && { reason }),
    available_count: slots.filter((one) => one.status === "available").length,
    slots: slots.map((one) => toSlot(catalog, one)),
  };
}

function withoutCount<T extends { available_count: number }>({ available_count: _, ...rest }: T) {
  return rest;
}

/** @param open the first available slot of the answer */
function suggest(
  input: Query,
  service: Service,
  open: Pick<Slot, "date" | "time"> | undefined,
  catalog: Catalog,
): Suggestion[] {
  const work = pick(input, "vehicle_type", "coverage", "film_type", "addons", "remove_old_film");
  const sameWork = { service: service.id, ...work };
  const steps: Suggestion[] = [];
  if (open) {
    steps.push({
      action: "book_appointment",
      description:
        "Book one of the available slots: copy its date and time, and put in the customer's own name, phone and e-mail once they agree.",
      input: bookingStep(catalog, { ...work, service: service.key }, open),
    });
  } else if (input.days === MOST_DAYS) {
    steps.push({ action: "business_location", description: "No time is open for weeks: call the shop.", input: {} });
  } else {
    steps.push({
      action: "check_availability",
      description: "No time is open here: look further ahead.",
      input: { ...sameWork, days: MOST_DAYS },
    });
  }
  if (input.vehicle_type === undefined && pricedByOf(catalog, service.key) === "film") {
    steps.push({
      action: "check_availability",
      description: "Name the vehicle to see more times: without it the longest work is assumed.",
      input: {
        ...sameWork,
        vehicle_type: words(catalog).vehicleTypes[0],
        ...(input.date ? { date: input.date } : { days: input.days ?? DEFAULT_DAYS }),
      },
    });
  }
  return steps;
}
