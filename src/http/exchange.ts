/** One request on its way through the gateway. */
import type { Logger } from "pino";
import type { Capability, LimitState } from "../capabilities/core/capability.ts";
import type { Diary } from "../capabilities/core/diary.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import type { PriceLocks } from "../capabilities/core/price-locks.ts";
import type { Catalog } from "../catalog/schema.ts";
import type { ApiError } from "../errors.ts";
import type { Granted, Limiter } from "../limits/limiter.ts";
import type { Store } from "../store/store.ts";
import type { HttpCaller } from "./caller.ts";
import type { FindKey } from "./known-keys.ts";
import type { HttpProtocol } from "./protocols.ts";

export interface Route {
  /** From the root of the site, with fields in braces. */
  path: string;
  /** Methods with a handler, without HEAD and OPTIONS, which the gateway derives from them. */
  methods: readonly string[];
  /** The Allow header: every method that is answered. */
  allow: string;
  capability: Capability | undefined;
  /** Set on the paths of MCP and A2A, where the message names the capability. */
  protocol: HttpProtocol | undefined;
  /** Health checks: charged to no pool, and open to blocked callers. */
  isHealthCheck: boolean;
  /** Set on the paths of pages for people: the page that says why a request was refused. */
  refusal:
    | ((error: ErrorBody, catalog: Catalog) => { body: string; headers: Readonly<Record<string, string>> })
    | undefined;
}

/** The same for all requests. */
export interface Shared {
  store: Store;
  findKey: FindKey;
  diary: Diary;
  locks: PriceLocks;
  limiter: Limiter;
  /** Compare every answer with the schema of its capability. */
  checkAnswers: boolean;
}

/** The facts about a request, filled in as it passes through the gateway. */
export interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  /** As `performance.now()` gives it, milliseconds. */
  readonly startedAt: number;
  /** Without the query, and without a slash at the end. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** A request sees one catalog and one time from start to end. */
  readonly catalog: Catalog;
  readonly now: Temporal.Instant;
  readonly route: Route | undefined;
  readonly log: Logger;
  readonly shared: Shared;
  /** Named by the path or, over MCP and A2A, by the message. */
  capability: Capability | undefined;
  caller: HttpCaller | undefined;
  /** The body of a message of MCP or A2A. */
  message: object | undefined;
  /** The charges of this request; a refusal may take them back. */
  granted: Granted | undefined;
  /** For the X-RateLimit headers: limits that the gateway charged, and quotas that the capability reports. */
  limits: LimitState[];
  /** The operation that was carried out: not in a dry run, and not for a repeated request. */
  did: string | undefined;
  /** Why the request was refused. */
  failure: ApiError | undefined;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The method for log and figures. A caller can make up any other, so these are all `other`. */
export function methodName({ method }: Request): string {
  return METHODS.has(method) ? method : "other";
}

/** GET, or HEAD, which is GET without the body. */
export function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}
