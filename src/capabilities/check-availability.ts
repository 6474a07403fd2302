import { z } from "zod";
import type { Service } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { addDays, daysBetween, laterDate, rfc3339, shopDate } from "../domain/schedule.ts";
import { isOpen, pauseInWords, type Start } from "../domain/slots.ts";
import type { Verdict } from "../domain/tint-law.ts";
import { pricedByOf, serviceOf } from "../domain/work.ts";
import { bookUrl, jobQuery, MAX_TOKEN, toBody } from "../job/forms.ts";
import {
  estimateOf,
  JOB_FIELDS,
  type Job,
  type JobRequest,
  jobFields,
  jurisdictionIssue,
  otherVehicleIssue,
  requestOf,
} from "../job/job.ts";
import { resolveJob, withoutHeldWords } from "../job/price.ts";
import { lawWarnings, understoodType, workWarnings } from "../job/warnings.ts";
import { pick } from "../lib/fields.ts";
import { durationInWords } from "../lib/text.ts";
import { date, inTool, line, linesFor, optional, seldom, time, vehicleYear } from "../schema/fields.ts";
import { availability, offeredDays, toCompact, toCompactDay, toDays, toOneDay } from "./booking/open-times.ts";
import { shortestWork } from "./booking/slot.ts";
import { defineCapability, type Suggestion } from "./core/capability.ts";
import type { Warning } from "./core/envelope.ts";
import { bookingStep, lawfully, toShop } from "./core/samples.ts";
import { termFields } from "./core/shapes.ts";

const DEFAULT_DAYS = 7;
const MOST_DAYS = 30;

/** Changes no time: the steps that follow repeat it. */
const CARRIED = { description: "Carried on.", ...seldom };

const SERVICE_WORDING = "must be the id or the key of a service";

const availabilityQuery = (catalog: Shop) => {
  const { vehicleType, coverage, filmType, addon } = termFields(catalog);
  const { addons, remove_old_film, shade, windshield_shade } = jobFields(catalog, addon);
  return z.object({
    date: optional(date()).meta({ description: "One day, instead of several." }),
    service: optional(z.union([z.int().min(0), line()], { error: SERVICE_WORDING })).meta({
      description: `Id or key of a service (${catalog.bookable
        .map(({ id, key }) => `${id} or ${key}`)
        .join(", ")}); else the shop's default.`,
      ...inTool(catalog.bookable.map(({ id, key }) => `${id} ${key}`).join(", ")),
    }),
    from: optional(date()).meta({ description: "First of several days; default today." }),
    days: optional(z.int().min(1).max(MOST_DAYS)).meta({
      description: `How many days; default ${DEFAULT_DAYS}.`,
      default: DEFAULT_DAYS,
      example: DEFAULT_DAYS,
    }),
    vehicle_type: optional(vehicleType).meta({
      description: "Makes the length exact, so that more times fit.",
      ...inTool("Makes the length exact."),
      example: catalog.terms.example.vehicle_type,
    }),
    coverage: optional(coverage).meta({ description: "The glass to be covered; else the shop's default." }),
    film_type: optional(filmType).meta({ description: "The film; else the shop's default." }),
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
      ...inTool("Fills in the work of the estimate."),
    }),
    after: optional(time()).meta({
      description: "Only times from this one on.",
      example: "13:00",
      ...inTool("HH:MM."),
    }),
    before: optional(time()).meta({ description: "Only times earlier than this one.", example: "17:00" }),
    view: optional(z.enum(["full", "compact"])).meta({
      ...inTool("compact: open times alone."),
      description: "How much is answered.",
      ...linesFor({ full: "Every slot.", compact: "Of each day only the times that are open." }),
    }),
  });
};
type Query = z.output<ReturnType<typeof availabilityQuery>>;

/** Made once: it takes longer than the rest of validating a query. */
const A_DATE = date();

