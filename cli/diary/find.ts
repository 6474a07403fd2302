/** A booking by the code that an owner typed. */
import { readCode } from "../../src/lib/ids.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { didYouMeanCode } from "../typed/codes.ts";

/** @throws Failure that suggests the nearest code there is */
export async function findBooking(store: Store, typed: string): Promise<Booking> {
  const code = readCode(typed);
  const booking = await store.findBooking(code);
  if (booking) return booking;
  throw new Failure(noSuchBooking(code, await didYouMeanCode(code, store.codesInUse)));
}

/** @param hint a sentence that names the code that was probably meant */
export function noSuchBooking(code: string, hint = ""): string {
  return `There is no booking ${clean(code)}.${hint} See tint bookings.`;
}
