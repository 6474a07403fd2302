/**
 * Pages with forms. They use the capabilities in this process, with the limits and errors of the API, and they accept a
 * form only from themselves.
 */
import type { Capability, Context } from "../capabilities/core/capability.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import { invoke, type Outcome } from "../capabilities/core/invoke.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError, statusOf } from "../errors.ts";
import { readText } from "./body.ts";
import { contextOf } from "./context.ts";
import { account } from "./endpoints.ts";
import { toApiError } from "./error-response.ts";
import type { Exchange } from "./exchange.ts";
import { HTML_TYPE, headersFor, preparedHeaders } from "./headers.ts";
import { represent, toResponse } from "./representation.ts";
import { describeError } from "./respond.ts";
import { type Endpoint, readPath } from "./routes.ts";

/** Somebody who looks at a page, or sends its form. */
export interface Visit {
  query: URLSearchParams;
  /** Empty unless a form was sent. */
  form: URLSearchParams;
  /** The fields in the path. */
  fields: Readonly<Record<string, string>>;
  /** Whether another page shows this one in a frame. */
  isFramed: boolean;
  ctx: Context;
  /** Uses a capability as a request to the API would. An expected failure is returned. */
  use: <Data>(capability: Use<Data>, input: object) => Promise<Used<Data>>;
}

/** A capability, by the data that it answers with. */
type Use<Data> = Parameters<typeof invoke<import("zod").ZodType<Data>>>[0];

type Used<Data> = { ok: true; outcome: Outcome<Data> } | { ok: false; status: number; error: ErrorBody };

export interface PageAnswer {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Such an answer may be kept by the browser and compressed; any other is never stored. */
  isPublic?: boolean;
}

export interface Page {
  path: string;
  get?: (visit: Visit) => Promise<PageAnswer> | PageAnswer;
  post?: (visit: Visit) => Promise<PageAnswer>;
  /** The capability that a form uses; limits count the form like a request to it. */
  capability?: Capability;
}

/** @param refusal the page for a request that is refused before it reaches one */
export function pageEndpoints(page: Page, refusal: NonNullable<Endpoint["refusal"]>): Endpoint[] {
  const { path, get, post, capability } = page;
  const common = { path, refusal };
  return [
    ...(get
      ? [{ ...common, method: "GET" as const, answer: async (at: Exchange) => respond(at, await get(visitOf(at, ""))) }]
      : []),
    ...(post
      ? [
          {
            ...common,
            method: "POST" as const,
            ...(capability && { capability }),
            answer: async (at: Exchange) => {
              requireOwnForm(at);
              return respond(at, await post(visitOf(at, await readText(at.request))));
            },
          },
        ]
      : []),
  ];
}

function visitOf(exchange: Exchange, body: string): Visit {
  const ctx = contextOf(exchange);
  return {
    query: new URLSearchParams(exchange.query),
    form: new URLSearchParams(body),
    fields: readPath(exchange.route?.path ?? "", exchange.path) ?? {},
    isFramed: FRAMES.has(exchange.request.headers.get("sec-fetch-dest") ?? ""),
    ctx,
    async use(capability, input) {
      try {
        const outcome = await invoke(capability, input, ctx);
        account(outcome, exchange, capability);
        return { ok: true, outcome };
      } catch (error) {
        const failure = toApiError(error, capability);
        exchange.failure = failure;
        exchange.limits.push(...(failure.details.limits ?? []));
        const described = describeError(exchange, failure, capability);
        return { ok: false, status: statusOf(failure), error: described };
      }
    },
  };
}

const FRAMES = new Set(["iframe", "frame", "embed", "object"]);

/**
 * Browsers say where a form comes from: Sec-Fetch-Site, or Origin where they are older. A program that says neither is
 * sent to the API.
 * @throws ApiError FORBIDDEN
 */
function requireOwnForm({ request, catalog }: Exchange): void {
  const { headers, url } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin") ?? "";
  const isOwn = site === null ? ownOrigins(url, catalog).includes(origin) : site === "same-origin" || site === "none";
  if (!isOwn) throw new ApiError("FORBIDDEN", "This form was sent from another website, so it was not accepted.");
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers.get("content-type") ?? ""))
    throw new ApiError("BAD_REQUEST", "This is not the form of this page. Programs use the API.");
}

/** Behind a proxy the request may name another host than the one in the browser, or http for https. */
function ownOrigins(url: string, { site }: Catalog): string[] {
  const { host } = new URL(url);
  return [`http://${host}`, `https://${host}`, new URL(site.url).origin, new URL(site.base_url).origin];
}

function respond(exchange: Exchange, { status, body, headers, isPublic }: PageAnswer): Response | Promise<Response> {
  if (isPublic && status === 200)
    return toResponse(exchange, represent(body, headers["Content-Type"] ?? HTML_TYPE, headers));
  const wait = status >= 400 ? exchange.failure?.details.retry_after_seconds : undefined;
  const own = preparedHeaders({
    "Content-Type": HTML_TYPE,
    "Cache-Control": "no-store",
    ...headers,
    ...(wait !== undefined && { "Retry-After": String(wait) }),
  });
  return new Response(body, { status, headers: headersFor(exchange, own) });
}
