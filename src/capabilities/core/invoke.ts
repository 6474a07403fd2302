/** The one way to use a capability: judge the request, run it, wrap the answer in the envelope. */
import type { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { minuteOf, shopDate } from "../../domain/schedule.ts";
import { ApiError } from "../../errors.ts";
import { isLasting, lasting } from "../../lib/json.ts";
import { API_PREFIX } from "../../vocabulary.ts";
import { type Answer, type Capability, type Context, type LimitState, type Suggestion, textOf } from "./capability.ts";
import type { NextAction, successShape, Warning } from "./envelope.ts";
import { ifStoreAnswers } from "./if-store-answers.ts";
import { inputError, type Judged, judge } from "./judge.ts";
import { isAboutDate, mend } from "./mend.ts";
import { fillPath, OPERATIONS, requiresConsent } from "./operations.ts";

export type Envelope<Data = unknown> = Omit<z.output<ReturnType<typeof successShape>>, "data"> & { data: Data };

/** An answer: HTTP status, body, and values of headers. Callers may share it: never change it. */
export interface Outcome<Data = unknown> {
  status: number;
  body: Envelope<Data>;
  limits: LimitState[];
  location?: string;
  replayed: boolean;
  /** A dry run: nothing was stored or sent, and no quota is used. */
  rehearsed: boolean;
}

/**
 * @param raw a JSON object, as the caller sent it
 * @throws ApiError for every expected failure
 */
export async function invoke<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  raw: object,
  ctx: Context,
): Promise<Outcome<z.output<Output>>> {
  return perform(capability, judge(capability, raw, ctx.catalog), ctx);
}

/** Like `invoke`, for a request that was judged already, by the same catalog. */
export function perform<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  judged: Judged,
  ctx: Context,
): Outcome<z.output<Output>> | Promise<Outcome<z.output<Output>>> {
  const known = judged.faults.size > 0 && refusals.get(judged);
  if (known && known.minute === minuteOf(ctx.now)) throw known.error;
  try {
    const outcome = execute(capability, judged, ctx);
    return outcome instanceof Promise ? orRefuse(outcome, capability, judged, ctx) : outcome;
  } catch (error) {
    return refuse(capability, judged, error, ctx);
  }
}

async function orRefuse<T>(outcome: Promise<T>, capability: Capability, judged: Judged, ctx: Context): Promise<T> {
  try {
    return await outcome;
  } catch (error) {
    return refuse(capability, judged, error, ctx);
  }
}

/** @throws ApiError explained; any other error as it is */
async function refuse(capability: Capability, judged: Judged, error: unknown, ctx: Context): Promise<never> {
  if (!(error instanceof ApiError)) throw error;
  const refusal = await explained(capability, judged, error, ctx);
  if (capability.isAnonymous && judged.faults.size > 0)
    refusals.set(judged, { minute: minuteOf(ctx.now), error: refusal });
  throw refusal;
}

/** Refusals by the request, as long as the request is kept; for a minute, because some of them name today's date. */
const refusals = new WeakMap<Judged, { minute: number; error: ApiError }>();

function execute<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  judged: Judged,
  ctx: Context,
): Outcome<z.output<Output>> | Promise<Outcome<z.output<Output>>> {
  const { input, faults } = judged;
  if (!input) throw inputError(faults);
  const answer = faults.size === 0 ? capability.run(input, ctx) : capability.replay?.(input, ctx);
  return answer instanceof Promise
    ? concludeLater(capability, judged, answer, ctx)
    : conclude(capability, judged, answer, ctx);
}

async function concludeLater<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  judged: Judged,
  answer: Promise<Answer<z.output<Output>> | undefined>,
  ctx: Context,
): Promise<Outcome<z.output<Output>>> {
  return conclude(capability, judged, await answer, ctx);
}

