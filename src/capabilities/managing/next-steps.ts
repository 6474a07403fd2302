/** The next steps of a caller with a booking. */
import { isDeepStrictEqual } from "node:util";
import type { Shop } from "../../catalog/shop.ts";
import { pick } from "../../lib/fields.ts";
import type { Booking } from "../../store/store.ts";
import { type Contact, canChange, changes } from "../booking/self-service.ts";
import type { Answer, Context, Suggestion } from "../core/capability.ts";
import { type ManagedBooking, toManagedBooking } from "./shapes.ts";

export const CALL_THE_SHOP: Suggestion = {
  action: "business_location",
  description: "Get the shop's phone and hours: online nothing can be changed.",
  input: {},
};

const ASK_FOR_TIMES: Suggestion = {
  action: "business_location",
  description: "Get the shop's phone and hours, to ask for open times: this work is no longer booked online.",
  input: {},
};

/** The booking as it stands now, after a look-up or a change. */
export function answerAbout(booking: Booking, contact: Contact, ctx: Context<never>): Answer<ManagedBooking> {
  const data = toManagedBooking(booking, ctx);
  return {
    data,
    suggestions: stepsAfter(booking, data, contact, ctx),
    hasOldWords: !isDeepStrictEqual(stillSold(data, ctx.catalog), wordsOf(data)),
  };
}

function stepsAfter(booking: Booking, shown: ManagedBooking, contact: Contact, ctx: Context<never>): Suggestion[] {
  if (booking.status !== "confirmed") return otherTimes(shown, "See open times for another booking.", ctx);
  if (!canChange(booking, ctx)) return [CALL_THE_SHOP];
  return [
    ...otherTimes(shown, "See the times to which this booking can move.", ctx),
    ...changes(shown.confirmation_code, contact),
  ];
}

/** Open times for the same work; none when the shop no longer sells it online. */
function otherTimes(shown: ManagedBooking, description: string, { catalog }: Context<never>): Suggestion[] {
  const service = catalog.bookable.find(({ key }) => key === shown.service);
  return service
    ? [{ action: "check_availability", description, input: { service: service.id, ...bookedWork(shown, catalog) } }]
    : [ASK_FOR_TIMES];
}

/** The work of a booking as fields of a query for open times, without what the shop has given up since. */
function bookedWork(booking: ManagedBooking, catalog: Shop) {
  const { addons, ...work } = stillSold(booking, catalog);
  const removes = booking.remove_old_film && catalog.terms.removal !== undefined;
  return {
    ...pick(work, "vehicle_type", "coverage", "film_type"),
    ...(addons.length > 0 && { addons }),
    ...(removes && { remove_old_film: true }),
  };
}

type BookedWords = ReturnType<typeof wordsOf>;

/** The shop's own terms in a booking. */
function wordsOf({ vehicle, coverage, film_type, addons }: ManagedBooking) {
  return { vehicle_type: vehicle.type, coverage, film_type, addons };
}

/** The words of a booking that the shop has not given up since. */
function stillSold(shown: ManagedBooking, catalog: Shop): BookedWords {
  const { vehicleTypes, coverages, films, addons } = catalog.terms;
  const { vehicle_type, coverage, film_type, addons: booked } = wordsOf(shown);
  const ifIn = (list: readonly string[], word: string | null) => (word !== null && list.includes(word) ? word : null);
  return {
    vehicle_type: ifIn(vehicleTypes, vehicle_type),
    coverage: ifIn(coverages, coverage),
    film_type: ifIn(films, film_type),
    addons: booked.filter((code) => addons.includes(code)),
  };
}
