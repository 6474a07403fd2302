/** One walk over a request and its schema: proper names for fields, the one meaning for refused values. Source: contract 1, "Understood". */
import { isDeepStrictEqual } from "node:util";
import type { Shop } from "../../catalog/shop.ts";
import { hasOnlyFillers } from "../../catalog/words.ts";
import { isObject } from "../../lib/fields.ts";
import { scalarText } from "../../lib/text.ts";
import { givenAt, withValue } from "../../schema/coerce.ts";
import { hasNoteBeside } from "../../schema/contact.ts";
import { nearest } from "../../schema/explain.ts";
import { LIMITS } from "../../schema/fields.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { dayWithPart, readClock } from "../../schema/moments.ts";
import { type Beside, findPlaces, isOfOthers, joinedFields, type Properties } from "../../schema/names.ts";
import type { Capability, Issues } from "./capability.ts";
import { ignoredField, MAX_WARNINGS, shownName, type Warning } from "./envelope.ts";
import {
  fits,
  inFewWords,
  interpret,
  isNone,
  isOfLaw,
  legalShades,
  mayBeLeftOut,
  momentMeant,
  openUp,
  partMeant,
  sameMeaning,
  spreadOut,
} from "./meaning.ts";
import {
  type Alias,
  carNamed,
  extraNamed,
  mergeInto,
  nearName,
  placed,
  taken,
  takesValue,
  toolsNamed,
  understood,
  unitNamed,
  unwrapped,
  withNote,
} from "./placing.ts";

/** A hostile body can have thousands of faults; 200 rows of windows with three faults each are read. */
const MOST_READ = 700;
/** Unknown names that are looked up among the words for extras. */
const MOST_EXTRAS = 20;
/** The most fields of one object that are compared with the schema. A hostile body can have any number. */
const MAX_FIELDS = 1000;

/** Fields of the shop's words, of which a request with a message takes any, and what these are about. */
const IN_WORDS = [
  ["coverage", "glass"],
  ["film_type", "film"],
] as const;

/** The time in a day that a program sent as a date and time: it means the whole day. */
const MIDNIGHT = "00:00";

export class Reader {
  /** About names that were understood. */
  readonly names: Warning[] = [];
  /** About values that were understood. */
  readonly values: Warning[] = [];
  /** About fields that the request does not have. */
  readonly ignored: Warning[] = [];
  /** Fields that were sent under two names with different values. */
  readonly conflicts: Issues = new Map();
  /** Paths of shades that the law names, once the vehicle is known. */
  readonly waiting: string[] = [];
  /** Paths of shades that the law names, which depend on the rest of the request. */
  private readonly ofLaw: string[] = [];
  /** Behind a day, like `afternoon`. */
  private dayPart: { part: string; given: unknown } | undefined;
  private moment: { date: string; time: string; path: "date" | "time" } | undefined;
  /** Of the sizes in all rows of windows. */
  private unit: string | undefined;
  /** A phone with words beside it. */
  private note: { path: string; given: string } | undefined;
  private room = MOST_READ;
  private extras = MOST_EXTRAS;

  /** @param faults of the request as it was sent: no other value is read, unless it was sent under another name */
  constructor(
    private readonly faults: Issues,
    private readonly schema: JsonSchema,
    private readonly catalog: Shop,
    private readonly called: Capability,
  ) {}

  /** The request as it was understood, last what depends on more than one field; the same object where nothing was changed. */
  read(sent: Record<string, unknown>): Record<string, unknown> {
    let request = this.group(sent, this.schema.properties ?? {}, "", false);
    const { moment, catalog } = this;
    if (moment) {
      const { date, time, path } = moment;
      const given = givenAt(request, path);
      const known = givenAt(request, path === "date" ? "time" : "date");
      if (known === undefined) {
        request = { ...request, date, time };
        this.values.push(understood(path, `"${given}" is understood as date ${date} and time ${time}`, "send both"));
      } else if (known === date || known === time || readClock(scalarText(known)) === time) {
        request = { ...request, [path]: moment[path] };
        this.values.push(taken(path, given, moment[path]));
      } else if (path === "time") this.conflicts.set("date", { message: `is another day than that of time, ${date}` });
    }
    if (this.note) request = withNote(request, this.note, this.schema, this.values);
    if (this.dayPart) request = this.withPart(request, this.dayPart);
    for (const path of this.ofLaw) {
      const { shade, issue } = legalShades(request, path, catalog) ?? {};
      if (issue) this.conflicts.set(path, issue);
      else if (shade === undefined) this.waiting.push(path);
      else {
        this.values.push(taken(path, givenAt(request, path), shade, "the darkest legal shade in stock, "));
        request = withValue(request, path, shade);
      }
    }
    return request;
  }

