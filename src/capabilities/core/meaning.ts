/** The one meaning of a value in a field; undefined where there is none, or more than one. Source: contract 1, "Understood". */
import { isDeepStrictEqual } from "node:util";
import { modelOf } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import { hasWords, wordMeant, wordsMeant } from "../../catalog/words.ts";
import { verdictOn } from "../../domain/automotive.ts";
import { isKnownGoal } from "../../domain/flat-glass.ts";
import { GLASS_NAMES } from "../../domain/tint-law.ts";
import { SIDE_POSITIONS } from "../../domain/work.ts";
import { DARKEST_LEGAL, shadeMeant } from "../../job/shades-said.ts";
import { isObject } from "../../lib/fields.ts";
import { wordForm } from "../../lib/text.ts";
import { fieldAt, jsonBetween, schemaAt } from "../../schema/coerce.ts";
import { readEmail, readPhoneText, readPostalCode } from "../../schema/contact.ts";
import { isOneSlip, joinWithAnd } from "../../schema/explain.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { type IsOpen, type PartOfDay, readClock, readDate, readMoment, readPartOfDay } from "../../schema/moments.ts";
import { isNothing, plainText, readNumber, readPane, readYesNo, splitPanes, unitOf } from "../../schema/quantities.ts";

interface AboutValue {
  field: string;
  schema: JsonSchema;
  allowed: readonly unknown[];
  catalog: Shop;
}

/** Longer texts are no words. */
export const LONGEST_WORD = 100;

/** Fields of which the letters are kept. */
const FREE = new Set(
  "customer_name first_name last_name special_requests message statement label property_info".split(" "),
);

/** A value that is no list and no group. */
export function interpret(value: unknown, about: AboutValue): unknown {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const meant = scalarMeant(value, about);
  if (meant !== undefined || typeof value === "number" || FREE.has(about.field)) return meant;
  const plain = plainText(value);
  return plain === value ? undefined : (scalarMeant(plain, about) ?? plain);
}

/** Whether a value says that there is none; of a list also `no`. */
export function isNone(value: unknown, about: JsonSchema, path: string): boolean {
  // No film on some glass alone is another coverage.
  if (typeof value !== "string" || (path.startsWith("shade.") && wordForm(value) === "none")) return false;
  return isNothing(value) || (isOfList(about, path) && readYesNo(value) === false);
}

/** Whether a word for nothing leaves a field out. In a change, no extras can mean that they stay or that they go. */
export function mayBeLeftOut(word: string, about: JsonSchema, path: string, schema: JsonSchema): boolean {
  const [, parent, name = path] = /^(.*)\.([^.[\]]+)$/s.exec(path) ?? [];
  const group = parent === undefined ? schema : schemaAt(schema, parent);
  if (group?.required?.includes(name)) return false;
  const isChange = Object.hasOwn(schema.properties ?? {}, "confirmation_code");
  return !isOfList(about, path) || !isChange || wordForm(word) === "null";
}

/** A list, or an entry of one. */
function isOfList(about: JsonSchema, path: string): boolean {
  return about.type === "array" || path.endsWith("]");
}

/** What a value holds, its parts as they were sent: a list or group from JSON, commas or a single entry; a text from notes. */
export function openUp(value: unknown, about: JsonSchema, path: string, catalog: Shop): unknown {
  const properties = propertiesOf(about);
  const items = ofType(about, "array")?.items;
  if (items) return listIn(value, propertiesOf(items));
  // Notes in any form keep theirs.
  if (Array.isArray(value))
    return !properties && ofType(about, "object")
      ? undefined
      : oneOfList(value, path, properties, about.enum !== undefined);
  if (!properties && path === "address" && isObject(value) && Object.values(value).every(isScalar))
    return Object.values(value).join(", ");
  if (!properties) return isObject(value) ? valueIn(value, path) : undefined;
  if (path === "consent" && (value === true || (isScalar(value) && readYesNo(value) === true)))
    return { confirmed_by_user: true };
  if (typeof value !== "string") return undefined;
  if (path === "shade") {
    const shades = shadeMeant(value, catalog);
    // The law's share depends on the rest of the request.
    if (isObject(shades) && Object.values(shades).includes(DARKEST_LEGAL)) return shades;
  }
  return jsonBetween(value, "{") ?? (Object.hasOwn(properties, "width_in") ? readPane(value) : undefined);
}

