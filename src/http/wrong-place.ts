/**
 * Requests whose fields stand in the wrong place: a form instead of JSON, a body beside GET, another method. The error
 * shows the same request in the right place.
 */
import type { Capability, Context } from "../capabilities/core/capability.ts";
import { explained } from "../capabilities/core/invoke.ts";
import { validate } from "../capabilities/core/validate.ts";
import { ApiError } from "../errors.ts";
import { coerceFields } from "../schema/coerce.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import { isForm, parseBody, readBodyText } from "./body.ts";
import { queryOf, type RequestContext } from "./request-context.ts";
import { contextOf } from "./run-capability.ts";

/** The fields of a query or a form, in the types of the capability. */
export function readQuery(query: string, capability: Capability, { catalog }: Pick<Context, "catalog">): object {
  if (query === "") return {};
  // Grouped, because to look each name up would take quadratic time.
  const fields = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  return coerceFields(
    [...fields].map(([name, pairs]) => [name, pairs.map(([, value]) => value)] as const),
    jsonSchema(capability.input(catalog), "input"),
  );
}

/** The error of a body that is no JSON, explained by the same fields as JSON. */
export async function explainUnread(
  error: unknown,
  capability: Capability,
  ctx: Context,
  text: string,
): Promise<unknown> {
  const isUnread = error instanceof ApiError && error.code === "INVALID_JSON";
  return isUnread ? explainWrongPlace(error, capability, ctx, text) : error;
}

/** An error, explained by the same request with its fields in the right place. @param text of the body */
async function explainWrongPlace(
  error: ApiError,
  capability: Capability,
  ctx: Context,
  text: string,
  query = "",
  params: object = {},
): Promise<ApiError> {
  const request = { ...params, ...readQuery(query, capability, ctx), ...fieldsIn(text, capability, ctx) };
  return explained(capability, validate(capability, request, ctx.catalog), error, ctx);
}

/** The fields of a body in JSON or as a form; none in any other. */
function fieldsIn(text: string, capability: Capability, ctx: Context): object {
  if (isForm(text)) return readQuery(text.trim(), capability, ctx);
  try {
    return parseBody(text);
  } catch {
    return {};
  }
}

/** The length of `{}`, which some programs send with every GET. */
const EMPTY_OBJECT = 2;

/** Whether a request says that it has a body with fields. */
export function hasBody({ headers }: Request): boolean {
  return Number(headers.get("content-length") ?? 0) > EMPTY_OBJECT;
}

/** @throws ApiError BAD_REQUEST for a GET whose body has fields: GET takes them in the query */
export async function refuseBody(call: RequestContext, capability: Capability): Promise<void> {
  const ctx = contextOf(call, capability);
  const text = await readBodyText(call.request);
  // Bun hands on no body of a GET, so the fields in it may be unknown.
  if (text !== "" && Object.keys(fieldsIn(text, capability, ctx)).length === 0) return;
  const isPost = capability.method === "POST";
  const error = new ApiError(
    "BAD_REQUEST",
    `GET takes its fields in the query, and this one has them in the body. Send them in the query${isPost ? ", or the same body with POST" : ""}.`,
    { ...(isPost && { method: "POST" }) },
  );
  throw await explainWrongPlace(error, capability, ctx, text, queryOf(call.request));
}

/** An error about the method or the path, with the request as it should be sent. @param params the fields in the path */
export async function explainPlace(
  error: ApiError,
  call: RequestContext,
  capability: Capability,
  params: object = {},
): Promise<ApiError> {
  const text = await readBodyText(call.request).catch(() => "");
  return explainWrongPlace(error, capability, contextOf(call, capability), text, queryOf(call.request), params);
}
