/** Rules of `faq`. */
import { type Issue, referencesIn, SPOKEN_GROUPS, WORDED } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { findSetting, UnknownPath } from "../settings.ts";
import { isShown } from "../terms.ts";
import { type IsSound, type Rule, soundServices } from "./rule.ts";

export const faqRules: Rule[] = [{ groups: ["faq", "services"], check: answersNameExistingSettings }];

/**
 * A customer would see the braces of an unknown setting. One with an issue of its own is reported there instead, and a
 * question about a service that the shop does not offer is not shown.
 */
function answersNameExistingSettings(catalog: WrittenCatalog, isSound: IsSound): Issue[] {
  const services = soundServices(catalog, isSound).map(({ service }) => service);
  return catalog.faq.flatMap((entry, i) => {
    if (!isSound(`faq.${i}`) || !isShown(entry, services)) return [];
    return referencesIn(entry.answer)
      .filter((dotted) => isSound(dotted) && ![...SPOKEN_GROUPS, ...WORDED].includes(dotted))
      .flatMap((dotted) => {
        const message = referenceIssue(dotted, catalog);
        return message === undefined ? [] : [{ path: ["faq", i, "answer"], message }];
      });
  });
}

/**
 * @param source the values of the file
 * @returns a message when the reference does not lead to a number or a text
 */
function referenceIssue(dotted: string, source: unknown): string | undefined {
  try {
    const { value } = findSetting(source, dotted);
    if (typeof value === "number" || typeof value === "string") return undefined;
    return `names {${dotted}}, which ${value === undefined ? "is not set" : "is neither a number nor a text"}`;
  } catch (error) {
    if (error instanceof UnknownPath) return `names a place in braces that is not there. ${error.message}`;
    throw error;
  }
}
