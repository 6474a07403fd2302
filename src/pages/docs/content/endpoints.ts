/** One section of the documentation per capability: its fields and its answers. */
import { isDeepStrictEqual } from "node:util";
import type { Capability } from "../../../capabilities/core/capability.ts";
import { countsKeys, fillPath, requiresConsent } from "../../../capabilities/core/operations.ts";
import { aboutOf, CAPABILITY_BY_ID, offered, toolOf } from "../../../capabilities/index.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import type { SampleOf } from "../../../discovery/common.ts";
import { adviceOf, limitOf, requirements } from "../../../discovery/manifest.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import { ERRORS } from "../../../errors.ts";
import { type JsonSchema, jsonSchema } from "../../../schema/json-schema.ts";
import {
  type Block,
  type Chip,
  type Entry,
  excerpt,
  list,
  marked,
  prose,
  type SampleRequest,
  type Section,
  section,
} from "./blocks.ts";

export function endpoints(catalog: Shop, sampleOf: SampleOf, examples: Examples): Section[] {
  const listed = new Map<string, string>();
  return offered(catalog).map((capability) => endpoint(capability, listed, catalog, sampleOf, examples));
}

/** @param listed the shapes of answers that were listed before */
function endpoint(
  capability: Capability,
  listed: Map<string, string>,
  catalog: Shop,
  sampleOf: SampleOf,
  examples: Examples,
): Section {
  const fields = fieldsOf(capability, catalog).map(([name, schema, need]) =>
    entry(name, schema, need, capability.id, catalog),
  );
  const limit = limitOf(capability, catalog);
  const about = aboutOf(capability, catalog);
  return {
    ...section(
      capability.id,
      capability.title,
      prose(marked(about.description, catalog)),
      { kind: "chips", chips: chipsOf(capability, catalog) },
      list(
        ...adviceOf(capability, catalog, "**").map((advice) => marked(advice, catalog)),
        ...(limit ? [limit] : []),
        ...("confirmation_code" in capability.input(catalog).shape ? [marked(NEEDS_BOOKING, catalog)] : []),
        ...(capability.alsoGet
          ? ["GET takes the same fields as a query; without a query it answers with every base price."]
          : []),
      ),
      fields.length > 0
        ? { kind: "entries", head: ["Field", "Type", "Notes"], entries: fields }
        : prose("It takes no fields."),
      ...errorsOf(capability),
      ...answerForms(capability, catalog, listed).flatMap(({ title, entries }): Block[] => [
        prose(`**The response.** ${title}`),
        { kind: "entries", head: ["Field of `data`", "Type", "Notes"], entries },
      ]),
      { kind: "request", request: sampleRequestOf(capability.id, sampleOf) },
      ...answerBlocks(capability, examples),
    ),
    endpoint: { method: capability.method, path: capability.path },
  };
}

function shownOf(answer: object): { text: string; whole?: string } {
  const text = excerpt(answer);
  const isWhole = isDeepStrictEqual(JSON.parse(text), answer);
  return { text, ...(!isWhole && { whole: JSON.stringify(answer) }) };
}

const NEEDS_BOOKING =
  "The sample names no real booking, and its code uses up no limit: make one with book_appointment, then put in its code, and the phone or e-mail it was booked with.";

export function answerBlocks({ operationId, status, title }: Capability, { success, dryRuns }: Examples): Block[] {
  const [dry, real] = [dryRuns.get(operationId), success.get(operationId)];
  const answers = [
    ...(dry ? [{ status: 200, title: "dry run", ...shownOf(dry) }] : []),
    ...(real ? [{ status, title: dry ? "without dry_run" : "success", ...shownOf(real) }] : []),
  ];
  return answers.length > 0 ? [{ kind: "answers", title, answers }] : [];
}

/** What sending the request does, in short. */
const EFFECTS: Record<Capability["sideEffect"], string> = {
  none: "Reads only",
  creates_lead: "Sends the shop a request",
  books_appointment: "Books an appointment",
  changes_appointment: "Changes an appointment",
};

function effectOf({ sideEffect, status }: Capability): string {
  return status === 201 && sideEffect === "none" ? "Issues a key" : EFFECTS[sideEffect];
}

function chipsOf(capability: Capability, catalog: Shop): Chip[] {
  const { id, operationId, catalogOnly } = capability;
  const tool = toolOf(capability, catalog);
  const isKeyDue = countsKeys(capability) && catalog.bookings.require_api_key;
  return [
    { text: effectOf(capability), href: "#terms" },
    ...(requiresConsent(capability) ? [{ text: "Ask the customer first", href: "#terms" }] : []),
    { text: isKeyDue ? "Needs a key" : "No key needed", href: "#keys" },
    ...(catalogOnly ? [{ text: "Has an `ETag`", href: "#answers" }] : []),
    ...(tool ? [{ text: "MCP tool", href: "#agents" }] : []),
    { text: `Action \`${id}\``, href: `${API_PREFIX}/docs/explorer#/Capabilities/${operationId}` },
  ];
}

/** The error codes that not every endpoint has. */
function errorsOf({ errors }: Capability): Block[] {
  if (errors.length === 0) return [];
  const codes = errors.map((code) => `[${code}](#${code}) (${ERRORS[code].status})`);
  return [prose(`Errors besides [those of every endpoint](#errors): ${codes.join(", ")}.`)];
}

