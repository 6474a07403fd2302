/** Earlier and other texts of the whole catalog, for `tint catalog import`, `export` and `undo`. */
import { EditError } from "../../src/catalog/edit-error.ts";
import { Misuse } from "../failure.ts";
import { clean } from "../terminal/text.ts";

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

/** The number of a version, as typed. @throws Misuse */
export function versionNumber(typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed);
  throw new Misuse(`${clean(typed)} is not the number of a version. See tint catalog history.`);
}
