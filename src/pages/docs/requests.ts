/** A section for each request: what it does, its fields, its errors, the fields of its answer, and an example. */
import type { Capability } from "../../capabilities/core/capability.ts";
import { fillPath, needsKey } from "../../capabilities/core/operations.ts";
import { aboutOf, CAPABILITY_BY_ID, offered, toolOf } from "../../capabilities/index.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { apiRoot, REFERENCE, type SampleOf } from "../../discovery/common.ts";
import { requirements } from "../../discovery/manifest.ts";
import type { Examples } from "../../discovery/openapi/examples.ts";
import { LIMITS } from "../../schema/fields.ts";
import { type JsonSchema, jsonSchema } from "../../schema/json-schema.ts";
import { curl, excerpt } from "./samples.ts";
import { chapter, fence, list, marked, type Section, section } from "./section.ts";

export function requests(catalog: Shop, sampleOf: SampleOf, examples: Examples): Section {
  const told = new Map<string, string>();
  const refusing = offered(catalog).flatMap(({ id, refusesUnknown }) => (refusesUnknown ? [`\`${id}\``] : []));
  return {
    ...chapter(
      "endpoints",
      `Bodies are JSON objects; queries are plain text. Ask the customer for fields marked *recommended*: they make the answer more \
exact. An unknown field is refused by ${refusing.join(", ")}, passed on in \`message\` by \`quote_request\`, and ignored with a \
warning by the others, unless its name may mean one of theirs. A field is a text of at most ${LIMITS.other} characters where nothing \
else is said; in answers \`name[]\` is a list, and \`{…}\` names the fields of an object, which the [reference](${REFERENCE}) \
describes. A request with a side effect needs the end user's consent first.`,
      `Each example is the answer of this program to the request above it; \`…\` marks what is left out of lists, texts and objects. The \
confirmation code of the samples names no booking, and uses up no limit: book first.`,
    ),
    sections: offered(catalog).map((capability) => requestSection(capability, told, catalog, { sampleOf, examples })),
  };
}

interface Shown {
  sampleOf: SampleOf;
  examples: Examples;
}

/** @param told the section in which a field was explained before, by all that is said of the field */
function requestSection(capability: Capability, told: Place["told"], catalog: Shop, shown: Shown): Section {
  const { success, dryRuns } = shown.examples;
  const { id, operationId, method, path, sideEffect, catalogOnly, status } = capability;
  const tool = toolOf(capability, catalog);
  const about = aboutOf(capability, catalog);
  const fields = fieldLines(inputFields(capability, catalog), { told, id });
  const schema = jsonSchema(capability.output(catalog), "output");
  const known = toldBefore({ told, id }, schema);
  const takesKey = needsKey(capability, catalog);
  // An answer that was shown before needs no example.
  const example = known === undefined ? (dryRuns.get(operationId) ?? success.get(operationId)) : undefined;
  const text = section(
    id,
    capability.title,
    [
      `\`${method} ${path}\``,
      ...(tool === id ? [] : [`\`${id}\``]),
      ...(tool ? [`tool \`${tool}\``] : []),
      `side effect \`${sideEffect}\`${status === 201 && sideEffect === "none" ? " (issues a key)" : ""}`,
      ...(takesKey ? ["needs a key"] : []),
      ...(catalogOnly ? ["`ETag`"] : []),
    ].join(" · "),
    marked(about.description),
    list(
      ...(about.avoidWhen.length > 0 ? [marked(`Avoid when: ${about.avoidWhen.join(" ")}`)] : []),
      ...(capability.alsoGet ? ["GET takes the same fields; without any it answers with every base price."] : []),
    ),
    fields.length > 0
      ? `**Fields**${capability.refusesUnknown ? "; others are refused" : ""}\n\n${list(...fields)}`
      : "It takes no fields.",
    capability.errors.length > 0 ? `Errors: ${capability.errors.map((code) => `\`${code}\``).join(", ")}.` : "",
    ...(known === undefined ? answerLines(schema, { told, id }) : [`**\`data\`** ${known}.`]),
    fence("sh", curl(sampleRequestOf(id, shown.sampleOf), apiRoot(catalog), takesKey)),
    example
      ? `Answer, ${dryRuns.has(operationId) && status !== 200 ? `200; without \`dry_run\` it is ${status}` : status}:`
      : "",
    example ? fence("json", excerpt(example, capability.isExtension ? 4 : undefined)) : "",
  );
  return { ...text, reference: operationAt(operationId) };
}

export function sampleRequestOf(id: Capability["id"], sampleOf: SampleOf) {
  const capability = CAPABILITY_BY_ID[id];
  const { path, rest } = fillPath(capability, sampleOf(capability));
  return { method: capability.method, path: API_PREFIX + path, sample: { ...rest } };
}

type Field = [name: string, schema: JsonSchema, note: string];

const REQUIRED = "**required**";

function inputFields(capability: Capability, catalog: Shop): Field[] {
  const { hard, soft } = requirements(capability, catalog);
  const need = (name: string) => (hard.includes(name) ? REQUIRED : soft.includes(name) ? "*recommended*" : "");
  const { properties = {} } = jsonSchema(capability.input(catalog), "input");
  return Object.entries(properties).map(([name, schema]) => [name, schema, need(name)]);
}

/** `data` in each form that the answer can take; of a short form the names alone. */
function answerLines(schema: JsonSchema, place: Place): string[] {
  return (schema.anyOf ?? [schema]).map((form, i) => {
    const what = (form.type === "array" ? form.items?.description : form.description) ?? "";
    const head = `**\`data${form.type === "array" ? "[]" : ""}\`** ${what}`;
    if (i === 0) return `${head}\n\n${shapeLines(form, place)}`;
    const { names, words } = namedFields(form, place, "");
    return [`${head} ${names}`, list(...words)].filter(Boolean).join("\n\n");
  });
}

