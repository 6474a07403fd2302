/** Under which field a value belongs that was sent under another name, by words and form; and what is said of it. Source: contract 1. */
import { isDeepStrictEqual } from "node:util";
import { distance } from "fastest-levenshtein";
import { carIn } from "../../catalog/models.ts";
import type { Shop } from "../../catalog/shop.ts";
import { wordMeant } from "../../catalog/words.ts";
import { isObject } from "../../lib/fields.ts";
import { jsonIn, scalarText, snakeCase, wordForm } from "../../lib/text.ts";
import { didYouMean, joinWithAnd } from "../../schema/explain.ts";
import { isPlainLine } from "../../schema/fields.ts";
import type { JsonSchema } from "../../schema/json-schema.ts";
import { dayWithPart, readDate } from "../../schema/moments.ts";
import {
  type Beside,
  dependsOnValue,
  fieldsMeant,
  findPlaces,
  GROUPS,
  joinedFields,
  PARTLY,
  type Placed,
  type Properties,
  WRAPPERS,
} from "../../schema/names.ts";
import { isInches, readWish, unitIn } from "../../schema/quantities.ts";
import type { Capability, Issues } from "./capability.ts";
import { shownName, TO_PEOPLE, type Warning } from "./envelope.ts";
import { fits, inFewWords, interpret, isOfLaw, LONGEST_WORD, momentMeant, openUp } from "./meaning.ts";
import { OPERATIONS } from "./operations.ts";

/** A field that the caller sent under another name, or inside a wrapper. */
export interface Alias extends Placed {
  /** The caller's name, as a path. */
  sent: string;
}

/** Phone, e-mail and name of a person, as they look. */
const CONTACTS: readonly (readonly [ending: string, looks: RegExp])[] = [
  ["phone", /^(?=(?:\D*\d){7})[^@]*$/],
  ["email", /^\S+@\S+$/],
  ["name", /^[^\d@]+$/],
];

/** Whether a value is one of a field, as its words and form tell. False for a text in a field that takes any. */
export function takesValue(item: unknown, field: string, about: JsonSchema, catalog: Shop): boolean {
  if (Array.isArray(item) && about.items) {
    const { items } = about;
    return item.length > 0 && item.every((one) => takesValue(one, field, items, catalog));
  }
  if (typeof item === "boolean") return fits(item, about, field);
  if (about.items) {
    const list = openUp(item, about, field, catalog);
    return Array.isArray(list) && (isObject(item) || takesValue(list, field, about, catalog));
  }
  if (typeof item !== "string" && typeof item !== "number") return false;
  const looks = CONTACTS.find(([ending]) => field.endsWith(ending))?.[1];
  if (looks) return looks.test(String(item));
  if (typeof item === "number") return fits(item, about, field);
  // A date with its time is no time alone.
  if (momentMeant(item, catalog)) return about.format === "date";
  // `tomorrow` is no date yet, but means nothing else; which Friday depends on the day.
  if (about.format === "date" && ANY_WEEK.some((today) => readDate(dayWithPart(item)?.day ?? item, today))) return true;
  const allowed = about.enum ?? [];
  return (
    allowed.includes(item) ||
    isOfLaw(item, field, catalog) ||
    interpret(item, { field, schema: about, allowed, catalog }) !== undefined
  );
}

/** Two days of which one at least is no day of the week that is named. */
const ANY_WEEK = ["2026-01-01", "2026-01-02"];

/** The car of the catalog that a text names; undefined for a type of vehicle. */
export function carNamed(text: string, catalog: Shop): Placed[] | undefined {
  if (wordMeant(text, "vehicle_types", catalog) !== undefined) return undefined;
  const car = carIn(text, catalog);
  return car && Object.entries(car).map(([part, item]) => ({ field: `vehicle_${part}`, item }));
}

/** An extra under its own name, like `sunroof: true` or `windshield: "strip"`; `false` contradicts a list that has it, or says nothing. */
export function extraNamed(name: string, item: unknown, properties: Properties, catalog: Shop): Placed[] | undefined {
  const said = name.replace(/[_-]/g, " ");
  const named = wordMeant(said, "addons", catalog);
  const isYes = readWish(item);
  const whole =
    named && isYes === undefined && !isObject(item) && wordMeant(`${said} ${inFewWords(item)}`, "addons", catalog);
  const [word, isWished] = whole ? [whole, true] : [named, isYes];
  if (word === undefined || isWished === undefined) return undefined;
  const entry = { item: [word], isPart: true };
  if (properties.confirmation_code) return [{ ...entry, field: isWished ? "add_addons" : "remove_addons" }];
  return [{ ...entry, field: "addons", isDenied: !isWished }];
}

