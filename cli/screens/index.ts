/** The screens by name, in the order of the menu. A screen is a file that exports `Screen`; it is loaded when it is first opened. */
import type { MenuEntry, ScreenName } from "./kit/screen.ts";
import type { ScreenModule, ScreenSource } from "./kit/screen-stack.tsx";

interface Entry {
  load: () => Promise<ScreenModule>;
  /** The entry in the menu of the home screen. A screen without one is opened from another screen. */
  menu?: Omit<MenuEntry, "name">;
}

const SCREENS: Record<ScreenName, Entry> = {
  home: { load: () => import("./home/home.tsx") },
  diary: {
    load: () => import("./diary/diary.tsx"),
    menu: { key: "d", title: "Diary", about: "bookings by day and week", withoutCatalog: true },
  },
  booking: { load: () => import("./diary/booking.tsx") },
  edit: { load: () => import("./diary/edit-form.tsx") },
  book: { load: () => import("./book/book.tsx") },
  leads: {
    load: async () => ({ Screen: (await import("./customers/leads.tsx")).LeadsScreen }),
    menu: { key: "l", title: "Leads", about: "who asked, and what became of it", withoutCatalog: true },
  },
  lead: { load: () => import("./customers/leads.tsx") },
  inquiry: { load: () => import("./customers/inquiry-form.tsx") },
  paper: { load: () => import("./diary/paper.tsx") },
  find: {
    load: async () => ({ Screen: (await import("./customers/customers.tsx")).FindScreen }),
    menu: { key: "/", title: "Find", about: "a customer", withoutCatalog: true },
  },
  messages: {
    load: () => import("./customers/messages.tsx"),
    menu: { key: "m", title: "Messages", about: "who was not reached, and why", withoutCatalog: true },
  },
  report: {
    load: () => import("./diary/report.tsx"),
    menu: { key: "r", title: "Report", about: "what a month brought", withoutCatalog: true },
  },
  customer: { load: () => import("./customers/customers.tsx") },
  prices: {
    load: () => import("./prices/prices.tsx"),
    menu: { key: "p", title: "Prices", about: "vehicle × film × coverage" },
  },
  addons: {
    load: async () => ({ Screen: (await import("./prices/prices.tsx")).AddonsScreen }),
    menu: { key: "a", title: "Add-ons", about: "extras, their prices and minutes" },
  },
  hours: {
    load: () => import("./shop/hours.tsx"),
    menu: { key: "o", title: "Opening hours", about: "the week, and single days" },
  },
  faqs: {
    load: () => import("./shop/faqs.tsx"),
    menu: { key: "f", title: "Questions", about: "what customers are told" },
  },
  texts: {
    load: () => import("./shop/texts.tsx"),
    menu: { key: "t", title: "Texts", about: "what customers are sent, with a preview" },
  },
  estimate: {
    load: () => import("./estimate/estimate.tsx"),
    menu: { key: "e", title: "Estimate", about: "a price for a walk-in, with the tint law" },
  },
  catalog: {
    load: () => import("./shop/catalog.tsx"),
    menu: { key: "c", title: "Catalog", about: "any other value" },
  },
  keys: {
    load: () => import("./shop/keys.tsx"),
    menu: { key: "k", title: "API keys", about: "issue, revoke, rotate", withoutCatalog: true },
  },
};

export const screens: ScreenSource = {
  load: (name) => SCREENS[name].load(),
  // Safe, because the type of the table allows no other names.
  menu: Object.entries(SCREENS).flatMap(([name, { menu }]) => (menu ? [{ name: name as ScreenName, ...menu }] : [])),
};
