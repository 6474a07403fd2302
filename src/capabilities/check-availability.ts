import { z } from "zod";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Service } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { bookableServices, rfc3339, shopDate } from "../domain/schedule.ts";
import { isOpen, type Start } from "../domain/slots.ts";
import { whyNoTime } from "../domain/why-no-time.ts";
import { pricedByOf, serviceOf } from "../domain/work.ts";
import { pick } from "../lib/fields.ts";
import { sentence } from "../lib/text.ts";
import { date, line, linesFor, optional, time, vehicleYear } from "../schema/fields.ts";
import { availability, toData } from "./availability/answer.ts";
import { compactly } from "./availability/compact.ts";
import { type EmptyDays, hintsFor, shortestWork } from "./availability/hints.ts";
import { type AskedJob, resolvedJob } from "./booking/priced-job.ts";
import { type Context, defineCapability, type Suggestion } from "./core/capability.ts";
import type { DiaryDay } from "./core/diary.ts";
import type { Warning } from "./core/envelope.ts";
import { termFields } from "./core/shapes.ts";
import { jobWarnings } from "./estimate/job-warnings.ts";
import { understoodType } from "./estimate/vehicle-warnings.ts";
import { MAX_TOKEN } from "./lock/token.ts";
import { JOB_FIELDS, jobFields } from "./shared/job.ts";
import { bookUrl } from "./shared/page-links.ts";
import { bookingStep } from "./shared/samples.ts";

const DEFAULT_DAYS = 7;
const MOST_DAYS = 30;

/** Changes no time: the steps that follow repeat it. */
const CARRIED = { description: "Carried on." };

const SERVICE_WORDING = "must be the id or the key of a service";

const availabilityQuery = perCatalog((catalog) => {
  const { vehicleType, coverage, filmType } = termFields(catalog);
  const { addons, remove_old_film, shade, windshield_shade } = jobFields(catalog);
  return z.object({
    date: optional(date()).meta({ description: "One day, instead of several." }),
    service: optional(z.union([z.int().min(0), line()], { error: SERVICE_WORDING })).meta({
      description: `Id or key of a service from list_services (${bookableServices(catalog)
        .map(({ id, key }) => `${id} or ${key}`)
        .join(", ")}); else the shop's default.`,
    }),
    from: optional(date()).meta({ description: "First of several days; default today." }),
    days: optional(z.int().min(1).max(MOST_DAYS)).meta({
      description: `How many days; default ${DEFAULT_DAYS}.`,
      default: DEFAULT_DAYS,
      example: DEFAULT_DAYS,
    }),
    vehicle_type: optional(vehicleType).meta({
      description: "Makes the length exact, so that more times fit.",
      example: catalog.terms.example.vehicle_type,
    }),
    coverage: optional(coverage).meta({
      description: "The glass to be covered; else the shop's default.",
    }),
    film_type: optional(filmType).meta({
      description: "The film; else the shop's default.",
    }),
    addons,
    remove_old_film,
    vehicle_year: optional(vehicleYear()).meta(CARRIED),
    vehicle_make: optional(line()).meta(CARRIED),
    vehicle_model: optional(line()).meta(CARRIED),
    shade: shade.meta(CARRIED),
    windshield_shade: windshield_shade.meta(CARRIED),
    jurisdiction: optional(line()).meta(CARRIED),
    estimate_id: optional(line(MAX_TOKEN)).meta({
      description: "From an estimate: fills in its work.",
    }),
    after: optional(time()).meta({ description: "Only times from this one on.", example: "13:00" }),
    before: optional(time()).meta({ description: "Only times earlier than this one.", example: "17:00" }),
    view: optional(z.enum(["full", "compact"])).meta({
      description: "compact: of each day only the times that are open.",
      ...linesFor({ full: "Every slot.", compact: "Of each day only the times that are open." }),
    }),
  });
});
type Query = z.output<ReturnType<typeof availabilityQuery>>;

/** Made once: it takes longer than the rest of validating a query. */
const A_DATE = date();

