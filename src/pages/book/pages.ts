/** The pages for customers, below `/book`. Most servers answer programs alone, so a page's code is loaded with its first visit. */
import { bookAppointment } from "../../capabilities/book-appointment.ts";
import {
  cancelBooking,
  confirmBooking,
  findBooking,
  rescheduleBooking,
} from "../../capabilities/managing/find-booking.ts";
import { quoteRequest } from "../../capabilities/quote-request.ts";
import {
  BOOK_PATH,
  GLASS_PATH,
  MANAGE_PATH,
  PRIVACY_PATH,
  RECEIPT_PATH,
  TERMS_PATH,
} from "../../catalog/page-addresses.ts";
import { doorFrom, leadOn, noSuchPath } from "../../http/not-found.ts";
import type { Page, PageAnswer, RefusalPage, Visit } from "../../http/pages.ts";
import { ASSET_PATHS, type AssetName, BOOKED_PATH, PHOTOS_PATH } from "./shell/paths.ts";

export const BOOK_PAGES: readonly Page[] = [
  {
    path: BOOK_PATH,
    get: async (visit) => (await import("./vehicle/page.ts")).choose(visit),
    post: async (visit) => (await import("./vehicle/page.ts")).send(visit),
    capability: bookAppointment,
  },
  {
    path: `${BOOKED_PATH}/{confirmation_code}`,
    get: async (visit) => (await import("./manage/booked.ts")).show(visit),
  },
  {
    path: `${BOOKED_PATH}/{confirmation_code}/calendar.ics`,
    get: async (visit) => (await import("./manage/booked.ts")).calendar(visit),
  },
  {
    path: GLASS_PATH,
    get: async (visit) => (await import("./glass/page.ts")).show(visit),
    post: async (visit) => (await import("./glass/page.ts")).send(visit),
    capability: quoteRequest,
  },
  { path: `${GLASS_PATH}/sent`, get: async (visit) => (await import("./glass/page.ts")).sent(visit) },
  {
    path: MANAGE_PATH,
    get: async (visit) => (await import("./manage/page.ts")).show(visit),
    post: async (visit) => (await import("./manage/page.ts")).find(visit),
    capability: findBooking,
  },
  changing("move", rescheduleBooking),
  changing("confirm", confirmBooking),
  changing("cancel", cancelBooking),
  { path: `${RECEIPT_PATH}/{token}`, get: async (visit) => (await import("./manage/booked.ts")).showPaper(visit) },
  { path: PRIVACY_PATH, get: async (visit) => (await import("./legal.ts")).privacy(visit) },
  { path: TERMS_PATH, get: async (visit) => (await import("./legal.ts")).terms(visit) },
  ...Object.entries(ASSET_PATHS).map(
    ([name, path]): Page => ({
      path,
      get: async (visit) => (await import("./shell/assets.ts")).asset(name as AssetName, visit),
    }),
  ),
  { path: `${PHOTOS_PATH}/{name}`, get: async (visit) => (await import("./shell/assets.ts")).photo(visit) },
  // The last ones: every path above comes first.
  ...["{page}", "{page}/{part}"].map((rest): Page => ({ path: `${BOOK_PATH}/${rest}`, get: noSuchPage })),
];

/** A GET of the address of a form, as after a reload, leads to the page. */
function changing(name: "move" | "confirm" | "cancel", capability: NonNullable<Page["capability"]>): Page {
  return {
    path: `${MANAGE_PATH}/${name}`,
    get: async () => (await import("./shell/layout.ts")).seeOther(MANAGE_PATH),
    post: async (visit) => (await import("./manage/page.ts"))[name](visit),
    capability,
  };
}

/** @throws ApiError NOT_FOUND, which people read as a page */
function noSuchPage({ fields, query }: Visit): PageAnswer {
  const door = doorFrom(`${BOOK_PATH}/${Object.values(fields).join("/")}`);
  if (!door) throw noSuchPath();
  return { status: 301, body: "", headers: leadOn(door, query.toString()) };
}

export const refusalPage: RefusalPage = (error, catalog) => {
  const { renderRefusal }: typeof import("./shell/problems.ts") = require("./shell/problems.ts");
  return renderRefusal(error, catalog);
};
