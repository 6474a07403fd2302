/** Wished shades as people say them: `35`, `limo`, `35/20`, `35 front 20 back`, `limo back`. */
import type { Shop } from "../../src/catalog/shop.ts";
import { parseShade } from "../../src/domain/shade.ts";
import { spaced } from "../../src/lib/text.ts";
import { readWord } from "./enums.ts";

/** The glass that a shade may name. The windshield has a field of its own. */
const SIDE_POSITIONS = ["front_side", "rear_side", "rear_window"] as const;
type Side = (typeof SIDE_POSITIONS)[number];

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

/** A request whose shade is as it was typed, with a shade for each glass where several were named */
export function withShades<Request extends object>(request: Request, catalog: Shop): Request {
  const { shade }: { shade?: unknown } = request;
  return typeof shade === "string" ? { ...request, shade: readShades(shade, catalog) } : request;
}

/** Shades by glass as they can be typed again: `35/20`, or `35 front side, 20 rear window`. */
export function shadesTyped(shades: object): string {
  const { front_side: front, rear_side: rear, rear_window: back }: Partial<Record<Side, unknown>> = shades;
  const isGiven = (shade: unknown) => shade !== undefined && shade !== null;
  if ([front, rear, back].every(isGiven)) return rear === back ? `${front}/${rear}` : `${front}/${rear}/${back}`;
  const sides = SIDE_POSITIONS.filter((side) => isGiven(Object(shades)[side]));
  return sides.map((side) => `${Object(shades)[side]} ${spaced(side)}`).join(", ");
}

/** @returns the text itself where it is one shade, or none that can be read: the API says what is wrong with it */
function readShades(typed: string, catalog: Shop): string | Partial<Record<Side, string>> {
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

/** `front_side=35,rear_side=5` in the exact names. @throws UsageError for unknown glass */
export function namedShades(typed: string): Partial<Record<Side, string>> {
  return Object.fromEntries(
    typed.split(",").map((part) => {
      const [name = "", shade = ""] = part.split("=");
      return [readWord("a position of --shade", name.trim(), SIDE_POSITIONS), shade.trim()];
    }),
  );
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
