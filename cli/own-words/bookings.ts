/** The bookings that use one of the shop's own words. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import type { WordKind } from "../../src/catalog/edit/mentions.ts";
import { dataPlace } from "../../src/env/env.ts";
import type { Booking } from "../../src/store/store.ts";
import { hasDatabase, withStore } from "../shop/database.ts";

/** Confirmed bookings to come whose job is of the word, by start. */
export async function bookingsWith(data: string | undefined, kind: WordKind, word: string): Promise<Booking[]> {
  if (!hasDatabase(dataPlace(data))) return [];
  return withStore(data, async (store) => {
    const upcoming = await store.upcoming(Temporal.Now.instant().epochMilliseconds, ["confirmed"]);
    return upcoming.filter(({ answer }) => wordsOf(answer, kind).includes(word));
  });
}

/** The words of a kind that a booking was confirmed with. */
function wordsOf(answer: unknown, kind: WordKind): (string | null | undefined)[] {
  const told = storedConfirmation.safeParse(answer).data;
  switch (kind) {
    case "film":
      return [told?.film_type];
    case "vehicle":
      return [told?.vehicle?.type];
    case "addon":
      return told?.addons ?? [];
  }
}
