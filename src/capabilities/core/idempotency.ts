/**
 * Idempotency: a request that is sent again gets the first answer again, whatever the catalog says by then. Source: contract 4
 *  and 6.
 */
import { toE164 } from "../../lib/phone.ts";
import { LIMITS, line } from "../../schema/fields.ts";
import type { Idempotency, Store, StoredAnswer } from "../../store/store.ts";
import type { Context } from "./capability.ts";

/** The field with the caller's own id of a request. */
type IdField = "booking_request_id" | "quote_request_id";
type Repeatable = { [Field in IdField]?: string | undefined } & { dry_run?: boolean | undefined };

/** @param find looks an earlier answer up */
export function idempotencyBy(
  field: IdField,
  find: (store: Store, scope: string, id: string) => Promise<StoredAnswer | null>,
) {
  /**
   * Scope, id and digest of a request; null for a request without an id. The scope is the caller's key, or for callers
   * without one the customer's phone, so that strangers may choose the same id.
   * @param phone in E.164
   */
  function of(input: Repeatable, phone: string, ctx: Context<never>): Idempotency | null {
    const id = requestIdOf(field, input[field], ctx);
    return id === null ? null : { scope: ctx.caller.keyId ?? phone, id, bodyHash: bodyHash(field, input) };
  }

  /** @throws ApiError IDEMPOTENCY_CONFLICT when the earlier request had another body */
  function requireSame(earlier: StoredAnswer, request: Idempotency | null, ctx: Context<"IDEMPOTENCY_CONFLICT">): void {
    if (earlier.bodyHash !== request?.bodyHash)
      ctx.fail("IDEMPOTENCY_CONFLICT", `This ${field} was used before with a different body.`);
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
      request: Idempotency | null,
      ctx: Context<"IDEMPOTENCY_CONFLICT">,
      isDryRun = false,
    ): Promise<StoredAnswer | null> {
      const found = request && (await find(ctx.store, request.scope, request.id));
      if (!found) return null;
      if (isDryRun && ctx.caller.keyId === null && found.bodyHash !== request.bodyHash) return null;
      requireSame(found, request, ctx);
      return found;
    },
    /**
     * The first answer to a request that today's catalog refuses; undefined when there was none to the same body.
     * @param phone as it was typed
     */
    async replayOf(input: Repeatable, phone: string, ctx: Context<never>) {
      const number = toE164(phone, ctx.catalog.business.address.country);
      const request = number === undefined ? null : of(input, number, ctx);
      const earlier = request && (await find(ctx.store, request.scope, request.id));
      return request && earlier?.bodyHash === request.bodyHash ? { request, earlier } : undefined;
    },
  };
}

/** The id from the field or from its alias, the Idempotency-Key header. */
function requestIdOf(field: IdField, id: string | undefined, ctx: Context<never>): string | null {
  const { idempotencyKey } = ctx;
  if (idempotencyKey === undefined) return id ?? null;
  const header = line(LIMITS.bookingRequestId).min(1).safeParse(idempotencyKey.trim().normalize("NFC"));
  if (!header.success)
    return failField(
      ctx,
      "Idempotency-Key",
      `must be 1 to ${LIMITS.bookingRequestId} characters without control characters`,
    );
  if (id !== undefined && id !== header.data) {
    return failField(ctx, field, "must be the same as the Idempotency-Key header, or one of the two left out");
  }
  return header.data;
}

function failField(ctx: Context<never>, field: string, message: string): never {
  return ctx.fail("BAD_REQUEST", `${field} ${message}.`, { invalid_fields: [{ field, message }] });
}

/** Digest of the parsed request without its id: equal digests mean the same request. */
function bodyHash(field: IdField, { [field]: _, dry_run: __, ...body }: Repeatable): string {
  return new Bun.CryptoHasher("sha256").update(canonical(body)).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
