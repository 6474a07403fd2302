/** The OpenAPI document as the server gives it, and a check of live answers against it. */
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { type Answer, API, testApp } from "../helpers.ts";

export interface Operation {
  operationId: string;
  description: string;
  "x-openai-isConsequential": boolean;
  security?: object[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { example: object }> };
  responses: Record<string, Described | { $ref: string }>;
}

/** A response of the document. */
interface Described {
  headers: object;
  content?: Record<string, unknown>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, Described> };
}

/** The document for the shop's own catalog. */
export async function openApiDocument(): Promise<OpenApiDocument> {
  const { json } = await testApp().get(`${API}/openapi.json`);
  return json;
}

/** The faults of an answer by the document; empty when the answer is as described. */
export function createValidator(document: OpenApiDocument) {
  // OpenAPI 3.0 is closest to draft 4: exclusiveMinimum is a boolean in both.
  const ajv = addFormats(new Ajv({ strict: false, validateSchema: false, allErrors: true }));
  // As validators of OpenAPI read it: a nullable list of words takes null, which generators do not take inside the list.
  const withNull = (_: string, value: { nullable?: boolean; enum?: unknown[] } | null) =>
    value?.nullable && value.enum ? { ...value, enum: [...value.enum, null] } : value;
  ajv.addSchema(JSON.parse(JSON.stringify(document), withNull), "api");
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const pointer = (...parts: string[]) =>
    parts.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

  return (path: string, method: string, { status, headers, json, text }: Answer): string[] => {
    const listed = document.paths[path]?.[method]?.responses[status];
    const shared = listed && "$ref" in listed ? listed.$ref.split("/").at(-1) : undefined;
    const response = shared === undefined ? (listed as Described | undefined) : document.components.responses[shared];
    if (!response) return [`${method} ${path} does not describe ${status}`];
    const absent = Object.keys(response.headers).filter((name) => !OPTIONAL.includes(name) && !headers.has(name));
    const issues = absent.map((name) => `${status} lacks the header ${name}`);
    const type = headers.get("content-type")?.split(";")[0];
    if (!response.content) return text === "" ? issues : [...issues, `${status} must not have a body`];
    if (!type || !response.content[type]) return [...issues, `${status} has the content type ${type}`];
    if (type !== "application/json") return issues;
    const place =
      shared === undefined ? ["paths", path, method, "responses", String(status)] : ["components", "responses", shared];
    const schema = pointer(...place, "content", type, "schema");
    const $ref = `api#${schema.replaceAll("{", "%7B").replaceAll("}", "%7D")}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    if (validate(json)) return issues;
    return [...issues, ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)];
  };
}

/** Headers that only some answers of a status carry. */
const OPTIONAL = ["Idempotent-Replayed", "ETag"];
