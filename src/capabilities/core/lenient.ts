/**
 * Lenient reading: names, words and values that are not the proper ones but can mean only one thing. Used only for a
 * request with an unknown field or an issue. Source: contract 1, "Understood".
 */
import { isDeepStrictEqual } from "node:util";
import { modelIn, typeNear } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import { wordMeant, wordsMeant } from "../../catalog/words.ts";
import { verdictOn } from "../../domain/automotive.ts";
import { isKnownGoal } from "../../domain/flat-glass.ts";
import { SIDE_POSITIONS, shadeMeant } from "../../domain/shade.ts";
import { isObject } from "../../lib/fields.ts";
import { fieldAt, givenAt, schemaAt, withValue } from "../../schema/at-path.ts";
import { readEmail, readPhoneText, readPostalCode } from "../../schema/contact.ts";
import { didYouMean, joinWithAnd } from "../../schema/explain.ts";
import { isPlainLine } from "../../schema/fields.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { joinedName, type Placed, placesOf, wordForm } from "../../schema/names.ts";
import {
  isNothing,
  plainText,
  readClock,
  readDate,
  readMoment,
  readNumber,
  readPane,
  readYesNo,
  unitOf,
} from "../../schema/quantities.ts";
import type { Issues } from "./capability.ts";
import { MAX_WARNINGS, shownName, type Warning } from "./envelope.ts";

interface LenientRequest {
  /** The same object where every name and word was proper. */
  request: object;
  warnings: Warning[];
}

/** A field that the caller sent under another name, or inside a wrapper. */
interface Alias {
  /** The caller's name, as a path. */
  sent: string;
  field: string;
  item: unknown;
}

/** Gives the fields of a request the names of its schema, at any depth. */
export function readLenientNames(
  raw: object,
  schema: JsonSchema,
  catalog: Shop,
): LenientRequest & {
  /** Fields that were sent under two names with different values. */
  conflicts: Issues;
} {
  const warnings: Warning[] = [];
  const conflicts: Issues = new Map();

  function rename(value: unknown, about: JsonSchema | undefined, prefix: string): unknown {
    const { items } = about ?? {};
    if (items && Array.isArray(value)) return value.map((item, i) => rename(item, items, `${prefix}[${i}]`));
    const properties = about && propertiesOf(about);
    if (!isObject(value) || !properties) return value;
    const at = (name: string) => (prefix === "" ? name : `${prefix}.${name}`);
    const fields = new Map<string, unknown>();
    const aliases: Alias[] = [];
    const person = joinedName(value, properties);
    if (person) {
      const { field, item, sent } = person;
      for (const name of sent) warnings.push(understood(at(name), `is understood as part of ${at(field)}: "${item}"`));
      aliases.push({ sent: sent.join(" and "), field, item });
    }
    for (const [name, item] of Object.entries(value)) {
      if (person?.sent.includes(name)) continue;
      const inner = Object.hasOwn(properties, name) ? undefined : unwrapped(name, item, properties);
      const places = placesOf(name, item, properties);
      if (inner) {
        warnings.push(understood(at(name), "is understood as the fields inside it: send them without it"));
        for (const [key, one] of inner) {
          const sent = `${name}.${key}`;
          for (const place of placesInside(name, key, one, properties)) aliases.push({ sent, ...place });
        }
      } else if (places === undefined) {
        fields.set(name, rename(item, properties[name], at(name)));
      } else {
        for (const warning of placed(name, places, at))
          if (warning.code !== "SIZE_CHECK" || !warnings.some(({ code }) => code === "SIZE_CHECK"))
            warnings.push(warning);
        for (const place of places) aliases.push({ sent: name, ...place });
      }
    }
    for (const { sent, field, item } of aliases) {
      const known = fields.get(field);
      const inner = rename(item, properties[field], at(field));
      if (known == null) fields.set(field, inner);
      else if (item != null && !means(inner, known, field, catalog)) {
        for (const [one, other] of [
          [field, sent],
          [sent, field],
        ] as const) {
          conflicts.set(shownName(at(one)), {
            message: `must hold the same value as ${shownName(at(other))}, or be left out`,
          });
        }
      }
    }
    return Object.fromEntries(fields);
  }

  const request = Object(rename(raw, schema, ""));
  return warnings.length === 0
    ? { request: raw, warnings, conflicts }
    : { request, warnings: warnings.slice(0, MAX_WARNINGS), conflicts };
}

