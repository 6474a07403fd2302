import type { Capability } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError, ERRORS } from "../errors.ts";
import { API_PREFIX } from "../vocabulary.ts";

/** The one shape of every error (spec section 7). */
export interface ErrorBody {
  success: false;
  error_code: string;
  message: string;
  recoverable: boolean;
  usage: { content_type: "application/json"; sample_request: object };
  agent_instruction: string;
  docs: string;
  openapi: string;
  request_id: string;
  [detail: string]: unknown;
}

interface Circumstances {
  /** The capability that was asked for, when there is one. */
  capability: Capability | undefined;
  catalog: Catalog;
  now: Temporal.Instant;
  requestId: string;
}

/** Anything thrown, as an expected failure; a fault of ours keeps its message to itself. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError("INTERNAL_ERROR", "Something went wrong on our side.", {}, { cause: error });
}

export function errorBody(error: ApiError, { capability, catalog, now, requestId }: Circumstances): ErrorBody {
  const spec = ERRORS[error.code];
  const { limit: _, ...details } = error.details;
  return {
    success: false,
    error_code: error.code,
    message: error.message,
    recoverable: spec.recoverable,
    ...details,
    usage: { content_type: "application/json", sample_request: capability?.sample(catalog, now) ?? {} },
    agent_instruction: spec.instruction,
    docs: `${API_PREFIX}/docs`,
    openapi: `${API_PREFIX}/openapi.json`,
    request_id: requestId,
  };
}
