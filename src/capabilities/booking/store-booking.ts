import { STORE_RETRY_SECONDS } from "../../errors.ts";
import { OutcomeUnknown, StoreUnavailable } from "../../store/store-errors.ts";
import type { Context } from "../core/capability.ts";

/**
 * Stores a booking or a change of one.
 * @param messages of the error: when it is not known whether it was stored, and when nothing was stored
 * @throws ApiError BOOKING_FAILED when it could not be stored
 */
export async function storeBooking<Stored>(
  write: () => Promise<Stored>,
  ctx: Context<"BOOKING_FAILED">,
  messages: { unknown: string; notStored: string },
): Promise<Stored> {
  try {
    return await write();
  } catch (error) {
    const isUnknown = error instanceof OutcomeUnknown;
    if (!isUnknown && !(error instanceof StoreUnavailable)) throw error;
    const message = isUnknown ? messages.unknown : messages.notStored;
    return ctx.fail("BOOKING_FAILED", message, { retry_after_seconds: STORE_RETRY_SECONDS }, { cause: error });
  } finally {
    ctx.diary.forget();
  }
}
