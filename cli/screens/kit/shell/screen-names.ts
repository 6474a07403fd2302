/** The names of the screens, in the order of the menu. */
export const SCREEN_NAMES = [
  "home",
  "diary",
  "booking",
  "book",
  "leads",
  "lead",
  "find",
  "report",
  "customer",
  "prices",
  "addons",
  "hours",
  "faqs",
  "estimate",
  "catalog",
  "keys",
] as const;
export type ScreenName = (typeof SCREEN_NAMES)[number];