/** The fields of an answer: those that every answer has by their names, the others each with its line. */
export function shapeLines(schema: JsonSchema, place: Place): string {
  const { properties = {}, required = [] } = shapeOf(schema) ?? {};
  const plain: string[] = [];
  const lines = new Map<string, string[]>();
  const before: Field[] = [];
  for (const [name, field] of Object.entries(properties)) {
    const known = toldBefore(place, [name, field]);
    const line = known === undefined ? answerLine(field, place, required.includes(name)) : "";
    if (known !== undefined) before.push([name, field, known]);
    else if (required.includes(name) && !field.nullable && !line.includes("`")) plain.push(shownField(name, field));
    else lines.set(line, [...(lines.get(line) ?? []), shownField(name, field)]);
  }
  const places = Map.groupBy(before, ([, , known]) => known);
  const holder = [...places.keys()].find((known) =>
    before.every(([name, field]) => place.told.has(inPlace(known, [name, field]))),
  );
  const shared =
    holder !== undefined && before.length > MOST_NAMES
      ? [`The other ${before.length} fields: ${holder}.`]
      : [...places].map(
          ([known, same]) => `${same.map(([name, field]) => shownField(name, field)).join(", ")}: ${known}.`,
        );
  return list(
    ...(plain.length > 0 ? [`Always: ${plain.join(", ")}`] : []),
    ...[...lines].map(([line, names]) => names.join(", ") + line),
    ...shared,
  );
}

/** More fields than this are only counted, where a single answer has told all of them. */
const MOST_NAMES = 15;

function answerLine(field: JsonSchema, place: Place, isRequired: boolean): string {
  const { names, words } = namedFields(field, place, "");
  const text = [marked(field.description ?? ""), describeValues(field, place.told), names].filter(Boolean).join(" ");
  return [`${isRequired ? "" : " (optional)"}: ${text}`, ...words.map((one) => `  - ${one}`)].join("\n");
}

/** The names inside a field of an answer, and a line for each of them that holds words; the reference tells the rest. */
function namedFields(schema: JsonSchema, place: Place, path: string): { names: string; words: string[] } {
  const shape = shapeOf(schema);
  if (!shape?.properties) return { names: "", words: [] };
  const known = toldBefore(place, shape.properties);
  if (known !== undefined) return { names: `(${known})`, words: [] };
  // Neighbors of one shape, like the days of the week, share it.
  const groups: { names: string[]; own: string; inside: string }[] = [];
  const words: string[] = [];
  for (const [name, field] of Object.entries(shape.properties)) {
    const own = JSON.stringify(shapeOf(field)?.properties) ?? "";
    const inside = namedFields(field, place, `${path}${name}${signOf(field)}.`);
    const line = describeValues(field, place.told);
    words.push(...(line ? [`\`${path}${name}\`: ${line}`] : []), ...inside.words);
    const last = groups.at(-1);
    if (last && own === last.own) last.names.push(shownField(name, field));
    else groups.push({ names: [shownField(name, field)], own, inside: inside.names });
  }
  const shown = groups.map(({ names, inside }) => names.join(", ") + (inside && ` ${inside}`));
  return { names: `{${shown.join(", ")}}`, words };
}

function signOf({ type }: JsonSchema): string {
  return type === "array" ? "[]" : "";
}

function shownField(name: string, field: JsonSchema): string {
  return `\`${name}${signOf(field)}\``;
}

interface Place {
  told: Map<string, string>;
  /** The section. */
  id: string;
}

