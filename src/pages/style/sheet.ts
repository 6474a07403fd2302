import type { Catalog } from "../../catalog/schema.ts";
import base from "./base.css" with { type: "text" };

/** One style sheet: what every page shares, the shop's two colours, and the given sheets. */
export function sheet({ site: { theme } }: Catalog, ...own: string[]): string {
  return smaller(`${base}:root{--theme-light:${theme.light};--theme-dark:${theme.dark}}${own.join("")}`);
}

/** Without notes, and without blanks that mean nothing. */
function smaller(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*([{};,>])\s*/g, "$1")
    .replace(/;}/g, "}");
}