/** The one value of a list; notes, or shades of glass that they name, from several. */
function oneOfList(value: readonly unknown[], path: string, properties: object | undefined, hasWordList: boolean) {
  const [one, other] = value;
  if (other === undefined && isScalar(one)) return one;
  const isText = value.length > 0 && value.every(isScalar);
  if (NOTES.has(path) && isText) return value.join("\n");
  // Where a quote is asked in words, for several vehicles.
  if (path === "vehicle_type" && !hasWordList) return inFewWords(value);
  return isText && properties && path === "shade" && value.length <= SIDE_POSITIONS.length
    ? value.join(", ")
    : undefined;
}

const NOTES = new Set(["special_requests", "message", "reason", "use_case"]);

/** A value in a few words; undefined for a deep or a long one. */
export function inFewWords(item: unknown): string | undefined {
  const entries = isObject(item) ? Object.entries(item) : [item].flat();
  const parts = entries.map((one) => (isObject(one) ? Object.entries(one).flat() : [one].flat()));
  const isFlat = parts.flat().every((one) => typeof one !== "object");
  const text = isFlat ? parts.map((part) => part.join(" ")).join(", ") : "";
  return text.length > MOST_SAID || text === "" ? undefined : text;
}
const MOST_SAID = 200;

/** The one value of a group like `{"name": "sunroof"}`, or of a shade like `{"vlt": 35}`. */
function valueIn(group: object, path = ""): string | number | undefined {
  const [[key, value] = ["", undefined], other] = Object.entries(group);
  const isNamed = (OF_SHADES.test(path) ? SHADE_KEYS : VALUE_KEYS).has(wordForm(key));
  return other === undefined && isNamed && isScalar(value) ? value : undefined;
}

const VALUE_KEYS = new Set("name key id code type addon value title number".split(" "));
const SHADE_KEYS = new Set("name value vlt percent percentage shade tint".split(" "));
const OF_SHADES = /^(?:shade|windshield_shade|factory_glass)(?:\.|$)/;

/** @param properties of an entry that is a group, so that a group alone is one entry */
function listIn(value: unknown, properties: object | undefined): unknown[] | undefined {
  if (isObject(value)) return properties ? [value] : chosenIn(value);
  // `+sunroof` may add to a list, or be all of it.
  if (!isScalar(value) || isNothing(String(value)) || /^\s*[+-]\D/.test(String(value))) return undefined;
  const text = String(value);
  const json = jsonBetween(text, "[") ?? jsonBetween(text, "{");
  if (json !== undefined && !properties && isObject(json)) return chosenIn(json);
  const items = properties ? splitPanes(text) : text.split(BETWEEN_WORDS).map((item) => item.trim());
  return (json === undefined ? items : [json].flat()).filter((item) => item !== "" && item !== null);
}

/** A list whose entries are one each: `30x40 and 36x60` are two, if each can be read. The same list where they are. */
export function spreadOut(given: unknown[], items: JsonSchema, field: string, catalog: Shop): unknown[] {
  const isPane = Object.hasOwn(propertiesOf(items) ?? {}, "width_in");
  const isRead = (text: string) =>
    (isPane ? readPane(text) : wordIn(text, { field, allowed: [], catalog })) !== undefined;
  const parts = given.flatMap((item) => {
    if (typeof item !== "string" || item.length > LONGEST_WORD || !BETWEEN_WORDS.test(item) || isRead(item))
      return [item];
    const texts = isPane ? splitPanes(item) : item.split(BETWEEN_WORDS).map((text) => text.trim());
    return texts.every(isRead) ? texts : [item];
  });
  return parts.length === given.length ? given : parts;
}

/** `{"sunroof": true}` as a list; undefined where one of them is neither yes nor no. */
function chosenIn(group: object): string[] | undefined {
  const answers = Object.entries(group).map(([name, answer]): [string, unknown] => [
    name,
    typeof answer === "boolean" ? answer : isScalar(answer) ? readYesNo(answer) : undefined,
  ]);
  if (answers.some(([, answer]) => answer === undefined))
    return valueIn(group) === undefined ? undefined : [String(valueIn(group))];
  const chosen = answers.filter(([, answer]) => answer === true).map(([name]) => name);
  return chosen.length > 0 ? chosen : undefined;
}

const BETWEEN_WORDS = /[,;+&/|\n]|\band\b/i;

/** Whether a value has a form that its field takes. False also where only the field's words can tell. */
export function fits(value: unknown, about: JsonSchema, field: string): boolean {
  const { anyOf: kinds = [about] } = about;
  switch (typeof value) {
    case "number":
      return kinds.some(({ type, enum: words }) => !words && (type === "integer" || type === "number"));
    case "boolean":
      return ofType(about, "boolean") !== undefined;
    case "string":
      if (about.enum) return about.enum.includes(value);
      return (
        !READERS.has(field) && !hasWords(field) && kinds.some(({ type, pattern }) => type === "string" && !pattern)
      );
    default:
      return false;
  }
}

