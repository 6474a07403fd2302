/** The one way to use a capability: validate, run, wrap in the envelope. A refusal names the open times of a day. */
import type { z } from "zod";
import { modelOf } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { withDaysToCome } from "../../domain/days-to-come.ts";
import { shopDate, weekdayOf } from "../../domain/schedule.ts";
import { isOpen } from "../../domain/slots.ts";
import { ApiError, ERRORS, type LimitState } from "../../errors.ts";
import { JOB_FIELDS, type JobRequest, workOf } from "../../job/job.ts";
import { capitalized } from "../../lib/text.ts";
import { inPart, readPartOfDay } from "../../schema/moments.ts";
import { type Capability, type Context, type Suggestion, textOf } from "./capability.ts";
import { ifStoreAnswers } from "./diary.ts";
import type { NextAction, successShape } from "./envelope.ts";
import { openAt } from "./meaning.ts";
import { fillPath, OPERATIONS, requiresConsent, say, urlOf } from "./operations.ts";
import { toFillIn } from "./samples.ts";
import { isAboutDate, suggestRequest, withDates } from "./suggested-request.ts";
import { inputError, type Validated, validate } from "./validate.ts";
import { waysOn } from "./ways-on.ts";

export type Envelope<Data = unknown> = Omit<z.output<ReturnType<typeof successShape>>, "data"> & { data: Data };

export interface CapabilityResult<Data = unknown> {
  status: number;
  body: Envelope<Data>;
  limits: LimitState[];
  location?: string;
  replayed: boolean;
  /** A dry run: nothing was stored or sent, and no quota is used. */
  isDryRun: boolean;
}

/** Throws ApiError for every expected failure. */
export async function invoke<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  raw: object,
  given: Context,
): Promise<CapabilityResult<z.output<Output>>> {
  const ctx = capability.catalogOnly ? { ...given, catalog: withDaysToCome(given.catalog, given.now) } : given;
  const validated = validate(capability, raw, ctx.catalog);
  try {
    return await execute(capability, validated, ctx);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw explained(capability, validated, error, ctx);
  }
}

/** Runs a request that was validated. @throws ApiError, as the capability throws it */
async function execute<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  validated: Validated,
  ctx: Context,
): Promise<CapabilityResult<z.output<Output>>> {
  const { input, issues, warnings: read } = validated;
  if (issues.has("time")) await nameOpenTimes(validated, capability, ctx);
  if (!input) throw inputError(issues);
  // A request that today's catalog refuses may have been answered before.
  const answer = await (issues.size === 0 ? capability.run(input, ctx) : capability.replay?.(input, ctx));
  if (!answer) throw inputError(issues);
  const { data, suggestions, limits = [], location, replayed = false, isDryRun = false } = answer;
  if (ctx.checkAnswers && !replayed && !answer.hasOldWords) requireShape(capability, data, ctx.catalog);
  const warnings = [...read, ...(answer.warnings ?? [])];
  const steps: NextAction[] = [];
  for (const suggestion of suggestions ?? []) steps.push(nextAction(suggestion, ctx));
  return {
    status: isDryRun ? 200 : capability.status,
    body: {
      success: true,
      data,
      ...answer.beside,
      ...(suggestions && { next_actions: steps }),
      ...(warnings.length > 0 && { warnings }),
    },
    limits,
    ...(location && { location }),
    replayed,
    isDryRun,
  };
}

/** The same error, with all that lets a model correct the request in one step. */
export function explained(
  capability: Capability,
  validated: Validated,
  { code, message, details, cause }: ApiError,
  ctx: Context,
): ApiError {
  const { invalid_fields: faults } = details;
  const { warnings } = validated;
  const error = new ApiError(
    code,
    message,
    {
      ...details,
      ...(faults && { invalid_fields: withDates(faults, validated, capability, ctx) }),
      ...(warnings.length > 0 && { warnings }),
    },
    { cause },
  );
  error.details.suggested = suggestRequest(capability, validated, error, ctx);
  const ways = waysOn(validated, error, capability, ctx.catalog).map((way) => nextAction(way, ctx));
  if (ways.length > 0) error.details.next_actions = ways;
  if (ways.some(({ action }) => action === "cancel_booking"))
    error.details.agent_instruction =
      "To call the booking off, take the step in next_actions; a change does not. Ask the end user first.";
  if (isAboutDate(error, capability, ctx) || ERRORS[code].about === "date") error.message += ` ${todayIs(ctx)}`;
  return error;
}

/** A sentence with today's date, which models do not know. */
function todayIs({ catalog, now }: Context): string {
  const today = shopDate(catalog, now);
  return `Today at the shop is ${capitalized(weekdayOf(today))}, ${today}.`;
}

/** @throws Error unless the data match the schema exactly, with the keys in the order of the schema */
function requireShape({ id, output }: Capability, data: unknown, catalog: Shop): void {
  const described = JSON.stringify(output(catalog).parse(data));
  const given = JSON.stringify(data);
  if (described !== given) throw new Error(`${id} answers ${given}, but the schema describes only ${described}`);
}

/** The answer to GET without a query, of a capability that has one. */
export function overview({ alsoGet, sample, description, id }: Capability, ctx: Context): Envelope {
  const { catalog, now } = ctx;
  const asked = toFillIn(sample(catalog, now));
  return {
    success: true,
    data: alsoGet?.overview(catalog),
    next_actions: [nextAction({ action: id, description: textOf(description, catalog), ...asked }, ctx)],
  };
}

function nextAction({ action, description, input, fillIn = [], bookUrl }: Suggestion, ctx: Context): NextAction {
  const operation = OPERATIONS[action];
  const filled = fillPath(operation, { ...input });
  return {
    action,
    description: say(description, ctx),
    method: operation.method,
    path: API_PREFIX + filled.path,
    requires_consent: requiresConsent(operation),
    side_effect: operation.sideEffect,
    sample_request: filled.rest,
    ...(fillIn.length > 0 && { fill_in: [...fillIn] }),
    ...(operation.method === "GET" && { url: urlOf(filled, ctx.catalog) }),
    ...(bookUrl && { book_url: bookUrl }),
  };
}

/** Has a fault of `time` name what is open on that day: in the part of it that was named, if anything is. */
async function nameOpenTimes(
  { request, issues }: Validated,
  capability: Capability,
  { catalog, now, diary }: Context,
): Promise<void> {
  const { date, time } = request;
  const fault = issues.get("time");
  if (!fault || fault.missing || fault.allowed || issues.has("date") || capability.unknownValue === undefined) return;
  if (typeof date !== "string" || typeof time !== "string") return;
  const job: JobRequest = Object.fromEntries(
    Object.entries(request).filter(([name]) => SOUND.has(name) && !issues.has(name)),
  );
  const vehicle_type = job.vehicle_type ?? modelOf(job, catalog)?.vehicleType;
  const days = await ifStoreAnswers(diary.days(date, 1, workOf({ ...job, vehicle_type }, catalog), { catalog, now }));
  const open = (days?.answer[0]?.slots ?? []).filter(isOpen).map((slot) => slot.time);
  const part = readPartOfDay(time, openAt(catalog));
  const fitting = part ? open.filter((one) => inPart(one, part)) : [];
  const allowed = fitting.length > 0 ? fitting : open;
  if (allowed.length === 0) return;
  const what = `${part && fitting.length === 0 ? "then no time is open, but" : "open are"} on ${date}: ${allowed.join(", ")}`;
  issues.set("time", { ...fault, message: `${fault.message}; ${what}`, allowed });
}

const SOUND = new Set<string>(JOB_FIELDS).add("service_type");
