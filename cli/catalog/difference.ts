/**
 * The difference that a change makes to the catalog, for the owner to look at before it is saved; and changes of the
 * whole text.
 */

import { renderFlow } from "../../src/catalog/edit/layout.ts";
import type { Edit } from "../../src/catalog/edit/save.ts";
import { differencesOf } from "../../src/catalog/load/values.ts";
import { EditError } from "../../src/catalog/source.ts";
import { clean } from "../terminal/output.ts";

/** The differences; none where one of the texts is so broken that nothing can be compared. */
export function changesBetween(edit: Pick<Edit, "was" | "text">): ReturnType<typeof differencesOf> {
  try {
    return differencesOf(edit);
  } catch (error) {
    if (error instanceof EditError) return [];
    throw error;
  }
}

/** A line for each value: `- ` before, `+ ` after. */
export function differenceInWords(edit: Pick<Edit, "was" | "text">): string {
  const line = (sign: string, path: string, value: unknown) =>
    value === null ? "" : `${sign} ${path}: ${clean(renderFlow(value, ""))}\n`;
  return changesBetween(edit)
    .map((one) => line("-", one.path, one.old) + line("+", one.path, one.new))
    .join("");
}

/** The same in a line, for a question: `business.phone: old → new; …`. */
export function differenceInALine(edit: Pick<Edit, "was" | "text">): string {
  const shown = (value: unknown) => (value === null ? "none" : clean(renderFlow(value, "")));
  return changesBetween(edit)
    .map((one) => `${one.path}: ${shown(one.old)} → ${shown(one.new)}`)
    .join("; ");
}

/**
 * A change that replaces the whole text, and so must not lose what somebody else saved since it was read.
 * @param was the text as it was read
 * @returns a change that throws EditError when the text is another one by now
 */
export function replacing(was: string, text: string): (now: string) => string {
  return (now) => {
    if (now !== was)
      throw new EditError("Somebody else changed the catalog in the meantime; nothing was saved. Look, and try again.");
    return text;
  };
}