/** A schema, or the alternative of it, that is of a type. */
function ofType(about: JsonSchema, type: JsonSchema["type"]): JsonSchema | undefined {
  for (const kind of about.anyOf ?? [about]) if (kind.type === type) return kind;
  return undefined;
}

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function scalarMeant(value: string | number, about: AboutValue): unknown {
  const { field, allowed, schema } = about;
  const text = String(value);
  if (text.length > LONGEST_WORD) return undefined;
  const word = wordIn(text, about);
  if (word !== undefined) return word;
  const form = wordForm(text);
  const same = allowed.filter((one) => typeof one === "string" && wordForm(one) === form);
  if (same.length === 1) return same[0];
  if (ofType(schema, "boolean")) return readYesNo(value);
  const isWhole = ofType(schema, "integer") !== undefined;
  if (typeof value === "string" && (isWhole || ofType(schema, "number"))) {
    const number = readNumber(text, unitOf(field));
    if (number !== undefined && (!isWhole || Number.isInteger(number))) return number;
  }
  // A code, a model or a phone number of digits alone.
  const isText = allowed.length === 0 && schema.type === "string";
  return typeof value === "number" && isText ? text : undefined;
}

/** The word of the catalog, or the value in the form of its field, that a text means. */
function wordIn(text: string, { field, allowed, catalog }: Omit<AboutValue, "schema">): unknown {
  const takesAny = allowed.length === 0;
  let meant: string | undefined;
  for (const word of wordsMeant(text, field, catalog)) {
    if (!takesAny && !allowed.includes(word)) continue;
    if (meant !== undefined && word !== meant) return undefined;
    meant = word;
  }
  if (meant !== undefined) return meant;
  const read = READERS.get(field)?.(text, catalog);
  return takesAny || allowed.includes(read) ? read : undefined;
}

/** Whether two values of a field mean the same. */
export function sameMeaning(one: unknown, other: unknown, field: string, catalog: Shop): boolean {
  const form = (value: unknown) => {
    const read = isScalar(value) ? (wordIn(String(value), { field, allowed: [], catalog }) ?? String(value)) : value;
    return typeof read === "string" ? wordForm(read) : read;
  };
  return isDeepStrictEqual(form(one), form(other));
}

/** Readers of fields that take more than a list of words, by the name of the field. */
const READERS = new Map<string, (text: string, catalog: Shop) => unknown>(
  Object.entries({
    time: readTime,
    after: readTime,
    before: (text, catalog) => readTime(text, catalog, true),
    date: (text) => readDate(text),
    from: (text) => readDate(text),
    jurisdiction: readJurisdiction,
    film_goals: readGoal,
    shade: shadeMeant,
    windshield_shade: oneShade,
    front_side: oneShade,
    rear_side: oneShade,
    rear_window: oneShade,
    customer_email: readEmail,
    email: readEmail,
    customer_phone: readPhoneText,
    phone: readPhoneText,
    postal_code: (text: string, { business }: Shop) => readPostalCode(text, business.address.country),
  }),
);

function oneShade(text: string, catalog: Shop): number | undefined {
  const shade = shadeMeant(text, catalog);
  return typeof shade === "number" ? shade : undefined;
}

/** The time of day, also of a moment in the shop's time zone. @param isEnd up to which something is, as the shop's closing */
function readTime(text: string, catalog: Shop, isEnd = false): string | undefined {
  const isOpen = openAt(catalog, isEnd);
  const time = readClock(text, isOpen) ?? momentMeant(text, catalog)?.time;
  const [, bare = "", zone] = time === undefined ? (/^(.{1,50}?) ([a-z]{2,4})$/i.exec(text) ?? []) : [];
  return zone !== undefined && isZone(zone, catalog.business.timezone) ? readClock(bare, isOpen) : time;
}

/** `ET`, `EST` and `EDT` of a shop in New York. */
function isZone(word: string, timeZone: string): boolean {
  const names = (["short", "shortGeneric"] as const).flatMap((timeZoneName) =>
    ["2026-01-01", "2026-07-01"].map((day) =>
      new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName })
        .formatToParts(new Date(day))
        .at(-1)
        ?.value.toUpperCase(),
    ),
  );
  return names.includes(word.toUpperCase());
}

/** Whether the shop is open at a time on any day of the week. */
export function openAt({ business }: Shop, isEnd = false): IsOpen {
  const hours = Object.values(business.hours).flat();
  return (time) =>
    hours.some(({ opens, closes }) => (isEnd ? opens < time && time <= closes : opens <= time && time < closes));
}

export function momentMeant(text: string, catalog: Shop): { date: string; time: string } | undefined {
  return readMoment(text, catalog.business.timezone, openAt(catalog));
}

