/** The fields of a request, from the schema of the capability: as a list to read, and as controls of a form. */
import type { Capability } from "../../../capabilities/core/capability.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { requirements } from "../../../discovery/manifest.ts";
import { type JsonSchema, jsonSchema } from "../../../schema/json-schema.ts";
import { type Entry, marked, type TryField } from "./blocks.ts";

/** Whether a field has to be there, in a request or in an answer. */
type Need = "required" | "recommended" | "optional" | "always" | "sometimes";

export function fieldEntries(capability: Capability, catalog: Shop): Entry[] {
  return fieldsOf(capability, catalog).map(([name, schema, need]) => entry(name, schema, need, capability.id, catalog));
}

/**
 * The fields of `data` in each form that the answer can take.
 * @param listed the places of shapes that were listed before
 */
export function answerForms(
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

/** @param sample values that the form begins with */
export function tryFields(capability: Capability, catalog: Shop, sample: object): TryField[] {
  const values = new Map<string, unknown>(Object.entries(sample));
  return fieldsOf(capability, catalog).map(([name, schema, need]) => {
    const choices = (schema.enum ?? schema.items?.enum)?.filter((word) => word !== null).map(String);
    const value = values.get(name);
    const control = controlOf(schema);
    return {
      name,
      note: `${typeOf(schema)}, ${need}`,
      isUsual: need === "required" || value !== undefined,
      control,
      ...(choices && { choices }),
      value: value === undefined ? "" : asTyped(value, control),
    };
  });
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
  return [`${typeOf(schema)}${schema.nullable ? " or null" : ""}`, ...(need === "sometimes" ? ["optional"] : [])].join(
    ", ",
  );
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

/** The type of a field in a few words. */
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

/** Texts longer than this get a field of several lines. */
const LONG_TEXT = 500;

function controlOf(schema: JsonSchema): TryField["control"] {
  const { type, enum: words, format, items, maxLength = 0 } = schema;
  if (words) return "choice";
  if (type === "boolean") return "flag";
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return items?.type === "string" ? "list" : "json";
  if (type !== "string") return "json";
  if (format === "date") return "date";
  return maxLength > LONG_TEXT ? "long" : "text";
}

function asTyped(value: unknown, control: TryField["control"]): string {
  if (control === "list" && Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
