/** Pages with forms use the capabilities in this process, with the API's limits and errors, and accept a form only from themselves. */
import type { z } from "zod";
import type { Capability, Context } from "../capabilities/core/capability.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import type { CapabilityResult } from "../capabilities/core/invoke.ts";
import type { Shop } from "../catalog/shop.ts";
import { withDaysToCome } from "../domain/days-to-come.ts";
import { ApiError, httpStatus } from "../errors.ts";
import { isOwnOrigin } from "./caller.ts";
import { runCapability } from "./capabilities.ts";
import { explainFailure, logError, settleRefusal } from "./errors.ts";
import { queryOf, readBodyText } from "./input.ts";
import { otherMethods } from "./not-found.ts";
import { represent, type Sending, sendRepresentation } from "./representation.ts";
import { contextOf, type RequestContext } from "./request-context.ts";
import { getAndHead, pathPlugin, toRoute } from "./routes.ts";

const HTML_TYPE = "text/html; charset=utf-8";

/** Somebody who looks at a page, or sends its form. */
export interface Visit {
  query: URLSearchParams;
  /** Empty unless a form was sent. */
  form: URLSearchParams;
  fields: Readonly<Record<string, string>>;
  /** Whether another page shows this one in a frame. */
  isFramed: boolean;
  ctx: Context;
  /** The folder of the catalog's file, where it may have pictures. */
  folder: string | undefined;
  /** Uses a capability as a request to the API would. An expected failure is returned. */
  use: <Data>(capability: Use<Data>, input: object) => Promise<Used<Data>>;
}

/** A capability, by the data that it answers with. */
type Use<Data> = Capability<z.ZodObject, z.ZodType<Data>>;

type Used<Data> = { ok: true; outcome: CapabilityResult<Data> } | { ok: false; status: number; error: ErrorBody };

export interface PageAnswer {
  status: number;
  body: string | Uint8Array;
  headers: Readonly<Record<string, string>>;
  /** Such an answer may be kept by the browser and compressed; any other is never stored. */
  isPublic?: boolean;
}

export interface Page {
  path: string;
  get?: (visit: Visit) => Promise<PageAnswer> | PageAnswer;
  post?: (visit: Visit) => Promise<PageAnswer>;
  capability?: Capability;
}

/** Makes the page that says why a request was refused. */
export type RefusalPage = (error: ErrorBody, catalog: Shop) => Pick<PageAnswer, "body" | "headers">;

/** An error as people read it. */
export function asPage(refusalPage: RefusalPage): RequestContext["refusal"] {
  return (error, { catalog }, set) => {
    const { body, headers } = refusalPage(error, catalog);
    Object.assign(set.headers, { "Content-Type": HTML_TYPE, Vary: "Accept", ...headers });
    return body;
  };
}

/** @param refusalPage for a request that is refused before it reaches a page */
export function pagesPlugin(pages: readonly Page[], refusalPage: RefusalPage) {
  const plugin = pathPlugin().onTransform(({ call }) => {
    call.isPage = true;
    call.refusal = asPage(refusalPage);
  });
  for (const { path, get, post, capability } of pages) {
    const route = toRoute(path);
    if (get) getAndHead(plugin, route, ({ call, set, params }) => respond({ call, set }, get, params));
    if (post)
      plugin.post(
        route,
        async ({ call, set, params }) => {
          requireOwnForm(call);
          call.capability = capability;
          return respond({ call, set }, post, params, await readBodyText(call.request));
        },
        { parse: "none" },
      );
  }
  return plugin.use(otherMethods);
}

/** The fields in a path. Elysia makes null of one that is no valid percent-encoding. */
type Params = Readonly<Record<string, string | null>>;

/** `failures` gets those that the page is told of: whether one refuses the request shows only in the page's answer. */
function visitOf(call: RequestContext, params: Params, form: string, failures: ApiError[]): Visit {
  return {
    query: new URLSearchParams(queryOf(call.request)),
    form: new URLSearchParams(form),
    fields: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? ""])),
    isFramed: FRAMES.has(call.request.headers.get("sec-fetch-dest") ?? ""),
    folder: call.deps.folder,
    ctx: { ...contextOf(call, call.capability), catalog: withDaysToCome(call.catalog, call.now) },
    async use(capability, input) {
      try {
        return { ok: true, outcome: await runCapability(call, capability, input) };
      } catch (error) {
        const { failure, body } = explainFailure(call, error, capability);
        failures.push(failure);
        return { ok: false, status: httpStatus(failure), error: body };
      }
    },
  };
}

const FRAMES = new Set(["iframe", "frame", "embed", "object"]);

/** By Sec-Fetch-Site, or Origin in older browsers. A program that says neither is sent to the API. Throws FORBIDDEN. */
function requireOwnForm({ request, catalog }: RequestContext): void {
  const { headers, url } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin") ?? "";
  const isOwn = site === null ? isOwnOrigin(origin, url, catalog) : site === "same-origin" || site === "none";
  if (!isOwn) throw new ApiError("FORBIDDEN", "This form was sent from another website, so it was not accepted.");
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? ""))
    throw new ApiError("BAD_REQUEST", "This is not the form of this page. Programs use the API.");
}

/** Sends what a page answers. The failure whose status it answers with is the reason why the request was refused. */
async function respond(
  { call, set }: Sending,
  page: (visit: Visit) => Promise<PageAnswer> | PageAnswer,
  params: Params = {},
  form = "",
): Promise<object | string> {
  const failures: ApiError[] = [];
  const { status, body, headers, isPublic } = await page(visitOf(call, params, form, failures));
  const reason = failures.findLast((failure) => httpStatus(failure) === status);
  if (reason) await settleRefusal(call, reason);
  for (const failure of failures) if (failure !== reason) logError(call, failure);
  if (isPublic && status === 200)
    return sendRepresentation({ call, set }, represent(body, headers["Content-Type"] ?? HTML_TYPE, headers));
  const wait = reason?.details.retry_after_seconds;
  set.status = status;
  Object.assign(set.headers, {
    "Content-Type": HTML_TYPE,
    ...headers,
    ...(wait !== undefined && { "Retry-After": String(wait) }),
  });
  return body;
}
