/** The facts about one request, which every plugin of the application gets as `call`. */
import { Elysia } from "elysia";
import type { Logger } from "pino";
import type { Capability } from "../capabilities/core/capability.ts";
import type { Diary } from "../capabilities/core/diary.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import type { SigningSecret } from "../capabilities/core/signing-secret.ts";
import type { Shop } from "../catalog/shop.ts";
import type { ApiError, LimitState } from "../errors.ts";
import type { Networks } from "../lib/network.ts";
import type { Granted, Limiter } from "../limits/limiter.ts";
import type { Store } from "../store/store.ts";
import type { HttpCaller } from "./caller.ts";
import type { FindKey } from "./key-cache.ts";

/** What the application is given, the same for all requests. */
export interface RequestDeps {
  /** The current catalog; read once per request. */
  catalog: () => Shop;
  now: () => Temporal.Instant;
  store: Store;
  findKey: FindKey;
  diary: Diary;
  signing: SigningSecret;
  limiter: Limiter;
  trusted: Networks;
  log: Logger;
  /** The address of the other end of the connection. */
  peerOf: (request: Request, server: Bun.Server<unknown> | null) => string | undefined;
  /** Compare every answer with the schema of its capability. */
  checkAnswers: boolean;
  /** Called for a caller whose proxy named no address outside the trusted ranges. */
  noteSharing: () => void;
  /** Called after every answer, to count it in the metrics. */
  observe?: ((call: RequestContext) => void) | undefined;
}

/** What Elysia sends with a body. */
interface Reply {
  status?: number | string;
  headers: object;
}

/** The facts about one request. A request sees one catalog and one time from start to end. */
export interface RequestContext {
  readonly deps: RequestDeps;
  readonly request: Request;
  readonly requestId: string;
  /** As `performance.now()` gives it, milliseconds. */
  readonly startedAt: number;
  readonly catalog: Shop;
  readonly now: Temporal.Instant;
  /** Set before the handler runs. */
  caller: HttpCaller;
  /** The capability that is asked for: by the path or, over MCP and A2A, by the message. */
  capability: Capability | undefined;
  /** The error as this path answers it, for pages and protocols; without it the error is JSON. */
  refusal: ((error: ErrorBody, call: RequestContext, set: Reply) => string | object) | undefined;
  /** Health checks, which are GET and HEAD of such a path, are charged to no pool, and open to blocked callers. */
  isHealthPath: boolean;
  /** Pages for customers have a limit of their own. */
  isPage: boolean;
  /** The charges of this request, which a refusal takes back. */
  granted: Granted[];
  /** Limits beside the charged ones, for the X-RateLimit headers: looked at, or quotas that a capability reports. */
  limits: LimitState[];
  /** The operation that was carried out: not in a dry run, and not for a repeated request. */
  did: string | undefined;
  /** Why the request was refused. */
  failure: ApiError | undefined;
  /** The status of the answer; 0 until there is one. */
  status: number;
  /** The pattern of the path, like `/api/v1/bookings/{confirmation_code}`. */
  route: string;
}

/** Gives plugins the type of the request context. */
export const withCall = new Elysia({ name: "tintdesk/call" }).decorate("call", {} as RequestContext);

/** Matches the paths that nothing else does. */
export const ANY_PATH = "/*";

/** A path of ours, `/bookings/{code}`, as Elysia writes it. */
export function toRoute(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}