/** The part of a day that a value names; a time is the part that begins with it. */
export function partMeant(value: unknown, catalog: Shop): PartOfDay | undefined {
  if (typeof value !== "string") return undefined;
  const after = readTime(value, catalog);
  return after === undefined ? readPartOfDay(value, openAt(catalog)) : { after };
}

function readGoal(text: string, catalog: Shop): string | undefined {
  const form = wordForm(text);
  return isKnownGoal(form) ? form : wordMeant(text, "concerns", catalog);
}

/** `us-fl`, `FL`, `Florida` and `N. Carolina` as US-FL and US-NC, `Washington, D.C.` as US-DC. */
function readJurisdiction(text: string, shop: Shop): string | undefined {
  const whole = stateIn(text, shop);
  // `Georgia (GA)` and `Atlanta, GA`, but not `GA, SC`.
  const [one, other] = new Set(text.split(/[(),]| [-–] /).flatMap((part) => stateIn(part, shop) ?? []));
  return whole ?? (other === undefined ? one : undefined);
}

function stateIn(text: string, { tint_law: { jurisdictions } }: Shop): string | undefined {
  const plain = wordForm(
    text
      .replace(/^\s*(?:the )?state of | (?:state|law)\s*$/gi, "")
      .replace(/,? *(?:usa|u\.s\.(?:a\.)?|united states)$/i, "")
      .replace(/\b([a-z])[. ]+([a-z])\b/i, "$1$2")
      .replace(/[.,]/g, " "),
  );
  const form = plain
    .replace(/^[nsw]_(?=[a-z]{5})/, (letter) => `${COMPASS.get(letter[0] ?? "")}_`)
    .replace(/^washington_(?=dc$)/, "");
  const states = Object.entries(jurisdictions);
  const named = states.filter(([key, { name }]) => {
    const state = wordForm(key);
    return state === form || state.replace(/^[a-z]+_/, "") === form || wordForm(name) === form;
  });
  // `Calif.` and `Tenn`, but not `Miss`.
  const begun = form.length > 2 ? states.filter(([, { name }]) => wordForm(name).startsWith(form)) : [];
  const slips = form.length > 4 ? states.filter(([, { name }]) => isOneSlip(form, wordForm(name))) : [];
  const [one, other] = [named, begun, slips].find((found) => found.length > 0) ?? [];
  return other === undefined ? one?.[0] : undefined;
}

const COMPASS = new Map(Object.entries({ n: "north", s: "south", w: "west" }));

/** Whether a wish for a shade leaves it to the law, as `darkest legal`. */
export function isOfLaw(value: unknown, path: string, catalog: Shop): boolean {
  return /^shade(?:\.|$)/.test(path) && typeof value === "string" && shadeMeant(value, catalog) === DARKEST_LEGAL;
}

/** The darkest legal shade of each glass that gets film, and on which none in stock is legal; undefined where that is not known. */
export function legalShades(request: object, path: string, catalog: Shop) {
  const { terms, automotive, tint_law: law } = catalog;
  const {
    vehicle_type = modelOf(request, catalog)?.vehicleType,
    film_type = automotive.defaults.film_type,
    coverage = automotive.defaults.coverage,
    service,
    service_type = service ?? automotive.defaults.service,
    jurisdiction = law.home,
  }: Readonly<Record<string, unknown>> = { ...request };
  const isKnown =
    isWordAmong(vehicle_type, terms.vehicleTypes) &&
    isWordAmong(film_type, terms.films) &&
    isWordAmong(coverage, terms.coverages) &&
    isWordAmong(service_type, terms.services) &&
    isWordAmong(jurisdiction, Object.keys(law.jurisdictions));
  if (!isKnown) return undefined;
  const { checks } = verdictOn(catalog, { vehicle_type, service: service_type, film_type, coverage, jurisdiction });
  const shades: Record<string, number> = {};
  const none: string[] = [];
  for (const { position, darkest_legal_shade: vlt } of checks) {
    if (!isWordAmong(position, SIDE_POSITIONS) || (path !== "shade" && position !== fieldAt(path))) continue;
    if (vlt === null) none.push(GLASS_NAMES[position]);
    else shades[position] = vlt;
  }
  if (none.length > 0) {
    const where = `the ${joinWithAnd(none)} in ${law.jurisdictions[jurisdiction]?.name}`;
    return { issue: { message: `cannot be legal on ${where} with any film in stock` } };
  }
  return { shade: path === "shade" ? shades : shades[fieldAt(path)] };
}

function isWordAmong(value: unknown, words: readonly string[]): value is string {
  return typeof value === "string" && words.includes(value);
}
