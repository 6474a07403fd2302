/** The pages for customers, below `/book`. Most servers answer programs alone, so the code of a page is loaded with its first visit. */
import { bookAppointment } from "../../capabilities/book-appointment.ts";
import { cancelBooking } from "../../capabilities/managing/cancel-booking.ts";
import { findBooking } from "../../capabilities/managing/find-booking.ts";
import { rescheduleBooking } from "../../capabilities/managing/reschedule-booking.ts";
import { quoteRequest } from "../../capabilities/quote-request.ts";
import type { Page } from "../../http/pages.ts";
import type { Endpoint } from "../../http/routes.ts";
import { ASSET_PATHS, BOOK_PATH, BOOKED_PATH, GLASS_PATH, MANAGE_PATH } from "./shell/paths.ts";

const vehicle = (): typeof import("./vehicle/page.ts") => require("./vehicle/page.ts");
const glass = (): typeof import("./glass/page.ts") => require("./glass/page.ts");
const manage = (): typeof import("./manage/page.ts") => require("./manage/page.ts");
const booked = (): typeof import("./manage/booked.ts") => require("./manage/booked.ts");
const assets = (): typeof import("./shell/assets.ts") => require("./shell/assets.ts");

export const BOOK_PAGES: readonly Page[] = [
  {
    path: BOOK_PATH,
    get: (visit) => vehicle().choose(visit),
    post: (visit) => vehicle().book(visit),
    capability: bookAppointment,
  },
  { path: `${BOOKED_PATH}/{confirmation_code}`, get: (visit) => booked().show(visit) },
  { path: `${BOOKED_PATH}/{confirmation_code}/calendar.ics`, get: (visit) => booked().calendar(visit) },
  {
    path: GLASS_PATH,
    get: (visit) => glass().show(visit),
    post: (visit) => glass().ask(visit),
    capability: quoteRequest,
  },
  { path: `${GLASS_PATH}/sent`, get: (visit) => glass().sent(visit) },
  {
    path: MANAGE_PATH,
    get: (visit) => manage().ask(visit),
    post: (visit) => manage().find(visit),
    capability: findBooking,
  },
  { path: `${MANAGE_PATH}/move`, post: (visit) => manage().move(visit), capability: rescheduleBooking },
  { path: `${MANAGE_PATH}/cancel`, post: (visit) => manage().cancel(visit), capability: cancelBooking },
  ...Object.values(ASSET_PATHS).map((path): Page => ({ path, get: (visit) => assets().asset(path, visit) })),
];

/** The page for a request that is refused before it reaches one. */
export const refusalPage: NonNullable<Endpoint["refusal"]> = (error, catalog) => {
  const { refusalPage: render }: typeof import("./shell/problems.ts") = require("./shell/problems.ts");
  return render(error, catalog);
};
