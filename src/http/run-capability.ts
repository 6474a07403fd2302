/** Uses a capability for a request, whichever way the request came: REST, MCP, A2A, or a form on a page. */
import type { z } from "zod";
import type { Capability, Context } from "../capabilities/core/capability.ts";
import { type CapabilityResult, explained, invoke } from "../capabilities/core/invoke.ts";
import { validate } from "../capabilities/core/validate.ts";
import type { Catalog } from "../catalog/schema.ts";
import { type LimitName, STACKED_LIMITS } from "../catalog/sections/limits.ts";
import { ApiError, fail } from "../errors.ts";
import { charge } from "../limits/limiter.ts";
import { type HttpCaller, stackedCharges } from "./caller.ts";
import { createCodeAttempts } from "./code-attempts.ts";
import { requireKey } from "./guards.ts";
import type { RequestContext, RequestDeps } from "./request-context.ts";

type Shared = Pick<RequestDeps, "store" | "diary" | "locks" | "limiter" | "checkAnswers">;

/** The context in which a caller uses capabilities. */
export function callerContext(
  caller: HttpCaller,
  { catalog, now, deps }: { catalog: Catalog; now: Temporal.Instant; deps: Shared },
): Context {
  const { store, diary, locks, limiter, checkAnswers } = deps;
  const codeAttempts = createCodeAttempts(caller, catalog, limiter);
  const countAddress = async (limit: LimitName, email: string) => {
    const { windowMs } = STACKED_LIMITS[limit];
    const pool = `mail ${email.toLowerCase()}`;
    await charge(limiter, [{ kind: limit, limit: catalog.rate_limits[limit], windowMs, pool }]);
  };
  return { catalog, store, diary, now, codeAttempts, countAddress, locks, caller, checkAnswers, fail };
}

/** @param capability which is used; only one that stores something keeps answers for repeated requests */
export function contextOf(call: RequestContext, capability: Capability | undefined): Context {
  const context = callerContext(call.caller, call);
  const idempotencyKey = call.request.headers.get("idempotency-key");
  if (idempotencyKey !== null && capability?.sideEffect !== "none") context.idempotencyKey = idempotencyKey;
  return context;
}

/**
 * Runs a capability. Its own limit counts only requests that are accepted and store something (contract 8): a
 * refusal, a dry run and a repeated request get their charge back.
 * @throws ApiError for every expected failure
 */
export async function runCapability<Output extends z.ZodType>(
  call: RequestContext,
  capability: Capability<z.ZodObject, Output>,
  input: object,
): Promise<CapabilityResult<z.output<Output>>> {
  const { catalog, caller, deps } = call;
  requireKey(call, capability);
  const explain = async (error: unknown) => {
    const isLimit = error instanceof ApiError;
    throw isLimit
      ? await explained(capability, validate(capability, input, catalog), error, contextOf(call, capability))
      : error;
  };
  const granted =
    capability.limit && (await charge(deps.limiter, stackedCharges(caller, capability.limit, catalog)).catch(explain));
  if (granted) call.granted.push(granted);
  try {
    const outcome = await invoke(capability, input, contextOf(call, capability));
    call.limits.push(...outcome.limits);
    if (outcome.isDryRun || outcome.replayed) await granted?.undo();
    else call.did = capability.operationId;
    return outcome;
  } catch (error) {
    await granted?.undo();
    throw error;
  }
}