/** @param answer undefined for a request that the catalog refuses, and that had no answer before */
function conclude<Output extends z.ZodType>(
  capability: Capability<z.ZodObject, Output>,
  { faults, warnings }: Judged,
  answer: Answer<z.output<Output>> | undefined,
  ctx: Context,
): Outcome<z.output<Output>> {
  if (!answer) throw inputError(faults);
  const hasOldWords = answer.replayed || answer.hasOldWords;
  if (ctx.checkAnswers && !hasOldWords) requireShape(capability, answer.data, ctx.catalog);
  if (warnings.length > 0 || !isLasting(answer)) return outcomeOf(capability, answer, warnings);
  let outcome = outcomes.get(answer) as Outcome<z.output<Output>> | undefined;
  if (!outcome) {
    outcome = outcomeOf(capability, answer, warnings);
    lasting(outcome.body);
    outcomes.set(answer, outcome);
  }
  return outcome;
}

/** The same error, with all that lets a model correct the request in one step. */
export async function explained(
  capability: Capability,
  judged: Judged,
  { code, message, details, cause }: ApiError,
  ctx: Context,
): Promise<ApiError> {
  const error = new ApiError(code, message, details, { cause });
  const attempt = async (again: Judged) => execute(capability, again, withoutKey(ctx));
  // Without a readable store the plain sample is shown, and soon: a refusal of the body needs no database.
  const mended = await ifStoreAnswers(mend(capability, { judged, error, attempt }, ctx)).catch(() => null);
  const sample = mended?.answer;
  return new ApiError(
    code,
    isAboutDate(error, capability, ctx) || code === "DATE_BLOCKED" ? `${message} ${todayIs(ctx)}` : message,
    {
      ...details,
      ...(judged.warnings.length > 0 && { warnings: judged.warnings }),
      ...(sample && { sample: { ...sample } }),
    },
    { cause },
  );
}

/** Copied only where there is a key: the context of the command line has no store to copy. */
function withoutKey(ctx: Context): Context {
  if (ctx.idempotencyKey === undefined) return ctx;
  const { idempotencyKey: _, ...rest } = ctx;
  return rest;
}

/** Models do not know the date. */
function todayIs({ catalog, now }: Context): string {
  const today = shopDate(catalog, now);
  const weekday = Temporal.PlainDate.from(today).toLocaleString("en-US", { weekday: "long" });
  return `Today at the shop is ${weekday}, ${today}.`;
}

/** Of lasting answers, whose outcomes last as well. */
const outcomes = new WeakMap<object, Outcome>();

function outcomeOf<Data>(
  { status }: Capability,
  { data, suggestions, warnings = [], limits = [], location, replayed = false, rehearsed = false }: Answer<Data>,
  judged: readonly Warning[],
): Outcome<Data> {
  const all = [...judged, ...warnings];
  return {
    status: rehearsed ? 200 : status,
    body: {
      success: true,
      data,
      ...(suggestions && { next_actions: suggestions.map(nextAction) }),
      ...(all.length > 0 && { warnings: all }),
    },
    limits,
    ...(location && { location }),
    replayed,
    rehearsed,
  };
}

/** @throws Error unless the data match the schema exactly, with the keys in the order of the schema */
function requireShape({ id, output }: Capability, data: unknown, catalog: Catalog): void {
  const described = JSON.stringify(output(catalog).parse(data));
  const given = JSON.stringify(data);
  if (described !== given) throw new Error(`${id} answers ${given}, but the schema describes only ${described}`);
}

/** The answer to GET without a query, of a capability that has one. */
export function overview({ alsoGet, sample, description, id }: Capability, { catalog, now }: Context): Envelope {
  return {
    success: true,
    data: alsoGet?.overview(catalog),
    next_actions: [nextAction({ action: id, description: textOf(description, catalog), input: sample(catalog, now) })],
  };
}

function nextAction({ action, description, input }: Suggestion): NextAction {
  const operation = OPERATIONS[action];
  const { path, rest } = fillPath(operation, input);
  return {
    action,
    description,
    method: operation.method,
    path: API_PREFIX + path,
    requires_consent: requiresConsent(operation),
    side_effect: operation.sideEffect,
    sample_request: { ...rest },
  };
}