/** The warnings that name the proper fields of a value that was sent under another name. */
function placed(name: string, places: readonly Placed[], at: (name: string) => string): Warning[] {
  const [place] = places;
  const fields = places.map(({ field }) => at(field));
  if (places.length > 1)
    return [understood(at(name), `is understood as ${joinWithAnd(fields)}: send it under those names`)];
  if (place?.isRead === undefined)
    return [understood(at(name), `is understood as ${fields[0]}: send it under that name`)];
  const warning = understood(at(name), `is understood as ${fields[0]} ${place.item}, in inches: send it so`);
  return place.isRead === "in inches"
    ? [
        warning,
        { code: "SIZE_CHECK", field: warning.field, message: "Sizes without a unit were taken as inches: check them." },
      ]
    : [warning];
}

/** The fields inside a wrapper, like `input` or `vehicle: {type, year}`; undefined for anything else. */
function unwrapped(
  name: string,
  item: unknown,
  properties: Record<string, JsonSchema>,
): [string, unknown][] | undefined {
  if (!isObject(item)) return undefined;
  const inner = Object.entries(item);
  const isOfGroup = ([key]: [string, unknown]) => {
    const [{ field } = { field: key }] = placesInside(name, key, undefined, properties);
    return Object.hasOwn(properties, field) && field.startsWith(`${wordForm(name)}_`);
  };
  return inner.length > 0 && (WRAPPERS.has(wordForm(name)) || inner.every(isOfGroup)) ? inner : undefined;
}

/** The fields that a key of a group means: `type` of `vehicle` is `vehicle_type`. */
function placesInside(group: string, key: string, item: unknown, properties: Record<string, JsonSchema>): Placed[] {
  const joined = `${group}_${key}`;
  if (Object.hasOwn(properties, joined)) return [{ field: joined, item }];
  return placesOf(joined, item, properties) ?? placesOf(key, item, properties) ?? [{ field: key, item }];
}

/** Names under which programs send a whole request inside another. */
const WRAPPERS = new Set([
  "input",
  "inputs",
  "arguments",
  "args",
  "params",
  "parameters",
  "request",
  "body",
  "data",
  "payload",
  "json",
  "query",
]);

/**
 * Gives the values that have an issue the form that the field takes, where they can only mean one.
 * @param schema of the request
 */
export function readLenientValues(request: object, issues: Issues, schema: JsonSchema, catalog: Shop): LenientRequest {
  let next = request;
  const warnings: Warning[] = [];
  const leftOut: string[] = [];
  const darkest: string[] = [];
  let room = MOST_READ;
  for (const [at, { allowed = [], missing }] of issues) {
    if (missing) continue;
    if (room-- === 0) break;
    const given = givenAt(request, at);
    // An object fitted no alternative of its field, so any of its values may be the wrong one.
    const isList = schemaAt(schema, at)?.type === "array";
    const paths = isObject(given) && !isList ? Object.keys(given).map((name) => `${at}.${name}`) : [at];
    for (const path of paths) {
      const value = path === at ? given : givenAt(request, path);
      const about = { field: fieldAt(path), schema: schemaAt(schema, path), allowed, catalog };
      if (typeof value === "string" && isNothing(value) && mayBeLeftOut(path, value, schema)) {
        leftOut.push(path);
        continue;
      }
      if (isOfLaw(value, path, catalog)) {
        darkest.push(path);
        continue;
      }
      const moment = readStart(path, value, about, request, schema);
      const meant = moment ? moment.date : meaningOf(value, about);
      if (meant === undefined || isDeepStrictEqual(meant, value)) continue;
      next = withValue(next, path, meant);
      if (moment?.time !== undefined) next = withValue(next, "time", moment.time);
      warnings.push(
        moment?.time === undefined
          ? taken(path, value, meant)
          : understood(path, `"${value}" is understood as date ${meant} and time ${moment.time}: send both`),
      );
    }
  }
  for (const path of darkest) {
    const shade = darkestLegal(next, path, catalog);
    if (shade === undefined) continue;
    warnings.push(taken(path, givenAt(request, path), shade, "the darkest legal shade in stock, "));
    next = withValue(next, path, shade);
  }
  // From the last to the first, because a list gets shorter without an entry.
  for (const path of leftOut.reverse()) {
    const field = shownName(path);
    const message = `${field} "${givenAt(request, path)}" is understood as no value: leave it out.`;
    warnings.push({ code: "UNDERSTOOD", field, message });
    next = withValue(next, path, undefined);
  }
  return { request: next, warnings };
}

