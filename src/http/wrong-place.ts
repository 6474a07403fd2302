/**
 * Requests whose fields stand in the wrong place: a form instead of JSON, a body beside GET, another method. The error
 * shows the same request in the right place.
 */
import type { Capability } from "../capabilities/core/capability.ts";
import { explained } from "../capabilities/core/invoke.ts";
import { validate } from "../capabilities/core/validate.ts";
import type { Shop } from "../catalog/shop.ts";
import { ApiError } from "../errors.ts";
import { hasBody, isForm, parseBody, readBodyText, refuseLargeBody } from "./body.ts";
import { queryOf, readQuery } from "./query.ts";
import type { RequestContext } from "./request-context.ts";
import { contextOf } from "./run-capability.ts";

interface Misplaced {
  /** What the request was meant for. */
  capability: Capability;
  /** The text of the body, in which the fields may stand as JSON or as a form. */
  text?: string;
  query?: string;
  /** The fields in the path. */
  params?: object;
}

/** The error, with the caller's own fields in the right place as its sample. */
export async function withFieldsInPlace(
  error: ApiError,
  call: RequestContext,
  { capability, text = "", query = "", params = {} }: Misplaced,
): Promise<ApiError> {
  const { catalog } = call;
  const fields = { ...params, ...readQuery(query, capability, catalog), ...fieldsIn(text, capability, catalog) };
  return explained(capability, validate(capability, fields, catalog), error, contextOf(call, capability));
}

/** The error of a wrong method or path, with the fields of the whole request in the right place. */
export async function withWholeRequest(
  error: ApiError,
  call: RequestContext,
  { capability, params }: Pick<Misplaced, "capability" | "params">,
): Promise<ApiError> {
  const text = await readBodyText(call.request).catch(() => "");
  return withFieldsInPlace(error, call, { capability, text, query: queryOf(call.request), ...(params && { params }) });
}

/** The fields of a body in JSON or as a form; none in any other. */
function fieldsIn(text: string, capability: Capability, catalog: Shop): object {
  if (isForm(text)) return readQuery(text.trim(), capability, catalog);
  try {
    return parseBody(text);
  } catch {
    return {};
  }
}

/**
 * GET takes its fields in the query. Bun hands on no body of a GET, so the fields in it are not known; where a capability
 * takes no fields at all, a body is ignored.
 * @throws ApiError BAD_REQUEST, PAYLOAD_TOO_LARGE
 */
export async function refuseBody(call: RequestContext, capability: Capability): Promise<void> {
  const takesFields = Object.keys(capability.input(call.catalog).shape).length > 0;
  if (!takesFields || !hasBody(call.request)) return;
  refuseLargeBody(call.request);
  const isPost = capability.method === "POST";
  const error = new ApiError(
    "BAD_REQUEST",
    `GET takes its fields in the query, and this one has them in the body. Send them in the query${isPost ? ", or the same body with POST" : ""}.`,
    { ...(isPost && { method: "POST" }) },
  );
  throw await withFieldsInPlace(error, call, { capability, query: queryOf(call.request) });
}
