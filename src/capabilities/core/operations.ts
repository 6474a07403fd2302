/**
 * Path, method and side effect of each capability. Answers point to other capabilities through this table, so that an
 * estimate can point to a booking without loading the code that books.
 */

export const SIDE_EFFECTS = ["none", "creates_lead", "books_appointment"] as const;

export interface Operation {
  operationId: string;
  method: "GET" | "POST";
  /** Relative to the base URL, beginning with a slash. */
  path: string;
  sideEffect: (typeof SIDE_EFFECTS)[number];
}

/** A GET has no side effect, because crawlers and link previews follow links. */
type Safe = { method: "POST" } | { sideEffect: "none" };

/** By capability id. Source: spec section 2. */
export const OPERATIONS = {
  list_services: { operationId: "get_services", method: "GET", path: "/services", sideEffect: "none" },
  business_location: { operationId: "get_location", method: "GET", path: "/location", sideEffect: "none" },
  list_faq: { operationId: "get_faq", method: "GET", path: "/faq", sideEffect: "none" },
  check_availability: { operationId: "check_availability", method: "GET", path: "/availability", sideEffect: "none" },
  automotive_estimate: { operationId: "estimate_price", method: "POST", path: "/estimates", sideEffect: "none" },
  flat_glass_estimate: {
    operationId: "estimate_flat_glass",
    method: "POST",
    path: "/flat-glass/estimate",
    sideEffect: "none",
  },
  quote_request: {
    operationId: "request_quote",
    method: "POST",
    path: "/quote-request",
    sideEffect: "creates_lead",
  },
  book_appointment: {
    operationId: "book_appointment",
    method: "POST",
    path: "/bookings",
    sideEffect: "books_appointment",
  },
  register_api_key: { operationId: "register_api_key", method: "POST", path: "/register", sideEffect: "none" },
} as const satisfies Record<string, Operation & Safe>;

export type CapabilityId = keyof typeof OPERATIONS;

/** Whether the end user must agree before the request is sent. Source: spec section 1, rule 2. */
export function requiresConsent({ sideEffect }: Pick<Operation, "sideEffect">): boolean {
  return sideEffect !== "none";
}
