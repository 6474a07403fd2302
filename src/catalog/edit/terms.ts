/**
 * The shop's own terms, text in, text out: films, vehicle types and add-ons are added with every price and length that
 * they need, and removed from every group and list that holds them.
 */
import { valueAt } from "../../lib/fields.ts";
import { EditError } from "../edit-error.ts";
import type { Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { extraOf } from "../terms.ts";
import { itemInserted, itemsRemoved } from "./changes.ts";
import { entryAdded, entryCopied, entryRemoved } from "./entries.ts";
import { type Layout, readLayout } from "./layout.ts";
import { groupsOf, keysOf, obstacles, pathsWith, synonymsOf, type WordKind } from "./mentions.ts";
import { applyChanges, type TextChange } from "./splice.ts";

type Automotive = WrittenCatalog["automotive"];
type Film = Automotive["films"][string];

/** The facts of a film that are not the other film's. */
export type FilmFacts = Pick<Film, "name"> & Partial<Omit<Film, "shades" | "reference">>;
export type AddonFacts = Automotive["addons"][string];

/** Adds a film with the prices, lengths and facts of another one. The description is not copied. */
export function addFilm(text: string, word: string, like: string, facts: FilmFacts): string {
  const layout = readLayout(text);
  const [films = [], ...groups] = groupsOf(layout, "film");
  requireNew(layout, "film", word);
  const { description: _, reference: __, ...copied } = Object(valueAt(layout.source, [...films, like]));
  return applyChanges(layout, [
    entryAdded(layout, films, word, { ...copied, ...facts }),
    ...copies(layout, groups, word, like, keysOf(layout, films)),
    ...copies(layout, [["scheduling", "job_minutes"]], extraOf(word), extraOf(like)),
    ...noSynonym(layout, "film", word),
  ]);
}

/** Adds a vehicle type with the prices, lengths and law of another one. */
export function addVehicleType(text: string, word: string, like: string): string {
  const layout = readLayout(text);
  const groups = groupsOf(layout, "vehicle");
  requireNew(layout, "vehicle", word);
  const confirm: Path = ["tint_law", "confirm_class"];
  const toConfirm = valueAt(layout.source, confirm);
  return applyChanges(layout, [
    ...copies(layout, groups, word, like),
    ...(Array.isArray(toConfirm) && toConfirm.includes(like)
      ? [itemInserted(layout, confirm, word, toConfirm.length)]
      : []),
    ...noSynonym(layout, "vehicle", word),
  ]);
}

export function addAddon(text: string, word: string, facts: AddonFacts): string {
  const layout = readLayout(text);
  const [addons = []] = groupsOf(layout, "addon");
  requireNew(layout, "addon", word);
  return applyChanges(layout, [entryAdded(layout, addons, word, facts), ...noSynonym(layout, "addon", word)]);
}

/** @throws EditError that names the places which have to be changed first */
export function removeWord(text: string, kind: WordKind, word: string): string {
  const layout = readLayout(text);
  const inTheWay = obstacles(layout, kind, word);
  if (inTheWay.length > 0) throw new EditError([`${word} is still needed. First:`, ...inTheWay].join("\n"));
  return withoutPaths(layout, kind, word);
}

/** Removes one entry of each group at a time, because changes between the same brackets could overlap. */
function withoutPaths(layout: Layout, kind: WordKind, word: string): string {
  const places = pathsWith(layout, kind, word);
  if (places.length === 0) return layout.text;
  const byGroup = new Map(places.map((path) => [path.slice(0, -1).join("."), path]));
  const changes = [...byGroup.values()].map((path): TextChange => {
    const [last, group] = [path.at(-1), path.slice(0, -1)];
    return typeof last === "number"
      ? itemsRemoved(layout, group, (index) => index === last)
      : entryRemoved(layout, group, String(last));
  });
  return withoutPaths(readLayout(applyChanges(layout, changes)), kind, word);
}

/** Adds other words that callers may use for a word. */
export function addSynonyms(text: string, kind: WordKind, word: string, synonyms: readonly string[]): string {
  return synonyms.reduce((edited, synonym) => {
    const layout = readLayout(edited);
    return applyChanges(layout, [entryAdded(layout, synonymsOf(kind), synonym, word)]);
  }, text);
}

/** Copies an entry in each of the groups that has it. */
function copies(
  layout: Layout,
  groups: readonly Path[],
  word: string,
  like: string,
  peers?: readonly string[],
): TextChange[] {
  return groups
    .filter((group) => valueAt(layout.source, [...group, like]) !== undefined)
    .map((group) => entryCopied(layout, group, word, like, peers));
}

/** A word of the shop's own is no longer another word for something else. */
export function noSynonym(layout: Layout, kind: WordKind, word: string): TextChange[] {
  const group = synonymsOf(kind);
  return valueAt(layout.source, [...group, word]) === undefined ? [] : [entryRemoved(layout, group, word)];
}

/** A service with prices of its own stands among the films of a vehicle type, so its word is taken too. */
export function requireNew(layout: Layout, kind: WordKind, word: string): void {
  const [taken] = pathsWith(layout, kind, word);
  if (taken) throw new EditError(`${taken.join(".")} is there already.`);
}
