/** The screens by name. A screen is a file that exports `Screen`; it is loaded when it is first opened. */
import type { MenuEntry } from "./kit/nav.ts";
import type { ScreenModule, ScreenSource } from "./kit/screens.tsx";

interface Entry {
  load: () => Promise<ScreenModule>;
  /** Its place in home's menu: the key that opens it, and what it is for. Screens without are opened by others. */
  menu?: Omit<MenuEntry, "name">;
}

/** In the order of the menu. */
const SCREENS = {
  home: { load: () => import("./home.tsx") },
  diary: {
    load: () => import("./diary.tsx"),
    menu: { key: "d", title: "Diary", about: "bookings by day and week", withoutCatalog: true },
  },
  booking: { load: () => import("./booking.tsx") },
  leads: {
    load: () => import("./leads.tsx"),
    menu: { key: "l", title: "Leads", about: "who asked, and what became of it", withoutCatalog: true },
  },
  lead: { load: () => import("./lead.tsx") },
  prices: {
    load: () => import("./prices.tsx"),
    menu: { key: "p", title: "Prices", about: "vehicle × film × coverage" },
  },
  addons: {
    load: () => import("./addons.tsx"),
    menu: { key: "a", title: "Add-ons", about: "extras, their prices and minutes" },
  },
  hours: {
    load: () => import("./hours.tsx"),
    menu: { key: "o", title: "Opening hours", about: "the week, and single days" },
  },
  faqs: {
    load: () => import("./faqs.tsx"),
    menu: { key: "f", title: "Questions", about: "what customers are told" },
  },
  estimate: {
    load: () => import("./estimate.tsx"),
    menu: { key: "e", title: "Estimate", about: "a price for a walk-in, with the tint law" },
  },
  catalog: {
    load: () => import("./catalog.tsx"),
    menu: { key: "c", title: "Catalog", about: "any other value" },
  },
  keys: {
    load: () => import("./keys.tsx"),
    menu: { key: "k", title: "API keys", about: "issue, revoke, rotate", withoutCatalog: true },
  },
} as const satisfies Record<string, Entry>;

export type ScreenName = keyof typeof SCREENS;

const entries: Record<ScreenName, Entry> = SCREENS;

export const screens: ScreenSource = {
  load: (name) => entries[name].load(),
  menu: names().flatMap((name): MenuEntry[] => {
    const { menu } = entries[name];
    return menu ? [{ name, ...menu }] : [];
  }),
};

function names(): ScreenName[] {
  const isName = (key: string): key is ScreenName => key in SCREENS;
  return Object.keys(SCREENS).filter(isName);
}
