/** Where a person is led whose browser asks for a path in other letters, or for one that other websites have. */
import { BOOK_PATH, GLASS_PATH, HOURS_PATH, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH } from "../catalog/page-addresses.ts";
import { API_PREFIX } from "../constants.ts";
import { wordForm } from "../schema/names.ts";
import { preferredType } from "./representation.ts";

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