/** Open appointment times. Source: contract 5. */
export const checkAvailability = defineCapability({
  id: "check_availability",
  title: "Open appointment times",
  description:
    "Slots of one day or several, each with its status: available only when a bay is free for the whole work before closing. date and time go verbatim into book_appointment.",
  returnsPrice: false,
  useWhen: ["The user wants to know when the shop has time.", "Before book_appointment."],
  avoidWhen: ["The work is on a building: use flat_glass_estimate."],
  input: availabilityQuery,
  output: availability,
  status: 200,
  errors: ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE"],
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  // With a `date` these two fields have no effect, so a wrong value in them is no issue.
  prepare: (query) =>
    A_DATE.safeParse(query.date).success
      ? {
          ...query,
          ...(query.from !== undefined && { from: query.date }),
          ...(query.days !== undefined && { days: 1 }),
        }
      : { ...query },
  sample: (catalog) => ({ service: serviceNamed(undefined, catalog).id, days: DEFAULT_DAYS }),
  checks: {
    service(named, catalog) {
      const services = bookableServices(catalog);
      return named === undefined || services.some(({ id, key }) => id === named || key === named)
        ? undefined
        : {
            code: "SERVICE_NOT_FOUND",
            message: "must be the id or the key of a service that can be booked online",
            allowed: services.flatMap(({ id, key }) => [id, key]),
          };
    },
  },
  async run(input, ctx) {
    const { catalog, now, diary } = ctx;
    const shop = { catalog, now };
    const { input: wish, work, model } = await resolvedJob(jobIn(input, catalog), ctx);
    const query = model ? { ...input, vehicle_type: model.vehicleType } : input;
    const service = serviceOf(catalog, work.service);
    const today = shopDate(catalog, now);
    const from = input.date ?? input.from ?? today;
    const count = input.date === undefined ? (input.days ?? DEFAULT_DAYS) : 1;
    const planned = await diary.days(from, count, work, shop);
    const days = planned.map((day) => offered(day, input, work.minutes, catalog));
    const [first] = days;
    const last = days.at(-1);
    if (!first || !last) throw new Error("no days");
    const warnings = [
      ...notUsed(input),
      ...(model ? [understoodType(model, { ...query, service: service.key, factory_glass: undefined }, catalog)] : []),
      ...jobWarnings(work, wish, catalog),
    ];
    const open = days.find(hasTime)?.slots.find(isOpen);
    const page = bookUrl({ ...wish, service_type: service.key, from: input.date ?? input.from }, catalog);
    const compactHead = {
      today,
      timezone: catalog.business.timezone,
      duration_minutes: work.minutes,
      ...(page && { book_url: page }),
    };
    if (open && input.view === "compact")
      return { ...compactly(days, compactHead, sameWork(query, service)), warnings };
    const data = toData(
      input,
      { ...headOf(service, shop), ...(page && { book_url: page }) },
      compactHead,
      days,
      catalog,
    );
    if (open) return { data, suggestions: suggest(query, service, open, catalog), warnings };
    if (planned.some(hasTime)) return { data, suggestions: [atOtherTimes(query, service)], warnings };
    const shortest = shortestWork(catalog, { ...wish, service: service.key });
    const shorter = shortest && (await diary.days(from, count, shortest.work, shop));
    const vehicleThatFits = shorter?.some(hasTime) ? shortest?.vehicle : undefined;
    const firstOpen = (await diary.firstOpen(work, shop))?.date;
    const empty = { first: first.date, last: last.date, today, vehicleThatFits, firstOpen };
    return { data, suggestions: suggest(query, service, empty, catalog), warnings };
  },
});

/** What every answer says besides its days. */
function headOf({ id, key, name }: Service, { catalog, now }: Pick<Context, "catalog" | "now">) {
  return {
    timezone: catalog.business.timezone,
    generated_at: rfc3339(catalog, now.epochMilliseconds),
    service: { id, key, name },
  };
}

/** The service with an id or key; without one, the shop's default service. */
function serviceNamed(name: number | string | undefined, catalog: Shop): Service {
  if (name === undefined) return serviceOf(catalog, catalog.automotive.defaults.service);
  const service = catalog.services.find(({ id, key }) => id === name || key === name);
  if (!service) throw new Error(`no service ${name}`);
  return service;
}

/** The day with the times that are asked for, and with the reason where none of them is open. */
function offered(day: DiaryDay, { after, before }: Query, minutes: number, catalog: Shop): DiaryDay {
  const slots = day.slots.filter(
    ({ time }) => (after === undefined || time >= after) && (before === undefined || time < before),
  );
  const isElsewhere = day.slots.some(isOpen) && !slots.some(isOpen);
  const why = isElsewhere ? "Only other times of this day are open." : whyNoTime(day, minutes, day.slots, catalog);
  const reason = why ? [day.reason && sentence(day.reason), why].filter(Boolean).join(" ") : day.reason;
  return { ...day, reason, slots };
}

const hasTime = ({ slots }: DiaryDay) => slots.some(isOpen);

/** A day asked for by its date is one day, so the fields about several days are not used. */
function notUsed(input: Query): Warning[] {
  if (input.date === undefined) return [];
  return (["from", "days"] as const)
    .filter((field) => input[field] !== undefined)
    .map((field) => ({
      code: "FIELD_IGNORED",
      field,
      message: `${field} was ignored, because date asks for one day.`,
    }));
}

/** The work that the query asks for, as the fields of a booking. */
function jobIn(input: Query, catalog: Shop): AskedJob {
  const job = pick(input, ...JOB_FIELDS);
  return input.service === undefined ? job : { ...job, service_type: serviceNamed(input.service, catalog).key };
}

/** The fields of a next query about the same work: all that this one has, so that no wish is lost on the way. */
function sameWork(input: Query, service: Service) {
  const job = pick(input, ...JOB_FIELDS);
  // An estimate names its service itself.
  return job.estimate_id !== undefined && input.service === undefined ? job : { service: service.id, ...job };
}

/** The same query for the whole day. */
function atOtherTimes(input: Query, service: Service): Suggestion {
  return {
    action: "check_availability",
    description: "No time is open between after and before: these are the other times.",
    input: { ...sameWork(input, service), ...pick(input, "date", "from", "days", "view") },
  };
}

/** @param found the first available slot of the answer, or the days on which there is none */
function suggest(
  input: Query,
  service: Service,
  found: Start | Omit<EmptyDays, "repeated" | "mostDays">,
  catalog: Shop,
): Suggestion[] {
  const work = sameWork(input, service);
  if (!("time" in found)) {
    const repeated = { ...work, ...pick(input, "view") };
    return hintsFor({ ...found, repeated, mostDays: MOST_DAYS }, catalog);
  }
  const steps: Suggestion[] = [
    bookingStep(
      "Book one of the available slots once the customer agrees: copy its date and time.",
      { ...pick(input, ...JOB_FIELDS), service: service.key },
      found,
      catalog,
    ),
  ];
  if (
    input.vehicle_type === undefined &&
    input.estimate_id === undefined &&
    pricedByOf(catalog, service.key) === "film"
  ) {
    steps.push({
      action: "check_availability",
      description: "Name the vehicle to see more times: without it the longest work is assumed.",
      input: {
        ...work,
        vehicle_type: catalog.terms.vehicleTypes[0],
        ...(input.date ? { date: input.date } : { ...pick(input, "from"), days: input.days ?? DEFAULT_DAYS }),
      },
    });
  }
  return steps;
}
