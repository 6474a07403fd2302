/** What customers call the words of the catalog, without letter case, spaces and punctuation. Source: contract 1, "Understood". */
import { BUILDING_TYPES, CONCERNS, WEEKDAYS } from "../constants.ts";
import { isOneSlip } from "../schema/explain.ts";
import { MONTHS } from "../schema/moments.ts";
import { inDigits, plainText } from "../schema/quantities.ts";
import type { Catalog } from "./schema.ts";

export type WordKind = Exclude<
  keyof Catalog["synonyms"],
  "fillers" | "no_name" | "other_vehicles" | "questions" | "requests" | "unanswered"
>;

/** By what a customer may say; null where that fits two words. */
type Meanings = ReadonlyMap<string, string | null>;
export interface Words {
  readonly meanings: Readonly<Record<WordKind, Meanings>>;
  /** Say nothing beside another word. */
  readonly fillers: ReadonlySet<string>;
  readonly vehicleFillers: ReadonlySet<string>;
  readonly buildingFillers: ReadonlySet<string>;
  /** Of vehicles without a price. */
  readonly otherVehicles: ReadonlySet<string>;
  /** A text without a letter, or a word for nobody, also in brackets. */
  readonly noName: RegExp;
  readonly requests: ReturnType<typeof requestPatterns>;
}

type Said = readonly (readonly [said: string, word: string])[];

export function wordsOf({ automotive, services, flat_glass: flat, synonyms }: Catalog): Words {
  const named = (group: Readonly<Record<string, { name: string; glass?: string }>>): Said =>
    Object.entries(group).flatMap(
      ([key, { name, glass = name }]): Said => [
        [name, key],
        [glass, key],
      ],
    );
  const sites = Object.keys(flat?.rates_per_sqft ?? {});
  const buildings = meaningsOf(BUILDING_TYPES, Object.entries(synonyms.buildings), []);
  const ofSites = meaningsOf(sites, Object.entries(synonyms.site_types), []);
  const siteOf = (building: string | null) => (building === null ? null : ofSites.get(joinedWord(building)));
  return {
    meanings: {
      vehicle_types: meaningsOf(
        Object.keys(automotive.vehicle_types),
        Object.entries(synonyms.vehicle_types),
        Object.entries(automotive.vehicle_names).map(([key, name]) => [name, key]),
      ),
      films: meaningsOf(Object.keys(automotive.films), Object.entries(synonyms.films), named(automotive.films)),
      coverages: meaningsOf(
        Object.keys(automotive.coverages),
        Object.entries(synonyms.coverages),
        named(automotive.coverages),
      ),
      addons: meaningsOf(Object.keys(automotive.addons), Object.entries(synonyms.addons), named(automotive.addons)),
      services: meaningsOf(
        services.map(({ key }) => key),
        Object.entries(synonyms.services),
        services.flatMap(
          ({ id, key, name, phrase = name }): Said => [
            [String(id), key],
            [name, key],
            [phrase, key],
          ],
        ),
      ),
      // A kind of building says what kind of site it is.
      site_types: new Map([
        ...[...buildings].flatMap(([said, building]): [string, string | null][] => {
          const site = siteOf(building);
          return site === undefined ? [] : [[said, site]];
        }),
        ...ofSites,
      ]),
      buildings,
      concerns: meaningsOf(CONCERNS, Object.entries(synonyms.concerns), [
        ...Object.entries(flat?.goal_to_concern ?? {}),
        ...Object.entries(flat?.concern_names ?? {}).map(([key, name]) => [name, key] as const),
      ]),
      shades: meaningsOf(["darkest_legal"], Object.entries(synonyms.shades), []),
    },
    fillers: new Set(synonyms.fillers.all.map(inDigits)),
    vehicleFillers: new Set(synonyms.fillers.vehicle_types.map(inDigits)),
    buildingFillers: new Set(synonyms.fillers.buildings.map(inDigits)),
    otherVehicles: new Set(synonyms.other_vehicles.map(joinedWord)),
    noName: new RegExp(
      `^(?:\\P{L}*|[^\\p{L}\\p{N}]*(?:(?:the|my|our) )?(?:${synonyms.no_name.join("|").replaceAll("_", "[ _]")})[^\\p{L}\\p{N}]*)$`,
      "iu",
    ),
    requests: requestPatterns(synonyms.requests, Object.keys(automotive.shade_words)),
  };
}

/** Days as a sentence names them. */
const DAYS = ["today", "tomorrow", ...WEEKDAYS].join("|");

const anyOf = (said: readonly string[]): RegExp =>
  new RegExp(said.length === 0 ? "(?!)" : `\\b(?:${said.map((one) => one.replaceAll("_", " ?")).join("|")})s?\\b`, "i");

