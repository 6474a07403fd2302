/**
 * What a request sends: fields in its query, and a body that is JSON, whatever its Content-Type says. Where the fields stand
 * in the wrong place, as a form instead of JSON, in a body beside GET, or under another method, the error shows the same
 * request in the right place.
 */
import type { Capability } from "../capabilities/core/capability.ts";
import { MAX_WARNINGS, shownName } from "../capabilities/core/envelope.ts";
import { explained } from "../capabilities/core/invoke.ts";
import { validate } from "../capabilities/core/validate.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { ApiError, isRecoverable } from "../errors.ts";
import { coerceFields } from "../schema/coerce.ts";
import { LIMITS } from "../schema/fields.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import { contextOf, type RequestContext } from "./request-context.ts";

export function queryOf({ url }: Request): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** The fields of a query or a form, in the types of the capability. */
export function readQuery(query: string, capability: Capability, catalog: Shop): object {
  if (query === "") return {};
  // Grouped, because to look each name up would take quadratic time.
  const fields = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  return coerceFields(
    [...fields].map(([name, pairs]) => [name, pairs.map(([, value]) => value)] as const),
    jsonSchema(capability.input(catalog), "input"),
  );
}

/** @throws ApiError PAYLOAD_TOO_LARGE as soon as the limit is passed, INVALID_JSON when it is no text */
export async function readBodyText(request: Request, most = LIMITS.body): Promise<string> {
  refuseLargeBody(request, most);
  const { headers } = request;
  // A stream takes ten times as long as a body in one piece, so only a body of unknown length is read as one.
  const bytes = await (headers.has("content-length") ? request.bytes() : readStream(request, most)).catch(explainBreak);
  try {
    return UTF8.decode(bytes);
  } catch {
    const isPlain = (headers.get("content-encoding") ?? "identity") === "identity";
    const issue = isPlain ? "The body is not UTF-8 text." : "The body is compressed; send it as plain JSON.";
    throw new ApiError("INVALID_JSON", issue);
  }
}

/** @throws ApiError PAYLOAD_TOO_LARGE for a body that says so itself */
function refuseLargeBody({ headers }: Request, most = LIMITS.body): void {
  if (Number(headers.get("content-length")) > most) throw tooLarge();
}

/** The length of `{}`, which some programs send with every GET. */
const EMPTY_OBJECT = 2;

function hasBody({ headers }: Request): boolean {
  return Number(headers.get("content-length")) > EMPTY_OBJECT;
}

function explainBreak(error: unknown): never {
  if (error instanceof ApiError) throw error;
  throw new ApiError("INVALID_JSON", "The body broke off before its end.", {}, { cause: error });
}

export function parseBody(text: string): object {
  if (text === "") throw new ApiError("INVALID_JSON", "The body is empty; send a JSON object.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (isForm(text) || isMultipart(text)) {
      throw new ApiError("INVALID_JSON", "The body is a form. Send JSON: one object, as in usage.sample_request.");
    }
    throw new ApiError("INVALID_JSON", "The body is not JSON: it breaks off, or a quote, comma or bracket is wrong.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ApiError("INVALID_JSON", "The body must be a JSON object: { … }.");
  }
  return value;
}

/** Of a field that is in an object twice JSON.parse takes the last, and nobody can tell which is the wish. @throws ApiError BAD_REQUEST */
export function refuseRepeats(text: string, value: object): void {
  let fields = 0;
  for (const one of Object.values(value))
    fields += typeof one === "object" && one !== null && !Array.isArray(one) ? 1 + Object.keys(one).length : 1;
  // Most bodies have as many keys, and are not searched. Before a colon is a quote or a space, also in some texts.
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1))
    if (text.charCodeAt(at - 1) <= QUOTE) fields--;
  if (fields === 0) return;
  const repeated: string[] = [];
  const open: { names: Set<string>; last: string }[] = [];
  for (const [token, key] of text.matchAll(JSON_PARTS)) {
    const group = open.at(-1);
    if (repeated.length === MAX_WARNINGS) break;
    if (token === "{") open.push({ names: new Set(), last: "" });
    else if (token === "}") open.pop();
    else if (key !== undefined && group) {
      group.last = String(JSON.parse(key));
      const path = open.slice(0, MOST_LEVELS).map(({ last }) => last);
      if (group.names.has(group.last)) repeated.push(shownName(path.join(".")));
      group.names.add(group.last);
    }
  }
  if (repeated.length === 0) return;
  const invalid = [...new Set(repeated)].map((field) => ({ field, message: "is in the body twice" }));
  const message = `${invalid.map(({ field, message }) => `${field} ${message}`).join("; ")}.`;
  throw new ApiError("BAD_REQUEST", message, { invalid_fields: invalid });
}

