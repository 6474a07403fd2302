/** The facts about one request, which plugins get as `call`, and the context that capabilities get of it. */
import type { Logger } from "pino";
import type { Capability, CodeAttempts, Context } from "../capabilities/core/capability.ts";
import type { Diary } from "../capabilities/core/diary.ts";
import type { ErrorBody } from "../capabilities/core/envelope.ts";
import type { Voice } from "../capabilities/core/operations.ts";
import type { SigningSecret } from "../capabilities/core/signing-secret.ts";
import { LIMITS } from "../catalog/limits.ts";
import type { LoadedCatalog } from "../catalog/load/load.ts";
import type { LimitName } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { type ApiError, fail, type LimitState } from "../errors.ts";
import type { Networks } from "../lib/network.ts";
import { type Charge, charge, type Granted, type Limiter, overLimit } from "../limits/rate-limit.ts";
import type { Payments } from "../payments/stripe.ts";
import type { Store } from "../store/store.ts";
import { type HttpCaller, networkCharges } from "./caller.ts";

export interface RequestDeps {
  /** The catalog in force; read once per request. */
  catalog: { readonly current: LoadedCatalog };
  now: () => Temporal.Instant;
  store: Store;
  findKey: Store["findKey"];
  diary: Diary;
  signing: SigningSecret;
  payments?: Payments | null | undefined;
  limiter: Limiter;
  trusted: Networks;
  log: Logger;
  /** The folder of the catalog's file; undefined where it is in a database. */
  folder?: string | undefined;
  /** A 404 as people read it. */
  noPage: RequestContext["refusal"];
  /** The address of the other end of the connection; without it the server is asked. */
  peerOf?: ((request: Request) => string | undefined) | undefined;
  checkAnswers: boolean;
  /** Called for a caller whose proxy named no address outside the trusted ranges. */
  noteSharing: () => void;
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
  /** The words in which the callers of this path know the requests, if not those of REST. */
  voice?: Voice;
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
  failure: ApiError | undefined;
  /** The status of the answer; 0 until there is one. */
  status: number;
  /** The pattern of the path, like `/api/v1/bookings/{confirmation_code}`. */
  route: string;
}

interface CallerAtMoment {
  readonly caller: HttpCaller;
  readonly catalog: Shop;
  readonly now: Temporal.Instant;
  readonly deps: Pick<RequestDeps, "store" | "diary" | "signing" | "payments" | "limiter" | "checkAnswers">;
  readonly request?: Request;
  readonly voice?: Voice | undefined;
}

/** Only a capability that stores something keeps answers for repeated requests. */
export function contextOf(call: CallerAtMoment, capability?: Capability): Context {
  const { caller, catalog, now, request, voice } = call;
  const { store, diary, signing, payments, checkAnswers } = call.deps;
  const idempotencyKey = capability?.sideEffect === "none" ? null : request?.headers.get("idempotency-key");
  return {
    catalog,
    store,
    diary,
    now,
    codeAttempts: { check: (named, guess) => checkGuess(call, named, guess) },
    countAddress: (limit, email) => chargeAddress(call, limit, email),
    signing,
    payments,
    caller,
    checkAnswers,
    fail,
    ...(voice && { voice }),
    ...(idempotencyKey != null && { idempotencyKey }),
  };
}

async function chargeAddress({ catalog, deps }: CallerAtMoment, limit: LimitName, email: string): Promise<void> {
  const { windowMs } = LIMITS[limit];
  const pool = `mail ${email.toLowerCase()}`;
  await charge(deps.limiter, [{ kind: limit, limit: catalog.rate_limits[limit], windowMs, pool }]);
}

/**
 * Limits guesses at confirmation codes and request ids: wrong codes, wrong contacts, wrong bodies (contract 13). A network
 * that missed too often gets no answer for a while. Nobody else's misses stand in the way of the right code with its
 * contact, until they are very many; and even then not for the network that made the booking, whose customer a stranger
 * would shut out for a day.
 */
async function checkGuess(
  { caller, catalog, deps }: CallerAtMoment,
  named: string,
  { isRight, madeFrom }: Parameters<CodeAttempts["check"]>[1],
): Promise<LimitState[]> {
  const { wrong_codes_per_10_minutes: limit, wrong_codes_per_code_per_day: perDay } = catalog.rate_limits;
  const misses = { kind: "wrong_codes", limit, windowMs: LIMITS.wrong_codes.windowMs } as const;
  // A page of another website guesses in the browsers of its visitors. What it misses must not shut them out, so all such
  // pages share one pool.
  const charges: Charge[] = caller.isCrossSite
    ? [{ ...misses, pool: "pages of other websites" }]
    : networkCharges(caller, misses, catalog);
  if (!isRight && !caller.isCrossSite) charges.push({ ...misses, pool: named });
  if (isRight ? madeFrom !== caller.network : !caller.isCrossSite)
    charges.push({
      kind: "wrong_codes_per_day",
      limit: perDay,
      windowMs: LIMITS.wrong_codes_per_day.windowMs,
      pool: named,
    });
  const decision = await (isRight ? deps.limiter.peek(charges) : deps.limiter.take(charges));
  if (decision.allowed) return decision.states;
  throw overLimit(decision, charges);
}
