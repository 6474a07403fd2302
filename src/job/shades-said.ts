/** Shades as customers say them: `35`, `limo tint`, `35/20`, `35 front 20 back`, `limo back`, `legal`. Source: contract 1, "Understood". */
import type { Shop } from "../catalog/shop.ts";
import { wordMeant } from "../catalog/words.ts";
import { parseShade, SIDE_POSITIONS, type Side } from "../domain/work.ts";
import { numeral } from "../schema/quantities.ts";

/** What people call the glass; the longer names first. */
const NAMES: readonly (readonly [name: RegExp, glass: readonly Side[]])[] = [
  [/\b(?:rear|back) (?:window|glass|windshield|windscreen)\b/g, ["rear_window"]],
  [/\b(?:rear|back) (?:sides?|doors?)(?: windows?| glass)?\b/g, ["rear_side"]],
  [/\b(?:up )?fronts?(?: (?:sides?|doors?))?(?: windows?| glass)?\b/g, ["front_side"]],
  [/\b(?:rears?|backs?)(?: windows| half)?\b/g, ["rear_side", "rear_window"]],
  [/\ball (?:the )?(?:sides|doors)\b|\bsides?(?: windows?| glass)?\b/g, ["front_side", "rear_side"]],
  [
    /\b(?:the |all (?:the )?|everything |everywhere )?(?:rest|others?|else)(?: of (?:the )?(?:car|glass|windows?|vehicle))?\b/g,
    SIDE_POSITIONS,
  ],
  [/\b(?:all (?:(?:the way )?a?round|(?:the )?windows?|over)|all|everywhere)\b/g, SIDE_POSITIONS],
];

/** Words beside a shade that say nothing. */
const FILLERS = new Set(
  "a on in the for of with at to please just only glass percent pct vlt tint film shade shades".split(" "),
);

/** The shade that the law names, instead of a percentage. */
export const DARKEST_LEGAL = "darkest_legal";
type Shades<Shade> = { [Position in Side]?: Shade };
interface Said {
  shade: string;
  /** None: of what no other shade names. */
  glass: readonly Side[];
}

/** @returns the text itself where it is one shade, or none that can be read: the API says what is wrong with it */
export function readShades(typed: string, catalog: Shop): string | Shades<string> {
  const said = saidShades(typed, catalog, true);
  return said === undefined || typeof said === "string" ? typed : said;
}

/** A shade in a customer's words: `20% VLT`, `limo tint`, or `50 front, 20 rear`. `20-35` is a range, and no shade. */
export function shadeMeant(
  text: string,
  catalog: Shop,
): number | typeof DARKEST_LEGAL | Shades<number | typeof DARKEST_LEGAL> | undefined {
  if (text.length > LONGEST) return undefined;
  if (!/\d/.test(text) && wordMeant(text, "shades", catalog) !== undefined) return DARKEST_LEGAL;
  const said = saidShades(text, catalog, false);
  if (said === undefined) return undefined;
  const inPercent = (shade: string) => (shade === DARKEST_LEGAL ? DARKEST_LEGAL : parseShade(shade, catalog));
  if (typeof said === "string") return inPercent(said);
  // Film for some glass alone is another coverage, or no job.
  if (/\b(?:only|just)\b/i.test(text) && SIDE_POSITIONS.some((side) => said[side] === undefined)) return undefined;
  const meant: Shades<number | typeof DARKEST_LEGAL> = {};
  for (const side of SIDE_POSITIONS) {
    const shade = said[side] === undefined ? undefined : inPercent(said[side]);
    if (shade !== undefined) meant[side] = shade;
  }
  const [one, ...others] = SIDE_POSITIONS.map((side) => meant[side]);
  return one !== undefined && others.every((other) => other === one) ? one : meant;
}

/** One shade for all, or one for each glass; undefined where a word is neither, or where the order can mean two things. */
function saidShades(typed: string, catalog: Shop, takesList: boolean): string | Shades<string> | undefined {
  const read = encoded(typed, catalog);
  if (read === undefined) return undefined;
  const { shades } = read;
  let { form } = read;
  const shadeAt = (digit: string) => shades[Number(digit)] ?? "";
  const [first = "", ...next] = form.match(/\d/g) ?? [];
  const glass = (form.match(/[a-z]/g) ?? []).map(sidesNamed);
  if (next.length === 0 && glass.length === 0) return first === "" ? undefined : shadeAt(first);
  // Of the front, and of the rest or of each glass in turn.
  const isList = /^\d(?:\/\d){1,2}$/.test(form) || (takesList && /^\d(?:[,/]?\d){1,2}$/.test(form));
  if (isList)
    return Object.fromEntries(SIDE_POSITIONS.map((side, i) => [side, shades[Math.min(i, shades.length - 1)] ?? ""]));
  // `front/rear 35/20`
  if (/^[a-z](?:[,/]?[a-z]){1,2}\d(?:\/\d){1,2}$|^\d(?:\/\d){1,2}[a-z](?:[,/]?[a-z]){1,2}$/.test(form))
    return shades.length === glass.length
      ? placeShades(shades.map((shade, i) => ({ shade, glass: glass[i] ?? [] })))
      : undefined;
  // `35/20 front`, or `35 front, rear, back window 5`: whose is the one in the middle?
  if (/(?:^|[,/])\d\/|\/\d(?:[,/]|$)|\d[a-z]+[,/][a-z]+[,/][a-z]+\d/.test(form)) return undefined;
  for (let i = 0; i < SIDE_POSITIONS.length; i++)
    form = form
      .replace(/(?<=^|[,/])([a-z]+)[,/](?=[a-z]+\d)/, "$1")
      .replace(/(\d[a-z]+)[,/](?=[a-z]+(?:[,/]|$))/, "$1");
  const said: Said[] = [];
  for (const part of form.split(/[,/]/).filter((one) => one !== "")) {
    if (!/^(?:\d|(?:\d[a-z]+)+|(?:[a-z]+\d)+)$/.test(part)) return undefined;
    for (const [pair] of part.matchAll(/^\d/.test(part) ? /\d[a-z]*/g : /[a-z]+\d/g))
      for (const letter of pair.match(/[a-z]/g) ?? [""])
        said.push({ shade: shadeAt(pair.replace(/[a-z]/g, "")), glass: sidesNamed(letter) });
  }
  return placeShades(said);
}