/** A hostile body can have thousands of issues; 200 rows of windows with three faults each are read. */
const MOST_READ = 700;

function taken(path: string, given: unknown, meant: unknown, what = ""): Warning {
  const text = JSON.stringify(given) ?? "";
  const shown = text.length > LONGEST_WORD ? "" : `${typeof given === "string" ? `"${given}"` : text} `;
  const isDigits = typeof given === "number" && typeof meant === "string" && meant === String(given);
  const proper =
    typeof meant === "number" ? `the number ${meant}` : typeof meant === "string" ? meant : JSON.stringify(meant);
  return understood(
    path,
    `${shown}is understood as ${what}${isDigits ? "text" : proper}: send ${isDigits ? `"${meant}"` : proper}`,
  );
}

/** Whether a word for nothing leaves the field out. In a change, no extras can mean that they stay or that they go. */
function mayBeLeftOut(path: string, word: string, schema: JsonSchema): boolean {
  const inner = /^(.*)\.([^.[\]]+)$/s.exec(path);
  const [, parent, name = path] = inner ?? [];
  const group = parent === undefined ? schema : schemaAt(schema, parent);
  if (group?.required?.includes(name)) return false;
  const isList = /\]$/.test(path) || schemaAt(schema, path)?.type === "array";
  const isChange = Object.hasOwn(schema.properties ?? {}, "confirmation_code");
  return !isList || !isChange || wordForm(word) === "null";
}

/** A date with its time, as `2026-12-04T14:00:00-05:00`; undefined for any other value, and beside another time. */
function readStart(
  path: string,
  value: unknown,
  { schema: about, catalog }: AboutValue,
  request: object,
  schema: JsonSchema,
): { date: string; time?: string } | undefined {
  if (about?.format !== "date" || typeof value !== "string") return undefined;
  const moment = readMoment(value, catalog.business.timezone);
  if (!moment || path !== "date" || !Object.hasOwn(schema.properties ?? {}, "time"))
    return moment && { date: moment.date };
  const time = givenAt(request, "time");
  if (time === undefined) return moment;
  return time === moment.time || readClock(String(time)) === moment.time ? { date: moment.date } : undefined;
}

function isOfLaw(value: unknown, path: string, catalog: Shop): boolean {
  return /^shade(?:\.|$)/.test(path) && typeof value === "string" && wordMeant(value, "shades", catalog) !== undefined;
}

/** The darkest legal shade of each glass that gets film; undefined where that is not known, or none is legal. */
function darkestLegal(request: object, path: string, catalog: Shop): object | number | undefined {
  const { terms, automotive, tint_law: law } = catalog;
  const {
    vehicle_type,
    film_type = automotive.defaults.film_type,
    coverage = automotive.defaults.coverage,
    service,
    service_type = service ?? automotive.defaults.service,
    jurisdiction = law.home,
  }: Readonly<Record<string, unknown>> = { ...request };
  const isKnown =
    typeof vehicle_type === "string" &&
    terms.vehicleTypes.includes(vehicle_type) &&
    typeof film_type === "string" &&
    terms.films.includes(film_type) &&
    typeof coverage === "string" &&
    terms.coverages.includes(coverage) &&
    typeof service_type === "string" &&
    terms.services.includes(service_type) &&
    typeof jurisdiction === "string" &&
    Object.hasOwn(law.jurisdictions, jurisdiction);
  if (!isKnown) return undefined;
  const { checks } = verdictOn(catalog, { vehicle_type, service: service_type, film_type, coverage, jurisdiction });
  const shades: Record<string, number> = {};
  for (const { position, darkest_legal_shade: vlt } of checks)
    if (vlt !== null && (SIDE_POSITIONS as readonly string[]).includes(position)) shades[position] = vlt;
  if (path !== "shade") return shades[fieldAt(path)];
  return Object.keys(shades).length > 0 ? shades : undefined;
}

/**
 * Names what was probably meant by a word that has an issue: the type of a model or a part of one, or the nearest of the
 * words that are allowed.
 */
