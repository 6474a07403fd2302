/** A request that is sent again gets the first answer again while what it made stands. Source: contract 4 and 6. */
import type { Shop } from "../../catalog/shop.ts";
import { parseShade } from "../../domain/work.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { type Phone, readPhone, withExtension } from "../../lib/phone.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { LIMITS, line, normalize } from "../../schema/fields.ts";
import type { Idempotency, Sameness, Store, StoredAnswer } from "../../store/store.ts";
import type { Context } from "./capability.ts";
import { NO_PHONE } from "./stored-requests.ts";

type IdField = "booking_request_id" | "quote_request_id";
/** For this long, the same under another id counts as a repeat, not as a second booking. */
export const REPEAT_MS = 10 * MINUTE_MS;

type WithRequestId = { [Field in IdField]?: string | undefined } & {
  dry_run?: boolean | undefined;
  another?: boolean | undefined;
  estimate_id?: string | undefined;
};

interface Lookups<Found extends StoredAnswer> {
  field: IdField;
  phoneField: string;
  /** What such a request makes, in words. */
  makes: string;
  find: (store: Store, request: Idempotency) => Promise<Found | null>;
  /** Looks up what asked for the same under another id or none, where that is a repeat. */
  findSame?: (store: Store, same: Sameness) => Promise<Found | null>;
  /** What a request means that leaves it out. */
  usual?: (request: WithRequestId, shop: Shop) => object;
  /** How what was made has ended, as the end of a sentence; undefined while it stands. */
  ended: (found: Found, ctx: Context<never>) => string | undefined;
}

interface Asked {
  request: Idempotency | null;
  same?: Sameness | null | undefined;
  input: WithRequestId;
  phone: Phone;
}

