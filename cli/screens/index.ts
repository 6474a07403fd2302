/** The screens by name. A screen is a file that exports `Screen`; it is loaded when it is first opened. */
import type { MenuEntry, ScreenName } from "./kit/screen.ts";
import type { ScreenModule, ScreenSource } from "./kit/screen-stack.tsx";

const SCREENS: Record<ScreenName, () => Promise<ScreenModule>> = {
  home: () => import("./home/home.tsx"),
  diary: () => import("./diary/diary.tsx"),
  booking: () => import("./diary/booking.tsx"),
  edit: () => import("./diary/edit-form.tsx"),
  book: () => import("./book/book.tsx"),
  leads: async () => ({ Screen: (await import("./customers/leads.tsx")).LeadsScreen }),
  lead: () => import("./customers/leads.tsx"),
  inquiry: () => import("./customers/inquiry-form.tsx"),
  paper: () => import("./diary/paper.tsx"),
  find: async () => ({ Screen: (await import("./customers/customers.tsx")).FindScreen }),
  messages: () => import("./customers/messages.tsx"),
  report: () => import("./diary/report.tsx"),
  customer: () => import("./customers/customers.tsx"),
  prices: () => import("./prices/prices.tsx"),
  addons: async () => ({ Screen: (await import("./prices/prices.tsx")).AddonsScreen }),
  hours: () => import("./shop/hours.tsx"),
  faqs: () => import("./shop/faqs.tsx"),
  texts: () => import("./shop/texts.tsx"),
  estimate: () => import("./estimate/estimate.tsx"),
  catalog: () => import("./shop/catalog.tsx"),
  keys: () => import("./shop/keys.tsx"),
};

/** What home offers, in this order. Any other screen is opened from another one. */
const MENU: readonly MenuEntry[] = [
  { name: "diary", key: "d", title: "Diary", about: "bookings by day and week", withoutCatalog: true },
  { name: "leads", key: "l", title: "Leads", about: "who asked, and what became of it", withoutCatalog: true },
  { name: "find", key: "/", title: "Find", about: "a customer", withoutCatalog: true },
  { name: "messages", key: "m", title: "Messages", about: "who was not reached, and why", withoutCatalog: true },
  { name: "report", key: "r", title: "Report", about: "what a month brought", withoutCatalog: true },
  { name: "prices", key: "p", title: "Prices", about: "vehicle × film × coverage" },
  { name: "addons", key: "a", title: "Add-ons", about: "extras, their prices and minutes" },
  { name: "hours", key: "o", title: "Opening hours", about: "the week, and single days" },
  { name: "faqs", key: "f", title: "Questions", about: "what customers are told" },
  { name: "texts", key: "t", title: "Texts", about: "what customers are sent, with a preview" },
  { name: "estimate", key: "e", title: "Estimate", about: "a price for a walk-in, with the tint law" },
  { name: "catalog", key: "c", title: "Catalog", about: "any other value" },
  { name: "keys", key: "k", title: "API keys", about: "issue, revoke, rotate", withoutCatalog: true },
];

export const screens: ScreenSource = { load: (name) => SCREENS[name](), menu: MENU };