export function sampleRequestOf(id: Capability["id"], sampleOf: SampleOf): SampleRequest {
  const capability = CAPABILITY_BY_ID[id];
  const { method, title } = capability;
  const filled = fillPath(capability, sampleOf(capability));
  return { title, method, path: API_PREFIX + filled.path, sample: { ...filled.rest } };
}

/** Whether a field has to be there, in a request or in an answer. */
type Need = "required" | "recommended" | "optional" | "always" | "sometimes";

/** The fields of `data` in each form that the answer can take. @param listed the places of shapes that were listed before */
function answerForms(
  { id, output }: Capability,
  catalog: Shop,
  listed: Map<string, string>,
): { title: string; entries: Entry[] }[] {
  const schema = jsonSchema(output(catalog), "output");
  return (schema.anyOf ?? [schema]).map((form, i) => {
    const shape = shapeOf(form);
    const parent = `${id}.data${i === 0 ? "" : i + 1}`;
    const entries = Object.entries(shape?.properties ?? {}).map(([name, field]) =>
      entry(name, field, answered(name, shape), parent, catalog, listed),
    );
    const what = (form.type === "array" ? form.items?.description : form.description) ?? "";
    return { title: `${form.type === "array" ? "A list. " : ""}${what}`, entries };
  });
}

/** @param shape of the object that holds the field */
function answered(name: string, shape: JsonSchema | undefined): Need {
  return shape?.required?.includes(name) ? "always" : "sometimes";
}

function fieldsOf(capability: Capability, catalog: Shop): [name: string, schema: JsonSchema, need: Need][] {
  const { hard, soft } = requirements(capability, catalog);
  const need = (name: string) => (hard.includes(name) ? "required" : soft.includes(name) ? "recommended" : "optional");
  return Object.entries(jsonSchema(capability.input(catalog), "input").properties ?? {}).map(([name, schema]) => [
    name,
    schema,
    need(name),
  ]);
}

/**
 * @param parent id of what the field belongs to
 * @param listed the places of shapes that were listed before, by title; a reader is led there
 */
function entry(
  name: string,
  schema: JsonSchema,
  need: Need,
  parent: string,
  catalog: Shop,
  listed?: Map<string, string>,
): Entry {
  const id = `${parent}.${name}`;
  const shape = shapeOf(schema);
  const before = shape?.title === undefined ? undefined : listed?.get(shape.title);
  if (shape?.title !== undefined && before === undefined) listed?.set(shape.title, id);
  const needOf = (field: string): Need => {
    if (isAnswer(need)) return answered(field, shape);
    return shape?.required?.includes(field) ? "required" : "optional";
  };
  const fields = before === undefined ? Object.entries(shape?.properties ?? {}) : [];
  const inner = fields.map(([field, one]) => entry(field, one, needOf(field), id, catalog, listed));
  const isListed = schema.title !== undefined && listed?.has(schema.title);
  if (schema.title !== undefined && schema.enum) listed?.set(schema.title, id);
  const words = isListed ? undefined : wordsOf(schema);
  return {
    id,
    term: name,
    note: noteOf(schema, need),
    text: [
      marked(schema.description ?? "", catalog),
      words ? "" : valuesOf(schema),
      boundsOf(schema),
      before && `Fields as in [${before}](#${before}).`,
    ]
      .filter((part) => part)
      .join(" "),
    ...(words && { words }),
    ...(inner.length > 0 && { inner }),
  };
}

function isAnswer(need: Need): boolean {
  return need === "always" || need === "sometimes";
}

/** `string or null, required`. A field that every answer has needs no word. */
function noteOf(schema: JsonSchema, need: Need): string {
  if (!isAnswer(need)) return `${typeOf(schema)}, ${need}`;
  return `${typeOf(schema)}${schema.nullable ? " or null" : ""}${need === "sometimes" ? ", optional" : ""}`;
}

/** The words of a field with what they mean; undefined where the description has told them, like `coupe: two doors`. */
function wordsOf(schema: JsonSchema): [string, string][] | undefined {
  const lines = Object.entries(schema["x-values"] ?? schema.items?.["x-values"] ?? {});
  const isListed = lines.every(([word]) => schema.description?.includes(`${word}: `));
  return isListed ? undefined : lines;
}

/** The object that a field is, may be, or is a list of. */
function shapeOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  return schema.items ? shapeOf(schema.items) : schema.anyOf?.find(({ properties }) => properties);
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" or ");
  if (schema.type === "array" && schema.items) return `list of ${typeOf(schema.items)}s`;
  if (schema.format === "date") return "date";
  return schema.type ?? "any";
}

function valuesOf(schema: JsonSchema): string {
  const values = schema.enum ?? schema.items?.enum;
  return values ? `One of ${values.map((value) => `\`${value}\``).join(", ")}.` : "";
}

function boundsOf({ minimum, maximum, maxLength, maxItems, format }: JsonSchema): string {
  const number = (value: number) => value.toLocaleString("en-US");
  if (minimum !== undefined && maximum !== undefined) return `From ${number(minimum)} to ${number(maximum)}.`;
  if (maximum !== undefined) return `At most ${number(maximum)}.`;
  if (maxLength !== undefined && format !== "date") return `At most ${number(maxLength)} characters.`;
  return maxItems === undefined ? "" : `At most ${number(maxItems)} entries.`;
}