  /** @param isRead read the values, too, because they were sent under another name, or fitted no alternative */
  private value(given: unknown, about: JsonSchema | undefined, path: string, field: string, isRead: boolean): unknown {
    const isFaulty = this.faults.has(path);
    if (about === undefined || (!isRead && !isFaulty && typeof given !== "object")) return given;
    const { items } = about;
    if (items && Array.isArray(given)) {
      let isDue = isRead;
      for (let i = 0; i < given.length && !isDue; i++) isDue = this.faults.has(`${path}[${i}]`);
      if (!isDue && items.enum) return given;
      const entries = isDue ? spreadOut(given, items, field, this.catalog) : given;
      const isEach = isRead || entries !== given;
      const list = entries.map((item, i) => this.value(item, items, `${path}[${i}]`, field, isEach));
      return list.every((item, i) => item === given[i]) ? given : list.filter((item) => item !== undefined);
    }
    const properties = typeof given === "object" ? propertiesOf(about) : undefined;
    if (properties && isObject(given)) return this.group(given, properties, `${path}.`, isRead || isFaulty);
    const isDue = isFaulty || (isRead && !fits(given, about, field));
    if (!isDue || given === undefined || this.room-- <= 0) return given;
    return this.meant(given, about, path, field);
  }

  /** @param prefix of the paths of its fields: "" for the request, `shade.` for a group in it */
  private group(
    given: Record<string, unknown>,
    properties: Properties,
    prefix: string,
    isRead: boolean,
  ): Record<string, unknown> {
    // Glass and film can go into a message, whatever their names.
    const isSaid = prefix === "" && properties.message && IN_WORDS.some(([field]) => this.faults.has(field));
    let isOwn = this.unit === undefined && !isSaid;
    for (const name in given) isOwn &&= Object.hasOwn(properties, name);
    if (!isOwn) return this.mixed(given, properties, prefix, isRead);
    let fields = given;
    for (const name in given) {
      const meant = this.value(given[name], properties[name], prefix + name, name, isRead);
      if (meant === given[name]) continue;
      if (fields === given) fields = { ...given };
      if (meant === undefined) delete fields[name];
      else fields[name] = meant;
    }
    return fields;
  }

  /** Reads a group that was sent with unknown names beside its own. */
  private mixed(
    given: Record<string, unknown>,
    properties: Properties,
    prefix: string,
    isRead: boolean,
  ): Record<string, unknown> {
    const fields = new Map<string, unknown>();
    const aliases: Alias[] = [];
    const apart = new Set<string>();
    const names = Object.keys(given);
    for (const { sent, ...place } of joinedFields(given, properties)) {
      for (const name of sent) {
        apart.add(name);
        const whole = JSON.stringify(place.item);
        this.names.push(understood(prefix + name, `is understood as part of ${prefix}${place.field}: ${whole}`));
      }
      aliases.push({ sent: sent.join(" and "), ...place });
    }
    const unit = unitNamed(given, properties, prefix, this.unit);
    if (unit?.name !== undefined) {
      apart.add(unit.name);
      if (!unit.said) fields.set(unit.name, given[unit.name]);
    }
    if (unit?.said) this.names.push(unit.said);
    for (const [path, issue] of unit?.issues ?? []) this.conflicts.set(path, issue);
    if (unit?.isOfAll) this.unit = unit.unit;
    const beside: Beside = {
      names,
      rows: given.windows,
      unit: unit?.unit,
      takes: (field, item) =>
        properties[field] !== undefined && takesValue(item, field, properties[field], this.catalog),
      partOfDay: (item) => partMeant(item, this.catalog),
      carIn: (text) => carNamed(text, this.catalog),
    };
    if (prefix === "") this.takeCall(given, properties, apart);
    let isChanged = apart.size > 0;
    let room = MAX_FIELDS;
    for (const name of names) {
      if (apart.has(name)) continue;
      const item = given[name];
      if (Object.hasOwn(properties, name)) {
        const meant = this.value(item, properties[name], prefix + name, name, isRead);
        if (meant !== item) isChanged = true;
        if (meant !== undefined) fields.set(name, meant);
        continue;
      }
      const found = room-- > 0 ? this.renamed(name, item, properties, prefix, beside) : undefined;
      if (found === undefined) fields.set(name, item);
      else isChanged = true;
      aliases.push(...(found ?? []));
    }
    // Extras that are declined come last: they contradict those that were placed before.
    for (const isDenied of [false, true])
      for (const alias of aliases)
        if ((alias.isDenied ?? false) === isDenied) this.place(alias, fields, properties, prefix);
    for (const alias of aliases) {
      // `name` of somebody else than `first_name` tells no last name either.
      if (!this.conflicts.has(shownName(prefix + alias.sent))) continue;
      if (!Object.hasOwn(given, alias.field)) fields.delete(alias.field);
      fields.set(alias.sent, given[alias.sent]);
    }
    if (prefix === "" && properties.message)
      for (const [field, what] of IN_WORDS) if (this.sayInWords(field, what, fields, properties)) isChanged = true;
    return isChanged ? Object.fromEntries(fields) : given;
  }

