/**
 * What answers where nothing else does: OPTIONS and 405 for another method of a path, and for a path that no plugin has a page that
 * is near, or 404 with the request that was probably meant.
 */
import type { Elysia } from "elysia";
import type { Capability } from "../capabilities/core/capability.ts";
import { type CapabilityId, fillPath, pathFields } from "../capabilities/core/operations.ts";
import { CAPABILITIES, CAPABILITY_BY_ID, usable } from "../capabilities/index.ts";
import { BOOK_PATH, GLASS_PATH, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH } from "../catalog/page-addresses.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError } from "../errors.ts";
import { wordForm } from "../lib/text.ts";
import { didYouMean } from "../schema/explain.ts";
import { properName } from "../schema/names.ts";
import { fieldNames, queryOf, readBodyText, withFieldsInPlace, withWholeRequest } from "./input.ts";
import { preferredType, type Sending } from "./representation.ts";
import type { RequestContext } from "./request-context.ts";
import { ANY_PATH, pathPlugin, withCall } from "./routes.ts";

/** The shop's hours and place, at the foot of every page. */
const HOURS_PATH = `${BOOK_PATH}#hours`;

interface Unknown extends Sending {
  path: string;
}

const nowhere = ({ call, set, path }: Unknown) => refusePath({ call, set, path });

/** GET stands by itself, because Elysia makes HEAD of it, which states the length of the answer. */
export const notFoundPlugin = pathPlugin().get(ANY_PATH, nowhere).all(ANY_PATH, nowhere, { parse: "none" });

export function noSuchPath(): ApiError {
  return new ApiError("NOT_FOUND", "There is no such path.");
}

async function refusePath({ call, set, path }: Unknown): Promise<string> {
  const { request, catalog } = call;
  const reads = isBrowser(request);
  const door = reads ? doorFrom(path) : undefined;
  if (door) return toPage(door, { call, set });
  const way = wayFrom(path, { method: request.method, names: fieldNames(request), catalog });
  if (!way) throw noSuchPath();
  const { method, capability, params = {}, page } = way;
  if (page && reads) return toPage(page, { call, set });
  const did_you_mean = `${method} ${way.path}`;
  const error = new ApiError("NOT_FOUND", `There is no such path; ${did_you_mean} is probably meant.`, {
    method,
    path: way.path,
    did_you_mean,
    agent_instruction: `Send the request to ${did_you_mean}. GET ${API_PREFIX}/capabilities lists the paths that exist.`,
  });
  if (!capability) throw error;
  call.capability = capability;
  throw await withWholeRequest(error, call, { capability, params });
}

/** Browsers may not keep it, as they may keep no answer: a path that is free today may be one of ours tomorrow. */
function toPage(page: string, { call, set }: Sending): string {
  set.status = 301;
  Object.assign(set.headers, leadOn(page, queryOf(call.request)));
  return "";
}

/** What other websites call a page, in the singular. */
const GUESSES: Readonly<Record<string, string>> = {
  [BOOK_PATH]:
    "book booking book_now book_online booknow appointment schedule schedule_now reservation reserve order quote get_quote get_a_quote free_quote estimate price pricing price_list rate service menu faq question help home index shop tint tinting window_tinting automotive auto car",
  [GLASS_PATH]: "glass flat_glass residential commercial building office house home_tinting home_window",
  [MANAGE_PATH]:
    "manage manage_booking my_booking my_appointment change change_booking cancel cancellation cancel_booking cancel_appointment reschedule reschedule_booking move lookup find_booking account login sign_in",
  [HOURS_PATH]: "hour opening_hour business_hour open location address contact contact_us direction map about about_us",
  [PRIVACY_PATH]: "privacy privacy_policy",
  [TERMS_PATH]: "terms terms_of_service terms_and_condition tos policy policie",
  [`${API_PREFIX}/docs`]: "doc documentation api api_doc developer",
  "/.well-known/security.txt": "security.txt",
  "/apple-touch-icon.png": "apple_touch_icon_precomposed.png",
  "/sitemap.xml": "sitemap sitemap_index.xml",
};
const PAGE_PATHS = [BOOK_PATH, GLASS_PATH, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH];
const GUESSED = new Map(
  Object.entries(GUESSES).flatMap(([to, words]) =>
    words.split(" ").flatMap((word) => [[word, to] as const, [`${word}s`, to] as const]),
  ),
);

