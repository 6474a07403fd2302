/** Replays: a request that is sent again gets the first answer again. Source: contract sections 4 and 6. */
import { LIMITS, line } from "../../schema/fields.ts";
import type { Idempotency, StoredAnswer } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";

/** The field with the caller's own id of a request. */
type IdField = "booking_request_id" | "quote_request_id";
type Repeatable = { [Field in IdField]?: string | undefined } & { dry_run?: boolean | undefined };

export interface Repeats {
  /**
   * Scope, id and digest of a request; null for a request without an id. The scope is the caller's key, or for callers
   * without one the customer's phone, so that strangers may choose the same id.
   * @param phone in E.164
   */
  of: (input: Repeatable, phone: string, ctx: Context<never>) => Idempotency | null;
  /** @throws ApiError IDEMPOTENCY_CONFLICT when the earlier request had another body */
  requireSame: (earlier: StoredAnswer, request: Idempotency | null, ctx: Context<"IDEMPOTENCY_CONFLICT">) => void;
}

export function repeatsBy(field: IdField): Repeats {
  return {
    of(input, phone, ctx) {
      const id = requestIdOf(field, input[field], ctx);
      return id === null ? null : { scope: ctx.caller.keyId ?? phone, id, bodyHash: bodyHash(field, input) };
    },
    requireSame(earlier, request, ctx) {
      if (earlier.bodyHash !== request?.bodyHash) {
        ctx.fail("IDEMPOTENCY_CONFLICT", `This ${field} was used before with a different body.`);
      }
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
