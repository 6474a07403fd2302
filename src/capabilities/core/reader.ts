/**
 * The reader: one walk over a request and its schema. It gives fields their proper names, and values that the schema or the
 * catalog refused the one meaning that they can have. Source: contract 1, "Understood".
 */
import { isDeepStrictEqual } from "node:util";
import type { Shop } from "../../catalog/shop.ts";
import { isObject } from "../../lib/fields.ts";
import { fieldAt, givenAt, schemaAt, withValue } from "../../schema/at-path.ts";
import { didYouMean, joinWithAnd } from "../../schema/explain.ts";
import { isPlainLine } from "../../schema/fields.ts";
import { type JsonSchema, propertiesOf } from "../../schema/json-schema.ts";
import { readClock } from "../../schema/moments.ts";
import { joinedName, type Placed, placesOf, wordForm } from "../../schema/names.ts";
import { isNothing } from "../../schema/quantities.ts";
import type { Issues } from "./capability.ts";
import { ignoredField, MAX_WARNINGS, shownName, type Warning } from "./envelope.ts";
import {
  darkestLegal,
  fits,
  isOfLaw,
  LONGEST_WORD,
  meaningOf,
  momentMeant,
  openedOf,
  sameMeaning,
  spreadOf,
} from "./meaning.ts";

export interface Reading {
  /** The same object where nothing was changed. */
  request: object;
  /** About names that were understood. */
  names: Warning[];
  /** About values that were understood. */
  values: Warning[];
  /** About fields that the request does not have. */
  ignored: Warning[];
  /** Fields that were sent under two names with different values. */
  conflicts: Issues;
}

/** @param faults of the request as it was sent: no other value is read, unless it was sent under another name */
export function readRequest(request: object, faults: Issues, schema: JsonSchema, catalog: Shop): Reading {
  const reader = new Reader(faults, schema, catalog);
  const named = reader.value(request, schema, "", false);
  const { names, values, ignored, conflicts } = reader;
  return {
    request: reader.finish(Object(named)),
    names: names.slice(0, MAX_WARNINGS),
    values,
    ignored: ignored.slice(0, MAX_WARNINGS),
    conflicts,
  };
}

/** A field that the caller sent under another name, or inside a wrapper. */
interface Alias {
  /** The caller's name, as a path. */
  sent: string;
  field: string;
  item: unknown;
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** A hostile body can have thousands of faults; 200 rows of windows with three faults each are read. */
const MOST_READ = 700;
/** The most fields of one object that are compared with the schema. A hostile body can have any number. */
const MAX_FIELDS = 1000;

class Reader {
  readonly names: Warning[] = [];
  readonly values: Warning[] = [];
  readonly ignored: Warning[] = [];
  readonly conflicts: Issues = new Map();
  /** Paths of shades that the law names, which depend on the rest of the request. */
  private readonly ofLaw: string[] = [];
  private moment: { date: string; time: string } | undefined;
  private room = MOST_READ;

  constructor(
    private readonly faults: Issues,
    private readonly schema: JsonSchema,
    private readonly catalog: Shop,
  ) {}

  /** @param isRead read the values, too, because they were sent under another name, or fitted no alternative */
  value(given: unknown, about: JsonSchema | undefined, path: string, isRead: boolean): unknown {
    if (about === undefined) return given;
    const fault = this.faults.get(path);
    const isFaulty = fault !== undefined && !fault.missing;
    if (!isRead && !isFaulty && typeof given !== "object") return given;
    const { items } = about;
    if (items && Array.isArray(given)) {
      const isDue = isRead || given.some((_, i) => this.faults.has(`${path}[${i}]`));
      const entries = isDue ? spreadOf(given, items, fieldAt(path), this.catalog) : given;
      const list = entries.map((item, i) => this.value(item, items, `${path}[${i}]`, isRead || entries !== given));
      return list.every((item, i) => item === given[i]) ? given : list.filter((item) => item !== undefined);
    }
    const properties = propertiesOf(about);
    if (properties && isObject(given)) return this.group(given, properties, path, isRead || isFaulty);
    const isDue = isFaulty || (isRead && !fits(given, about, fieldAt(path)));
    if (!isDue || given === undefined || this.room-- <= 0) return given;
    return this.meant(given, about, path, fault?.allowed ?? about.items?.enum ?? about.enum ?? []);
  }

