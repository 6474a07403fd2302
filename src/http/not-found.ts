/** What answers a path that no plugin has: a page that is near, or 404 with the request that was probably meant. */
import { BOOK_PATH, GLASS_PATH, HOURS_PATH, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH } from "../catalog/page-addresses.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError } from "../errors.ts";
import { wordForm } from "../schema/names.ts";
import { fieldNames, queryOf, withWholeRequest } from "./input.ts";
import { preferredType, type Sending } from "./representation.ts";
import { ANY_PATH, pathPlugin } from "./routes.ts";
import { wayFrom } from "./ways.ts";

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
const PAGES = [BOOK_PATH, GLASS_PATH, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH];
const WORDS = new Map(
  Object.entries(GUESSES).flatMap(([to, words]) =>
    words.split(" ").flatMap((word) => [[word, to] as const, [`${word}s`, to] as const]),
  ),
);

/** @returns undefined where nothing is near */
export function doorFrom(path: string): string | undefined {
  const plain = path.toLowerCase().replace(/(?:\/+|\.(?:html?|php|aspx?))$/, "");
  const page = PAGES.find((one) => one === plain);
  if (page) return page;
  // The code of a booking keeps its letters.
  const booked = /^\/book(\/booked\/[^/]+)/i.exec(path)?.[1];
  if (booked) return BOOK_PATH + booked.replace(/^\/booked/i, "/booked");
  return WORDS.get(wordForm(plain.replace(/^(?:\/book(?=\/))?\//, "")));
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
