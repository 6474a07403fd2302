/** Rules of `synonyms`, each of which leads to a word of the catalog and is none itself, and of `faq`. */
import { BUILDING_TYPES, CONCERNS } from "../../constants.ts";
import { type Issue, referencesIn, SPOKEN_GROUPS, WORDED } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { findSetting, UnknownPath } from "../settings.ts";
import { isShown } from "../terms.ts";
import { type Rule, unknownAt } from "./rule.ts";

type Kind = Exclude<keyof NonNullable<WrittenCatalog["synonyms"]>, "fillers" | "other_vehicles">;

const WORDS: Record<Kind, { what: string; of: (catalog: WrittenCatalog) => readonly string[] }> = {
  vehicle_types: {
    what: "a vehicle type",
    of: ({ automotive }) => Object.keys(automotive.vehicle_types),
  },
  films: { what: "a film", of: ({ automotive }) => Object.keys(automotive.films) },
  coverages: {
    what: "a coverage",
    of: ({ automotive }) => Object.keys(coveragesOf(automotive)),
  },
  addons: { what: "an add-on", of: ({ automotive }) => Object.keys(automotive.addons) },
  services: { what: "a service", of: ({ services }) => services.map(({ key }) => key) },
  site_types: {
    what: "a kind of site",
    of: ({ flat_glass: flat }) => Object.keys(flat?.rates_per_sqft ?? {}),
  },
  buildings: { what: "a kind of building", of: () => BUILDING_TYPES },
  concerns: { what: "a concern", of: () => CONCERNS },
  shades: { what: "a shade that follows from the law", of: () => ["darkest_legal"] },
};

export const synonymRules: Rule[] = (Object.keys(WORDS) as Kind[]).map(
  (kind) => (catalog) => wordIssues(kind, catalog),
);

function wordIssues(kind: Kind, catalog: WrittenCatalog): Issue[] {
  const { what, of } = WORDS[kind];
  const known = [...of(catalog)];
  return Object.entries(catalog.synonyms?.[kind] ?? {}).flatMap(([synonym, meant]) => {
    const path = ["synonyms", kind, synonym];
    if (known.includes(synonym)) {
      return [{ path, message: `must be left out: ${synonym} is ${what} itself`, at: "key" as const }];
    }
    return unknownAt(path, meant, what, known);
  });
}

/**
 * A customer would see the braces of an unknown setting. A question about a service that the shop does not offer is not
 * shown.
 * @param reported the settings that have an issue of their own
 */
export function answersNameExistingSettings(catalog: WrittenCatalog, reported: readonly string[]): Issue[] {
  const known = new Set<string>([...SPOKEN_GROUPS, ...WORDED, ...reported]);
  return catalog.faq.flatMap((entry, i) => {
    if (!isShown(entry, catalog.services)) return [];
    return referencesIn(entry.answer)
      .filter((dotted) => !known.has(dotted))
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
