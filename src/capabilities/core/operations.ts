/** Path, method, side effect and voice of each capability: answers point to others by this table, without loading their code. */
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";

export const SIDE_EFFECTS = ["none", "creates_lead", "books_appointment", "changes_appointment"] as const;

export interface Operation {
  operationId: string;
  method: "GET" | "POST";
  /** Relative to the base URL, beginning with a slash. A field in braces stands for one segment, `/bookings/{code}`. */
  path: string;
  sideEffect: (typeof SIDE_EFFECTS)[number];
  /** Beside the nine of the specification; the manifest lists it under `extensions`. */
  isExtension?: boolean;
}

/** A GET has no side effect, because crawlers and link previews follow links. */
type Safe = { method: "POST" } | { sideEffect: "none" };

/** By capability id. Source: contract 10; the extensions: contract 13. */
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
  booking_status: {
    operationId: "get_booking_status",
    method: "GET",
    path: "/bookings/{confirmation_code}",
    sideEffect: "none",
    isExtension: true,
  },
  find_booking: {
    operationId: "find_booking",
    method: "POST",
    path: "/bookings/lookup",
    sideEffect: "none",
    isExtension: true,
  },
  confirm_booking: {
    operationId: "confirm_booking",
    method: "POST",
    path: "/bookings/confirm",
    sideEffect: "changes_appointment",
    isExtension: true,
  },
  reschedule_booking: {
    operationId: "reschedule_booking",
    method: "POST",
    path: "/bookings/reschedule",
    sideEffect: "changes_appointment",
    isExtension: true,
  },
  cancel_booking: {
    operationId: "cancel_booking",
    method: "POST",
    path: "/bookings/cancel",
    sideEffect: "changes_appointment",
    isExtension: true,
  },
} as const satisfies Record<string, Operation & Safe>;

export type CapabilityId = keyof typeof OPERATIONS;

/** Whether the end user must agree before the request is sent. Source: contract 6. */
export function requiresConsent({ sideEffect }: Pick<Operation, "sideEffect">): boolean {
  return sideEffect !== "none";
}

/** Whether an API key makes a difference: the shop may ask for one, and it has quotas of its own. */
export function countsKeys({ sideEffect }: Pick<Operation, "sideEffect">): boolean {
  return sideEffect === "books_appointment";
}

export function needsKey(operation: Pick<Operation, "sideEffect">, { bookings }: Pick<Shop, "bookings">): boolean {
  return bookings.require_api_key && countsKeys(operation);
}

const PATH_FIELD = /\{(\w+)\}/g;

export function pathFields({ path }: Pick<Operation, "path">): string[] {
  return [...path.matchAll(PATH_FIELD)].map(([, name = ""]) => name);
}

interface FilledPath {
  path: string;
  /** The fields that are left for the query or the body. */
  rest: Record<string, unknown>;
}

/** The path with its fields filled in as far as they are known. */
export function fillPath({ path }: Pick<Operation, "path">, input: Record<string, unknown>): FilledPath {
  if (!path.includes("{")) return { path, rest: input };
  const fields = pathFields({ path });
  const values = new Map(Object.entries(input));
  return {
    path: path.replace(PATH_FIELD, (field, name: string) =>
      values.has(name) ? encodeURIComponent(String(values.get(name))) : field,
    ),
    rest: Object.fromEntries([...values].filter(([name]) => !fields.includes(name))),
  };
}

/** The whole address of a GET: lists are separated by commas, objects are JSON. Undefined while a field of the path is unknown. */
export function urlOf({ path, rest }: FilledPath, { site }: Pick<Shop, "site">): string | undefined {
  if (path.includes("{")) return undefined;
  let url = site.base_url + path;
  let separator = "?";
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    const text = typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : String(value);
    url += `${separator}${name}=${encodeURIComponent(text).replaceAll("%2C", ",")}`;
    separator = "&";
  }
  return url;
}

export interface Voice {
  tool: (id: CapabilityId) => string;
  request: (id: CapabilityId) => string;
  register: string;
  keys: string;
  wait: string;
}

const methodAndPath = (id: CapabilityId) => `${OPERATIONS[id].method} ${API_PREFIX}${OPERATIONS[id].path}`;

/** The words of the REST API and of every document about it. */
export const REST: Voice = {
  tool: (id) => id,
  request: methodAndPath,
  register: `with ${methodAndPath("register_api_key")}`,
  keys: "A registered API key has higher limits.",
  wait: "the Retry-After header",
};

const HOLE = /\{(?:(tool|request):(\w+)|(fallback|register|keys|wait|phone))\}/g;

interface Listener {
  voice?: Voice | undefined;
  /** Absent in programs without one. */
  catalog?: Pick<Shop, "business">;
}

/** The sentence with its holes filled. @param id of the capability that was asked for */
export function say(template: string, { voice = REST, catalog }: Listener, id?: CapabilityId): string {
  const phone = catalog?.business.phone ?? "";
  return template.replace(HOLE, (_, kind: "tool" | "request" | undefined, named: CapabilityId, hole: Hole) => {
    if (kind) return voice[kind](named);
    if (hole === "phone") return phone;
    if (hole !== "fallback") return voice[hole];
    return id === "quote_request" ? `call the shop (${phone})` : `fall back to ${voice.request("quote_request")}`;
  });
}
type Hole = "fallback" | "register" | "keys" | "wait" | "phone";

export function namedIn(template: string): string[] {
  return [...template.matchAll(HOLE)].flatMap(([, kind, id]) => (kind && id ? [id] : []));
}