/** The patterns of each request in a sentence: the owner's words, singular or plural, and for some requests the words around them. */
function requestPatterns(words: Catalog["synonyms"]["requests"], shades: readonly string[]) {
  const requests = Object.fromEntries(Object.entries(words).map(([request, said]) => [request, anyOf(said)])) as Record<
    keyof typeof words,
    RegExp
  >;
  const { take_off, film, old, cancel, move, find } = requests;
  const [appointment, book, time] = [requests.appointment.source, requests.book.source, requests.time.source];
  const pattern = (...ways: string[]) => new RegExp(ways.join("|"), "i");
  const denial = ({ source }: RegExp) =>
    pattern(
      `\\b(?:(?:do|does|did)(?:n['’]?t| not)|never|not|no need)(?: (?:i|you|we|please|think|want|wanted|need|wish|mean|going|planning|have|ever|to))* ${source}`,
    );
  return {
    ...requests,
    mine: pattern(`\\b(?:my|our) (?:\\w+ )?${appointment}`, `\\b(?:booking|confirmation) (?:code )?${CODE}`),
    // "cancel ABCDFGHJ": only there is a word in capitals a code.
    code: pattern(`(?:${cancel.source}|${move.source}|${find.source}|\\bcode is)(?: (?:of|is|on))?${CODE_BEHIND}`),
    books: pattern(
      `${book} (?:me|us|a|an|my|the|in|it|this|for|tint|on|20\\d\\d-|(?:${MONTHS.join("|")})[a-z]* \\d{1,2}|\\d{1,2}(?::\\d\\d)? ?[ap]m|${DAYS})\\b`,
      `\\b(?:make|set up|need|want|like|get|give) (?:me |us )?(?:an|the) ${appointment}`,
      `\\b(?:like|want|need|love) to (?:${book}|come in\\b)`,
    ),
    times: pattern(
      requests.available.source,
      `\\b(?:open|free) ${time}`,
      `\\b(?:any|what|which|next|earliest|soonest|first) (?:\\w+ )?(?:${time}|${appointment})(?<!what time(?= (?:do|does|did|is|are|should|will)\\b))(?! (?:do|does|are|is) (?:you|the shop|it) (?:open|close))`,
      "\\bfit (?:me|us|it|my)\\b",
      `\\b(?:have|got) anything (?:on |this |next )?(?:open|free|available|left|${DAYS})\\b`,
      `\\bis (?:${DAYS})\\b.* (?:free|available)\\b`,
      `\\bwhen (?:can|could) (?:you|i) ${requests.work.source}`,
    ),
    holds: pattern(
      `^\\W*(?:please )?${requests.hold.source} (?:\\d|${DAYS})`,
      `^\\W*(?:(?:can|could|would|will) you |please |i(?:'d| would) like (?:you )?to )?${requests.hold.source} (?:me|us|my|the|an?|that|this|it)\\b`,
    ),
    // "don't cancel", "I never wanted to move"; not "I can't come, cancel".
    denials: { cancel: denial(cancel), move: denial(move), book: denial(requests.book) },
    // An order of its own, about the whole booking: not "I might cancel it", nor "cancel the strip in my booking".
    cancelOrder: new RegExp(
      `(?:^|[.,;!?\\n—])\\s*${POLITE}${WISH}?${POLITE}(?:${cancel.source})(?: (?:it|this|(?:(?:my|our|the) )?(?:tint(?:ing)? )?${appointment}))?(?=\\W*$|[.,:;!?]| (?:(?:and|with|under|please|thanks?)\\b|(?:(?:the|my) )?(?:code|phone)(?: number)?(?: is)? (?:${CODE}|\\S*\\d))|${CODE_BEHIND})`,
      "i",
    ),
    // "limo tint", with its glass; not of film that is there already, nor "how dark".
    shade: new RegExp(
      `(?<!\\b(?:${HAS}|my|how|too|not|${old.source}|${requests.remove.source}|${take_off.source}) (?:\\w+ )?)${anyOf(shades).source}(?: (?:${film.source}|shades?\\b)(?:${ON_GLASS})?|${ON_GLASS})`,
      "gi",
    ),
    // A strip on an old car is none, nor is a day off.
    removes: pattern(
      requests.remove.source,
      `${take_off.source} (?:off (?:[\\w']+ ){0,3}${film.source}|(?:[\\w']+ ){0,3}(?:${film.source}|it) off\\b)`,
      `${take_off.source} (?:the |my )?${old.source} ${film.source}`,
    ),
  };
}

const HAS = "(?:i|we|it|car|already) (?:have|has|had|got)|c[ao]mes? with|factory";
const ON_GLASS =
  "(?: (?:on|for|in|up))?(?: (?:the|my|full|all))* (?:windshield|fronts?|rears?|backs?|sides?)(?: (?:windows?|glass|sides?|doors?))?\\b";

