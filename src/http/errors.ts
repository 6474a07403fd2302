/** Every failure in the one error shape (contract 1). */
import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody, NextAction } from "../capabilities/core/envelope.ts";
import { fillPath, say, urlOf } from "../capabilities/core/operations.ts";
import { suggestRequest } from "../capabilities/core/suggested-request.ts";
import { validate } from "../capabilities/core/validate.ts";
import { offers } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError, ERRORS, isRecoverable, STORE_RETRY_SECONDS, type SuggestedRequest } from "../errors.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store/store-errors.ts";
import type { RequestContext } from "./request-context.ts";

/** Turns anything thrown into an `ApiError`. Callers do not see the message of an internal error. */
export function toApiError(error: unknown, capability: Capability | undefined): ApiError {
  if (error instanceof ApiError) return error;
  const options = { cause: error };
  const isUnknown = error instanceof OutcomeUnknown;
  if (!isUnknown && !(error instanceof StoreUnavailable))
    return new ApiError("INTERNAL_ERROR", "Something went wrong on our side.", {}, options);
  // BOOKING_FAILED is for bookings only (contract 1).
  const code = capability?.errors.includes("BOOKING_FAILED") ? "BOOKING_FAILED" : "INTERNAL_ERROR";
  return new ApiError(
    code,
    isUnknown ? MAYBE_STORED : NOT_STORED,
    { retry_after_seconds: STORE_RETRY_SECONDS },
    options,
  );
}

/** Not "nothing was saved": an earlier request with the same id may have been stored. */
const NOT_STORED = "The shop's records cannot be reached just now. This request stored nothing.";
const MAYBE_STORED =
  "Whether this request was stored is not known. Sent again with the same request id, it is not stored twice; without such an id, ask the shop first.";

/** A failure, described for the caller, with the limits that it reports. */
export function explainFailure(
  call: RequestContext,
  error: unknown,
  capability = call.capability,
): { failure: ApiError; body: ErrorBody } {
  const failure = toApiError(error, capability);
  call.limits.push(...(failure.details.limits ?? []));
  return { failure, body: errorBody(failure, capability, call) };
}

/** Notes why the whole request is refused. One over a limit gets back what it was charged: it counts in no pool. */
export async function settleRefusal(call: RequestContext, failure: ApiError): Promise<void> {
  call.failure = failure;
  if (ERRORS[failure.code].about === "limit") await Promise.all(call.granted.map((granted) => granted.undo()));
}

/** An error as a body, for MCP and A2A, which answer 200 all the same. Internal errors are logged. */
export function loggedErrorBody(call: RequestContext, error: unknown, capability: Capability | undefined): ErrorBody {
  const failure = toApiError(error, capability);
  logError(call, failure);
  return errorBody(failure, capability, call);
}

export function errorBody(
  error: ApiError,
  capability: Capability | undefined,
  { catalog, requestId, voice }: Pick<RequestContext, "catalog" | "requestId" | "voice">,
): ErrorBody {
  const isShown = capability !== undefined && offers(catalog, capability.id);
  // A request that was not read is shown as one without fields.
  const unread = () => isShown && suggestRequest(capability, validate(capability, {}, catalog), error, { catalog });
  const { sample, fillIn, hints } = error.details.suggested ?? (unread() || NOTHING);
  const usage = {
    content_type: "application/json" as const,
    sample_request: sample,
    ...(fillIn.length > 0 && { fill_in: [...fillIn] }),
    ...(hints.length > 0 && { fill_in_hints: [...hints] }),
    ...(isShown &&
      (error.details.method ?? capability.method) === "GET" && { url: urlOf(fillPath(capability, sample), catalog) }),
  };
  const warning = error.details.method && capability ? asksFirst(capability, catalog) : "";
  const agent_instruction = say(instructionOf(error) + warning, { voice, catalog }, capability?.id);
  return { ...plainErrorBody(error, requestId), usage, agent_instruction };
}

const NOTHING: SuggestedRequest = { sample: {}, fillIn: [], hints: [] };

/** A caller who learns the right method must know what the request then does. */
function asksFirst(capability: Capability, catalog: Shop): string {
  const isByPhone = capability.id === "booking_status" && !catalog.bookings.self_service.enabled;
  if (isByPhone) return " To move or cancel the booking, call the shop ({phone}).";
  const act = ACTS[capability.sideEffect];
  if (!act) return "";
  const hasDryRun = Object.hasOwn(capability.input(catalog).shape, "dry_run");
  return ` This ${act}${hasDryRun ? ": with dry_run: true it only shows the outcome" : ""}. Ask the end user first.`;
}

const ACTS: Readonly<Record<Capability["sideEffect"], string>> = {
  none: "",
  books_appointment: "books an appointment",
  creates_lead: "sends the customer's data to the shop",
  changes_appointment: "changes a booking",
};

function instructionOf({ code, details }: ApiError): string {
  return details.agent_instruction ?? ERRORS[code].instruction;
}

/** For programs without a catalog, like the agent proxy. */
export function plainErrorBody(error: ApiError, requestId: string): ErrorBody {
  const spec = ERRORS[error.code];
  const { limits, suggested: _, known: __, next_actions: next, ...details } = error.details;
  const refused = spec.about === "limit" && limits?.[0];
  return {
    success: false,
    error_code: error.code,
    message: error.message,
    recoverable: isRecoverable(error.code),
    ...details,
    // Made by `invoke`; the errors of other programs have none.
    ...(next && { next_actions: next as NextAction[] }),
    ...(refused && {
      rate_limit: {
        scope: refused.scope,
        limit: refused.limit,
        remaining: refused.remaining,
        reset_seconds: refused.resetSeconds,
      },
    }),
    agent_instruction: say(instructionOf(error), {}),
    usage: { content_type: "application/json", sample_request: {} },
    docs: `${API_PREFIX}/docs`,
    openapi: `${API_PREFIX}/openapi.json`,
    request_id: requestId,
  };
}

/** An internal error inside an answer that is 200 over HTTP. */
export function logError({ deps: { log }, requestId }: RequestContext, failure: ApiError): void {
  if (ERRORS[failure.code].status < 500) return;
  try {
    log.error({ requestId, err: failure.cause }, "call failed");
  } catch {}
}