export function addHints(request: object, issues: Issues, catalog: Shop): void {
  for (const [path, issue] of issues) {
    const value = givenAt(request, path);
    if (issue.missing || issue.did_you_mean || typeof value !== "string") continue;
    const type =
      path === "vehicle_type" ? (modelIn(value, catalog)?.vehicleType ?? typeNear(value, catalog)) : undefined;
    // `car` is near to a van in letters alone.
    const meant = type ?? (catalog.words.fillers.has(wordForm(value)) ? undefined : nearest(value, issue.allowed));
    if (meant !== undefined) issue.did_you_mean = meant;
    else if (path === "coverage") issue.message += `; ${wayForGlass(value, catalog)}`;
  }
}

/** How glass is tinted that no coverage names. */
function wayForGlass(text: string, catalog: Shop): string {
  const addon = wordMeant(text, "addons", catalog);
  return addon === undefined ? "for other glass send a quote_request" : `${addon} is an extra: put it into addons`;
}

/** The nearest of the words that are allowed, with as many parts: one more can turn the meaning round, as in `no ceramic`. */
export function nearest(value: string, allowed: readonly unknown[] = []): string | undefined {
  const form = wordForm(value);
  const parts = form.split("_").length;
  const words = allowed.filter((word) => typeof word === "string");
  return didYouMean(
    form,
    words.filter((word) => word.split("_").length === parts),
  );
}

interface AboutValue {
  field: string;
  schema: JsonSchema | undefined;
  allowed: readonly unknown[];
  catalog: Shop;
}

/** Longer texts are no words. */
const LONGEST_WORD = 100;
const MOST_LEVELS = 4;

/** The one meaning that a value can have in a field, by type, words and units. Undefined where there is none, or more than one. */
function meaningOf(value: unknown, about: AboutValue, level = 0): unknown {
  const { field, schema } = about;
  if (level > MOST_LEVELS || schema === undefined) return undefined;
  const kinds = [schema, ...(schema.anyOf ?? [])];
  const items = kinds.find(({ type }) => type === "array")?.items;
  const properties = propertiesOf(schema);
  if (items !== undefined) return listMeant(value, items, about, level);
  // Notes in any form keep theirs.
  if (!properties && kinds.some(({ type }) => type === "object")) return undefined;
  if (properties) {
    const group = groupMeant(value, about, level);
    if (group !== undefined) return group;
  }
  if (field === "consent" && (value === true || (isScalar(value) && readYesNo(value) === true)))
    return { confirmed_by_user: true };
  if (!isScalar(value)) return undefined;
  const meant = scalarMeant(value, kinds, about);
  if (meant !== undefined) return meant;
  const plain = typeof value === "string" && !FREE.has(field) ? plainText(value) : value;
  if (typeof plain === "string" && plain !== value) return scalarMeant(plain, kinds, about) ?? plain;
  return undefined;
}

/** Fields of which the letters are kept. */
const FREE = new Set(["customer_name", "first_name", "last_name", "special_requests", "message", "statement", "label"]);

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** A list from a text with commas or JSON, and from a single entry. */
function listMeant(value: unknown, items: JsonSchema, about: AboutValue, level: number): unknown {
  const { field, catalog } = about;
  if (Array.isArray(value)) return undefined;
  const inside = { field, schema: items, allowed: items.enum ?? [], catalog };
  const read = (item: unknown) =>
    isObject(item) && propertiesOf(items)
      ? (groupMeant(item, inside, level + 1) ?? item)
      : (meaningOf(item, inside, level + 1) ?? item);
  if (isObject(value)) return propertiesOf(items) ? [read(value)] : undefined;
  if (!isScalar(value) || isNothing(String(value))) return undefined;
  const text = String(value);
  const json = parsed(text, "[") ?? parsed(text, "{");
  const given = Array.isArray(json) ? json : isObject(json) ? [json] : text.split(/[,;\n]/).map((item) => item.trim());
  return given.filter((item) => item !== "" && item !== null).map(read);
}

