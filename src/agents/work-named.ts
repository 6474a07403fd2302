/** The work that a plain sentence names: a car with its film, glass, extras and shades, or the glass of a building. */
import { isDeepStrictEqual } from "node:util";
import { statesNamed } from "../catalog/laws.ts";
import { modelIn, namesTwoCars } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { withoutWords, wordsIn } from "../catalog/words.ts";
import { shadeMeant } from "../job/shades-said.ts";
import { readDate } from "../schema/moments.ts";
import { readNumber, sentenceInDigits } from "../schema/quantities.ts";

/** Runs of so many words are compared with the models. */
const LONGEST_MODEL = 6;

/** The few words behind a no: `without the strip`, `no sunroof`, `everything but the windshield`. */
const DENIED =
  /\b(?:without|w\/o(?:ut)?|except(?: for)?|excluding|minus|no|not(?! (?:only|just|sure))|(?:don'?t|do not) (?:want|need)|(?<=\b(?:all|everything|windows?|glass|car) )but(?: not)?)((?: (?!(?:and|but|for|in|on|to|with)\b)[\w'-]+){1,4})/gi;
const GLASS = /\b(?:windows?|glass|windshield|fronts?|rears?|backs?|sides?|doors?|rest)\b/i;
/** Work that is wanted by itself: `just the sunroof`, `windshield only`. */
const ALONE = [/\b(?:only|just)(?: [\w'-]+){1,3}/gi, /(?:[\w'-]+ ){1,3}(?:only|alone|by (?:itself|themselves))\b/gi];

/** Between two parts of the work: `take the old tint off and put ceramic on`. */
const BESIDE = /[,;&+]|\b(?:and|then|with|before|plus)\b/i;

const PERCENT = /\b(\d{1,2})(?: ?%| percent)/g;
const GLASS_BEHIND = "(?= (?:on |for |up )?(?:the |my )?(?:fronts?|rears?|backs?|sides?|windshield|all a?round)\\b)";
/** `20 fronts 5 rears`: a number of two digits before glass is a shade, and so is a 5 beside it; not that of an Ioniq 5. */
const BEFORE_GLASS = new RegExp(`(?<![\\w.$-])(?:5|[1-9]\\d)${GLASS_BEHIND}`, "gi");
const PERCENT_MEANT = new RegExp(`(?<![\\w.$-])[1-9]\\d${GLASS_BEHIND}`, "i");
/** With the glass behind it. */
const PERCENT_OF =
  /\b\d{1,2}(?: ?%| percent)(?: (?:on|in|for|all|the|my|up|way|a?round|fronts?|rears?|backs?|sides?|doors?|windows?|glass|rest|everywhere))*/gi;
/** `70% on the windshield` is no shade of the other glass. */
const WINDSHIELD_SHADE =
  /\b(\d{1,2})(?: ?%| percent)(?: (?:tint|film))?(?: (?:on|for))?(?: (?:the|my|a|whole|full|front))* windshield\b/i;
