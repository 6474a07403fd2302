/** One section of the documentation per capability. */

import type { Capability } from "../../../capabilities/core/capability.ts";
import { fillPath } from "../../../capabilities/core/operations.ts";
import { CAPABILITY_BY_ID } from "../../../capabilities/index.ts";
import { aboutOf, offered } from "../../../capabilities/offer.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { adviceOf, limitOf } from "../../../discovery/advice.ts";
import { requirements } from "../../../discovery/manifest.ts";
import type { SampleOf } from "../../../discovery/samples.ts";
import { ERRORS } from "../../../errors.ts";
import { type JsonSchema, jsonSchema } from "../../../schema/json-schema.ts";
import { API_PREFIX } from "../../../vocabulary.ts";
import { type Block, type Entry, type SampleRequest, type Section, text } from "./blocks.ts";

export function endpoints(catalog: Catalog, sampleOf: SampleOf): Section[] {
  return offered(catalog).map((capability) => endpoint(capability, catalog, sampleOf));
}

export function requestOf(id: Capability["id"], sampleOf: SampleOf): SampleRequest {
  return toRequest(CAPABILITY_BY_ID[id], sampleOf);
}

function endpoint(capability: Capability, catalog: Catalog, sampleOf: SampleOf): Section {
  const fields = fieldsOf(capability, catalog);
  const limit = limitOf(capability, catalog);
  return {
    id: capability.id,
    title: `${capability.method} ${capability.path}`,
    method: capability.method,
    blocks: [
      text(aboutOf(capability, catalog).description),
      {
        kind: "list",
        items: [
          ...adviceOf(capability, catalog).map((advice) => advice.replace(/^[^:.]+:/, "**$&**")),
          ...(limit ? [limit] : []),
          ...facts(capability),
        ],
      },
      fields.length > 0
        ? { kind: "entries", head: ["Field", "Type", "Notes"], entries: fields }
        : text("It takes no fields."),
      ...errorsOf(capability),
      { kind: "request", request: toRequest(capability, sampleOf) },
    ],
  };
}

/** The error codes that not every endpoint has. */
function errorsOf({ errors }: Capability): Block[] {
  if (errors.length === 0) return [];
  const codes = errors.map((code) => `\`${code}\` (${ERRORS[code].status})`);
  return [text(`Errors besides those of every endpoint: ${codes.join(", ")}.`)];
}

function toRequest(capability: Capability, sampleOf: SampleOf): SampleRequest {
  const { method, title } = capability;
  const effect = effectOf(capability);
  const filled = fillPath(capability, sampleOf(capability));
  return {
    title,
    method,
    path: API_PREFIX + filled.path,
    sample: { ...filled.rest },
    ...(effect && { effect }),
  };
}

/** A warning about sending the sample; undefined when nothing is stored. */
function effectOf({ sideEffect, status }: Capability): string | undefined {
  if (sideEffect === "books_appointment") return "Without dry_run it books a real appointment and notifies the shop.";
  if (sideEffect === "changes_appointment") return "It changes a real appointment and notifies the shop.";
  if (sideEffect === "creates_lead")
    return "Without dry_run it sends a real request to the shop, which will call back.";
  return status === 201 ? "Without dry_run it stores what you send." : undefined;
}

function facts({ id, operationId, sideEffect, alsoGet }: Capability): string[] {
  return [
    `Capability \`${id}\`, operation \`${operationId}\`, side effect \`${sideEffect}\`.`,
    ...(alsoGet
      ? ["Also accepts GET with the same fields as a query; without a query it answers with every base price."]
      : []),
  ];
}

function fieldsOf(capability: Capability, catalog: Catalog): Entry[] {
  const wanted = requirements(capability, catalog);
  const need = (name: string) =>
    wanted.hard.includes(name) ? "required" : wanted.soft.includes(name) ? "recommended" : "optional";
  return Object.entries(jsonSchema(capability.input(catalog), "input").properties ?? {}).map(([name, schema]) => ({
    term: name,
    note: `${typeOf(schema)}, ${need(name)}`,
    text: [schema.description, valuesOf(schema), boundsOf(schema)].filter((part) => part).join(" "),
  }));
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
  if (minimum !== undefined && maximum !== undefined) return `From ${minimum} to ${maximum}.`;
  if (maximum !== undefined) return `At most ${maximum}.`;
  if (maxLength !== undefined && format !== "date") return `At most ${maxLength} characters.`;
  return maxItems === undefined ? "" : `At most ${maxItems} entries.`;
}
