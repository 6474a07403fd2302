/** Where the catalog mentions a film, a vehicle type or an add-on: places to remove, places in the way, texts. */

import { valueAt } from "../../lib/fields.ts";
import { spaced } from "../../lib/text.ts";
import { offsetOf } from "../load/parse.ts";
import type { Layout } from "../load/values.ts";
import { isWithin, type Path, referencesIn } from "../path.ts";
import { extraOf } from "../terms.ts";
import { lineStart } from "./layout.ts";

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
export function groupsOf(layout: Layout, kind: WordKind): Path[] {
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

export function synonymsOf(kind: WordKind): Path {
  return ["synonyms", { film: "films", vehicle: "vehicle_types", addon: "addons" }[kind]];
}

/** The entries that are removed with a word: keys of groups, and entries of lists by index. */
export function pathsWith(layout: Layout, kind: WordKind, word: string): Path[] {
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
export function valuesThatName({ source }: Layout, kind: WordKind, word: string): Path[] {
  const field = { film: "film_type", vehicle: "vehicle_type", addon: undefined }[kind];
  const places = field === undefined ? [] : ["defaults", "example"].map((group): Path => [...AUTOMOTIVE, group, field]);
  return places.filter((path) => valueAt(source, path) === word);
}

/** A line for each place that the owner has to change before the word can be removed. */
export function obstacles(layout: Layout, kind: WordKind, word: string): string[] {
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
export function answersThatName(layout: Layout, places: readonly Path[]): number[] {
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
