/** Replays: the same request, sent again, gets the first answer again. */
import { createHash } from "node:crypto";
import { ApiError, badField } from "../../errors.ts";
import { LIMITS, line } from "../../schema/fields.ts";
import type { NewBooking, StoredAnswer } from "../../store/store.ts";
import type { Context } from "../core/capability.ts";
import { type BookingRequest, type Confirmation, confirmation } from "./shapes.ts";

/** The caller's own id of the request: the field, or its alias, the Idempotency-Key header. */
function requestIdOf(input: BookingRequest, { idempotencyKey }: Context): string | null {
  const { booking_request_id: id } = input;
  if (idempotencyKey === undefined) return id ?? null;
  const header = line(LIMITS.bookingRequestId).min(1).safeParse(idempotencyKey.trim().normalize("NFC"));
  if (!header.success)
    throw badField("Idempotency-Key", `must be 1 to ${LIMITS.bookingRequestId} characters without control characters`);
  if (id !== undefined && id !== header.data) {
    throw badField("booking_request_id", "must be the same as the Idempotency-Key header, or one of the two left out");
  }
  return header.data;
}

/** Digest of the request as understood, its id left out: two bodies with the same digest ask for the same booking. */
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

/** What a request with an id is known by; null without an id. Source: contract section 6. */
export function idempotencyOf(input: BookingRequest, ctx: Context): NewBooking["idempotency"] {
  const id = requestIdOf(input, ctx);
  return id === null ? null : { scope: ctx.caller.keyId ?? "", id, bodyHash: bodyHash(input) };
}

export async function findEarlier(
  idempotency: NewBooking["idempotency"],
  { store }: Context,
): Promise<StoredAnswer | null> {
  return idempotency && (await store.findEarlier(idempotency.scope, idempotency.id));
}

/** @throws ApiError IDEMPOTENCY_CONFLICT when the earlier request was another one */
export function earlierAnswer(earlier: StoredAnswer, idempotency: NewBooking["idempotency"]): Confirmation {
  if (earlier.bodyHash !== idempotency?.bodyHash) {
    throw new ApiError("IDEMPOTENCY_CONFLICT", "This booking_request_id was used before with a different body.");
  }
  return confirmation.parse(earlier.answer);
}
