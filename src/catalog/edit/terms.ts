/** The shop's own terms, text in, text out: added, removed, renamed, ordered; and services taken out with all that speaks of them. */

import { isMap } from "yaml";
import { valueAt } from "../../lib/fields.ts";
import { type Layout, readLayout } from "../load/values.ts";
import { isWithin, type Path, referencesIn } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { EditError } from "../source.ts";
import { extraOf, isShown } from "../terms.ts";
import {
  entryAdded,
  entryCopied,
  entryRemoved,
  insertEntry,
  itemInserted,
  itemsRemoved,
  keyRenamed,
  removeEntries,
  scalarSet,
} from "./changes.ts";
import { applyChanges, collectionAt, collectionEntries, lineEnd, lineStart, type TextChange } from "./layout.ts";
import {
  answersThatName,
  groupKeys,
  groupsOf,
  obstacles,
  pathsWith,
  synonymsOf,
  valuesThatName,
  type WordKind,
} from "./mentions.ts";

type Automotive = WrittenCatalog["automotive"];

export type AddonFacts = Automotive["addons"][string];

/** Adds a film with the prices, lengths and facts of another one, but for those given. The description is not copied. */
export function addFilm(text: string, word: string, like: string, facts: object): string {
  const layout = readLayout(text);
  const [films = [], ...groups] = groupsOf(layout, "film");
  requireNew(layout, "film", word);
  const { description: _, reference: __, ...copied } = Object(valueAt(layout.source, [...films, like]));
  return applyChanges(layout, [
    entryAdded(layout, films, word, { ...copied, ...facts }),
    ...copies(layout, groups, word, like, groupKeys(layout, films)),
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

export function addAddon(text: string, word: string, facts: object): string {
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

export function addSynonyms(text: string, kind: WordKind, word: string, synonyms: readonly string[]): string {
  return synonyms.reduce((edited, synonym) => {
    const layout = readLayout(edited);
    return applyChanges(layout, [entryAdded(layout, synonymsOf(kind), synonym, word)]);
  }, text);
}

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
function noSynonym(layout: Layout, kind: WordKind, word: string): TextChange[] {
  const group = synonymsOf(kind);
  return valueAt(layout.source, [...group, word]) === undefined ? [] : [entryRemoved(layout, group, word)];
}

/** A service with prices of its own is among the films of a vehicle type, so its word is taken too. */
function requireNew(layout: Layout, kind: WordKind, word: string): void {
  const [taken] = pathsWith(layout, kind, word);
  if (taken) throw new EditError(`${taken.join(".")} is there already.`);
}

/** Everywhere in the catalog. The old word is understood from then on. Throws EditError when the new one is taken. */
export function renameWord(text: string, kind: WordKind, word: string, to: string): string {
  const layout = readLayout(text);
  if (valueAt(layout.source, [...orderOf(layout, kind), word]) === undefined)
    throw new EditError(`There is no ${word}.`);
  requireNew(layout, kind, to);
  const free = applyChanges(layout, noSynonym(layout, kind, to));
  return addSynonyms(renamed(readLayout(free), kind, word, to), kind, to, [word]);
}

function renamed(layout: Layout, kind: WordKind, word: string, to: string): string {
  const places = pathsWith(layout, kind, word);
  const keys = new Map([
    [word, to],
    [extraOf(word), extraOf(to)],
  ]);
  const changes = places.map((path): TextChange => {
    const key = keys.get(String(path.at(-1)));
    return key === undefined ? scalarSet(layout, path, to) : keyRenamed(layout, path, key);
  });
  const values = valuesThatName(layout, kind, word).map((path) => scalarSet(layout, path, to));
  const answers = answersThatName(layout, places).map((index) => {
    const path: Path = ["faq", index, "answer"];
    const answer = String(valueAt(layout.source, path));
    return scalarSet(
      layout,
      path,
      places.reduce((said, place) => withPlace(said, place, keys), answer),
    );
  });
  return applyChanges(layout, [...changes, ...values, ...answers]);
}

/** An answer with the new name of a place in its braces. */
function withPlace(answer: string, place: Path, keys: ReadonlyMap<string, string>): string {
  const now = [...place.slice(0, -1), keys.get(String(place.at(-1))) ?? place.at(-1)].join(".");
  return answer.replace(new RegExp(`\\{${RegExp.escape(place.join("."))}(?=[.}])`, "g"), () => `{${now}`);
}

/** The group whose order customers see. */
function orderOf(layout: Layout, kind: WordKind): Path {
  return groupsOf(layout, kind)[0] ?? [];
}

/** The words of a kind, in the order in which customers see them. */
export function orderedWords(text: string, kind: WordKind): string[] {
  const layout = readLayout(text);
  return groupKeys(layout, orderOf(layout, kind));
}

/** Moves a word to a place in the order, counted from 0 without it. Notes above it stay where they are. */
export function moveWord(text: string, kind: WordKind, word: string, to: number): string {
  const layout = readLayout(text);
  const group = orderOf(layout, kind);
  const collection = collectionAt(layout, group);
  const from = groupKeys(layout, group).indexOf(word);
  const entry = collectionEntries(layout, collection)[from];
  if (!isMap(collection) || !entry) throw new EditError(`There is no ${word}.`);
  if (from === to) return text;
  const end = collection.flow ? entry.end : lineEnd(text, entry.end);
  const written = text.slice(entry.start, end);
  const value: unknown = valueAt(layout.source, [...group, word]);
  const rest = readLayout(applyChanges(layout, [entryRemoved(layout, group, word)]));
  const update = (old: unknown) => ({ ...Object(old), [word]: value });
  return applyChanges(rest, [{ path: group, splices: insertEntry(rest, group, to, written), update }]);
}

/** With prices, lengths, add-on rules and its questions; a flat-glass section without a kind of site goes as a whole. */
export function removeService(text: string, key: string): string {
  const layout = readLayout(text);
  // Safe, because the text is of a catalog without issues.
  const source = layout.source as WrittenCatalog;
  const service = source.services.find((one) => one.key === key);
  if (!service) return text;
  const left = source.services.filter((one) => one !== service);
  const places = [
    ...groupKeys(layout, ["automotive", "vehicle_types"]).map(
      (vehicle): Path => ["automotive", "vehicle_types", vehicle, key],
    ),
    ["scheduling", "default_minutes", String(service.id)],
    left.some(({ estimate }) => estimate === "flat_glass") ? ["flat_glass", "rates_per_sqft", key] : ["flat_glass"],
  ].filter((path) => valueAt(layout.source, path) !== undefined);
  const edited = applyChanges(layout, [
    itemsRemoved(layout, ["services"], (i) => source.services[i] === service),
    ...places.map((path) =>
      path.length === 1 ? sectionRemoved(layout, path) : entryRemoved(layout, path.slice(0, -1), String(path.at(-1))),
    ),
    ...groupKeys(layout, ["automotive", "addons"])
      .map((addon): Path => ["automotive", "addons", addon, "applies_to"])
      .flatMap((path) => wordRemoved(layout, path, key)),
    ...["services", "site_types"].flatMap((kind) => synonymsRemoved(layout, ["synonyms", kind], key)),
    ...questionsChanged(layout, source, key, left, places),
  ]);
  const isLastOfCategory = left.every((one) => one.faq_category !== service.faq_category);
  return isLastOfCategory ? edited.replace(new RegExp(`\\n?^ *# ${service.faq_category}\\r?\\n`, "m"), "") : edited;
}

/** Removes the entries of a group that lead to a word. Between brackets what is left is written anew. */
function synonymsRemoved(layout: Layout, group: Path, word: string): TextChange[] {
  const said = groupKeys(layout, group);
  const to = (one: string) => valueAt(layout.source, [...group, one]);
  const left = said.filter((one) => to(one) !== word);
  if (left.length === said.length) return [];
  const collection = collectionAt(layout, group);
  const [from = 0, end = from] = collection.range ?? [];
  const indices = [...said.keys()].filter((i) => !left.includes(said[i] ?? ""));
  const splices = collection.flow
    ? [{ from, to: end, insert: `{${left.map((one) => `${one}: ${to(one)}`).join(", ")}}` }]
    : removeEntries(layout, group, indices);
  return [{ path: group, splices, update: () => Object.fromEntries(left.map((one) => [one, to(one)])) }];
}

/** Removes questions that would no longer be shown or whose answer names a removed place, and the key from the others. */
function questionsChanged(
  layout: Layout,
  { faq }: WrittenCatalog,
  key: string,
  left: WrittenCatalog["services"],
  removed: readonly Path[],
): TextChange[] {
  const dotted = removed.map((path) => path.join("."));
  const goes = faq.map(
    (entry) =>
      !isShown(entry, left) ||
      referencesIn(entry.answer).some((reference) => dotted.some((place) => isWithin(reference, place))),
  );
  return [
    // In this order: an index counts the questions of the text as it is.
    ...faq.flatMap((_, i) => (goes[i] ? [] : wordRemoved(layout, ["faq", i, "services"], key))),
    itemsRemoved(layout, ["faq"], (i) => goes[i] === true),
  ];
}

function wordRemoved(layout: Layout, path: Path, word: string): TextChange[] {
  const list = valueAt(layout.source, path);
  return Array.isArray(list) && list.includes(word) ? [itemsRemoved(layout, path, (i) => list[i] === word)] : [];
}

function sectionRemoved(layout: Layout, path: Path): TextChange {
  const { text } = layout;
  const { splices } = entryRemoved(layout, [], String(path[0]));
  const [section = { from: 0, to: 0 }] = splices;
  let from = section.from;
  while (from > 0 && text[lineStart(text, from - 1)] === "#") from = lineStart(text, from - 1);
  let to = section.to;
  while (to < text.length && text.slice(to, lineEnd(text, to)).trim() === "") to = text.indexOf("\n", to) + 1;
  return { path, splices: [{ from, to, insert: "" }], update: () => undefined };
}
