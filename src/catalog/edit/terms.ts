/** The shop's own terms, text in, text out: added, removed, renamed, ordered; and where the catalog mentions them. */
import { isMap } from "yaml";
import { valueAt } from "../../lib/fields.ts";
import { spaced } from "../../lib/text.ts";
import { offsetOf } from "../load/parse.ts";
import { type Layout, readLayout } from "../load/values.ts";
import { isWithin, type Path, referencesIn } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { EditError } from "../source.ts";
import { extraOf } from "../terms.ts";
import {
  entryAdded,
  entryCopied,
  entryRemoved,
  insertEntry,
  itemInserted,
  keyRenamed,
  listOrGroupSet,
  pathsRemoved,
  scalarSet,
} from "./changes.ts";
import { applyChanges, collectionAt, collectionEntries, lineEnd, lineStart, type TextChange } from "./layout.ts";

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
  return applyChanges(layout, pathsRemoved(layout, pathsWith(layout, kind, word)));
}

export function addSynonyms(text: string, kind: WordKind, word: string, synonyms: readonly string[]): string {
  return synonyms.reduce((edited, synonym) => {
    const layout = readLayout(edited);
    const group = synonymsOf(kind);
    const isFirst = valueAt(layout.source, group) === undefined;
    return applyChanges(layout, [
      isFirst ? listOrGroupSet(layout, group, { [synonym]: word }) : entryAdded(layout, group, synonym, word),
    ]);
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

export type WordKind = "film" | "vehicle" | "addon";

export function groupKeys({ source }: Layout, group: Path): string[] {
  return Object.keys(Object(valueAt(source, group)));
}

const AUTOMOTIVE: Path = ["automotive"];
const FILMS: Path = [...AUTOMOTIVE, "films"];
const VEHICLES: Path = [...AUTOMOTIVE, "vehicle_types"];
const DRAWINGS: Path = [...AUTOMOTIVE, "drawings"];
const NAMES: Path = [...AUTOMOTIVE, "vehicle_names"];
const FACTS: Path = [...AUTOMOTIVE, "vehicle_facts"];
const ADDONS: Path = [...AUTOMOTIVE, "addons"];
const JOB_MINUTES: Path = ["scheduling", "job_minutes"];
const CLASSES: Path = ["tint_law", "vehicle_class"];
const TO_CONFIRM: Path = ["tint_law", "confirm_class"];

/** Groups that have, or can have, an entry for each word of a kind. */
function groupsOf(layout: Layout, kind: WordKind): Path[] {
  const inside = (group: Path, ...rest: string[]) => groupKeys(layout, group).map((key) => [...group, key, ...rest]);
  switch (kind) {
    case "film":
      return [FILMS, ...inside(VEHICLES), ...inside(ADDONS, "price")];
    case "vehicle":
      return [VEHICLES, DRAWINGS, ...inside(JOB_MINUTES), CLASSES];
    case "addon":
      return [ADDONS];
  }
}

function synonymsOf(kind: WordKind): Path {
  return ["synonyms", { film: "films", vehicle: "vehicle_types", addon: "addons" }[kind]];
}

/** The entries that are removed with a word: keys of groups, and entries of lists by index. */
function pathsWith(layout: Layout, kind: WordKind, word: string): Path[] {
  const entries = groupsOf(layout, kind).map((group) => [...group, word]);
  const toConfirm = valueAt(layout.source, TO_CONFIRM);
  const synonyms = synonymsOf(kind);
  const leading = groupKeys(layout, synonyms).filter((one) => valueAt(layout.source, [...synonyms, one]) === word);
  const places = [
    ...entries,
    ...leading.map((one) => [...synonyms, one]),
    ...(kind === "film" ? [[...JOB_MINUTES, extraOf(word)]] : []),
    ...(kind === "vehicle"
      ? [
          [...NAMES, word],
          [...FACTS, word],
        ]
      : []),
    ...(kind === "vehicle" && Array.isArray(toConfirm) ? [[...TO_CONFIRM, toConfirm.indexOf(word)]] : []),
  ];
  return places.filter((path) => valueAt(layout.source, path) !== undefined);
}

/** Single values that name a word: the shop's default, and its example. */
function valuesThatName({ source }: Layout, kind: WordKind, word: string): Path[] {
  const field = { film: "film_type", vehicle: "vehicle_type", addon: undefined }[kind];
  const places = field === undefined ? [] : ["defaults", "example"].map((group): Path => [...AUTOMOTIVE, group, field]);
  return places.filter((path) => valueAt(source, path) === word);
}

/** A line for each place that the owner has to change before the word can be removed. */
function obstacles(layout: Layout, kind: WordKind, word: string): string[] {
  const words = kind === "film" ? groupKeys(layout, FILMS) : groupKeys(layout, VEHICLES);
  const other = words.find((one) => one !== word);
  if (kind !== "addon" && other === undefined) {
    return [
      `  ${word} is the only ${kind === "film" ? "film" : "vehicle type"}. Add another one: tint ${kind} add NAME --like ${word}`,
    ];
  }
  const at = (path: Path, advice: string) => [`  ${positionOf(layout, path)} ${path.join(".")}: ${advice}`];
  return [
    ...valuesThatName(layout, kind, word).flatMap((path) => at(path, `tint catalog set ${path.join(".")} ${other}`)),
    ...(kind === "film" ? referenceInTheWay(layout, word, other) : []),
    // The last question first, so that removing it leaves the numbers of the others.
    ...answersThatName(layout, pathsWith(layout, kind, word))
      .toReversed()
      .flatMap((index) =>
        at(
          ["faq", index, "answer"],
          `names a value of ${word} in braces: tint faq edit ${index + 1} --answer "…" or tint faq remove ${index + 1}`,
        ),
      ),
  ];
}

/** The film that others are compared with. Without a mark it is the first. */
function referenceInTheWay(layout: Layout, word: string, other: string | undefined): string[] {
  const films = groupKeys(layout, FILMS);
  const mark = (film: string): Path => [...FILMS, film, "reference"];
  const marked = films.find((film) => valueAt(layout.source, mark(film)) === true);
  if ((marked ?? films[0]) !== word) return [];
  const set = (film: string | undefined, value: boolean) => `tint catalog set ${mark(film ?? "").join(".")} ${value}`;
  const unmark = marked === undefined ? [] : [set(word, false)];
  const place = marked === undefined ? [...FILMS, word] : mark(word);
  return [
    `  ${positionOf(layout, place)} ${place.join(".")}: the other films are compared with ${word}: ${[...unmark, set(other, true)].join(" and then ")}`,
  ];
}

/** Questions whose answer holds a value in braces from one of the places, by index. */
function answersThatName(layout: Layout, places: readonly Path[]): number[] {
  const dotted = places.map((path) => path.join("."));
  const isNamed = (reference: string) => dotted.some((place) => isWithin(reference, place));
  return mentionedTexts(layout)
    .filter(({ path, text }) => path[0] === "faq" && referencesIn(text).some(isNamed))
    .map(({ path }) => Number(path[1]));
}

/** `line:column place` of each text of the owner's that speaks of a word or a name, which no program can reword. */
export function textsThatMention(layout: Layout, names: readonly string[]): string[] {
  const spoken = names.map((name) => new RegExp(`\\b${RegExp.escape(spaced(name))}s?\\b`, "i"));
  return mentionedTexts(layout)
    .filter((one) => spoken.some((name) => name.test(one.text)))
    .map(({ path }) => `${positionOf(layout, path)} ${path.join(".")}`);
}

/** Every text that customers read. */
function mentionedTexts({ source }: Layout): { path: Path; text: string }[] {
  const entries = (group: Path, ...keys: string[]) => {
    const value = valueAt(source, group);
    const parts: Path = Array.isArray(value) ? [...value.keys()] : Object.keys(Object(value));
    return parts.flatMap((part) => keys.map((key): Path => [...group, part, key]));
  };
  return [
    ...entries(["services"], "description"),
    ...entries(FILMS, "description"),
    ...entries(ADDONS, "name", "suggest", "terms"),
    ...entries(["faq"], "question", "answer"),
  ].flatMap((path) => {
    const text = valueAt(source, path);
    return typeof text === "string" ? [{ path, text }] : [];
  });
}

/** `line:column` of a place. */
function positionOf({ text, document }: Layout, path: Path): string {
  const offset = offsetOf(document, { path, message: "" });
  const start = lineStart(text, offset);
  return `${text.slice(0, start).split("\n").length}:${offset - start + 1}`;
}
