/** Every error code of the API (contract 1), with all that depends on it: nothing else names a list of codes. Other errors are bugs. */

export interface ErrorSpec {
  status: number;
  /** What the caller can do: correct the request, wait for as long as it says, retry it as is, or none of these. */
  remedy: "correct" | "wait" | "retry" | "none";
  about: Subject;
  /** Which endpoints answer it. A capability declares those of `some endpoints`. */
  from: "every endpoint" | "every body" | "some endpoints";
  /** Fields that are not repeated in the sample, though the error names no fault of theirs; asked anew where it can be corrected. */
  refuses: readonly string[];
  /** When the code occurs; printed in the docs. */
  when: string;
  /** The `agent_instruction` of an answer with this code, with holes (`capabilities/core/operations.ts`). */
  instruction: string;
}

/** What an error is about; the pages for customers have a sentence for each. */
export type Subject =
  | "law"
  | ("fields" | "date" | "time" | "price" | "area" | "proof" | "deadline" | "request id" | "limit" | "rules" | "key")
  | ("path" | "JSON" | "size" | "store" | "fault");

export const ERRORS = {
  BAD_REQUEST: {
    status: 400,
    remedy: "correct",
    about: "fields",
    from: "every endpoint",
    refuses: [],
    when: "A field has the wrong type, an unknown value, or is out of bounds.",
    instruction:
      "Correct every field named in invalid_fields, asking the end user where you do not know the value, then send the request again. Do not retry it unchanged.",
  },
  MISSING_FIELD: {
    status: 400,
    remedy: "correct",
    about: "fields",
    from: "every body",
    refuses: [],
    when: "A required field is absent, null or blank.",
    instruction:
      "Ask the end user for every field named in missing_fields, add them, and send the request again. Do not invent values.",
  },
  INVALID_JSON: {
    status: 400,
    remedy: "correct",
    about: "JSON",
    from: "every body",
    refuses: [],
    when: "The body is not a JSON object in UTF-8.",
    instruction: "Send the body as one JSON object in UTF-8, with the fields that usage.fill_in names.",
  },
  API_KEY_REQUIRED: {
    status: 401,
    remedy: "correct",
    about: "key",
    from: "some endpoints",
    refuses: [],
    when: "This shop asks for an API key to book, and none was sent.",
    instruction:
      "Register a key {register}, send it as 'Authorization: Bearer <key>' or 'X-API-Key: <key>', and repeat the request.",
  },
  INVALID_API_KEY: {
    status: 401,
    remedy: "correct",
    about: "key",
    from: "every endpoint",
    refuses: [],
    when: "An API key was sent that this shop never issued or that has ended, or a key was sent in the wrong place.",
    instruction:
      "Check the key for a typing mistake, or leave it out: only an endpoint that answers API_KEY_REQUIRED needs one. Register a new one {register}.",
  },
  FORBIDDEN: {
    status: 403,
    remedy: "none",
    about: "rules",
    from: "every endpoint",
    refuses: [],
    when: "The key was revoked, the caller's network, country or website is shut out, or the shop changes bookings by phone only.",
    instruction: "Do not retry. Have the end user call the shop ({phone}).",
  },
  NOT_FOUND: {
    status: 404,
    remedy: "none",
    about: "path",
    from: "some endpoints",
    refuses: [],
    when: "There is no such path, capability or section.",
    instruction: "Read GET /api/v1/capabilities for the paths that exist.",
  },
  SERVICE_NOT_FOUND: {
    status: 404,
    remedy: "correct",
    about: "fields",
    from: "some endpoints",
    refuses: [],
    when: "The service is unknown, or cannot be booked online.",
    instruction:
      "Use one of the values in invalid_fields[].allowed; {request:list_services} lists them. For other work {fallback}, or call the shop ({phone}).",
  },
  INVALID_VEHICLE_TYPE: {
    status: 404,
    remedy: "correct",
    about: "fields",
    from: "some endpoints",
    refuses: [],
    when: "The vehicle type is not one the shop prices.",
    instruction:
      "Use the nearest of the values in invalid_fields[].allowed, asking the end user when in doubt; for a vehicle that is none of them {fallback}, or call the shop ({phone}).",
  },
  BOOKING_NOT_FOUND: {
    status: 404,
    remedy: "correct",
    about: "proof",
    from: "some endpoints",
    refuses: ["confirmation_code", "phone", "email"],
    when: "No booking has this confirmation code together with this phone number or e-mail address.",
    instruction:
      "Ask the end user for the confirmation code (8 letters and digits) and for the phone or e-mail they booked with, then send the request again. Do not guess: a few misses end in 429.",
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    remedy: "correct",
    about: "path",
    from: "every endpoint",
    refuses: [],
    when: "The path exists but not with this HTTP method.",
    instruction:
      "Send the same request to path with the HTTP method named in method; usage.sample_request holds its fields.",
  },
  DATE_BLOCKED: {
    status: 409,
    remedy: "correct",
    about: "date",
    from: "some endpoints",
    refuses: [],
    when: "The date is past, closed, blocked, or further ahead than the shop books.",
    instruction:
      "Offer the end user the times in alternatives (each can be booked as is) or read {request:check_availability}.",
  },
  SLOT_TAKEN: {
    status: 409,
    remedy: "correct",
    about: "time",
    from: "some endpoints",
    refuses: [],
    when: "Every bay is busy for part of the work, or the time is too soon or past.",
    instruction:
      "Offer the end user the times in alternatives (each can be booked as is) or read {request:check_availability}. A time that they hold is booked by {request:confirm_booking}.",
  },
  NOT_LEGAL_SHADE: {
    status: 409,
    remedy: "correct",
    about: "law",
    from: "some endpoints",
    refuses: [],
    when: "A shade, or film on that glass, is not legal in the state, and the request does not accept that.",
    instruction:
      "Tell the end user what is not legal and what the law asks, from message. usage.sample_request has the legal job instead: send it if they agree. Only if they want their own anyway, and the shop takes it, send the request again with accept_not_legal: true.",
  },
  PRICE_CHANGED: {
    status: 409,
    remedy: "correct",
    about: "price",
    from: "some endpoints",
    refuses: [],
    when: "The price of the estimate has expired, and today's price is higher.",
    instruction:
      "Tell the end user the new price in estimate.total beside estimate.previous_total. If they agree, send the request again with estimate.estimate_id.",
  },
  PRICE_AGREED: {
    status: 409,
    remedy: "none",
    about: "rules",
    from: "some endpoints",
    refuses: [],
    when: "The shop agreed a price for this booking, so its work is changed by phone.",
    instruction:
      "Do not retry. Give the end user the shop's phone number from the message: the shop names the price of other work. Date, time, shade and the name of the car can be changed here.",
  },
  HOLD_OVER: {
    status: 409,
    remedy: "none",
    about: "deadline",
    from: "some endpoints",
    refuses: [],
    when: "The time is no longer held, so it cannot be confirmed.",
    instruction: "Do not retry. Tell the end user so, and book a time that is open then.",
  },
  TOO_LATE_TO_CHANGE: {
    status: 409,
    remedy: "none",
    about: "deadline",
    from: "some endpoints",
    refuses: [],
    when: "The appointment is over, cancelled, only held, or too near to be changed online.",
    instruction:
      "Do not retry. Give the end user the shop's phone number from the message. Where the appointment was cancelled, offer to book another time.",
  },
  KEY_EXISTS: {
    status: 409,
    remedy: "correct",
    about: "key",
    from: "some endpoints",
    refuses: ["email"],
    when: "This e-mail address already has a key.",
    instruction:
      "Use the key issued before. If it is lost, ask the shop to replace it, or register another e-mail address.",
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    remedy: "correct",
    about: "request id",
    from: "some endpoints",
    refuses: [],
    when: "The booking_request_id or quote_request_id was used before with a different body, or what it made was cancelled, is over, was closed or erased; the message says which.",
    instruction: "To get the first answer again, send the first body again. For another request use a new id.",
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    remedy: "correct",
    about: "size",
    from: "every body",
    refuses: [],
    when: "The body is larger than 64 KiB.",
    instruction: "Shorten the free-text fields and send the request again.",
  },
  OUT_OF_SERVICE_AREA: {
    status: 422,
    remedy: "none",
    about: "area",
    from: "some endpoints",
    refuses: ["postal_code"],
    when: "The postal code lies outside the shop's service area.",
    instruction:
      "Do not retry with the same address. Where the message says so, the customer can bring the vehicle: ask them, then book without postal_code. Else {fallback}, or call the shop ({phone}).",
  },
  RATE_LIMITED: {
    status: 429,
    remedy: "wait",
    about: "limit",
    from: "every endpoint",
    refuses: ["postal_code"],
    when: "A rate limit is used up.",
    instruction: "Wait for the number of seconds in {wait}, then send the request again. {keys}",
  },
  BOOKING_FAILED: {
    status: 503,
    remedy: "retry",
    about: "store",
    from: "some endpoints",
    refuses: [],
    when: "The booking, or the change of one, could not be stored, or it is not known whether it was; the message says which.",
    instruction:
      "Retry unchanged, a booking with the same booking_request_id, with exponential backoff, starting with {wait}. If it still fails, {fallback}.",
  },
  INTERNAL_ERROR: {
    status: 500,
    remedy: "retry",
    about: "fault",
    from: "every endpoint",
    refuses: [],
    when: "The server failed unexpectedly; 503 with Retry-After while the shop's records cannot be reached.",
    instruction: "Retry with exponential backoff. If it still fails, {fallback} and give the shop the request_id.",
  },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

/** Codes that every endpoint can answer (BAD_REQUEST to two different keys). */
export type CommonError = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]["from"] extends "every endpoint" ? Code : never;
}[ErrorCode];