/** Open appointment times. Source: contract 5. */
export const checkAvailability = defineCapability({
  id: "check_availability",
  title: "Open appointment times",
  description: (catalog) =>
    `Slots of one day or several; available only when a bay is free for the whole work before closing${catalog.scheduling.buffer_minutes > 0 ? `; ${pauseInWords(catalog)}` : ""}. date and time go verbatim into {tool:book_appointment}.`,
  inTools: ["Open times for the work; each can be booked as is.", "Call it before {tool:book_appointment}."],
  returnsPrice: false,
  useWhen: ["The user asks when the shop has time.", "Before {tool:book_appointment}."],
  avoidWhen: ["The work is on a building: use {tool:flat_glass_estimate}."],
  input: availabilityQuery,
  output: availability,
  status: 200,
  errors: ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE"],
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE" },
  // With a `date` these two fields have no effect, so a wrong value in them is no issue.
  prepare(query) {
    const isDay = A_DATE.safeParse(query.date).success;
    return {
      ...withoutHeldWords(query),
      ...(isDay && query.from !== undefined && { from: query.date }),
      ...(isDay && query.days !== undefined && { days: 1 }),
    };
  },
  sample: (catalog) => ({ service: serviceNamed(undefined, catalog).id, days: DEFAULT_DAYS }),
  demands: ["vehicle_type"],
  checks: {
    jurisdiction: jurisdictionIssue,
    vehicle_type: otherVehicleIssue,
    service(named, catalog) {
      const services = catalog.bookable;
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
    const { service: named } = input;
    const wish = named === undefined ? input : { ...input, service_type: serviceNamed(named, catalog).key };
    const { job, model, isOffList } = await resolveJob(wish, ctx);
    const { work } = job;
    const service = serviceOf(catalog, work.service);
    const today = shopDate(catalog, now);
    const from = input.date ?? input.from ?? today;
    const count = input.date === undefined ? (input.days ?? DEFAULT_DAYS) : 1;
    const planned = await diary.days(from, count, work, ctx);
    const [first, ...others] = planned.map((day) => offeredDays(day, input, work, catalog));
    if (!first) throw new Error("no days");
    const days = [first, ...others] as const;
    const law = isOffList ? undefined : jobVerdict(job, catalog);
    const warnings = [
      ...notUsed(input),
      ...(model ? [understoodType(model, job, catalog)] : []),
      ...workWarnings(job, catalog),
      ...(law ? lawWarnings(law, input.view === "compact" ? "brief" : "full") : []),
    ];
    const open = days.find((day) => day.open.length > 0)?.open[0];
    const page = bookUrl({ ...requestOf(job), service_type: service.key }, catalog, input.date ?? input.from);
    const link = page && { book_url: page };
    const { timezone } = catalog.business;
    // What follows carries all that was asked, so that no wish is lost on the way.
    const request = { ...wish, ...(model && { vehicle_type: model.vehicleType }) };
    // An estimate names its service itself.
    const isNamed = request.estimate_id === undefined || named !== undefined;
    const asked = jobQuery(request, isNamed ? service.id : undefined);
    const compact = {
      today,
      timezone,
      duration_minutes: work.minutes,
      duration: durationInWords(work.minutes),
      ...link,
    };
    if (input.view === "compact" && open) return { ...toCompact(compact, days, asked, warnings, catalog), warnings };
    const { id, key, name } = service;
    const head = {
      timezone,
      generated_at: rfc3339(catalog, now.epochMilliseconds),
      service: { id, key, name },
      ...link,
    };
    const data =
      input.view === "compact"
        ? { ...compact, days: days.map(toCompactDay) }
        : input.date === undefined
          ? toDays(head, days, catalog)
          : toOneDay(head, first, catalog);
    if (open) {
      const steps = bookingSteps({ ...request, service_type: service.key }, asked, open, law, catalog);
      return { data, suggestions: steps.length > 0 ? steps : [toLegalShade(job)], warnings };
    }
    if (planned.some(({ slots }) => slots.some(isOpen)))
      return { data, suggestions: [atOtherTimes(input, asked)], warnings };
    const shortest = shortestWork(job, catalog);
    const shorter = shortest && (await diary.days(from, count, shortest.work, ctx));
    const vehicleThatFits = shorter?.some(({ slots }) => slots.some(isOpen)) ? shortest?.vehicle : undefined;
    const firstOpen = (await diary.firstOpen(work, ctx))?.date;
    const last = days.at(-1) ?? first;
    const empty = { first: first.date, last: last.date, today, vehicleThatFits, firstOpen };
    return { data, suggestions: otherDays(empty, { ...asked, ...pick(input, "view") }, catalog), warnings };
  },
});

/** The service with an id or key; without one, the shop's default service. */
function serviceNamed(name: number | string | undefined, catalog: Shop): Service {
  if (name === undefined) return serviceOf(catalog, catalog.automotive.defaults.service);
  const service = catalog.services.find(({ id, key }) => id === name || key === name);
  if (!service) throw new Error(`no service ${name}`);
  return service;
}

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

/** The same query for the whole day. @param work that it asks for */
function atOtherTimes(input: Query, work: object): Suggestion {
  return {
    action: "check_availability",
    description: "No time is open between after and before: these are the other times.",
    input: { ...work, ...pick(input, "date", "from", "days", "view") },
  };
}

/** The verdict on a job that could hold a film that is not legal; undefined where it names no vehicle, shade or extra. */
function jobVerdict(job: Job, catalog: Shop): Verdict | undefined {
  const isPlain = Object.keys(job.shades).length === 0 && job.work.addons.length === 0;
  return job.vehicle_type === undefined || isPlain ? undefined : estimateOf(job, catalog).law;
}

/** @param work the same as a query @param found the first available slot of the answer */
function bookingSteps(
  request: JobRequest & Query,
  work: object,
  found: Start,
  law: Verdict | undefined,
  catalog: Shop,
): Suggestion[] {
  const step = bookingStep(
    "Book one of the available slots once the customer agrees: copy its date and time.",
    toBody(request, catalog.automotive.defaults.service),
    found,
    bookUrl(request, catalog),
  );
  const steps = lawfully(step, law, catalog);
  if (
    request.vehicle_type === undefined &&
    request.estimate_id === undefined &&
    pricedByOf(catalog, request.service_type ?? "") === "film"
  ) {
    steps.push({
      action: "check_availability",
      description: "Name the vehicle to see more times: without it the longest work is assumed.",
      input: {
        ...work,
        vehicle_type: catalog.terms.vehicleTypes[0],
        ...(request.date ? { date: request.date } : { ...pick(request, "from"), days: request.days ?? DEFAULT_DAYS }),
      },
    });
  }
  return steps;
}

/** Where the shop books no such job: what the law permits. */
function toLegalShade(job: Job): Suggestion {
  const { estimate_id: _, ...request } = pick(job, ...JOB_FIELDS);
  return {
    action: "automotive_estimate",
    description: "This shop books no shade that is not legal: the estimate has the darkest legal one for each glass.",
    input: { service: job.work.service, ...request },
  };
}

/** Days shown where the caller asked for fewer. */
const A_WEEK = 7;

interface EmptyDays {
  first: string;
  last: string;
  today: string;
  /** A vehicle whose work fits on these days, when none was named. */
  vehicleThatFits: string | undefined;
  /** The first day up to the horizon with a time for this work, if there is one. */
  firstOpen: string | undefined;
}

/** Each step can work. @param repeated fields of the query that each step repeats: the work, and how the days are shown */
function otherDays(
  { first, last, today, vehicleThatFits, firstOpen }: EmptyDays,
  repeated: object,
  catalog: Shop,
): Suggestion[] {
  const horizon = addDays(today, catalog.scheduling.horizon_days);
  const check = (description: string, input: object): Suggestion => ({
    action: "check_availability",
    description,
    input: { ...repeated, ...input },
  });
  const days = (from: string, count: number) => ({
    from,
    days: Math.min(count, MOST_DAYS, daysBetween(from, horizon) + 1),
  });
  const count = Math.max(A_WEEK, daysBetween(first, last) + 1);
  const next = laterDate(firstOpen ?? today, addDays(last, 1));
  const isLater = firstOpen !== undefined && next <= horizon;
  const steps: Suggestion[] = [];
  if (vehicleThatFits) {
    steps.push(
      check("Only the longest work does not fit here: name the vehicle to see the times for it.", {
        vehicle_type: vehicleThatFits,
        ...(first === last ? { date: first } : { from: first, days: count }),
      }),
    );
  }
  if (isLater) steps.push(check("No time is open here: these are the next days.", days(next, count)));
  if (firstOpen !== undefined && first > horizon) {
    const from = laterDate(today, addDays(horizon, 1 - A_WEEK));
    steps.push(check(`Online booking reaches to ${horizon}: these are the last days.`, days(from, A_WEEK)));
  }
  return isLater ? steps : [...steps, CALL];
}

const CALL = toShop("No later time can be booked online: call the shop.");
