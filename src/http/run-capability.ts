/** Uses a capability for a request, whichever way the request came: REST, MCP, A2A, or a form on a page. */
import type { z } from "zod";
import type { Capability, CodeAttempts, Context } from "../capabilities/core/capability.ts";
import { type CapabilityResult, explained, invoke } from "../capabilities/core/invoke.ts";
import { validate } from "../capabilities/core/validate.ts";
import { type LimitName, STACKED_LIMITS } from "../catalog/sections/limits.ts";
import type { Shop } from "../catalog/shop.ts";
import { ApiError, fail } from "../errors.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { type Charge, charge, type Limiter, overLimit } from "../limits/limiter.ts";
import type { HttpCaller } from "./caller.ts";
import { networkCharges, stackedCharges } from "./charges.ts";
import type { RequestContext, RequestDeps } from "./request-context.ts";

type Shared = Pick<RequestDeps, "store" | "diary" | "signing" | "limiter" | "checkAnswers">;

/** The context in which a caller uses capabilities. */
export function callerContext(
  caller: HttpCaller,
  { catalog, now, deps }: { catalog: Shop; now: Temporal.Instant; deps: Shared },
): Context {
  const { store, diary, signing, limiter, checkAnswers } = deps;
  const codeAttempts = createCodeAttempts(caller, catalog, limiter);
  const countAddress = async (limit: LimitName, email: string) => {
    const { windowMs } = STACKED_LIMITS[limit];
    const pool = `mail ${email.toLowerCase()}`;
    await charge(limiter, [{ kind: limit, limit: catalog.rate_limits[limit], windowMs, pool }]);
  };
  return { catalog, store, diary, now, codeAttempts, countAddress, signing, caller, checkAnswers, fail };
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
  // A POST and a message of MCP or A2A were asked for it before they were read; all others are asked here.
  requireKey(call, capability);
  const explain = async (error: unknown) => {
    throw error instanceof ApiError
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

/** @throws ApiError API_KEY_REQUIRED where the shop takes bookings only with a key, and there is none */
export function requireKey({ caller, catalog }: RequestContext, capability: Capability): void {
  if (!catalog.bookings.require_api_key || !capability.acceptsKey || caller.credentials.kind !== "none") return;
  throw new ApiError("API_KEY_REQUIRED", "This shop takes bookings only with an API key.");
}

/**
 * Limits guesses at confirmation codes and request ids: wrong codes, wrong contacts, wrong bodies (contract 13). A network that missed too often gets no
 * answer for a while. Nobody else's misses stand in the way of the right code with its contact, until they are very many; and
 * even then not for the network that made the booking, whose customer a stranger would shut out for a day.
 */
function createCodeAttempts(caller: HttpCaller, catalog: Shop, limiter: Limiter): CodeAttempts {
  const { wrong_codes_per_10_minutes: limit, wrong_codes_per_code_per_day: perDay } = catalog.rate_limits;
  const misses = { kind: "wrong_codes", limit, windowMs: WINDOW_MS } as const;
  const ofAll = (named: string): Charge[] => [
    { ...misses, pool: named },
    { kind: "wrong_codes_per_day", limit: perDay, windowMs: DAY_MS, pool: named },
  ];
  // A page of another website guesses in the browsers of its visitors. What it misses must not shut them out, so all such
  // pages share one pool.
  const ofCaller = caller.isCrossSite
    ? [{ ...misses, pool: "pages of other websites" }]
    : networkCharges(caller, misses, catalog);
  return {
    async check(named, { isRight, madeFrom }) {
      const ofDay = madeFrom === caller.network ? [] : ofAll(named).slice(1);
      const ofOthers = caller.isCrossSite ? [] : ofAll(named);
      const charges = [...ofCaller, ...(isRight ? ofDay : ofOthers)];
      const decision = await (isRight ? limiter.peek(charges) : limiter.take(charges));
      if (decision.allowed) return decision.states;
      throw overLimit(decision, charges);
    },
  };
}

const WINDOW_MS = 10 * MINUTE_MS;