/** A line for each field of a request, with its own fields in it or below; those that were explained before share one. */
function fieldLines(fields: readonly Field[], place: Place): string[] {
  const all = fields.map(([name, schema, need]) => {
    const own = { ...schema, example: null, "x-soft": null, "x-tool": null };
    const known = toldBefore(place, [name, own, need === REQUIRED]);
    const note = [typeName(schema), need].filter(Boolean).join(", ");
    const line = known === undefined ? fieldLine(schema, note, place) : `${need && ` (${need})`}: ${known}.`;
    return { name: `\`${name}\``, line, isKnown: known !== undefined };
  });
  const fresh = all.toSorted((a, b) => Number(a.isKnown) - Number(b.isKnown));
  return [...Map.groupBy(fresh, ({ line }) => line)].map(
    ([line, same]) => same.map(({ name }) => name).join(", ") + line,
  );
}

/** Where the same was told before, in words; else it is told here. */
function toldBefore({ told, id }: Place, what: object): string | undefined {
  const key = JSON.stringify(what);
  const known = told.get(key);
  if (known === undefined) told.set(key, id);
  told.set(inPlace(`as in \`${id}\``, what), id);
  return known === undefined ? undefined : known === id ? "as above" : `as in \`${known}\``;
}

const inPlace = (place: string, what: object) => `${place} ${JSON.stringify(what)}`;

function fieldLine(schema: JsonSchema, note: string, place: Place): string {
  const { told, id } = place;
  const own = ownFields(schema);
  const known = own.length > 0 ? toldBefore(place, own) : undefined;
  const inner = known === undefined ? fieldLines(own, place) : [];
  const text = [
    marked(schema.description ?? ""),
    describeValues(schema, told, id),
    boundsOf(schema),
    known && `Fields ${known}.`,
  ];
  const line = `${note && ` (${note})`}: ${text.filter(Boolean).join(" ")}`;
  return [line, ...inner.map((one) => `  - ${one}`)].join("\n");
}

/** The fields of the object that a field of a request is, may be, or is a list of. */
function ownFields(schema: JsonSchema): Field[] {
  const shape = shapeOf(schema);
  return Object.entries(shape?.properties ?? {}).map(([name, one]) => [
    name,
    one,
    shape?.required?.includes(name) ? REQUIRED : "",
  ]);
}

/**
 * The words that a field may hold, with what they mean where no earlier field has said so.
 * @param here the section of a request, which lists them once; in answers those that were told are left out
 */
function describeValues(schema: JsonSchema, told: Map<string, string>, here?: string): string {
  const meanings = Object.entries(schema["x-values"] ?? schema.items?.["x-values"] ?? {});
  const words = (schema.enum ?? schema.items?.enum ?? meanings.map(([word]) => word)).filter((word) => word !== null);
  // The description may have told them, like `standard or ceramic`.
  if (words.length === 0 || words.every((word) => schema.description?.includes(String(word)))) return "";
  const pairs = meanings.map((pair) => JSON.stringify(pair));
  const isTold = pairs.every((pair) => told.has(pair));
  // Of the states of a booking, most were told with the first answer that has them.
  const fresh = meanings.filter((pair) => !told.has(JSON.stringify(pair)));
  for (const pair of pairs) told.set(pair, "");
  const list = words.map((word) => `\`${word}\``).join(", ");
  const isListed = isTold && (here === undefined || told.get(list) === here);
  if (here !== undefined) told.set(list, here);
  if (isListed) return "";
  if (isTold || !meanings.some(saysMore)) return `One of ${list}.`;
  const isMost = here === undefined && fresh.length < meanings.length / 2;
  const lines = (isMost ? fresh : meanings)
    .map((pair) => `\`${pair[0]}\`${saysMore(pair) ? `: ${marked(pair[1])}` : "."}`)
    .join(" ");
  return isMost ? `As above, and ${lines}` : lines;
}

/** Whether the line says more than the word: that of `office` is "Office.". */
function saysMore([word, meaning]: [word: string, meaning: string]): boolean {
  return meaning.toLowerCase() !== `${word.replaceAll("_", " ")}.`;
}

function shapeOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  return schema.items ? shapeOf(schema.items) : schema.anyOf?.find(({ properties }) => properties);
}

/** A text needs no word. */
function typeName(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeName(one) || "text"))].join(" or ");
  if (schema.type === "array" && schema.items) return `list${schema.items.properties ? " of objects" : ""}`;
  return schema.format === "date" ? "date" : schema.type === "string" ? "" : (schema.type ?? "");
}

function boundsOf({ minimum, maximum, maxLength, maxItems, format }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (maximum !== undefined) return `At most ${maximum}.`;
  if (maxLength !== undefined && maxLength !== LIMITS.other && format !== "date") return `At most ${maxLength}.`;
  return maxItems === undefined ? "" : `At most ${maxItems} entries.`;
}

const operationAt = (operationId: string) => `${REFERENCE}#/Capabilities/${operationId}`;
