/** The routes of the capabilities, and the one way in which a request uses one, from REST, MCP, A2A, or a form on a page. */
import type { z } from "zod";
import type { Capability } from "../capabilities/core/capability.ts";
import { ignoredField, MAX_WARNINGS, type Warning } from "../capabilities/core/envelope.ts";
import { type CapabilityResult, type Envelope, explained, invoke, overview } from "../capabilities/core/invoke.ts";
import { needsKey } from "../capabilities/core/operations.ts";
import { validate } from "../capabilities/core/validate.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { withDaysToCome } from "../domain/days-to-come.ts";
import { ApiError } from "../errors.ts";
import { charge } from "../limits/rate-limit.ts";
import { didYouMean, joinWithAnd } from "../schema/explain.ts";
import { stackedCharges } from "./caller.ts";
import { toApiError } from "./errors.ts";
import {
  type Misplaced,
  parseBody,
  queryOf,
  readBodyText,
  readQuery,
  refuseBody,
  refuseRepeats,
  withFieldsInPlace,
  withShortRequest,
} from "./input.ts";
import { otherMethods } from "./not-found.ts";
import { byDay, cached, represent, type Sending, sendRepresentation } from "./representation.ts";
import { contextOf, type RequestContext } from "./request-context.ts";
import { type DetailOf, getAndHead, pathPlugin, toRoute } from "./routes.ts";

const JSON_TYPE = "application/json;charset=utf-8";

export function capabilityPlugin(capability: Capability, detailOf: DetailOf) {
  const detail = detailOf(capability.method, capability.path);
  const path = toRoute(API_PREFIX + capability.path);
  const plugin = pathPlugin().onTransform(({ call }) => {
    call.capability = capability;
  });
  if (capability.method === "POST") {
    plugin.post(path, answerToBody(capability), { parse: "none", detail });
    if (capability.alsoGet) getAndHead(plugin, path, overviewOrQuery(capability), detailOf("GET", capability.path));
  } else if (capability.catalogOnly) getAndHead(plugin, path, catalogAnswer(capability), detail);
  else
    plugin.get(
      path,
      async ({ call, set, params }) => {
        await refuseBody(call, capability);
        return answer(await fromQuery(call, capability, params), { call, set });
      },
      { detail },
    );
  return plugin.use(otherMethods);
}

function answer({ status, location, replayed, body }: CapabilityResult, { set }: Sending): Envelope {
  set.status = status;
  if (location) set.headers.Location = location;
  if (replayed) set.headers["Idempotent-Replayed"] = "true";
  return body;
}

/** A POST takes its fields from the body, but for a few that may be in the query. */
function answerToBody(capability: Capability) {
  return async ({ call, set }: Sending) => {
    // Before the body is checked: a caller without a key is told so first (contract 6).
    try {
      requireKey(call, capability);
    } catch (error) {
      throw await withShortRequest(error, call);
    }
    const query = queryOf(call.request);
    const { given, ignored } = query === "" ? NO_QUERY : splitQuery(query, capability, call.catalog);
    const text = await readBodyText(call.request);
    if (capability.refusesUnknown && ignored.length > 0) throw strayQuery(ignored, call, { capability, text });
    let body: object;
    try {
      body = parseBody(text);
      refuseRepeats(text, body);
    } catch (error) {
      throw error instanceof ApiError ? withFieldsInPlace(error, call, { capability, text }) : error;
    }
    // A field that is in both is taken from the body.
    const outcome = await runCapability(call, capability, given ? { ...given, ...body } : body).catch((error) => {
      if (error instanceof ApiError && ignored.length > 0)
        error.details.warnings = [...(error.details.warnings ?? []), ...ignored];
      throw error;
    });
    const answered = answer(outcome, { call, set });
    return ignored.length === 0 ? answered : { ...answered, warnings: [...(answered.warnings ?? []), ...ignored] };
  };
}

async function fromQuery(
  call: RequestContext,
  capability: Capability,
  params: Readonly<Record<string, string | null>> = {},
): Promise<CapabilityResult> {
  const fields = Object.entries(params).map(([name, value]) => [name, value ?? UNREADABLE]);
  return runCapability(call, capability, {
    ...readQuery(queryOf(call.request), capability, call.catalog),
    ...Object.fromEntries(fields),
  });
}

/** Stands for a field of the path that is no valid percent-encoding, of which Elysia makes null. */
const UNREADABLE = "%";