const POLITE = "(?:(?:hi|hello|hey|yes|ok|okay|sorry|unfortunately|please|kindly|just|now)\\b[\\s,]*)*";
const WISH =
  "(?:(?:(?:can|could|would|will) you|go ahead and|(?:i|we)(?:['’]d| would)? (?:really )?(?:must|want|need|(?:like|want|need|wish|have|got)(?: you)? to)|(?:want|need|have) to)\\s+)";
/** Codes lack I, L, O, U and E, and so are few words in capitals. */
const CODE = "(?-i:(?=[A-Z]*\\d)[0-9A-Z]{8}|[A-DF-HJKMNP-TV-Z]{8}|(?=[a-z]*\\d)[0-9a-z]{8})\\b";
const CODE_BEHIND = `(?: (?:under|with|for))?(?: (?:my|the))?(?: code)? #?${CODE}`;

/** @param keys go before synonyms, and these before names */
function meaningsOf(keys: readonly string[], ...others: Said[]): Meanings {
  const meanings = new Map<string, string | null>();
  for (const said of [keys.map((key) => [key, key] as const), ...others]) {
    const ofKind = new Map<string, string | null>();
    for (const [text, word] of said) {
      const form = joinedWord(text);
      const known = ofKind.get(form);
      ofKind.set(form, known === undefined || known === word ? word : null);
    }
    for (const [form, word] of ofKind) if (!meanings.has(form)) meanings.set(form, word);
  }
  return meanings;
}

/** The kinds of words that a field takes; the first that fits counts. */
const KINDS = new Map<string, readonly WordKind[]>(
  Object.entries({
    vehicle_type: ["vehicle_types"],
    film_type: ["films"],
    coverage: ["coverages"],
    addons: ["addons"],
    add_addons: ["addons"],
    remove_addons: ["addons"],
    service: ["services"],
    service_type: ["services", "site_types"],
    site_type: ["site_types"],
    building_type: ["buildings"],
    primary_concern: ["concerns"],
    // Of questions.
    category: ["services", "site_types"],
  } as const),
);

/** Whether a field takes words of the catalog. */
export function hasWords(field: string): boolean {
  return KINDS.has(field);
}

/** The words that a text may mean in a field, one of each kind that the field takes. */
export function wordsMeant(text: string, field: string, shop: { words: Words }): string[] {
  const found: string[] = [];
  for (const kind of KINDS.get(field) ?? []) {
    const word = wordMeant(text, kind, shop);
    if (word !== undefined) found.push(word);
  }
  return found;
}

/** Nobody says a thing in more words, and all runs of words are looked up. */
const MOST_WORDS = 12;
const LONGEST = 100;

