/** A booking by the code that an owner typed. */
import type { Booking, Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { clean } from "../terminal/text.ts";
import { didYouMeanCode, readCode } from "../typed/codes.ts";

/** @throws Failure that suggests the nearest code there is */
export async function findBooking(store: Store, typed: string): Promise<Booking> {
  const code = readCode(typed);
  const booking = await store.findBooking(code);
  if (booking) return booking;
  const all = await store.bookings({ from: "0000-01-01", to: "9999-12-31" });
  const hint = didYouMeanCode(
    code,
    all.map(({ confirmationCode }) => confirmationCode),
  );
  throw new Failure(noSuchBooking(code, hint));
}

/** @param hint a sentence that names the code that was probably meant */
export function noSuchBooking(code: string, hint = ""): string {
  return `There is no booking ${clean(code)}.${hint} See tint bookings.`;
}
