/** The pages for customers, below `/book`. */
import type { Page } from "../../http/pages.ts";
import { GLASS_PAGES } from "./glass/page.ts";
import { BOOKED_PAGE, CALENDAR_FILE } from "./manage/booked.ts";
import { MANAGE_PAGES } from "./manage/page.ts";
import { ASSETS } from "./shell/assets.ts";
import { VEHICLE_PAGE } from "./vehicle/page.ts";

export const BOOK_PAGES: readonly Page[] = [
  VEHICLE_PAGE,
  BOOKED_PAGE,
  CALENDAR_FILE,
  ...GLASS_PAGES,
  ...MANAGE_PAGES,
  ...ASSETS,
];