  private group(given: Record<string, unknown>, properties: Properties, prefix: string, isRead: boolean): object {
    const at = (name: string) => (prefix === "" ? name : `${prefix}.${name}`);
    const fields = new Map<string, unknown>();
    const person = joinedName(given, properties);
    const aliases: Alias[] = [];
    if (person) {
      const { field, item, sent } = person;
      for (const name of sent)
        this.names.push(understood(at(name), `is understood as part of ${at(field)}: "${item}"`));
      aliases.push({ sent: sent.join(" and "), field, item });
    }
    let isChanged = person !== undefined;
    let room = MAX_FIELDS;
    for (const [name, item] of Object.entries(given)) {
      if (person?.sent.includes(name)) continue;
      if (Object.hasOwn(properties, name)) {
        const meant = this.value(item, properties[name], at(name), isRead);
        if (meant !== item) isChanged = true;
        if (meant !== undefined) fields.set(name, meant);
        continue;
      }
      const found = room-- > 0 ? this.renamed(name, item, properties, at) : [];
      if (found.length === 0) fields.set(name, item);
      else isChanged = true;
      aliases.push(...found);
    }
    for (const alias of aliases) this.place(alias, fields, properties, at);
    return isChanged ? Object.fromEntries(fields) : given;
  }

  /** The fields that a name means, which is none of the request's; none where nobody can tell. */
  private renamed(name: string, item: unknown, properties: Properties, at: (name: string) => string): Alias[] {
    const inner = unwrapped(name, item, properties);
    if (inner) {
      this.names.push(understood(at(name), "is understood as the fields inside it: send them without it"));
      return inner.flatMap(([key, one]) =>
        placesInside(name, key, one, properties).map((place) => ({ sent: `${name}.${key}`, ...place })),
      );
    }
    const places = placesOf(name, item, properties);
    if (places === undefined) this.ignore(name, properties, at);
    else this.names.push(...placed(name, places, at).filter((warning) => !this.isSaid(warning)));
    return (places ?? []).map((place) => ({ sent: name, ...place }));
  }

  /** Once for all rows of windows. */
  private isSaid({ code }: Warning): boolean {
    return code === "SIZE_CHECK" && this.names.some((said) => said.code === code);
  }

  private ignore(name: string, properties: Properties, at: (name: string) => string): void {
    if (this.ignored.length >= MAX_WARNINGS) return;
    const fields = Object.keys(properties);
    const meant = didYouMean(name, fields) ?? holding(name, fields);
    this.ignored.push(ignoredField(at(name), "is not a field of this request and was ignored.", meant));
  }

  private place(
    { sent, field, item }: Alias,
    fields: Map<string, unknown>,
    properties: Properties,
    at: (name: string) => string,
  ): void {
    const known = fields.get(field);
    if (!Object.hasOwn(properties, field)) this.ignore(field, properties, at);
    if (known == null) {
      const meant = this.value(item, properties[field], at(field), true);
      if (meant !== undefined) fields.set(field, meant);
    } else if (item != null && !sameMeaning(item, known, field, this.catalog)) {
      for (const [one, other] of [
        [field, sent],
        [sent, field],
      ] as const) {
        this.conflicts.set(shownName(at(one)), {
          message: `must hold the same value as ${shownName(at(other))}, or be left out`,
        });
      }
    }
  }

