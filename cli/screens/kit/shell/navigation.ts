/** Going from screen to screen, and what every screen may say. */
import { createContext, useContext } from "react";
import type { ScreenName } from "./screen-names.ts";

export interface MenuEntry {
  name: ScreenName;
  /** The key that opens it from home. */
  key: string;
  title: string;
  about: string;
  /** Whether it is of use while there is no good catalog. */
  withoutCatalog?: true;
}

export interface Notice {
  kind: "done" | "error";
  text: string;
}

export interface Nav {
  /** Opens a screen in front of this one. @param about what it is to show, such as a confirmation code or a date */
  open: (name: ScreenName, about?: string) => void;
  /** To the screen behind; leaves the program from the first one. */
  back: () => void;
  quit: () => void;
  /** True on the screen that Esc does not leave. */
  isFirst: boolean;
  /** The screens that home offers. */
  menu: readonly MenuEntry[];
  notice: Notice | null;
  /** Says a line above the footer; null takes it away. */
  say: (notice: Notice | null) => void;
}

export const NavContext = createContext<Nav | null>(null);

export function useNav(): Nav {
  const nav = useContext(NavContext);
  if (!nav) throw new Error("useNav is used outside of the screens");
  return nav;
}
