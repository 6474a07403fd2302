/**
 * Idempotency: a request that is sent again gets the first answer again, whatever the catalog says by then. Source:
 * contract 4 and 6.
 */
import type { Catalog } from "../../catalog/schema.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { newId } from "../../lib/ids.ts";
import { toE164 } from "../../lib/phone.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { LIMITS, line } from "../../schema/fields.ts";
import type { Idempotency, Store, StoredAnswer } from "../../store/store.ts";
import { canonicalBody } from "./canonical-body.ts";
import type { Context } from "./capability.ts";

/** The field with the caller's own id of a request. */
type IdField = "booking_request_id" | "quote_request_id";
/** For this long, the same body without an id counts as a repeat, not as a second booking. */
const REPEAT_MS = 10 * MINUTE_MS;

type WithRequestId = { [Field in IdField]?: string | undefined } & { dry_run?: boolean | undefined };

interface Lookups {
  field: IdField;
  /** The field with the customer's phone. */
  phoneField: string;
  /** Looks an earlier answer up. */
  find: (store: Store, scope: string, id: string) => Promise<StoredAnswer | null>;
  /** Looks up the answer to the same body without an id, where such a body is a repeat. */
  findSame?: (store: Store, scope: string, bodyHash: string, since: number) => Promise<StoredAnswer | null>;
}

export function idempotencyBy({ field, phoneField, find, findSame }: Lookups) {
  const look = ({ scope, id, bodyHash, since }: Idempotency, store: Store) =>
    since === undefined ? find(store, scope, id) : (findSame?.(store, scope, bodyHash, since) ?? Promise.resolve(null));

  /**
   * Scope, id and digest of a request; null for a request without an id. The scope is the caller's key, or for callers
   * without one the customer's phone, so that strangers may choose the same id.
   * @param phone in E.164
   */
  function of(input: WithRequestId, phone: string, ctx: Context<never>): Idempotency | null {
    const id = requestIdOf(field, input[field], ctx);
    const hash = digest(bodyOf(input, phone, ctx.catalog));
    const scope = ctx.caller.keyId ?? phone;
    if (id !== null) return { scope, id, bodyHash: hash };
    // The id is made up, because no caller sent one: scope and body find the request again.
    const since = ctx.now.epochMilliseconds - REPEAT_MS;
    return findSame ? { scope: `same ${scope}`, id: newId("try"), bodyHash: hash, since } : null;
  }

  /** The request that is compared: in canonical form, without the fields that are not part of the work. */
  function bodyOf(input: object, phone: string, catalog: Catalog): Record<string, unknown> {
    const { [field]: _, dry_run: __, ...body } = input as Record<string, unknown>;
    return { ...canonicalBody(body, catalog), [phoneField]: phone };
  }

  /** @throws ApiError IDEMPOTENCY_CONFLICT when the earlier request had another body */
  function requireSame(
    { bodyHash, details = {} }: StoredAnswer,
    { request, input, phone }: { request: Idempotency | null; input: object; phone: string },
    ctx: Context<"IDEMPOTENCY_CONFLICT">,
  ): void {
    if (bodyHash === request?.bodyHash) return;
    const { catalog } = ctx;
    const number = toE164(String(Object(details)[phoneField]), catalog.business.address.country);
    const first = bodyOf(details, number ?? "", catalog);
    const { consent: _, ...body } = bodyOf(input, phone, catalog);
    const differing = Object.keys({ ...first, ...body }).filter(
      (name) => canonical(first[name]) !== canonical(body[name]),
    );
    const fields = Object.keys(details).length > 0 ? differing : [];
    const message = "differs from the first request with this id";
    ctx.fail(
      "IDEMPOTENCY_CONFLICT",
      `This ${field} was used before with a different body${fields.length > 0 ? `: ${joinWithAnd(fields)} ${fields.length > 1 ? "differ" : "differs"}` : ""}.`,
      { invalid_fields: fields.map((name) => ({ field: name, message })) },
    );
  }

  return {
    of,
    requireSame,
    /**
     * The first answer to the same request; null when there was none. A dry run of a caller without a key, who may name
     * anybody's phone, does not tell that the id was used for another body.
     * @throws ApiError IDEMPOTENCY_CONFLICT
     */
    async earlier(
      asked: { request: Idempotency | null; input: WithRequestId; phone: string },
      ctx: Context<"IDEMPOTENCY_CONFLICT">,
    ): Promise<StoredAnswer | null> {
      const { request, input } = asked;
      const found = request && (await look(request, ctx.store));
      if (!found) return null;
      if (input.dry_run && ctx.caller.keyId === null && found.bodyHash !== request.bodyHash) return null;
      requireSame(found, asked, ctx);
      return found;
    },
    /**
     * The first answer to a request that today's catalog refuses; undefined when there was none to the same body.
     * @param phone as it was typed
     */
    async replayOf(input: WithRequestId, phone: string, ctx: Context<never>) {
      const number = toE164(phone, ctx.catalog.business.address.country);
      const request = number === undefined ? null : of(input, number, ctx);
      const earlier = request && (await look(request, ctx.store));
      return request && earlier?.bodyHash === request.bodyHash ? { request, earlier } : undefined;
    },
  };
}

/** The id from the field or from its alias, the Idempotency-Key header. */
function requestIdOf(field: IdField, id: string | undefined, ctx: Context<never>): string | null {
  const { idempotencyKey } = ctx;
  if (idempotencyKey === undefined) return id ?? null;
  const header = line(LIMITS.bookingRequestId).min(1).safeParse(idempotencyKey);
  if (!header.success) return failField(ctx, "Idempotency-Key", `must be 1 to ${LIMITS.bookingRequestId} characters`);
  if (id !== undefined && id !== header.data) {
    return failField(ctx, field, "must be the same as the Idempotency-Key header, or one of the two left out");
  }
  return header.data;
}

function failField(ctx: Context<never>, field: string, message: string): never {
  return ctx.fail("BAD_REQUEST", `${field} ${message}.`, { invalid_fields: [{ field, message }] });
}

/** Equal digests mean the same request. */
function digest(body: object): string {
  return new Bun.CryptoHasher("sha256").update(canonical(body)).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