  /** The one meaning of a value that was refused; the value itself where there is none, or more than one. */
  private meant(given: unknown, about: JsonSchema, path: string, allowed: readonly unknown[]): unknown {
    if (typeof given === "string" && isNothing(given) && this.mayBeLeftOut(given, about, path)) {
      const field = shownName(path);
      const message = `${field} "${given}" is understood as no value: leave it out.`;
      this.values.push({ code: "UNDERSTOOD", field, message });
      return undefined;
    }
    if (isOfLaw(given, path, this.catalog)) {
      this.ofLaw.push(path);
      return given;
    }
    const moment = about.format === "date" && typeof given === "string" ? momentMeant(given, this.catalog) : undefined;
    if (moment && path === "date" && Object.hasOwn(this.schema.properties ?? {}, "time")) {
      this.moment = moment;
      return given;
    }
    const opened = openedOf(given, about, path, this.catalog);
    const meant =
      moment?.date ??
      (opened === undefined
        ? meaningOf(given, { field: fieldAt(path), schema: about, allowed, catalog: this.catalog })
        : this.inside(opened, about, path));
    if (meant === undefined || isDeepStrictEqual(meant, given)) return given;
    this.values.push(taken(path, given, meant));
    return meant;
  }

  /** A list or group that was written as a text, read without a word about each part. */
  private inside(opened: object, about: JsonSchema, path: string): unknown {
    const reader = new Reader(new Map(), this.schema, this.catalog);
    const meant = reader.value(opened, about, path, true);
    this.names.push(...reader.names.filter((warning) => warning.code === "SIZE_CHECK" && !this.isSaid(warning)));
    this.ignored.push(...reader.ignored);
    this.ofLaw.push(...reader.ofLaw);
    for (const [field, issue] of reader.conflicts) this.conflicts.set(field, issue);
    return meant;
  }

  /** Whether a word for nothing leaves the field out. In a change, no extras can mean that they stay or that they go. */
  private mayBeLeftOut(word: string, about: JsonSchema, path: string): boolean {
    const [, parent, name = path] = /^(.*)\.([^.[\]]+)$/s.exec(path) ?? [];
    const group = parent === undefined ? this.schema : schemaAt(this.schema, parent);
    if (group?.required?.includes(name)) return false;
    const isList = about.type === "array" || path.endsWith("]");
    const isChange = Object.hasOwn(this.schema.properties ?? {}, "confirmation_code");
    return !isList || !isChange || wordForm(word) === "null";
  }

  /** What depends on more than one field. */
  finish(named: object): object {
    let request = named;
    const { moment, catalog } = this;
    if (moment) {
      const { date, time } = moment;
      const given = givenAt(request, "date");
      const known = givenAt(request, "time");
      if (known === undefined) {
        request = { ...request, date, time };
        this.values.push(understood("date", `"${given}" is understood as date ${date} and time ${time}: send both`));
      } else if (known === time || readClock(String(known)) === time) {
        request = { ...request, date };
        this.values.push(taken("date", given, date));
      }
    }
    for (const path of this.ofLaw) {
      const shade = darkestLegal(request, path, catalog);
      if (shade === undefined) continue;
      this.values.push(taken(path, givenAt(request, path), shade, "the darkest legal shade in stock, "));
      request = withValue(request, path, shade);
    }
    return request;
  }
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
function unwrapped(name: string, item: unknown, properties: Properties): [string, unknown][] | undefined {
  if (!isObject(item)) return undefined;
  const inner = Object.entries(item);
  const isOfGroup = ([key]: [string, unknown]) => {
    const [{ field } = { field: key }] = placesInside(name, key, undefined, properties);
    return Object.hasOwn(properties, field) && field.startsWith(`${wordForm(name)}_`);
  };
  return inner.length > 0 && (WRAPPERS.has(wordForm(name)) || inner.every(isOfGroup)) ? inner : undefined;
}

/** The fields that a key of a group means: `type` of `vehicle` is `vehicle_type`. */
function placesInside(group: string, key: string, item: unknown, properties: Properties): Placed[] {
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

/** The one field of which the name is a part, like `width` of `width_in`. */
function holding(name: string, fields: readonly string[]): string | undefined {
  const part = wordForm(name);
  const [one, other] = fields.filter((field) => field.split("_").includes(part));
  return other === undefined ? one : undefined;
}

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

function understood(path: string, what: string): Warning {
  const field = shownName(path);
  const message = isPlainLine(what) ? `${field} ${what}.` : `${field} is understood.`;
  return { code: "UNDERSTOOD", field, message };
}
