/** Rules of `faq`. */
import type { Fault } from "../path.ts";
import { findPlace, UnknownPath } from "../places.ts";
import { referencesIn } from "../references.ts";
import type { CatalogSource } from "../schema.ts";
import type { IsSound, Rule } from "./rule.ts";

export const faqRules: Rule[] = [{ needs: ["faq"], check: answersNameExistingPlaces }];

/** A customer would see the braces of an unknown place. A place with a fault of its own is reported there instead. */
function answersNameExistingPlaces(catalog: CatalogSource, isSound: IsSound): Fault[] {
  return catalog.faq.flatMap(({ answer }, i) =>
    referencesIn(answer)
      .filter(isSound)
      .flatMap((dotted) => {
        const message = referenceFault(dotted, catalog);
        return message === undefined ? [] : [{ path: ["faq", i, "answer"], message }];
      }),
  );
}

/**
 * @param source the values of the file
 * @returns a message when the reference does not lead to a number or a text
 */
function referenceFault(dotted: string, source: unknown): string | undefined {
  try {
    const { value } = findPlace(source, dotted);
    if (typeof value === "number" || typeof value === "string") return undefined;
    return `names {${dotted}}, which ${value === undefined ? "is not set" : "is neither a number nor a text"}`;
  } catch (error) {
    if (error instanceof UnknownPath) return `names a place in braces that is not there. ${error.message}`;
    throw error;
  }
}