  /** Glass that no coverage names, or film that is not listed, of a request that takes it in words. @returns whether there was some */
  private sayInWords(field: string, what: string, fields: Map<string, unknown>, properties: Properties): boolean {
    const said = fields.get(field);
    const words = properties[field]?.enum;
    if (typeof said !== "string" || !words || words.includes(said) || nearest(said, words)) return false;
    // The films that are listed are those of vehicles.
    const { siteTypes } = this.catalog.terms;
    if (field === "film_type" && !siteTypes.some((site) => site === fields.get("service_type"))) return false;
    this.names.push(understood(field, `"${said}" is understood as words for the shop`, "send it in message"));
    fields.delete(field);
    this.place({ sent: field, field: "message", item: `${what}: ${said}` }, fields, properties, "");
    return true;
  }

  /** The fields that a name means, which is none of the request's; undefined where nobody can tell. */
  private renamed(
    name: string,
    item: unknown,
    properties: Properties,
    prefix: string,
    beside: Beside,
  ): Alias[] | undefined {
    const inner = unwrapped(name, item, properties, beside);
    if (inner) {
      this.names.push(understood(prefix + name, "is understood as the fields inside it", "send them without it"));
      return inner;
    }
    const [group = "", key] = name.split(".");
    const places =
      findPlaces(name, item, properties, beside) ??
      (key ? unwrapped(group, { [key]: item }, properties, beside) : undefined) ??
      (properties.addons && this.extras-- > 0 ? extraNamed(name, item, properties, this.catalog) : undefined);
    if (!places) {
      const told = this.told(name, item, properties, prefix);
      return told && [told];
    }
    const [{ field = "" } = {}, another] = places;
    if (
      !another &&
      beside.names.includes(field) &&
      typeof item === "string" &&
      hasOnlyFillers(item, field, this.catalog)
    ) {
      this.names.push(understood(prefix + name, `says nothing about ${prefix}${field}`, "leave it out"));
      return [];
    }
    this.names.push(...placed(name, places, prefix).filter((warning) => !this.isSaid(warning)));
    return places.map((place) => ({ ...place, sent: name }));
  }

  /** Where a request takes words, what has no field of its own goes to the shop in them, but not a slip of the keys. */
  private told(name: string, item: unknown, properties: Properties, prefix: string): Alias | undefined {
    const said = properties.message && (typeof item === "string" ? item : inFewWords(item));
    const isSaid = said !== undefined && said.length <= LIMITS.text;
    if (isSaid && (isOfOthers(name) || (this.extras-- > 0 && !nearName(name, item, properties, this.catalog)))) {
      this.names.push(understood(name, "is no field of this request and goes to the shop in message", "send it there"));
      return { sent: name, field: "message", item: `${shownName(name)}: ${said}` };
    }
    this.ignore(name, item, properties, prefix);
    return undefined;
  }

  /** @param apart gets the names under which the tool of a whole call is beside its arguments */
  private takeCall(given: Readonly<Record<string, unknown>>, properties: Properties, apart: Set<string>): void {
    for (const { name, tool, isOwn } of toolsNamed(given, this.called)) {
      if (isOwn) {
        apart.add(name);
        this.names.push(understood(name, "is understood as the name of this capability", "leave it out"));
      } else if (!Object.hasOwn(properties, name) || name === "name") {
        apart.add(name);
        this.conflicts.set(name, { message: `names another capability, ${tool}` });
      }
    }
  }

  /** Once for all rows of windows. */
  private isSaid({ code }: Warning): boolean {
    return code === "SIZE_CHECK" && this.names.some((said) => said.code === code);
  }

  private ignore(name: string, item: unknown, properties: Properties, prefix: string): void {
    if (this.ignored.length >= MAX_WARNINGS) return;
    const meant = nearName(name, item, properties, this.catalog);
    this.ignored.push(ignoredField(prefix + name, "is not a field of this request and was ignored.", meant));
  }