/** The fields of a request that a name may mean which is none of them. */
export function fieldsNamed(name: string, properties: object, catalog: Shop): string[] {
  const isExtra = wordMeant(name, "addons", catalog) !== undefined;
  const meant = [...fieldsMeant(name, properties), ...(isExtra ? ["addons"] : [])];
  return meant.filter((field) => Object.hasOwn(properties, field));
}

/** Examples of units of length. */
const UNITS = ["in", "ft", "cm", "mm", "m"];

/** Whether a name says in which unit the sizes beside it are. */
function isUnitName(name: string): boolean {
  return UNIT_NAMES.has(snakeCase(name));
}
const UNIT_NAMES = new Set("unit units uom unit_of_measure measurement_unit size_unit length_unit".split(" "));

/** What a row, or the request, says of the unit of its sizes. */
interface NamedUnit {
  /** The field that names it, as it was sent. */
  name?: string | undefined;
  /** The unit of sizes that name none. */
  unit?: string | undefined;
  /** The request names it for all of its rows. */
  isOfAll: boolean;
  said?: Warning | undefined;
  issues: Issues;
}

/** @param ofAll the unit that the request named for all of its rows. @returns undefined where there are no sizes */
export function unitNamed(
  given: Readonly<Record<string, unknown>>,
  properties: Properties,
  prefix: string,
  ofAll: string | undefined,
): NamedUnit | undefined {
  const isRow = properties.width_in !== undefined;
  if (!isRow && (!properties.windows || given.windows == null)) return undefined;
  const name = Object.keys(given).find((one) => isUnitName(one) && /^\s*\D/.test(scalarText(given[one] ?? "")));
  const own = name === undefined ? undefined : unitIn(given[name]);
  // Sizes beside a unit that is none are no inches.
  const unit = own ?? (name === undefined ? ofAll : scalarText(given[name] ?? ""));
  const { windows } = given;
  // As rows, or as JSON of them.
  const isOfRows = isRow || (Array.isArray(windows) ? windows.every(isObject) : /^\s*[[{]/.test(scalarText(windows)));
  const issues: Issues = new Map();
  if (name !== undefined && own === undefined)
    issues.set(shownName(prefix + name), { message: "must be a unit of length", allowed: UNITS });
  else if (name !== undefined && !isOfRows)
    issues.set("windows", { message: `must name the unit behind each size, not ${shownName(name)}` });
  if (isRow && unitIn(unit) !== undefined && !isInches(unit ?? ""))
    for (const side of ["width_in", "height_in"])
      if (/^[\d.]+$/.test(scalarText(given[side])))
        issues.set(prefix + side, { message: `is in inches by its name, but the unit beside it is ${unit}` });
  const said =
    name !== undefined && own !== undefined && isOfRows
      ? understood(prefix + name, `is understood as the unit of sizes that name none: ${own}`)
      : undefined;
  return { name, unit, isOfAll: name !== undefined && !isRow && isOfRows, said, issues };
}

/** Between texts that belong in one field. */
const SEPARATORS = new Map(Object.entries({ special_requests: "\n", message: "\n", reason: "\n", address: ", " }));

/** Lists of wishes, each of which stands for itself. */
const LISTS = new Set(["addons", "add_addons", "remove_addons", "film_goals"]);

/** Two values of one field as one: notes one after the other, parts of a list or a group; undefined where they contradict. */
export function mergeInto(known: unknown, item: unknown, { field, isPart }: Placed): unknown {
  const separator = SEPARATORS.get(field);
  if (separator !== undefined && typeof known === "string" && (typeof item === "string" || typeof item === "number"))
    return known.split(field === "address" ? /[\s,]+/ : separator).includes(String(item))
      ? known
      : `${known}${separator}${item}`;
  if (Array.isArray(known) && Array.isArray(item) && LISTS.has(field)) return [...new Set([...known, ...item])];
  if (!isPart || !isObject(known) || !isObject(item)) return undefined;
  const isSame = Object.entries(item).every(
    ([part, one]) => !Object.hasOwn(known, part) || isDeepStrictEqual(known[part], one),
  );
  return isSame ? { ...known, ...item } : undefined;
}

/** The fields inside a wrapper, like `input`, `vehicle: {type, year}` or `vehicles: [{type}]`; undefined for anything else. */
export function unwrapped(
  name: string,
  given: unknown,
  properties: Properties,
  beside: Beside,
  depth = 0,
): Alias[] | undefined {
  const item = Array.isArray(given) && given.length === 1 ? given[0] : (jsonIn(given) ?? given);
  if (!isObject(item) || depth > MOST_WRAPPERS || Object.keys(item).length > MOST_INSIDE) return undefined;
  const isRow = properties.width_in !== undefined;
  const unit = isRow ? Object.keys(item).find(isUnitName) : undefined;
  const joined = joinedFields(item, properties);
  const apart = new Set(joined.flatMap(({ sent }) => sent));
  const inner = Object.entries(item).filter(([key]) => key !== unit && !apart.has(key));
  const form = wordForm(name).replace(/(?<=vehicle|car|customer|booking)s$/, "");
  const group = GROUPS.get(form) ?? form;
  const inside = { ...beside, names: Object.keys(item), unit: (unit && unitIn(item[unit])) ?? beside.unit };
  if (unit && unitIn(item[unit]) === undefined) return undefined;
  const isOfGroup = ([key, one]: [string, unknown]) => {
    const places = placesInside(group, key, one, properties, inside);
    const isOwn = (field: string) => PARTLY.has(form) || field.startsWith(`${group}_`);
    return places.every(({ field }) => Object.hasOwn(properties, field) && isOwn(field));
  };
  const isSize = isRow && /^(?:size|dimension)s?$/.test(form);
  if (
    inner.length + joined.length === 0 ||
    !(WRAPPERS.has(form) || GROUPS.has(form) || isSize || inner.every(isOfGroup))
  )
    return undefined;
  const whole = joined.map(({ sent, ...place }) => ({ ...place, sent: `${name}.${sent.join(" and ")}` }));
  const apiece = inner.flatMap(
    ([key, one]) =>
      (Object.hasOwn(properties, key) ? undefined : unwrapped(key, one, properties, inside, depth + 1)) ??
      placesInside(group, key, one, properties, inside).map((place) => ({ ...place, sent: `${name}.${key}` })),
  );
  return [...whole, ...apiece];
}

/** The fields that a key of a group means: `type` of `vehicle` is `vehicle_type`. */
function placesInside(group: string, key: string, item: unknown, properties: Properties, beside: Beside): Placed[] {
  const joined = `${group}_${key}`;
  if (Object.hasOwn(properties, joined)) return [{ field: joined, item }];
  const places = findPlaces(joined, item, properties, beside);
  // The name of a car or a film is nobody's.
  const isThing = group === "vehicle" || PARTLY.has(group);
  const alone = isThing && wordForm(key) === "name" ? undefined : findPlaces(key, item, properties, beside);
  return places ?? alone ?? [{ field: key, item }];
}

const MOST_WRAPPERS = 3;
/** No request has more fields. */
const MOST_INSIDE = 200;

const TOOLS = new Set(Object.entries(OPERATIONS).flatMap(([id, { operationId }]) => [id, operationId]));
/** Names under which the tool of a call is beside its arguments. */
const CALL_NAMES = "name tool tool_name function capability skill action method".split(" ");

/** The tools that the arguments of a whole call have beside them: this one, or another. */
export function toolsNamed(
  given: Readonly<Record<string, unknown>>,
  { id, operationId, sharesTool }: Capability,
): { name: string; tool: string; isOwn: boolean }[] {
  const isCall = Object.entries(given).some(([name, item]) => isObject(item) && WRAPPERS.has(wordForm(name)));
  if (!isCall) return [];
  const own = [id, operationId, sharesTool && OPERATIONS[sharesTool.of].operationId];
  return CALL_NAMES.flatMap((name) => {
    const tool = given[name];
    return typeof tool === "string" && TOOLS.has(tool) ? [{ name, tool, isOwn: own.some((one) => one === tool) }] : [];
  });
}

/** The field that a name is near to, or a part of, like `width` of `width_in`, where the value may be one of it. */
export function nearName(name: string, item: unknown, properties: Properties, catalog: Shop): string | undefined {
  const fields = Object.keys(properties);
  const near = didYouMean(name, fields);
  // A text says nothing about a field that takes any: the name must be a slip of the keys.
  const isTaken = (field: string) =>
    !fits("", properties[field] ?? {}, field) && takesValue(item, field, properties[field] ?? {}, catalog);
  if (near !== undefined && (distance(wordForm(name), near) <= 2 || isTaken(near))) return near;
  if (dependsOnValue(name)) return undefined;
  const part = wordForm(name);
  const [one, other] = fields.filter((field) => field.split("_").includes(part));
  const isMeant = one !== undefined && other === undefined && takesValue(item, one, properties[one] ?? {}, catalog);
  return isMeant ? one : undefined;
}

/** The warnings that name the proper fields of a value that was sent under another name. */
export function placed(name: string, places: readonly Placed[], prefix: string): Warning[] {
  const path = prefix + name;
  const [place] = places;
  if (place === undefined || place.isDenied)
    return [understood(path, "is understood as an extra that is not wished", "leave it out")];
  const { isPart, item } = place;
  if (isPart && Array.isArray(item))
    return [understood(path, `is understood as ${item} in ${prefix}${place.field}`, "send it there")];
  const fields = isPart
    ? Object.keys(Object(item)).map((part) => `${prefix}${place.field}.${part}`)
    : places.map(({ field }) => prefix + field);
  if (fields[0] === path) return [understood(path, `is understood as a part of ${place.field}`, "send it inside")];
  const names = fields.length > 1 ? "those names" : "that name";
  if (place.isRead === undefined)
    return [understood(path, `is understood as ${joinWithAnd(fields)}`, `send it under ${names}`)];
  // Only what was read is sure to have a text.
  const values = joinWithAnd(places.map(({ field, item }) => `${prefix}${field} ${item}`));
  if (place.isRead === "as times") return [understood(path, `is understood as ${values}`, "send it so")];
  const unit = place.field.endsWith("_in") ? "inches" : "square feet";
  const warning = understood(path, `is understood as ${values}, in ${unit}`, "send it so");
  if (place.isRead !== "in inches") return [warning];
  const message = "Sizes without a unit were taken as inches: check them.";
  return [warning, { code: "SIZE_CHECK", field: warning.field, message }];
}

export function taken(path: string, given: unknown, meant: unknown, what = ""): Warning {
  const text = JSON.stringify(given) ?? "";
  const shown = text.length > LONGEST_WORD ? "" : `${typeof given === "string" ? `"${given}"` : text} `;
  const isDigits = typeof given === "number" && typeof meant === "string" && meant === String(given);
  const said = `${shown}is understood as ${what}`;
  if (typeof meant === "object" && meant !== null)
    return understood(path, said, `send ${JSON.stringify(meant)}`, meant);
  const isPlain = typeof meant === "string" && isPlainLine(meant);
  const proper = typeof meant === "number" ? `the number ${meant}` : isPlain ? meant : JSON.stringify(meant);
  return isDigits
    ? understood(path, `${said}text`, `send "${meant}"`)
    : understood(path, said + proper, `send ${proper}`);
}

/** @param advice to programs, which people need not read @param meant a value of several parts behind the words */
export function understood(path: string, what: string, advice = "", meant?: object): Warning {
  const field = shownName(path);
  const value = meant ? JSON.stringify(meant) : "";
  const isPlain = isPlainLine(what + value + advice);
  const said = isPlain ? what : "is understood";
  return {
    code: "UNDERSTOOD",
    field,
    message: isPlain ? `${field} ${what}${value}${advice && `: ${advice}`}.` : `${field} ${said}.`,
    [TO_PEOPLE]: { said, meant: isPlain ? meant : undefined },
  };
}

/** A request with the words beside its phone where it takes words. */
export function withNote(
  request: Record<string, unknown>,
  { path, given }: { path: string; given: string },
  { properties = {} }: JsonSchema,
  warnings: Warning[],
): Record<string, unknown> {
  const field = ["special_requests", "message"].find((one) => Object.hasOwn(properties, one));
  if (field === undefined) return request;
  warnings.push(understood(path, `has words beside the number, which go to the shop in ${field}`, "send them there"));
  const item = `${path}: ${given}`;
  const known = request[field];
  return { ...request, [field]: known === undefined ? item : (mergeInto(known, item, { field, item }) ?? known) };
}