const sidesNamed = (letter: string): readonly Side[] => NAMES[letter.charCodeAt(0) - A]?.[1] ?? [];
const A = "a".charCodeAt(0);

/** The shade of each glass; a name of less glass goes before one of more. Undefined where two shades are left for one, or none for a shade. */
function placeShades(said: readonly Said[]): Shades<string> | undefined {
  const named = said.filter(({ glass }) => glass.length > 0);
  const rest = said.find(({ glass }) => glass.length === 0);
  const shades: Shades<string> = {};
  for (const side of SIDE_POSITIONS) {
    const [one, other] = named
      .filter(({ glass }) => glass.includes(side))
      .toSorted((a, b) => a.glass.length - b.glass.length);
    const isPart = other === undefined || one?.glass.every((part) => other.glass.includes(part));
    if (!isPart || (other && one?.glass.length === other.glass.length)) return undefined;
    const shade = one?.shade ?? rest?.shade;
    if (shade !== undefined) shades[side] = shade;
  }
  const used = Object.values(shades);
  return said.every(({ shade }) => used.includes(shade)) ? shades : undefined;
}

/** `35, rear 20` as `0,d1`: digits for the shades in their order, letters for the glass, and what parts them. */
function encoded(typed: string, catalog: Shop): { form: string; shades: string[] } | undefined {
  let text = numeral(typed).replace(/(?<=\d)\.0{1,2}(?!\d)/g, "");
  // Small numbers in words count windows, a fraction of a percent is no shade, and a range is not two.
  if (/^[a-z]/i.test(typed) && /^[0-4]\b/.test(text)) return undefined;
  if (/\d[.,]\d|\d ?[-–—] ?\d|(?:^[-–−] ?|\s[-–−])\d|\d to \d/.test(text)) return undefined;
  text = text
    .replace(/[_-]+/g, " ")
    .replace(/\b([fr])(\d{1,3})\b/g, (_, side, vlt) => `${side === "f" ? "front" : "rear"} ${vlt}`);
  for (const [i, [name]] of NAMES.entries()) text = text.replace(name, ` #${String.fromCharCode(A + i)} `);
  const parted = text.replace(/[,;&+\n]|\band\b/g, " , ").replace(/[/|]/g, " / ");
  const shades: string[] = [];
  let form = "";
  let run: string[] = [];
  for (const word of [...(parted.match(/[^\s%:()"']{1,60}/g) ?? []), ","]) {
    const isMark = /^(?:#[a-z]|[,/])$/.test(word);
    if (!isMark && parseShade(word, catalog) === undefined) {
      run.push(word);
      continue;
    }
    const words = shadeOfRun(run, catalog);
    if (words === undefined) return undefined;
    run = [];
    for (const shade of [words, isMark ? "" : word]) {
      // `5% limo` is one shade.
      const isSame = /\d$/.test(form) && parseShade(shade, catalog) === parseShade(shades.at(-1) ?? "", catalog);
      if (shade !== "" && !isSame) form += shades.push(shade) - 1;
    }
    if (isMark) form += word.replace("#", "");
  }
  form = form.replace(/^[,/]+|[,/]+$/g, "").replace(/([,/])[,/]+/g, "$1");
  return shades.length > MOST_SHADES ? undefined : { form, shades };
}

const MOST_SHADES = 5;
const LONGEST = 60;

/** The shade of words that are no percentage; "" for fillers. */
function shadeOfRun(run: readonly string[], catalog: Shop): string | undefined {
  const said = run.filter((word) => !FILLERS.has(word));
  if (said.length === 0) return "";
  const one = largeNumber(said.join(" "));
  return parseShade(one, catalog) === undefined ? wordMeant(said.join(" "), "shades", catalog) : one;
}

/** `twenty` as `20`; small numbers count windows. */
function largeNumber(words: string): string {
  const digits = numeral(words);
  return Number(digits) >= SMALLEST_SAID ? digits : words.replaceAll(" ", "_");
}

const SMALLEST_SAID = 5;