/** The words and numbers of a text: `Front-2` and `front two` are front and 2. */
function wordParts(text: string): string[] {
  const plain = PLAIN.test(text)
    ? text
    : plainText(text)
        .replaceAll("&", " and ")
        .normalize("NFD")
        .replace(/\p{M}|(?<=\p{L})['’](?=\p{L})/gu, "");
  return (plain.toLowerCase().match(/\p{L}+|\d+/gu) ?? []).map(inDigits);
}

/** Most words have nothing to be taken out. */
const PLAIN = /^[\w\s-]*$/;

function joinedWord(text: string): string {
  return wordParts(text).join("");
}

/** The word that a text means: named beside nothing but fillers, or the one that is a slip of the keys away. */
export function wordMeant(text: string, kind: WordKind, { words }: { words: Words }): string | undefined {
  if (text.length > LONGEST || SIGNED.test(text)) return undefined;
  if (ALTERNATIVE.test(text) && new Set(text.split(ALTERNATIVE).map((one) => wordMeant(one, kind, { words }))).size > 1)
    return undefined;
  const parts = wordParts(text);
  if (parts.length === 0 || parts.length > MOST_WORDS) return undefined;
  const meanings = words.meanings[kind];
  const whole = meanings.get(parts.join(""));
  if (whole !== undefined) return whole ?? undefined;
  const found = new Set<string | null>();
  const unknown: string[] = [];
  for (let start = 0; start < parts.length; ) {
    let end = parts.length;
    while (end > start && !meanings.has(parts.slice(start, end).join(""))) end--;
    if (end > start) {
      found.add(meanings.get(parts.slice(start, end).join("")) ?? null);
      start = end;
    } else {
      const part = parts[start] ?? "";
      if (!isFiller(part, kind, words)) unknown.push(part);
      start++;
    }
  }
  const [one, two] = found;
  if (unknown.length === 0) return two === undefined ? (one ?? undefined) : undefined;
  // "the two windows in front"
  const withoutFillers = found.size > 0 ? undefined : meanings.get(unknown.join(""));
  if (withoutFillers !== undefined) return withoutFillers ?? undefined;
  const [mistyped = "", another] = unknown;
  if (found.size > 0 || another !== undefined) return undefined;
  // `4 door sedan` is one, and `4 sedans` are four.
  if (kind === "vehicle_types" && mistyped.endsWith("s") && parts.some(isCount)) return undefined;
  return (mistyped.endsWith("s") && meanings.get(mistyped.slice(0, -1))) || nearWord(mistyped, meanings);
}

function isFiller(part: string, kind: WordKind, words: Words): boolean {
  if (words.fillers.has(part)) return true;
  if (kind === "vehicle_types") return words.vehicleFillers.has(part) || YEAR.test(part);
  return OF_BUILDINGS.has(kind) && words.buildingFillers.has(part);
}

/** Whether a text says nothing about a field, as `4-door` about the type of a vehicle. */
export function hasOnlyFillers(text: string, field: string, { words }: { words: Words }): boolean {
  const [kind] = KINDS.get(field) ?? [];
  const parts = kind && wordMeant(text, kind, { words }) === undefined ? wordParts(text) : [];
  return kind !== undefined && parts.length > 0 && parts.every((part) => isFiller(part, kind, words));
}

export function isCount(word: string): boolean {
  return /^\d\d?$/.test(word);
}

/** The most words of a sentence that are looked up. */
const MOST_SAID = 150;

/** The words of the catalog that a sentence names, each once; the longest name counts. @param least words of a name */
export function wordsIn(sentence: string, kind: WordKind, catalog: { words: Words }, least = 1): string[] {
  const named = locateWords(wordParts(sentence).slice(0, MOST_SAID), kind, catalog);
  return [...new Set(named.flatMap(({ word, start, end }) => (end - start < least ? [] : (word ?? []))))];
}

/** A sentence without the words for one kind of thing: `front two doors` names no vehicle with two doors. */
export function withoutWords(sentence: string, kind: WordKind, catalog: { words: Words }): string {
  const parts = wordParts(sentence).slice(0, MOST_SAID);
  for (const { start, end } of locateWords(parts, kind, catalog)) parts.fill("", start, end);
  return parts.join(" ");
}

function locateWords(parts: readonly string[], kind: WordKind, { words }: { words: Words }) {
  const meanings = words.meanings[kind];
  const found: { start: number; end: number; word: string | null | undefined }[] = [];
  for (let start = 0; start < parts.length; start++) {
    let end = Math.min(parts.length, start + MOST_WORDS);
    const said = () => parts.slice(start, end).join("");
    // A number is a day, a size or an amount, and never a name, as in `service: 7`.
    const isName = () => !/^\d+$/.test(said()) && (meanings.has(said()) || meanings.has(said().replace(/s$/, "")));
    while (end > start && !isName()) end--;
    if (end === start) continue;
    found.push({ start, end, word: meanings.get(said()) ?? meanings.get(said().replace(/s$/, "")) });
    start = end - 1;
  }
  return found;
}

const OF_BUILDINGS: ReadonlySet<WordKind> = new Set(["buildings", "site_types"]);

/** `-strip` takes the strip out, and -1 is no 1; `- strip` is a point of a list. */
const SIGNED = /(?:^|\s)[-–−][^\s-]/;
/** Between two words of which one is meant. */
const ALTERNATIVE = /[/|]|\bor\b/i;
const YEAR = /^(?:19|20)\d\d$/;

/** The vehicle without a price at this shop that a text names, as `Gold Wing motorcycle` does. */
export function otherVehicleIn(text: string, shop: { words: Words }): string | undefined {
  const parts = wordParts(text.slice(0, LONGEST)).slice(0, MOST_WORDS);
  const { otherVehicles, meanings } = shop.words;
  const isOther = (said: string) => otherVehicles.has(said) && !meanings.vehicle_types.has(said);
  return parts
    .flatMap((part, i) => [part, `${part} ${parts[i + 1] ?? ""}`, part.replace(/s$/, "")])
    .find((said) => isOther(said.replace(" ", "")));
}

/** Shorter words are one letter away from too many others. */
const SHORTEST = 5;

/** The one word that is a slip of the keys away: a letter too many, too few, another, or two in the wrong order. */
function nearWord(mistyped: string, meanings: Meanings): string | undefined {
  if (mistyped.length < SHORTEST - 1) return undefined;
  const near = new Set<string | null>();
  for (const [said, word] of meanings) {
    if (said.length < SHORTEST || Math.abs(said.length - mistyped.length) > 1) continue;
    if (isOneSlip(mistyped, said) && !/\d/.test(said)) near.add(word);
  }
  const [one, two] = near;
  return two === undefined ? (one ?? undefined) : undefined;
}
