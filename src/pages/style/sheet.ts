import type { Catalog } from "../../catalog/schema.ts";
import base from "./base.css" with { type: "text" };

/** One style sheet: what every page shares, the shop's two colours, and the given sheets. */
export function sheet({ site: { theme } }: Catalog, ...own: string[]): string {
  return smaller(`${base}:root{--theme-light:${theme.light};--theme-dark:${theme.dark}}${own.join("")}`);
}

/** Without notes, and without blanks that mean nothing. */
function smaller(css: string): string {
  const [first = "", ...rest] = css.split("/*");
  const plain = first + rest.map((part) => part.slice(part.indexOf("*/") + 2)).join("");
  return plain
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,>]) ?/g, "$1")
    .replace(/;}/g, "}");
}
