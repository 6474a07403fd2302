/** Wished shades as callers write them: `35`, `35%`, `limo`; `35/20`, `35 front 20 back`, `limo back`. */
import type { Shop } from "../catalog/shop.ts";

/**
 * VLT of a shade as callers write it: 35, "35", "35%" or a trade word of the catalog such as "limo".
 * @returns a whole percentage from 1 to 100, or undefined when the text is no shade
 */
export function parseShade(shade: number | string, { automotive }: Shop): number | undefined {
  if (typeof shade === "number") return shade;
  const words = automotive.shade_words;
  const word = shade.toLowerCase();
  if (Object.hasOwn(words, word)) return words[word];
  const digits = /^(\d{1,3}) ?%?$/.exec(word)?.[1];
  const vlt = Number(digits);
  return digits !== undefined && vlt >= 1 && vlt <= 100 ? vlt : undefined;
}

/** The glass that a shade may name. The windshield has a field of its own. */
export const SIDE_POSITIONS = ["front_side", "rear_side", "rear_window"] as const;
export type Side = (typeof SIDE_POSITIONS)[number];

/** What people call the glass; two words before one. */
const NAMES: readonly (readonly [words: string, glass: readonly Side[]])[] = [
  ["front side", ["front_side"]],
  ["rear side", ["rear_side"]],
  ["back side", ["rear_side"]],
  ["rear window", ["rear_window"]],
  ["back window", ["rear_window"]],
  ["front", ["front_side"]],
  ["rear", ["rear_side", "rear_window"]],
  ["back", ["rear_side", "rear_window"]],
];

/** Words between the shades that say nothing. */
const FILLERS = /\b(?:on|in|the|and|windows?|sides?|glass)\b/g;

/** @returns the text itself where it is one shade, or none that can be read: the API says what is wrong with it */
export function readShades(typed: string, catalog: Shop): string | Partial<Record<Side, string>> {
  const said = saidShades(typed, catalog);
  if (said.length === 0 || (said.length === 1 && said[0]?.glass.length === 0)) return typed;
  const isNamed = said.some(({ glass }) => glass.length > 0);
  const taken = said.flatMap(({ glass }) => glass);
  const left = SIDE_POSITIONS.filter((side) => !taken.includes(side));
  const bare = said.filter(({ glass }) => glass.length === 0);
  // Shades without glass are those of the front and of the rest, or of each glass in turn.
  if (isNamed ? bare.length > 1 : said.length > SIDE_POSITIONS.length) return typed;
  const rest = isNamed ? left : SIDE_POSITIONS;
  const shades: Partial<Record<Side, string>> = {};
  for (const { shade, glass } of said) for (const side of glass) shades[side] = shade;
  for (const [i, side] of rest.entries()) {
    const shade = bare[Math.min(i, bare.length - 1)]?.shade;
    if (shade !== undefined) shades[side] = shade;
  }
  return shades;
}

interface Said {
  shade: string;
  glass: readonly Side[];
}

/** The shades with the glass named beside them, before or after; none where a word is neither. */
function saidShades(typed: string, catalog: Shop): Said[] {
  // A fraction of a percent is no shade, and not two.
  if (/\d[.,]\d/.test(typed)) return [];
  let text = typed.toLowerCase().replace(/[^a-z0-9]+/g, " ");
  for (const [i, [words]] of NAMES.entries()) text = text.replace(new RegExp(`\\b${words}\\b`, "g"), `#${i}`);
  const words = text.replace(FILLERS, " ").match(/\S+/g) ?? [];
  const glassOf = (word: string) => (word.startsWith("#") ? NAMES[Number(word.slice(1))]?.[1] : undefined);
  const isRead = words.every((word) => glassOf(word) ?? parseShade(word, catalog));
  if (!isRead) return [];
  const isAfter = glassOf(words[0] ?? "") === undefined;
  const said: Said[] = [];
  for (const word of isAfter ? words : words.toReversed()) {
    const glass = glassOf(word);
    const last = said.at(-1);
    if (glass === undefined) said.push({ shade: word, glass: [] });
    else if (last) said[said.length - 1] = { ...last, glass: [...last.glass, ...glass] };
    else return [];
  }
  return isAfter ? said : said.toReversed();
}

/** What people say beside a shade. */
const NOISE = /\b(?:percent|pct|vlt|tint|film|shades?|all (?:a?round|windows?))\b|%/g;
const LONGEST = 60;

/**
 * A shade in a customer's words, in percent: `20% VLT`, `limo tint`, or `50 front, 20 rear` for each glass. `20-35` is a range,
 * and no shade.
 */
export function shadeMeant(text: string, catalog: Shop): number | Partial<Record<Side, number>> | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = text.toLowerCase().replace(NOISE, " ").trim();
  const shade = parseShade(plain.replace(/^(\d{1,3})\.0{1,2}$/, "$1"), catalog);
  if (shade !== undefined) return shade;
  const sides = readShades(plain, catalog);
  if (typeof sides === "string") return undefined;
  const isNamed = /front|rear|back/.test(plain);
  if (!isNamed && !/^[^/]{1,20}(?:\/[^/]{1,20}){1,2}$/.test(plain)) return undefined;
  const meant: Partial<Record<Side, number>> = {};
  for (const side of SIDE_POSITIONS) {
    const vlt = sides[side] === undefined ? undefined : parseShade(sides[side], catalog);
    if (vlt !== undefined) meant[side] = vlt;
  }
  return meant;
}