export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export function codesFrom(from: ErrorSpec["from"]): ErrorCode[] {
  return ERROR_CODES.filter((code) => ERRORS[code].from === from);
}

export function isRecoverable(code: ErrorCode): boolean {
  return ERRORS[code].remedy !== "none";
}

/** The state of a limit after this call, for the X-RateLimit headers. */
export interface LimitState {
  /** Which limit it is, like `bookings-per-network`. */
  scope: string;
  limit: number;
  remaining: number;
  /** Until it has room again; 0 while it has. */
  resetSeconds: number;
}

export interface InvalidField {
  field: string;
  message: string;
  allowed?: readonly (string | number | boolean)[];
  did_you_mean?: string;
}

/** A word that was not understood. */
export interface FillInHint {
  /** In the sample: the field, or its part, that is left to the caller. */
  field: string;
  given: string;
  allowed?: InvalidField["allowed"];
}

/** The caller's own request with what was understood of it. */
export interface SuggestedRequest {
  sample: Record<string, unknown>;
  /** Fields that the sample leaves to the caller. */
  fillIn: readonly string[];
  hints: readonly FillInHint[];
}

/** Retry-After while the store cannot write. */
export const STORE_RETRY_SECONDS = 5;

/** Further parts of an error; the keys are wire names. */
export interface ErrorDetails {
  missing_fields?: string[];
  invalid_fields?: InvalidField[];
  alternatives?: object[];
  /** Today's estimate, beside the price that has expired. */
  estimate?: { total: number; previous_total: number; estimate_id: string; valid_until: string };
  /** What can be had instead, by another request. */
  next_actions?: object[];
  retry_after_seconds?: number;
  /** With `path` the request to send instead. */
  method?: string;
  path?: string;
  /** The request that was probably meant, where path or method is wrong: `POST /api/v1/bookings/cancel`. */
  did_you_mean?: string;
  /** About fields of the request that are unknown, or were understood. */
  warnings?: object[];
  /** The request to send instead: `usage` of the body. */
  suggested?: SuggestedRequest;
  /** Fields of the sample that the shop knows, like the time of a booking that is moved; undefined ones are left out. */
  known?: Readonly<Record<string, unknown>>;
  /** What to do now, where the code's own instruction would not be true for this caller. */
  agent_instruction?: string;
  /** Limits beside the caller's general limit, for the X-RateLimit headers. In the body only the one that refused. */
  limits?: LimitState[];
}

/** An expected failure, answered in the one error shape of contract 1 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The HTTP status of an error. A transient fault is 503, so that a proxy may ask another server. */
export function httpStatus({ code, details }: ApiError): number {
  const [status, transient] = statusesOf(code);
  return (details.retry_after_seconds !== undefined && transient) || status;
}

/** The status of a code, and the one of a fault that passes by itself. */
export function statusesOf(code: ErrorCode): [Status, ...Status[]] {
  const { status } = ERRORS[code];
  return status === 500 ? [status, 503] : [status];
}

export type Status = (typeof ERRORS)[ErrorCode]["status"];

/** Ends a call with an expected failure. @throws ApiError always */
export function fail(code: ErrorCode, message: string, details?: ErrorDetails, options?: ErrorOptions): never {
  throw new ApiError(code, message, details, options);
}
