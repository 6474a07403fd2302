/** Replays: a request that is sent again gets the first answer again. */
import { createHash } from "node:crypto";
import { LIMITS, line } from "../../schema/fields.ts";
import type { NewBooking, StoredAnswer } from "../../store/store.ts";
import { type Confirmation, storedConfirmation } from "./confirmation.ts";
import type { BookingContext, BookingRequest } from "./shapes.ts";

/** The caller's id of the request, from the field or from its alias, the Idempotency-Key header. */
function requestIdOf({ booking_request_id: id }: BookingRequest, ctx: BookingContext): string | null {
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
    return failField(
      ctx,
      "booking_request_id",
      "must be the same as the Idempotency-Key header, or one of the two left out",
    );
  }
  return header.data;
}

function failField(ctx: BookingContext, field: string, message: string): never {
  return ctx.fail("BAD_REQUEST", `${field} ${message}`, { invalid_fields: [{ field, message }] });
}

/** Digest of the parsed request without its id: equal digests mean the same booking. */
function bodyHash({ booking_request_id: _, ...body }: BookingRequest): string {
  return createHash("sha256").update(canonical(body)).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Scope, id and digest of a request; null for a request without an id. Source: contract section 6. */
export function idempotencyOf(input: BookingRequest, ctx: BookingContext): NewBooking["idempotency"] {
  const id = requestIdOf(input, ctx);
  return id === null ? null : { scope: ctx.caller.keyId ?? "", id, bodyHash: bodyHash(input) };
}

export async function findEarlier(
  idempotency: NewBooking["idempotency"],
  { store }: BookingContext,
): Promise<StoredAnswer | null> {
  return idempotency && (await store.findEarlier(idempotency.scope, idempotency.id));
}

/** @throws ApiError IDEMPOTENCY_CONFLICT when the earlier request had another body */
export function earlierAnswer(
  earlier: StoredAnswer,
  idempotency: NewBooking["idempotency"],
  ctx: BookingContext,
): Confirmation {
  if (earlier.bodyHash !== idempotency?.bodyHash) {
    ctx.fail("IDEMPOTENCY_CONFLICT", "This booking_request_id was used before with a different body.");
  }
  return storedConfirmation().parse(earlier.answer);
}