  private place({ sent, ...place }: Alias, fields: Map<string, unknown>, properties: Properties, prefix: string): void {
    const { field, isPart, isDenied } = place;
    const known = fields.get(field);
    const about = Object.hasOwn(properties, field) ? properties[field] : undefined;
    const told = about ? undefined : this.told(field, place.item, properties, prefix);
    if (told) {
      this.place(told, fields, properties, prefix);
      return;
    }
    // A part is named as it was sent, not again as a part of its field.
    const item = isPart && about ? this.inside(place.item, about, prefix + field, field) : place.item;
    const isListed = Array.isArray(known) && Array.isArray(item) && item.some((one) => known.includes(one));
    if (isDenied && !isListed) {
      // An estimate may have it.
      if (fields.has("estimate_id")) fields.set(field, known ?? []);
    } else if (known == null) {
      const meant = isPart ? item : this.value(item, about, prefix + field, field, true);
      if (meant !== undefined) fields.set(field, meant);
    } else if (item != null && (isDenied || !sameMeaning(item, known, field, this.catalog))) {
      const other = Array.isArray(known) && about ? this.inside(item, about, prefix + field, field) : item;
      const both = isDenied ? undefined : mergeInto(known, other, place);
      if (both !== undefined) {
        fields.set(field, both);
        return;
      }
      for (const [one, other] of [
        [field, sent],
        [sent, field],
      ] as const) {
        this.conflicts.set(shownName(prefix + one), {
          message: `must hold the same value as ${shownName(prefix + other)}, or be left out`,
        });
      }
    }
  }

  /** The one meaning of a value that was refused; the value itself where there is none, or more than one. */
  private meant(given: unknown, about: JsonSchema, path: string, field: string): unknown {
    const { catalog } = this;
    if (isNone(given, about, path) && mayBeLeftOut(String(given), about, path, this.schema)) {
      this.values.push(understood(path, `"${given}" is understood as no value`, "leave it out"));
      return undefined;
    }
    // One of some words is no more than a word.
    const isWord = about.enum !== undefined && typeof given === "string";
    if (!isWord && isOfLaw(given, path, catalog)) {
      this.ofLaw.push(path);
      return given;
    }
    const { properties = {} } = this.schema;
    const isMoment = about.format === "date" || (path === "time" && properties.date !== undefined);
    const moment = isMoment && typeof given === "string" ? momentMeant(given, catalog) : undefined;
    const isDay = path === "date" && moment?.time === MIDNIGHT;
    if (moment && !isDay && (path === "date" || path === "time") && properties.time) {
      this.moment = { ...moment, path };
      return given;
    }
    if (moment && !isDay && path === "date" && properties.after) {
      this.dayPart = { part: moment.time, given };
      return moment.date;
    }
    const allowed = this.faults.get(path)?.allowed ?? about.items?.enum ?? about.enum ?? [];
    const asked = { field, schema: about, allowed, catalog };
    const split = about.format === "date" && path === "date" ? dayWithPart(scalarText(given)) : undefined;
    if (split) {
      this.dayPart = { part: split.part, given };
      return interpret(split.day, asked) ?? split.day;
    }
    const opened = isWord ? undefined : openUp(given, about, path, catalog);
    const meant =
      moment?.date ?? (opened === undefined ? interpret(given, asked) : this.inside(opened, about, path, field));
    if (meant === undefined || isDeepStrictEqual(meant, given)) return given;
    if (field.endsWith("phone") && typeof given === "string" && hasNoteBeside(given)) this.note = { path, given };
    this.values.push(taken(path, given, meant));
    return meant;
  }

  /** What a value stands for, read without a word about each part. */
  private inside(opened: unknown, about: JsonSchema, path: string, field: string): unknown {
    const reader = new Reader(new Map(), this.schema, this.catalog, this.called);
    reader.unit = this.unit;
    const meant = reader.value(opened, about, path, field, true);
    this.names.push(...reader.names.filter((warning) => warning.code === "SIZE_CHECK" && !this.isSaid(warning)));
    this.ignored.push(...reader.ignored);
    this.ofLaw.push(...reader.ofLaw);
    for (const [field, issue] of reader.conflicts) this.conflicts.set(field, issue);
    return meant;
  }

  /** A request whose day had a part of it behind it; beside a time of its own, the day is asked with both. */
  private withPart(request: Record<string, unknown>, { part, given }: { part: string; given: unknown }) {
    const { properties = {} } = this.schema;
    const times = properties.time ? { time: part } : (partMeant(part, this.catalog) ?? {});
    if (Object.keys(times).some((field) => request[field] !== undefined)) return { ...request, date: given };
    const said = Object.entries(times).map(([field, time]) => `${field} ${time}`);
    this.values.push(understood("date", `is understood as ${request.date} and ${said.join(" and ")}`, "send both"));
    return { ...request, ...times };
  }
}
