/** The difference that a change makes to the values of the catalog, for the owner to look at before it is saved. */
import { differencesOf } from "../../src/catalog/edit/difference.ts";
import type { Edit } from "../../src/catalog/edit/save.ts";
import { renderFlow } from "../../src/catalog/edit/yaml-text.ts";
import { clean } from "../terminal/text.ts";

/** A line for each value: `- ` before, `+ ` after. */
export function differenceInWords(edit: Pick<Edit, "was" | "text">): string {
  const line = (sign: string, path: string, value: unknown) =>
    value === null ? "" : `${sign} ${path}: ${clean(renderFlow(value, ""))}\n`;
  return differencesOf(edit)
    .map((one) => line("-", one.path, one.old) + line("+", one.path, one.new))
    .join("");
}

/** The same in a line, for a question: `business.phone: old → new; …`. */
export function differenceInALine(edit: Pick<Edit, "was" | "text">): string {
  const shown = (value: unknown) => (value === null ? "none" : clean(renderFlow(value, "")));
  return differencesOf(edit)
    .map((one) => `${one.path}: ${shown(one.old)} → ${shown(one.new)}`)
    .join("; ");
}
