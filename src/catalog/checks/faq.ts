/** Rules of `faq`. */
import type { Fault } from "../path.ts";
import { referenceFault, referencesIn } from "../references.ts";
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