/** A group from JSON in a text, a shade for each glass or a pane; the values inside a group, each read by itself. */
function groupMeant(value: unknown, about: AboutValue, level: number): unknown {
  const { schema = {}, catalog } = about;
  const properties = propertiesOf(schema) ?? {};
  const given = typeof value === "string" ? (parsed(value, "{") ?? paneMeant(value, properties)) : value;
  if (!isObject(given)) return undefined;
  const { request: named } = readLenientNames(given, schema, catalog);
  const read = Object.entries(named).map(([field, item]) => {
    const inside = properties[field];
    if (!inside || fits(item, inside)) return [field, item];
    return [field, meaningOf(item, { field, schema: inside, allowed: inside.enum ?? [], catalog }, level + 1) ?? item];
  });
  return Object.fromEntries(read);
}

function fits(value: unknown, { type, enum: words }: JsonSchema): boolean {
  if (words) return words.includes(value);
  if (type === "integer" || type === "number") return typeof value === "number";
  return type === "boolean" && typeof value === "boolean";
}

function paneMeant(text: string, properties: object): object | undefined {
  return Object.hasOwn(properties, "width_in") ? readPane(text) : undefined;
}

/** The value of a JSON text that begins with a bracket; undefined for any other text. */
function parsed(text: string, bracket: "[" | "{"): unknown {
  if (!text.trimStart().startsWith(bracket)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function scalarMeant(value: string | number, kinds: readonly JsonSchema[], about: AboutValue): unknown {
  const { field, allowed } = about;
  const text = String(value);
  if (text.length > LONGEST_WORD) return undefined;
  const takes = (type: JsonSchema["type"]) => kinds.some((one) => one.type === type);
  if (takes("boolean")) return readYesNo(value);
  const form = wordForm(text);
  const same: string[] = [];
  for (const word of allowed) if (typeof word === "string" && wordForm(word) === form) same.push(word);
  if (same.length === 1) return same[0];
  const word = wordIn(text, about);
  if (word !== undefined) return word;
  const isWhole = takes("integer");
  if (typeof value === "string" && (isWhole || takes("number"))) {
    const number = readNumber(text, unitOf(field));
    if (number !== undefined && (!isWhole || Number.isInteger(number))) return number;
  }
  // A code, a model or a phone number of digits alone.
  const isText = takes("string") && !isWhole && allowed.length === 0;
  return typeof value === "number" && isText ? text : undefined;
}

/** The word of the catalog, or the value in the form of its field, that a text means. */
function wordIn(text: string, { field, allowed, catalog }: AboutValue): unknown {
  const fitting = (word: unknown) => allowed.length === 0 || allowed.includes(word);
  const [meant, other] = [...new Set(wordsMeant(text, field, catalog).filter(fitting))];
  if (meant !== undefined) return other === undefined ? meant : undefined;
  const read = READERS.get(field)?.(text, catalog);
  return read !== undefined && fitting(read) ? read : undefined;
}

/** Whether two values of a field mean the same. */
function means(one: unknown, other: unknown, field: string, catalog: Shop): boolean {
  const form = (value: unknown) =>
    isScalar(value)
      ? (wordIn(String(value), { field, allowed: [], schema: undefined, catalog }) ?? wordForm(String(value)))
      : value;
  return isDeepStrictEqual(form(one), form(other));
}

/** Readers of fields that take more than a list of words, by the name of the field. */
const READERS = new Map<string, (text: string, catalog: Shop) => unknown>(
  Object.entries({
    time: readTime,
    after: readTime,
    before: readTime,
    date: readDate,
    from: readDate,
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

/** The time of day, also of a moment in the shop's time zone. */
function readTime(text: string, { business }: Shop): string | undefined {
  return readClock(text) ?? readMoment(text, business.timezone)?.time;
}

function readGoal(text: string, catalog: Shop): string | undefined {
  const form = wordForm(text);
  return isKnownGoal(form) ? form : wordMeant(text, "concerns", catalog);
}

/** `us-fl`, `FL` and `Florida` as US-FL. */
function readJurisdiction(text: string, { tint_law: { jurisdictions } }: Shop): string | undefined {
  const form = wordForm(text);
  const meant = Object.entries(jurisdictions).filter(([key, { name }]) => {
    const plain = wordForm(key);
    return plain === form || plain.replace(/^[a-z]+_/, "") === form || wordForm(name) === form;
  });
  return meant.length === 1 ? meant[0]?.[0] : undefined;
}

function understood(path: string, what: string): Warning {
  const field = shownName(path);
  const message = isPlainLine(what) ? `${field} ${what}.` : `${field} is understood.`;
  return { code: "UNDERSTOOD", field, message };
}