const BESIDE_SHADES = /[,;.!?]|\b(?:and|with)\b/i;
/** Glass that no coverage names: `the back windows`, `rear only`, `three windows`. */
const OTHER_GLASS =
  /\b(?:(?:back|rear|single|driver'?s?|passenger|quarter)(?:[ -]side)?(?: two)? (?:windows?|glass|windshield|doors?|half)|(?:back|rear)s? only|(?:front )?(?:one|three|four|five|[13-9]) windows?)\b/i;

export function carWork(sentence: string, catalog: Shop): Record<string, unknown> | undefined {
  // "My Tahoe's windows" names a Tahoe.
  const text = sentenceInDigits(sentence).replace(/['’]s\b/g, "");
  const said = catalog.words.requests;
  const model = longestModel(text, catalog);
  const [type = model?.vehicleType, another] = wordsIn(
    withoutWords(text, "coverages", catalog),
    "vehicle_types",
    catalog,
  );
  const denied = [...text.matchAll(DENIED)].map(([, what = ""]) => what);
  const unwanted = (kind: "addons" | "films") => new Set(denied.flatMap((what) => wordsIn(what, kind, catalog)));
  const [films, extras] = [unwanted("films"), unwanted("addons")];
  const [unlisted] = said.other_film.exec(text.replace(DENIED, " ")) ?? [];
  const [film = unlisted, otherFilm] = wordsIn(text, "films", catalog).filter((word) => !films.has(word));
  const [coverage, otherCoverage] = wordsIn(text, "coverages", catalog);
  const addons = wordsIn(text.replace(said.removes, " ").replace(OTHER_GLASS, " "), "addons", catalog).filter(
    (word) => !extras.has(word),
  );
  const isAddon = (what: string) => wordsIn(what, "addons", catalog).length > 0;
  const isPartial = denied.some((what) => GLASS.test(what) && !isAddon(what));
  const isAlone =
    coverage === undefined && ALONE.some((form) => [...text.matchAll(form)].some(([what]) => isAddon(what)));
  const shades = shadesNamed(text, catalog);
  // The price list has no job without some of its glass and no extra by itself, and two cars are two jobs.
  if (!shades || isPartial || isAlone || otherCoverage !== undefined || namesTwoCars(text, catalog)) return undefined;
  const { shade } = shades;
  const isShaded = Object.keys(shades).length > 0;
  // "The fronts" of which the rears have a shade, too, are no coverage.
  const isAllRound = typeof shade === "object" && shade.rear_side !== undefined && shade.front_side !== undefined;
  // Glass that no coverage names is asked about in its words, but for what the law says of it.
  const [other] = isAllRound || (said.law.test(text) && !said.price.test(text)) ? [] : (OTHER_GLASS.exec(text) ?? []);
  const isWhole = coverage === catalog.automotive.defaults.coverage;
  const glass = isAllRound
    ? undefined
    : isWhole
      ? coverage
      : [coverage, other].filter(Boolean).join(" and ") || undefined;
  const parts = text.replace(DENIED, " ").split(BESIDE);
  const isNewFilm = (part: string) => said.anew.test(part) || wordsIn(part, "films", catalog).length > 0;
  const takesOff = parts.some((part) => said.removes.test(part));
  const isAnew = parts.some((part) => !said.removes.test(part) && isNewFilm(part));
  const states = isShaded ? statesNamed(text, catalog) : [];
  const { removal, siteTypes } = catalog.terms;
  // Coating is no ceramic film.
  const usual = [catalog.automotive.defaults.service, removal, ...siteTypes];
  const [service = takesOff && !isAnew ? removal : undefined] = wordsIn(text, "services", catalog).filter(
    (key) => !usual.includes(key),
  );
  const newFilm = {
    ...(film !== undefined && otherFilm === undefined && { film_type: film }),
    ...(addons.length > 0 && { addons }),
    ...shades,
    ...(takesOff && { remove_old_film: true }),
  };
  const input = {
    ...(type !== undefined && another === undefined && { vehicle_type: type }),
    ...(model && modelFields(model.name, text)),
    ...(glass !== undefined && { coverage: glass }),
    ...(states.length === 1 && { jurisdiction: states[0] }),
    ...(service === undefined ? newFilm : { service }),
  };
  return Object.keys(input).length > 0 ? input : undefined;
}

function longestModel(text: string, catalog: Shop) {
  const words = text.split(/\s+/);
  const models = words.flatMap((_, at) => modelIn(words.slice(at, at + LONGEST_MODEL).join(" "), catalog) ?? []);
  const [longest] = models.filter(({ name }) => isNamed(name, text)).sort((a, b) => b.name.length - a.name.length);
  return longest;
}

function modelFields(name: string, text: string) {
  const [make, ...model] = name.split(" ");
  const words = text.split(/[\s,]+/);
  // The year of a date is none of a car.
  const isOfDate = (at: number) => [2, 3].some((length) => readDate(words.slice(at - length, at + 1).join(" ")));
  const year = words.find((word, at) => /^(?:19[89]|20[0-4])\d$/.test(word) && !isOfDate(at));
  return { vehicle_make: make, vehicle_model: model.join(" "), ...(year && { vehicle_year: Number(year) }) };
}

/** The shades of the glass and of the windshield, as far as they are told; undefined where nobody can tell them apart. */
function shadesNamed(text: string, catalog: Shop) {
  const ofGlass = PERCENT_MEANT.test(text) ? text.replace(BEFORE_GLASS, "$&%") : text;
  const windshield = WINDSHIELD_SHADE.exec(ofGlass)?.[1];
  const inPercent = ofGlass.replace(WINDSHIELD_SHADE, " ");
  const percents = [...inPercent.matchAll(PERCENT)].map(([, percent]) => Number(percent));
  const ofShades = inPercent.split(BESIDE_SHADES).filter((part) => part.search(PERCENT) >= 0);
  const placed = [...inPercent.matchAll(PERCENT_OF)].map(([shade]) =>
    shade.replace(/(?: (?:on|in|for|the|my|up))+$/i, ""),
  );
  const shades = shadeMeant(ofShades.join(", "), catalog) ?? shadeMeant(placed.join(", "), catalog);
  const inPercents = typeof shades === "object" || percents.length > 1 ? shades : percents[0];
  const requests = catalog.words.requests;
  const words = [...text.replace(DENIED, " ").matchAll(requests.shade)].map(([said]) => said);
  // `medium on the fronts` and `dark on the rears` are one wish, `light tint` and `dark tint` are two.
  const whole = words.length > 1 && words.every((said) => GLASS.test(said)) ? [words.join(", ")] : words;
  const inWords = whole.map((said) => shadeMeant(said, catalog));
  // "Legal" alone is no wish for a shade, but "darkest legal" is.
  const [legal] = wordsIn(text, "shades", catalog, 2);
  const shade = inPercents ?? legal ?? inWords[0];
  const isOther = inWords.some((one) => one === undefined || !isDeepStrictEqual(one, shade));
  if (isOther || (percents.length > 1 && shade === undefined)) return undefined;
  return {
    ...(shade !== undefined && { shade }),
    ...(windshield !== undefined && { windshield_shade: Number(windshield) }),
  };
}
/** `three trucks`, `2 of my sedans`: more cars of a type than one; not `2 door coupes`. */
const SEVERAL =
  /(?<![\w.$-])(?:[2-9]|[1-9]\d|both|couple|pair|several|few)(?: of)?(?: (?:my|our|the|these))?(?! (?:doors?|rows?)\b)(?: \w+)? (\w+s)\b/gi;

export function namesSeveral(said: string, catalog: Shop): boolean {
  const text = sentenceInDigits(said);
  return [...text.matchAll(SEVERAL)].some(([, cars = ""]) => wordsIn(cars, "vehicle_types", catalog).length > 0);
}
/** `4 x 6 feet` names no X6, and `300 feet` no Chrysler 300. */
function isNamed(name: string, text: string): boolean {
  const [make = "", ...rest] = name.toLowerCase().split(" ");
  const model = rest.join(" ").replaceAll("-", "");
  const said = text.toLowerCase().replaceAll("-", "");
  return /[a-z]{3}/.test(model) || said.includes(make) || (/[a-z]/.test(model) && said.includes(model));
}

const LENGTH = "(?<![\\d.,])(\\d+(?:[.,]\\d{1,2})?)";
const UNIT = "(?:ft|feet|foot|in|inch|inches|cm|mm|m|'|\")";
const SIZE = new RegExp(`${LENGTH} ?(${UNIT})? ?(?:x|by|×) ?${LENGTH} ?(${UNIT})?`, "gi");
const COUNT = new RegExp(
  `(?<![\\d.,]|\\b(?:by|x|×) )\\b(\\d{1,4}) (?:(?!${UNIT} )\\w+ )?(?:windows?|panes?|panels?|doors?|skylights?|sliders?)\\b`,
  "gi",
);
/** With the words that it is an area of. */
const AREA =
  /(?<![\d.,])\d[\d.,]* ?(?:sq\.? ?(?:ft|m)\b|sqft|sqm|m2|m²|square (?:f(?:ee|oo)t|met(?:er|re)s?))(?=((?:[ -](?!(?:of|in|for|at|on|to|and|with|against)\b)\w+){0,3}))/i;

export function glassWork(said: string, catalog: Shop): Record<string, unknown> | undefined {
  const takesOff = catalog.words.requests.removes.test(said);
  const text = sentenceInDigits(said);
  const [site] = wordsIn(text, "site_types", catalog);
  const [sized, ofWhat = ""] = AREA.exec(text) ?? [];
  // `a 2000 square foot house` tells nothing of its glass.
  const isOfBuilding = wordsIn(ofWhat, "site_types", catalog).length > 0 && !GLASS.test(ofWhat);
  const area = isOfBuilding ? undefined : sized;
  const counts = [...text.matchAll(COUNT)];
  const sizes = [...text.matchAll(SIZE)];
  const [size, otherSize] = sizes;
  // `6 windows 3x5 ft and 2 doors 6x7 ft`; other sizes are asked for, as rows, and so is how many there are of one.
  const isPaired = counts.length === sizes.length && sizes.every((one, i) => isBetween(one, counts[i], counts[i + 1]));
  const isOne = counts.length > 0 || !/\b(?:windows|panes|panels|doors|skylights|sliders)\b/i.test(text);
  const isWhole = isPaired || (!otherSize && counts.length < 2 && isOne);
  const rows = sizes.map(([, width, unit, height, last = unit ?? ""], i) => {
    const row = `${counts[i]?.[1] ?? 1} of ${width} ${unit ?? last} x ${height} ${last}`;
    return row.replace(/ +/g, " ").trim();
  });
  // The price of a removal depends on the area of the old film, which sentences seldom tell.
  if ((site === undefined && area === undefined && !(counts.length > 0 && size)) || takesOff) return undefined;
  const [concern] = wordsIn(text, "concerns", catalog);
  const floors = [...text.matchAll(FLOOR)].map(([floor]) => readNumber(floor, "floors")).find((floor) => floor);
  return {
    ...(site !== undefined && { site_type: site }),
    ...(area !== undefined && { total_sqft: readNumber(area, "square feet") ?? area }),
    ...(area === undefined && size && { windows: isWhole ? rows : undefined }),
    ...(concern !== undefined && { primary_concern: concern }),
    ...(floors !== undefined && { floors }),
  };
}

const isBetween = ({ index }: RegExpExecArray, before?: RegExpExecArray, behind?: RegExpExecArray) =>
  (before?.index ?? 0) < index && index < (behind?.index ?? Number.POSITIVE_INFINITY);

const FLOOR = /\b\w+[ -](?:floors?|stor(?:y|ies|eys?)|levels?)\b/gi;
