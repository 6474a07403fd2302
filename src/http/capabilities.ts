/** The routes of the capabilities: one plugin for each. */
import { Elysia } from "elysia";
import type { Capability } from "../capabilities/core/capability.ts";
import type { Warning } from "../capabilities/core/envelope.ts";
import { ignoredField, MAX_WARNINGS } from "../capabilities/core/envelope.ts";
import { type CapabilityResult, overview } from "../capabilities/core/invoke.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { withDaysToCome } from "../domain/schedule.ts";
import { ApiError } from "../errors.ts";
import { didYouMean, joinWithAnd } from "../schema/explain.ts";
import { parseBody, readBodyText } from "./body.ts";
import { otherMethods } from "./other-methods.ts";
import { queryOf, readQuery } from "./query.ts";
import { byDay, cached, getAndHead, JSON_TYPE, represent, type Sending, sendRepresentation } from "./representation.ts";
import { type RequestContext, toRoute, withCall } from "./request-context.ts";
import { contextOf, requireKey, runCapability } from "./run-capability.ts";
import { refuseBody, withFieldsInPlace } from "./wrong-place.ts";

export function capabilityPlugin(capability: Capability) {
  const path = toRoute(API_PREFIX + capability.path);
  const plugin = new Elysia().use(withCall).onTransform(({ call }) => {
    call.capability = capability;
  });
  if (capability.method === "POST") {
    plugin.post(path, async ({ call, set }) => answer(await fromBody(call, capability), { call, set }), {
      parse: "none",
    });
    if (capability.alsoGet) getAndHead(plugin, path, overviewOrQuery(capability));
  } else if (capability.catalogOnly) getAndHead(plugin, path, catalogAnswer(capability));
  else
    plugin.get(path, async ({ call, set, params }) => {
      await refuseBody(call, capability);
      return answer(await fromQuery(call, capability, params), { call, set });
    });
  return plugin.use(otherMethods);
}

/** The body, with the status and the headers of this answer. */
function answer({ status, location, replayed, body }: CapabilityResult, { set }: Sending): object {
  set.status = status;
  if (location) set.headers.Location = location;
  if (replayed) set.headers["Idempotent-Replayed"] = "true";
  return body;
}

/** A POST takes its fields from the body, but for a few that may stand in the query. */
async function fromBody(call: RequestContext, capability: Capability): Promise<CapabilityResult> {
  // Before the body is read: a caller without a key is told so first (contract 6).
  requireKey(call, capability);
  const { given, ignored } = splitQuery(queryOf(call.request), capability, call.catalog);
  if (capability.refusesUnknown && ignored.length > 0) throw strayQuery(ignored);
  const text = await readBodyText(call.request);
  let body: object;
  try {
    body = parseBody(text);
  } catch (error) {
    throw error instanceof ApiError ? await withFieldsInPlace(error, call, { capability, text }) : error;
  }
  // A field that stands in both is taken from the body.
  const outcome = await runCapability(call, capability, given ? { ...given, ...body } : body);
  if (ignored.length === 0) return outcome;
  return { ...outcome, body: { ...outcome.body, warnings: [...(outcome.body.warnings ?? []), ...ignored] } };
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

/**
 * An answer that depends on the catalog and the query alone carries an ETag. The one without a query is made once for a
 * catalog and the days that it has to come, so what concerns one request alone, its body and its line in the log, stays out of the making.
 */
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

/** Warnings name the fields of the query that stand in the wrong place. */
function splitQuery(query: string, capability: Capability, catalog: Shop): { given?: object; ignored: Warning[] } {
  if (query === "") return { ignored: [] };
  const { queryFields = [] } = capability;
  const known = capability.input(catalog).shape;
  const fields = Object.entries(readQuery(query, capability, catalog));
  const isTaken = ([name]: [string, unknown]) => queryFields.some((field) => field === name);
  const given = fields.filter(isTaken);
  const ignored = fields
    .filter((field) => !isTaken(field))
    .slice(0, MAX_WARNINGS)
    .map(([name]) =>
      ignoredField(
        name,
        "stands in the query; this request takes its fields in the body, and ignored it.",
        Object.hasOwn(known, name) ? undefined : didYouMean(name, queryFields),
      ),
    );
  return { ...(given.length > 0 && { given: Object.fromEntries(given) }), ignored };
}

/** A booking that is not quite as meant is worse than none. */
function strayQuery(ignored: Warning[]): ApiError {
  const where = "in the query; this request takes its fields in the body";
  const fields = ignored.map(({ field = "" }) => field);
  return new ApiError("BAD_REQUEST", `${joinWithAnd(fields)} ${fields.length > 1 ? "stand" : "stands"} ${where}.`, {
    invalid_fields: fields.map((field) => ({ field, message: `stands ${where}` })),
  });
}
