/** The request that was probably meant. Ids and operations lead on by themselves; the words of other APIs are here. */
import type { Capability } from "../capabilities/core/capability.ts";
import { type CapabilityId, fillPath, pathFields } from "../capabilities/core/operations.ts";
import { CAPABILITIES, CAPABILITY_BY_ID, usable } from "../capabilities/index.ts";
import { BOOK_PATH, GLASS_PATH, MANAGE_PATH } from "../catalog/page-addresses.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { didYouMean } from "../schema/explain.ts";
import { properName, wordForm } from "../schema/names.ts";

const WORDS: Readonly<Partial<Record<CapabilityId, string>>> = {
  list_services: "menu film product package offering catalog",
  business_location: "hour opening_hour business_hour open address contact contact_us about info shop store direction",
  list_faq: "question help policy policies warranty",
  check_availability: "slot open_slot time_slot timeslot time open_time start available calendar schedule",
  automotive_estimate: "price pricing price_list cost rate calculator",
  flat_glass_estimate: "glass flat_glass",
  quote_request: "quote lead",
  book_appointment: "book",
  register_api_key: "key api_key signup sign_up",
  find_booking: "lookup my_booking my_appointment",
  confirm_booking: "confirm confirmation hold",
  reschedule_booking: "reschedule move",
  cancel_booking: "cancel cancellation",
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  [`${API_PREFIX}/docs`]: "doc documentation api_doc swagger swagger_ui redoc reference explorer",
  [`${API_PREFIX}/openapi.json`]: "openapi.json openapi openapi.yaml swagger.json api_docs.json schema spec",
  [`${API_PREFIX}/capabilities`]: "manifest manifest.json capabilities capability index",
  "/llms.txt": "llms.txt",
  "/livez": "health healthz ping",
};

/** Other words for the bookings as a collection, whose entries have the confirmation code as their path. */
const BOOKINGS = "booking appointment reservation";

/** The pages where people do what a capability does for programs. */
const PAGES: Readonly<Partial<Record<CapabilityId, string>>> = {
  book_appointment: BOOK_PATH,
  quote_request: BOOK_PATH,
  flat_glass_estimate: GLASS_PATH,
  find_booking: MANAGE_PATH,
  confirm_booking: MANAGE_PATH,
  reschedule_booking: MANAGE_PATH,
  cancel_booking: MANAGE_PATH,
};

export interface Way {
  method: string;
  path: string;
  capability?: Capability;
  params?: Readonly<Record<string, unknown>>;
  /** Where a browser is led. */
  page?: string | undefined;
}

/** A request as far as its way depends on it. */
export interface Asked {
  method: string;
  names: readonly string[];
  catalog: Shop;
}

export function wayFrom(path: string, asked: Asked): Way | undefined {
  const [, rest = ""] = /^(?:\/api(?:\/v\d+)?(?=\/|$))?\/?(.*?)\/?$/i.exec(path) ?? [];
  const word = wordForm(rest);
  const document = Object.keys(DOCUMENTS).find((one) => isOneOf(word || "index", DOCUMENTS[one]));
  if (document) return { method: "GET", path: document, page: document };
  const booking = /^([a-z]+)\/([^/]+)(?:\/([a-z_-]+))?$/i.exec(rest);
  const [, first = "", code = "", act] = booking ?? [];
  if (isOneOf(wordForm(first), BOOKINGS) && !OWN_WORDS.has(code)) {
    const named = act === undefined ? CAPABILITY_BY_ID.booking_status : capabilityByWord(wordForm(act));
    return named && wayTo(named, asked, { confirmation_code: decoded(code) });
  }
  if (isOneOf(word, BOOKINGS)) return wayTo(CAPABILITY_BY_ID.book_appointment, asked);
  const named = capabilityByWord(word) ?? near(rest);
  return named && wayTo(named, asked, {}, true);
}

/** The words that are in place of a code in `/bookings/cancel`. */
const OWN_WORDS = new Set(CAPABILITIES.flatMap(({ path }) => /^\/bookings\/([a-z]+)$/.exec(path)?.[1] ?? []));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a word is in the list, in the singular or plural. */
function isOneOf(word: string, list?: string): boolean {
  return list?.split(" ").some((one) => word === one || word === `${one}s`) ?? false;
}

/** The capability of this id, operation or path, or with another word for it. */
function capabilityByWord(word: string): Capability | undefined {
  return CAPABILITIES.find(({ id, operationId, path }) => {
    const own = `${id} ${operationId} ${wordForm(path.slice(1)).replace(/s$/, "")}`;
    return isOneOf(word, own) || isOneOf(word, WORDS[id]);
  });
}

/** The capability whose path is misspelt, or begins like this one. */
function near(rest: string): Capability | undefined {
  if (!/^[a-z/-]{3,}$/i.test(rest)) return undefined;
  const paths = CAPABILITIES.map(({ path }) => path).filter((path) => !path.includes("{"));
  const word = `/${rest.toLowerCase().replace(/s$/, "")}`;
  const meant = paths.find((path) => path.startsWith(word)) ?? didYouMean(word, paths);
  return CAPABILITIES.find(({ path }) => path === meant);
}

/** @param isExact the path names this one capability; without it, the method tells which one of bookings it is */
function wayTo(named: Capability, asked: Asked, params: Way["params"] = {}, isExact = false): Way | undefined {
  const capability = (!isExact && meantOfBookings(named, asked)) || named;
  if (!usable(asked.catalog).includes(capability)) return undefined;
  const isReading = asked.method === "GET" || asked.method === "HEAD";
  const method = isReading && capability.alsoGet ? "GET" : capability.method;
  const path = API_PREFIX + fillPath(capability, params).path;
  const page = method === "GET" && !path.includes("{") ? path : PAGES[named.id];
  return { method, path, capability, params, page };
}

const ON_BOOKINGS: Readonly<Record<string, CapabilityId>> = {
  GET: "find_booking",
  HEAD: "find_booking",
  DELETE: "cancel_booking",
  PUT: "reschedule_booking",
  PATCH: "reschedule_booking",
};

/** The capability that a method means on the path of another one that has bookings; undefined where it means that one. */
export function meantOfBookings({ id }: Capability, { method, names, catalog }: Asked): Capability | undefined {
  const meant = CAPABILITIES.find((one) => one.id === ON_BOOKINGS[method]);
  if (!meant || !catalog.bookings.self_service.enabled) return undefined;
  if (id === "booking_status") return meant.id === "find_booking" ? undefined : meant;
  if (id !== "book_appointment") return undefined;
  const { shape } = meant.input(catalog);
  const proper = names.map((name) => properName(name, shape) ?? name);
  if (proper.includes("confirmation_code") || method === "DELETE" || method === "PATCH") return meant;
  // Without a code, a GET with fields was meant to book, and so was a PUT of somebody's booking.
  return (method === "PUT" ? proper.some((name) => PERSON.has(name)) : names.length > 0) ? undefined : meant;
}

const PERSON = new Set(["customer_name", "name", "phone", "email"]);

/** The whole path of a capability, with its fields filled in as far as they are known. */
export function pathOf(capability: Capability, sample: Readonly<Record<string, unknown>>): string {
  const known = pathFields(capability).filter((name) => sample[name] != null);
  return API_PREFIX + fillPath(capability, Object.fromEntries(known.map((name) => [name, sample[name]]))).path;
}
