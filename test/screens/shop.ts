/**
 * The API of a shop in a folder. It has its own connection to the database: to a screen it looks like another process.
 */
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, freshPhone, NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { catalogWith } from "../small-shop.ts";

/** Open every day from 08:00 to 20:00, so that tests pass on any day. */
const WEEK = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
export const OPEN_DAILY: Record<string, unknown> = {
  "business.special_hours": [],
  ...Object.fromEntries(WEEK.map((day) => [`business.hours.${day}`, [{ opens: "08:00", closes: "20:00" }]])),
  "rate_limits.anonymous_per_minute": 100_000,
  "rate_limits.bookings_per_10_minutes": 100_000,
};

/** @param now the API's own clock, to book in the past of the screens */
export function apiOf(folder: ShopFolder, edits: Record<string, unknown>, now: Temporal.Instant) {
  const store = openSqliteStore(folder.data);
  const app = testApp({ store, catalog: catalogWith(edits), now });
  return {
    store,
    /** @returns the confirmation code */
    async book(
      given: Partial<typeof BOOKING> & { consent?: object; special_requests?: string; hold?: boolean } = {},
    ): Promise<string> {
      const phone = freshPhone();
      // Each a customer of its own, who holds no other booking.
      const body = { ...BOOKING, customer_phone: phone, customer_email: `pat${phone}@example.com`, ...given };
      const { status, json, text } = await app.post(`${API}/bookings`, body);
      if (status !== 201 && status !== 200) throw new Error(text);
      return json.data.confirmation_code;
    },
    async ask(given: object = {}): Promise<void> {
      const body = { first_name: "Robin", phone: freshPhone(), email: "robin@example.com", service_type: "commercial" };
      const { status, text } = await app.post(`${API}/quote-request`, { ...body, ...given });
      if (status >= 300) throw new Error(text);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** A shop in a folder of its own, with its API, whose clock is a day behind unless told otherwise. */
export function openShop(edits: Record<string, unknown> = {}, now = NOW.subtract({ hours: 26 })) {
  const folder = shopFolder(edits);
  const api = apiOf(folder, edits, now);
  const close = async () => {
    await api.store.close();
    folder[Symbol.dispose]();
  };
  return { ...api, folder, [Symbol.asyncDispose]: close };
}
