/** One of the shop's own terms gets another word, or another place in the order in which customers see it. Text in, text out. */
import { isMap } from "yaml";
import { valueAt } from "../../lib/fields.ts";
import { EditError } from "../edit-error.ts";
import type { Path } from "../path.ts";
import { extraOf } from "../terms.ts";
import { insertEntry, scalarSet } from "./changes.ts";
import { entryRemoved, keyRenamed } from "./entries.ts";
import { collectionAt, collectionEntries, type Layout, lineEnd, readLayout } from "./layout.ts";
import { answersThatName, groupsOf, keysOf, pathsWith, valuesThatName, type WordKind } from "./mentions.ts";
import { applyChanges, type TextChange } from "./splice.ts";
import { addSynonyms, noSynonym, requireNew } from "./terms.ts";

/**
 * Puts another word in the place of a film, vehicle type or add-on, wherever the catalog has it. The old word is understood
 * from then on as another one for the new.
 * @throws EditError when the new word is taken
 */
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
  return keysOf(layout, orderOf(layout, kind));
}

/** Moves a word to a place in the order, counted from 0 without it. Notes above it stay where they are. */
export function moveWord(text: string, kind: WordKind, word: string, to: number): string {
  const layout = readLayout(text);
  const group = orderOf(layout, kind);
  const collection = collectionAt(layout, group);
  const from = keysOf(layout, group).indexOf(word);
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