const QUOTE = 0x22;
/** Of a path in a body: no field of a request is deeper. */
const MOST_LEVELS = 4;
/** Braces and texts; that of a key is its group. */
const JSON_PARTS = /[{}]|("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"/g;

/** Whether a body is a form, like `vehicle_type=suv&shade=35`. */
function isForm(text: string): boolean {
  return /^\s*[\w.%+[\]-]+=/.test(text);
}

function isMultipart(text: string): boolean {
  return /^--[^\r\n]{1,200}\r?\n[^\r\n]{0,200}form-data/i.test(text);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const tooLarge = () => new ApiError("PAYLOAD_TOO_LARGE", `The body is larger than ${LIMITS.body / 1024} KiB.`);

async function readStream({ body }: Request, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export interface Misplaced {
  capability: Capability;
  /** The text of the body, in which the fields may be as JSON or as a form. */
  text?: string;
  /** The fields in the path. */
  params?: object;
}

/** The error, with the caller's own fields in the right place as its sample. */
export function withFieldsInPlace(
  error: ApiError,
  call: RequestContext,
  { capability, text = "", params = {} }: Misplaced,
): ApiError {
  const { catalog } = call;
  const fields = {
    ...params,
    ...readQuery(queryOf(call.request), capability, catalog),
    ...fieldsIn(text, capability, catalog),
  };
  return explained(capability, validate(capability, fields, catalog), error, contextOf(call, capability));
}

/** The error of a request whose body was not read, with its fields in the right place. A body over `most` bytes counts as none. */
export async function withWholeRequest(
  error: ApiError,
  call: RequestContext,
  { capability, params }: Pick<Misplaced, "capability" | "params">,
  most = LIMITS.body,
): Promise<ApiError> {
  const text = await readBodyText(call.request, most).catch(() => "");
  return withFieldsInPlace(error, call, { capability, text, ...(params && { params }) });
}

/** The longest body that is read to be shown in a refusal, in bytes: a flood must cost little. */
const SHORT_BODY = 4096;

/** A refusal before the request is read shows it nevertheless, where it can be sent again. */
export async function withShortRequest(error: unknown, call: RequestContext, params: object = {}): Promise<unknown> {
  const { capability } = call;
  const isShown = capability && error instanceof ApiError && isRecoverable(error.code);
  return isShown ? withWholeRequest(error, call, { capability, params }, SHORT_BODY) : error;
}

/** The names of the fields in the query of a request and in its body. Those in the body of a GET are not known. */
export function fieldNames(request: Request, text = ""): string[] {
  const inQuery = (query: string) => [...new URLSearchParams(query).keys()];
  const inBody = isForm(text) ? inQuery(text.trim()) : Object.keys(objectIn(text));
  return [...inQuery(queryOf(request)), ...inBody, ...(request.method === "GET" && hasBody(request) ? [""] : [])];
}

/** The fields of a body in JSON or as a form; none in any other. */
function fieldsIn(text: string, capability: Capability, catalog: Shop): object {
  return isForm(text) ? readQuery(text.trim(), capability, catalog) : objectIn(text);
}

function objectIn(text: string): object {
  try {
    return parseBody(text);
  } catch {
    return {};
  }
}

/** Bun hands on no body of a GET. Where a capability takes no fields at all, a body is ignored. Throws BAD_REQUEST, PAYLOAD_TOO_LARGE. */
export async function refuseBody(call: RequestContext, capability: Capability): Promise<void> {
  const takesFields = Object.keys(capability.input(call.catalog).shape).length > 0;
  if (!takesFields || !hasBody(call.request)) return;
  refuseLargeBody(call.request);
  const isPost = capability.method === "POST";
  const error = new ApiError(
    "BAD_REQUEST",
    `GET takes its fields in the query, and this one has them in the body. Send them in the query${isPost ? ", or the same body with POST" : ""}.`,
    { ...(isPost && { method: "POST", path: API_PREFIX + capability.path }) },
  );
  throw withFieldsInPlace(error, call, { capability });
}
