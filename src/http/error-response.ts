import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import { type CapabilityId, OPERATIONS } from "../capabilities/core/operations.ts";
import { instructionFor, offers } from "../capabilities/offer.ts";
import { derived, derivedBy } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { minuteOf } from "../domain/schedule.ts";
import { ApiError, ERRORS, STORE_RETRY_SECONDS } from "../errors.ts";
import { OutcomeUnknown, StoreUnavailable } from "../store/store.ts";
import { API_PREFIX } from "../vocabulary.ts";

interface Circumstances {
  /** The capability that was asked for, when there is one. */
  capability: Capability | undefined;
  catalog: Catalog;
  now: Temporal.Instant;
  requestId: string;
}

/** Turns anything thrown into an `ApiError`. Callers do not see the message of a fault of ours. */
export function toApiError(error: unknown, capability: Capability | undefined): ApiError {
  if (error instanceof ApiError) return error;
  const options = { cause: error };
  const isUnknown = error instanceof OutcomeUnknown;
  if (!isUnknown && !(error instanceof StoreUnavailable))
    return new ApiError("INTERNAL_ERROR", "Something went wrong on our side.", {}, options);
  // BOOKING_FAILED is for bookings only (contract section 1).
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

export function errorBody(error: ApiError, { capability, catalog, now, requestId }: Circumstances): ErrorBody {
  const isShown = capability !== undefined && offers(catalog, capability.id);
  const sample = error.details.sample ?? (isShown ? sampleOf(capability, catalog, now) : {});
  const body = plainErrorBody(error, sample, requestId);
  const instruction = `${body.agent_instruction}${asksFirst(error, capability, catalog)}`;
  return { ...body, agent_instruction: instructionIn(catalog, instruction) };
}

/** More than there are error codes and capabilities together. */
const MOST_INSTRUCTIONS = 100;
const instructionIn = derivedBy(MOST_INSTRUCTIONS, (catalog, instruction) => instructionFor(instruction, catalog));

/** The body as JSON. All of it but the request id, which comes last, is kept for an error that is thrown again. */
export function errorJson(error: ApiError, circumstances: Circumstances): string {
  const { capability, catalog, now, requestId } = circumstances;
  const minute = minuteOf(now);
  let kept = texts.get(error);
  if (kept?.capability !== capability || kept?.catalog !== catalog || kept?.minute !== minute) {
    const json = JSON.stringify(errorBody(error, { ...circumstances, requestId: "" }));
    kept = { capability, catalog, minute, start: json.slice(0, -END.length) };
    texts.set(error, kept);
  }
  return kept.start + requestId + END;
}
const END = '"}';
/** Kept as long as the error. Made anew every minute, because samples hold dates. */
const texts = new WeakMap<
  ApiError,
  { capability: Capability | undefined; catalog: Catalog; minute: number; start: string }
>();

/** A caller who learns the right method must know what the request then does. */
function asksFirst({ code }: ApiError, capability: Capability | undefined, catalog: Catalog): string {
  if (code !== "METHOD_NOT_ALLOWED" || !capability) return "";
  if (capability.id === "booking_status")
    return catalog.bookings.self_service.enabled
      ? ` To move the booking: ${post("reschedule_booking")}; to cancel it: ${post("cancel_booking")}.`
      : " To move or cancel the booking, call the shop.";
  const act = ACTS[capability.sideEffect];
  if (!act) return "";
  const isRehearsed = Object.hasOwn(capability.input(catalog).shape, "dry_run");
  return ` This ${act}${isRehearsed ? ": with dry_run: true it only shows the outcome" : ""}. Ask the end user first.`;
}

function post(id: CapabilityId): string {
  return `POST ${API_PREFIX}${OPERATIONS[id].path}`;
}

const ACTS: Readonly<Record<Capability["sideEffect"], string>> = {
  none: "",
  books_appointment: "books an appointment",
  creates_lead: "sends the customer's data to the shop",
  changes_appointment: "changes a booking",
};

/** Made anew every minute, because only the dates in it depend on the time. */
function sampleOf(capability: Capability, catalog: Catalog, now: Temporal.Instant): Record<string, unknown> {
  const minute = minuteOf(now);
  const kept = samples(catalog).get(capability);
  if (kept?.minute === minute) return kept.sample;
  const sample = capability.sample(catalog, now);
  samples(catalog).set(capability, { minute, sample });
  return sample;
}
const samples = derived(() => new Map<Capability, { minute: number; sample: Record<string, unknown> }>());

/** For programs without a catalog, like the agent proxy. */
export function plainErrorBody(error: ApiError, sample: Record<string, unknown>, requestId: string): ErrorBody {
  const spec = ERRORS[error.code];
  const { limits: _, sample: __, ...details } = error.details;
  return {
    success: false,
    error_code: error.code,
    message: error.message,
    recoverable: spec.recoverable,
    ...details,
    usage: { content_type: "application/json", sample_request: sample },
    agent_instruction: spec.instruction,
    docs: `${API_PREFIX}/docs`,
    openapi: `${API_PREFIX}/openapi.json`,
    request_id: requestId,
  };
}
