/** Going from screen to screen, and the notice above the footer. */
import { createContext, useContext } from "react";
import type { History } from "./history.ts";

export interface MenuEntry {
  name: ScreenName;
  /** The key that opens the screen from home. */
  key: string;
  title: string;
  about: string;
  /** Present on screens that work without a good catalog. */
  withoutCatalog?: true;
}

export interface Notice {
  kind: "done" | "error";
  text: string;
}

export interface Nav {
  /** Opens a screen in front of this one. @param about names the thing to show, such as a confirmation code or a date */
  open: (name: ScreenName, about?: string) => void;
  /** Goes to the screen behind; from the first screen it leaves the program. */
  back: () => void;
  quit: () => void;
  /** Leaves the program as after Ctrl+C. */
  interrupt: () => void;
  /** True on the screen that Esc does not leave. */
  isFirst: boolean;
  /** The screens that home offers. */
  menu: readonly MenuEntry[];
  notice: Notice | null;
  /** Shows a notice above the footer; null takes it away. */
  say: (notice: Notice | null) => void;
  history: History;
}

export const NavContext = createContext<Nav | null>(null);

export function useNav(): Nav {
  const nav = useContext(NavContext);
  if (!nav) throw new Error("useNav is used outside of the screens");
  return nav;
}

/** The names of the screens, in the order of the menu. */
export const SCREEN_NAMES = [
  "home",
  "diary",
  "booking",
  "edit",
  "book",
  "leads",
  "lead",
  "inquiry",
  "paper",
  "find",
  "messages",
  "report",
  "customer",
  "prices",
  "addons",
  "hours",
  "faqs",
  "texts",
  "estimate",
  "catalog",
  "keys",
] as const;
export type ScreenName = (typeof SCREEN_NAMES)[number];