export function idempotencyBy<Found extends StoredAnswer>(lookups: Lookups<Found>) {
  const { field, phoneField, find, findSame } = lookups;

  /** Hidden from a dry run without a key, but on the network that made it: dry runs cost nothing, so ids could be tried without end. */
  async function look({ request, same, input }: Omit<Asked, "phone">, { store, caller }: Context<never>) {
    // The id last: what another program books under it meanwhile is this request itself.
    const alike = same && (await findSame?.(store, same));
    const found = request && (await find(store, request));
    const isHidden = input.dry_run && caller.keyId === null && found?.network !== caller.network;
    return (isHidden ? null : found) ?? alike ?? null;
  }

  /** Without a key anybody may name a phone and an id, so another body is a guess, and counts like a wrong code (contract 13). */
  async function guess({ bodyHash, network }: StoredAnswer, request: Idempotency, ctx: Context<never>) {
    const isRight = bodyHash === request.bodyHash;
    const named = `request ${request.scope} ${request.id}`;
    const isOwn = ctx.caller.keyId !== null;
    const limits = isOwn ? [] : await ctx.codeAttempts.check(named, { isRight, madeFrom: network });
    return { isRight, limits };
  }

  /** The scope is the caller's key, else the customer's phone, so that strangers may choose the same id. Null without an id. */
  function of(input: WithRequestId, phone: Phone, ctx: Context<never>): Idempotency | null {
    const id =
      ctx.idempotencyKey === undefined ? input[field] : idFromHeader(ctx.idempotencyKey, field, input[field], ctx);
    if (id === undefined) return null;
    return { scope: ctx.caller.keyId ?? phone.phone, id, bodyHash: bodyDigest(bodyOf(input, phone, ctx.catalog)) };
  }

  /** What is the same under another id or none: every field of work, time and person, and to other callers the address too. */
  function sameOf(input: WithRequestId, phone: Phone, ctx: Context<never>): Sameness {
    const whole = bodyOf({ ...lookups.usual?.(input, ctx.catalog), ...input }, phone, ctx.catalog);
    const { customer_name, customer_email, consent: _, accept_not_legal: __, hold: ___, ...body } = whole;
    const name = String(customer_name).toLowerCase().replace(/\s+/g, " ");
    const now = ctx.now.epochMilliseconds;
    return {
      phone: phone.phone,
      hash: bodyDigest({ ...body, name }),
      since: input.another ? null : now - REPEAT_MS,
      now,
      caller: ctx.caller.keyId ?? ctx.caller.network,
      email: input.dry_run ? "" : String(customer_email),
    };
  }

  /** What is compared: two ways to write the same request are one, with only the fields of the work, in one order. Source: contract 6. */
  function bodyOf(input: object, { phone, extension }: Phone, shop: Shop): Record<string, unknown> {
    const number = withExtension(phone, extension);
    const given: Record<string, unknown> = { ...input, [phoneField]: number };
    const body: Record<string, unknown> = {};
    for (const name of Object.keys(given).sort()) {
      const value = given[name];
      if (value === undefined || name === field || name === "dry_run" || name === "another") continue;
      // 35 for "35%" and for a shop's word, also inside `{front_side, …}`.
      if (SHADES.has(name)) body[name] = sortKeys(value, (text) => parseShade(text, shop) ?? text);
      else if (EMAILS.has(name) && typeof value === "string") body[name] = value.toLowerCase();
      else if (name === "addons" && Array.isArray(value)) body[name] = [...new Set(value)].sort();
      else body[name] = typeof value === "object" ? sortKeys(value) : value;
    }
    return body;
  }

  /** Throws IDEMPOTENCY_CONFLICT when the earlier request had another body, or what it made has ended; RATE_LIMITED. */
  async function requireSame(found: Found, asked: Asked, ctx: Context<"IDEMPOTENCY_CONFLICT">): Promise<void> {
    if (found.isSame) return;
    const { request } = asked;
    const { isRight, limits } = request ? await guess(found, request, ctx) : { isRight: false, limits: [] };
    if (!isRight) {
      const fields = ctx.caller.keyId === null ? [] : differing(found, asked, ctx);
      const which = fields.length > 0 ? `: ${joinWithAnd(fields)} ${fields.length > 1 ? "differ" : "differs"}` : "";
      const message = "differs from the first request with this id";
      ctx.fail("IDEMPOTENCY_CONFLICT", `This ${field} was used before with a different body${which}.`, {
        limits,
        ...(fields.length > 0 && { invalid_fields: fields.map((name) => ({ field: name, message })) }),
      });
    }
    const how = found.isErased ? "was erased" : lookups.ended(found, ctx);
    if (how === undefined) return;
    ctx.fail("IDEMPOTENCY_CONFLICT", `The ${lookups.makes} of this ${field} ${how}.`, {
      limits,
      agent_instruction: `Tell the end user so. Where they want a new ${lookups.makes}, send the request with a new ${field}.`,
    });
  }

  /** The fields of the request that differ from the first one. */
  function differing({ details }: StoredAnswer, { input, phone }: Asked, { catalog }: Context<never>): string[] {
    if (Object.keys(details).length === 0) return [];
    const number = readPhone(String(Object(details)[phoneField]), catalog.business.address.country);
    const first = bodyOf(details, number ?? NO_PHONE, catalog);
    const { consent: _, ...body } = bodyOf(input, phone, catalog);
    return Object.keys({ ...first, ...body }).filter(
      (name) => JSON.stringify(first[name]) !== JSON.stringify(body[name]),
    );
  }

  return {
    of,
    sameOf,
    requireSame,
    /** The first answer to the same request; null when there was none. Throws IDEMPOTENCY_CONFLICT, RATE_LIMITED. */
    async earlier(asked: Asked, ctx: Context<"IDEMPOTENCY_CONFLICT">): Promise<Found | null> {
      const found = await look(asked, ctx);
      if (!found) return null;
      await requireSame(found, asked, ctx);
      return found;
    },
    /** The first answer to a request that today's catalog refuses; undefined when there was none to the same body. */
    async replayOf(input: WithRequestId, typed: string, ctx: Context<"IDEMPOTENCY_CONFLICT">) {
      const phone = readPhone(typed, ctx.catalog.business.address.country);
      if (phone === undefined) return undefined;
      const request = of(input, phone, ctx);
      const asked = { request, same: findSame && sameOf(input, phone, ctx), input, phone };
      const earlier = await look(asked, ctx);
      if (!earlier) return undefined;
      const isRight = earlier.isSame || earlier.bodyHash === request?.bodyHash;
      if (isRight) await requireSame(earlier, asked, ctx);
      else if (request) await guess(earlier, request, ctx);
      return isRight ? { request, earlier } : undefined;
    },
  };
}

/** Equal digests mean the same request. */
function bodyDigest(body: object): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(body)).digest("hex");
}

/** The request id in the `Idempotency-Key` header, which stands for the field of the id. */
function idFromHeader(key: string, field: IdField, id: string | undefined, ctx: Context<never>): string {
  const header = line(LIMITS.bookingRequestId).min(1).safeParse(normalize(key));
  if (!header.success) return failField(ctx, "Idempotency-Key", `must be 1 to ${LIMITS.bookingRequestId} characters`);
  if (id !== undefined && id !== header.data) {
    return failField(ctx, field, "must be the same as the Idempotency-Key header, or one of the two left out");
  }
  return header.data;
}

function failField(ctx: Context<never>, field: string, message: string): never {
  return ctx.fail("BAD_REQUEST", `${field} ${message}.`, { invalid_fields: [{ field, message }] });
}

/** Fields that can say the same in several ways. Phone numbers are compared in E.164 anyway. */
const SHADES: ReadonlySet<string> = new Set(["shade", "windshield_shade"]);
const EMAILS: ReadonlySet<string> = new Set(["customer_email", "email"]);

/** A value whose objects, also those inside it, have their fields in one order. @param read what a text inside it means */
function sortKeys(value: unknown, read: (text: string) => unknown = (text) => text): unknown {
  if (typeof value === "string") return read(value);
  if (Array.isArray(value)) return value.map((one) => sortKeys(one, read));
  if (typeof value !== "object" || value === null) return value;
  const given = new Map(Object.entries(value));
  const fields: Record<string, unknown> = {};
  for (const name of [...given.keys()].sort()) fields[name] = sortKeys(given.get(name), read);
  return fields;
}
