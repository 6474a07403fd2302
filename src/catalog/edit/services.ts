/** Services taken out of a catalog, text in, text out, with all that speaks of them. */

import { valueAt } from "../../lib/fields.ts";
import { type Layout, readLayout } from "../load/values.ts";
import { isWithin, type Path, referencesIn } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { isShown } from "../terms.ts";
import { entryRemoved, itemsRemoved, pathsRemoved } from "./changes.ts";
import { applyChanges, lineEnd, lineStart, type TextChange } from "./layout.ts";
import { groupKeys } from "./terms.ts";

/** With prices, lengths, add-on rules and their questions; a flat-glass section without a kind of site goes as a whole. */
export function removeServices(text: string, keys: readonly string[]): string {
  const layout = readLayout(text);
  // Safe, because the text is of a catalog without issues.
  const source = layout.source as WrittenCatalog;
  const gone = source.services.filter(({ key }) => keys.includes(key));
  if (gone.length === 0) return text;
  const left = source.services.filter((one) => !gone.includes(one));
  const isWithoutGlass = left.every(({ estimate }) => estimate !== "flat_glass") && "flat_glass" in source;
  const entries = [
    ...groupKeys(layout, ["automotive", "vehicle_types"]).flatMap((vehicle) =>
      keys.map((key): Path => ["automotive", "vehicle_types", vehicle, key]),
    ),
    ...gone.map(({ id }): Path => ["scheduling", "default_minutes", String(id)]),
    ...(isWithoutGlass ? [] : keys.map((key): Path => ["flat_glass", "rates_per_sqft", key])),
  ].filter((path) => valueAt(layout.source, path) !== undefined);
  const edited = applyChanges(layout, [
    itemsRemoved(layout, ["services"], (i) => keys.includes(source.services[i]?.key ?? "")),
    ...pathsRemoved(layout, entries),
    ...(isWithoutGlass ? [sectionRemoved(layout, "flat_glass")] : []),
    ...groupKeys(layout, ["automotive", "addons"])
      .map((addon): Path => ["automotive", "addons", addon, "applies_to"])
      .flatMap((path) => wordsRemoved(layout, path, keys)),
    ...["services", "site_types"].flatMap((kind) => pathsRemoved(layout, pathsTo(layout, ["synonyms", kind], keys))),
    ...questionsChanged(layout, source, keys, left, isWithoutGlass ? [...entries, ["flat_glass"]] : entries),
  ]);
  const categories = new Set(gone.map((one) => one.faq_category)).difference(
    new Set(left.map((one) => one.faq_category)),
  );
  return [...categories].reduce(
    (shorter, category) => shorter.replace(new RegExp(`\\n?^ *# ${category}\\r?\\n`, "m"), ""),
    edited,
  );
}

/** The entries of a group that lead to some words. */
function pathsTo(layout: Layout, group: Path, words: readonly string[]): Path[] {
  const all = groupKeys(layout, group).map((one): Path => [...group, one]);
  return all.filter((path) => words.includes(String(valueAt(layout.source, path))));
}

/** Removes questions that would no longer be shown or whose answer names a removed place, and the keys from the others. */
function questionsChanged(
  layout: Layout,
  { faq }: WrittenCatalog,
  keys: readonly string[],
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
    ...faq.flatMap((_, i) => (goes[i] ? [] : wordsRemoved(layout, ["faq", i, "services"], keys))),
    itemsRemoved(layout, ["faq"], (i) => goes[i] === true),
  ];
}

function wordsRemoved(layout: Layout, path: Path, words: readonly string[]): TextChange[] {
  const list: unknown = valueAt(layout.source, path);
  return Array.isArray(list) && list.some((one) => words.includes(one))
    ? [itemsRemoved(layout, path, (i) => words.includes(list[i]))]
    : [];
}

function sectionRemoved(layout: Layout, name: string): TextChange {
  const { text } = layout;
  const { splices } = entryRemoved(layout, [], name);
  const [section = { from: 0, to: 0 }] = splices;
  let from = section.from;
  while (from > 0 && text[lineStart(text, from - 1)] === "#") from = lineStart(text, from - 1);
  let to = section.to;
  while (to < text.length && text.slice(to, lineEnd(text, to)).trim() === "") to = text.indexOf("\n", to) + 1;
  return { path: [name], splices: [{ from, to, insert: "" }], update: () => undefined };
}