/** With an ETag. Made once for a catalog and its days to come, so what concerns one request alone stays out of the making. */
function catalogAnswer(capability: Capability) {
  const make = async (call: RequestContext) =>
    represent(JSON.stringify((await fromQuery(call, capability)).body), JSON_TYPE);
  const whole = cached(make, ({ catalog, now }) => [withDaysToCome(catalog, now)]);
  return async ({ call, set }: Sending) => {
    await refuseBody(call, capability);
    const made = await (queryOf(call.request) === "" ? whole(call) : make(call));
    call.did = capability.operationId;
    return sendRepresentation({ call, set }, made);
  };
}

/** GET of a POST: an overview without a query, and the answer to the POST with one. */
function overviewOrQuery(capability: Capability) {
  const make = async (call: RequestContext) =>
    represent(JSON.stringify(overview(capability, contextOf(call, capability))), JSON_TYPE);
  const whole = cached(make, byDay);
  return async ({ call, set }: Sending) => {
    await refuseBody(call, capability);
    if (new URLSearchParams(queryOf(call.request)).size > 0)
      return answer(await fromQuery(call, capability), { call, set });
    return sendRepresentation({ call, set }, await whole(call));
  };
}

interface SplitQuery {
  given?: object;
  /** They name the fields that are in the wrong place. */
  ignored: Warning[];
}

const NO_QUERY: SplitQuery = { ignored: [] };

function splitQuery(query: string, capability: Capability, catalog: Shop): SplitQuery {
  const { queryFields = [] } = capability;
  const known = capability.input(catalog).shape;
  const fields = Object.entries(readQuery(query, capability, catalog));
  // A dry run that was asked for is never a real one.
  const isTaken = ([name]: [string, unknown]) =>
    name === "dry_run" ? Object.hasOwn(known, name) : queryFields.some((field) => field === name);
  const given = fields.filter(isTaken);
  const ignored = fields
    .filter((field) => !isTaken(field))
    .slice(0, MAX_WARNINGS)
    .map(([name]) =>
      ignoredField(
        name,
        "is in the query; this request takes its fields in the body, and ignored it.",
        Object.hasOwn(known, name) ? undefined : didYouMean(name, queryFields),
      ),
    );
  return { ...(given.length > 0 && { given: Object.fromEntries(given) }), ignored };
}

/** A booking that is not quite as meant is worse than none. */
function strayQuery(ignored: Warning[], call: RequestContext, misplaced: Misplaced): ApiError {
  const where = "in the query; this request takes its fields in the body";
  const fields = ignored.map(({ field = "" }) => field);
  const message = `${joinWithAnd(fields)} ${fields.length > 1 ? "are" : "is"} ${where}.`;
  const error = withFieldsInPlace(new ApiError("BAD_REQUEST", message), call, misplaced);
  // Afterwards: in the sample they are where they belong.
  error.details.invalid_fields = fields.map((field) => ({ field, message: `is ${where}` }));
  return error;
}

/** Requests that store something begin one in each turn of the event loop, so that reads are answered between them. */
let nextTurn = Promise.resolve();

/** Its own limit counts only what is accepted and stored (contract 8): all else gets its charge back. Throws ApiError. */
export async function runCapability<Output extends z.ZodType>(
  call: RequestContext,
  capability: Capability<z.ZodObject, Output>,
  input: object,
): Promise<CapabilityResult<z.output<Output>>> {
  const { catalog, caller, deps } = call;
  // A POST and a message of MCP or A2A were asked for it before they were read; all others are asked here.
  requireKey(call, capability);
  const context = contextOf(call, capability);
  const explain = (error: unknown) => {
    throw explained(capability, validate(capability, input, catalog), toApiError(error, capability), context);
  };
  if (capability.sideEffect !== "none") {
    const turn = nextTurn;
    nextTurn = turn.then(() => new Promise((next) => setImmediate(next)));
    await turn;
  }
  const granted =
    capability.limit && (await charge(deps.limiter, stackedCharges(caller, capability.limit, catalog)).catch(explain));
  if (granted) call.granted.push(granted);
  try {
    const outcome = await invoke(capability, input, context);
    call.limits.push(...outcome.limits);
    if (outcome.isDryRun || outcome.replayed) await granted?.undo();
    else call.did = capability.operationId;
    return outcome;
  } catch (error) {
    await granted?.undo();
    return error instanceof ApiError ? Promise.reject(error) : explain(error);
  }
}

/** @throws ApiError API_KEY_REQUIRED where the shop takes bookings only with a key, and there is none */
export function requireKey({ caller, catalog }: RequestContext, capability: Capability): void {
  if (!needsKey(capability, catalog) || caller.credentials.kind !== "none") return;
  throw new ApiError("API_KEY_REQUIRED", "This shop takes bookings only with an API key.");
}
