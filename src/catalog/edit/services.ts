/** Services taken out of a catalog, text in, text out, with all that speaks of them. */

import { valueAt } from "../../lib/fields.ts";
import { type Layout, readLayout } from "../load/values.ts";
import { isWithin, type Path, referencesIn } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { isShown } from "../terms.ts";
import { entryRemoved, itemsRemoved, removeEntries } from "./changes.ts";
import { applyChanges, collectionAt, lineEnd, lineStart, type TextChange } from "./layout.ts";
import { groupKeys } from "./terms.ts";

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
