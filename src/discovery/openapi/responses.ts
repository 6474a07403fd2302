import { restVoice, say } from "../../capabilities/core/operations.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { ERROR_CODES, ERRORS, type ErrorCode, isRecoverable, type Status, statusesOf } from "../../errors.ts";

const responseHeader = (description: string, type: "integer" | "string", example: string | number) => ({
  description,
  schema: { type, example },
});

export const HEADERS = {
  "X-RateLimit-Limit": responseHeader("The tightest limit that counted this request.", "integer", 60),
  "X-RateLimit-Remaining": responseHeader("Requests left under that limit.", "integer", 59),
  "X-RateLimit-Scope": responseHeader("Which limit that is.", "string", "requests-per-minute"),
  "X-RateLimit-Reset": responseHeader("Seconds until that limit has room again; 0 while it has.", "integer", 0),
  "X-Request-Id": responseHeader("Quote it to the shop when something goes wrong.", "string", "req_4fzW8kqT1n"),
  "Retry-After": responseHeader("Seconds to wait.", "integer", 12),
  Allow: responseHeader("The methods of this path.", "string", "POST, OPTIONS"),
  ETag: responseHeader("Version of this answer, for If-None-Match.", "string", '"mZ8vXk2"'),
  Location: responseHeader("Path of the created resource.", "string", `${API_PREFIX}/bookings/7K2MQ9XA`),
  "Idempotent-Replayed": responseHeader(
    '"true" when this repeats the first answer to the same request id.',
    "string",
    "true",
  ),
  "WWW-Authenticate": responseHeader("How to send a key.", "string", 'Bearer realm="Tintdesk"'),
};
type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: HeaderName[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Scope",
  "X-RateLimit-Reset",
  "X-Request-Id",
];
const WITH_STATUS: Record<number, HeaderName[]> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

interface Success {
  description: string;
  /** Schemas by media type. */
  content: Record<string, { schema: object }>;
  headers?: HeaderName[];
}

export function success({ description, content, headers = [] }: Success) {
  return { description, headers: headerRefs([...EVERYWHERE, ...headers]), content };
}

export const notModified = {
  description: "The answer has not changed since the version in If-None-Match.",
  headers: headerRefs([...EVERYWHERE, "ETag"]),
};

const RESPONSES: Record<Status, string> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  413: "PayloadTooLarge",
  422: "OutOfServiceArea",
  429: "RateLimited",
  500: "InternalError",
  503: "Unavailable",
};

export function failures(codes: ErrorCode[]) {
  const statuses = [...new Set(codes.flatMap(statusesOf))];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${RESPONSES[status]}` }]),
  );
}

/** One response for each status, with its error codes and an example of each code, as components. */
export function errorResponses() {
  const byStatus = Map.groupBy(
    ERROR_CODES.flatMap((code) => statusesOf(code).map((status) => ({ code, status }))),
    ({ status }) => status,
  );
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => {
      const ofStatus = all.map(({ code }) => code);
      return [
        RESPONSES[status],
        {
          description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join(" "),
          headers: headerRefs([...EVERYWHERE, ...(WITH_STATUS[status] ?? [])]),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/ErrorAnswer" },
              examples: Object.fromEntries(ofStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ];
    }),
  );
}

function headerRefs(names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const DETAILS: Partial<Record<ErrorCode, object>> = {
  MISSING_FIELD: { missing_fields: ["customer_phone"] },
  BAD_REQUEST: { invalid_fields: [{ field: "vehicle_year", message: "must be a whole number" }] },
  METHOD_NOT_ALLOWED: { method: "POST", path: `${API_PREFIX}/estimates` },
  RATE_LIMITED: {
    retry_after_seconds: HEADERS["Retry-After"].schema.example,
    rate_limit: {
      scope: HEADERS["X-RateLimit-Scope"].schema.example,
      limit: HEADERS["X-RateLimit-Limit"].schema.example,
      remaining: 0,
      reset_seconds: HEADERS["Retry-After"].schema.example,
    },
  },
  BOOKING_FAILED: { retry_after_seconds: HEADERS["Retry-After"].schema.example },
};

export function errorExamples(catalog: Shop) {
  return Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { when, instruction } = ERRORS[code];
      const value = {
        success: false,
        error_code: code,
        message: when,
        recoverable: isRecoverable(code),
        ...DETAILS[code],
        usage: { content_type: "application/json", sample_request: {} },
        agent_instruction: say(instruction, restVoice(catalog)),
        docs: `${API_PREFIX}/docs`,
        openapi: `${API_PREFIX}/openapi.json`,
        request_id: HEADERS["X-Request-Id"].schema.example,
      };
      return [code, { summary: when, value }];
    }),
  );
}

export function json<Schema extends object>(schema: Schema, example?: object) {
  return { "application/json": { schema, ...(example && { example }) } };
}