/** @returns undefined where nothing is near */
export function doorFrom(path: string): string | undefined {
  const plain = path.toLowerCase().replace(/(?:\/+|\.(?:html?|php|aspx?))$/, "");
  const page = PAGE_PATHS.find((one) => one === plain);
  if (page) return page;
  // The code of a booking keeps its letters.
  const booked = /^\/book(\/booked\/[^/]+)/i.exec(path)?.[1];
  if (booked) return BOOK_PATH + booked.replace(/^\/booked/i, "/booked");
  return GUESSED.get(wordForm(plain.replace(/^(?:\/book(?=\/))?\//, "")));
}

/** Whether a person looks at the answer: programs take JSON at least as gladly. */
export function isBrowser(request: Request): boolean {
  const isReading = request.method === "GET" || request.method === "HEAD";
  return isReading && preferredType(request, ["application/json", "text/html"]) === "text/html";
}

/** The headers that lead on, with what the address asked. */
export function leadOn(to: string, query: string): Record<string, string> {
  const [page = "", part] = to.split("#");
  return { Location: `${page}${query && `?${query}`}${part ? `#${part}` : ""}`, Vary: "Accept" };
}

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions";

/** For every path of a plugin that is in it so far, so use it last. `sample`: a body where no capability has one. */
export function otherMethods<App extends Elysia>(plugin: App, sample: Record<string, unknown> = {}): App {
  const withContext = plugin.use(withCall);
  const paths = Map.groupBy(plugin.routes, ({ path }) => path);
  for (const [path, routes] of paths) {
    const methods = routes.map(({ method }) => method).filter((method) => method !== "HEAD");
    const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    withContext.all(
      path,
      async ({ call, set, params }) => {
        set.headers.Allow = allow;
        if (call.request.method !== "OPTIONS")
          throw await wrongMethod(call, { method: methods[0] ?? "GET", sample }, params);
        set.status = 204;
        set.headers["Access-Control-Allow-Methods"] = allow;
        set.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS;
        set.headers["Access-Control-Max-Age"] = "600";
        return "";
      },
      { parse: "none" },
    );
  }
  return plugin;
}

/** @param params the fields in the path */
async function wrongMethod(
  call: RequestContext,
  usual: { method: string; sample: Record<string, unknown> },
  params: object,
): Promise<ApiError> {
  const { request, catalog } = call;
  const text = await readBodyText(request).catch(() => "");
  const asked = { method: request.method, names: fieldNames(request, text), catalog };
  const meant = call.capability && meantOfBookings(call.capability, asked);
  // The sample is that of what was meant.
  if (meant) call.capability = meant;
  const { capability } = call;
  const method = capability?.method ?? usual.method;
  const path = capability ? pathOf(capability, { ...params }) : new URL(request.url).pathname;
  const did_you_mean = `${method} ${path}`;
  const instead = meant ? `${did_you_mean} is probably meant` : `use ${method}`;
  const error = new ApiError("METHOD_NOT_ALLOWED", `This path does not answer ${request.method}; ${instead}.`, {
    method,
    path,
    suggested: { sample: usual.sample, fillIn: [], hints: [] },
    ...(meant && {
      did_you_mean,
      agent_instruction: `For a booking that was made, send ${did_you_mean} with ${PROOF}.`,
    }),
  });
  return capability ? withFieldsInPlace(error, call, { capability, text, params }) : error;
}

const PROOF = "the customer's confirmation_code and their phone or email";

const WORDS: Readonly<Partial<Record<CapabilityId, string>>> = {
  list_services: "menu film product package offering catalog addon add_on extra",
  business_location: "hour opening_hour business_hour open address contact contact_us about info shop store direction",
  list_faq: "question help policy policies warranty law tint_law search_faq",
  check_availability: "slot open_slot time_slot timeslot time open_time opening start available calendar schedule",
  automotive_estimate: "price pricing price_list cost rate calculator",
  flat_glass_estimate: "glass flat_glass glass_estimate",
  quote_request: "quote get_quote lead",
  book_appointment: "book book_now reserve create_booking new_booking schedule_appointment",
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

interface Way {
  method: string;
  path: string;
  capability?: Capability;
  params?: Readonly<Record<string, unknown>>;
  /** Where a browser is led. */
  page?: string | undefined;
}

/** A request as far as its way depends on it. */
interface Asked {
  method: string;
  names: readonly string[];
  catalog: Shop;
}

function wayFrom(path: string, asked: Asked): Way | undefined {
  const [, rest = ""] = /^(?:\/(?:api\/v\d+|api|v\d+)(?=\/|$))?\/?(.*?)\/?$/i.exec(path) ?? [];
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
function meantOfBookings({ id }: Capability, { method, names, catalog }: Asked): Capability | undefined {
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
function pathOf(capability: Capability, sample: Readonly<Record<string, unknown>>): string {
  const known = pathFields(capability).filter((name) => sample[name] != null);
  return API_PREFIX + fillPath(capability, Object.fromEntries(known.map((name) => [name, sample[name]]))).path;
}
