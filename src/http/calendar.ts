/** `/calendar/<token>.ics`: the diary for the owner's phone. Only the token's digest is stored, and no log holds it. */
import { Elysia } from "elysia";
import type { Shop } from "../catalog/shop.ts";
import { hashSecret } from "../lib/api-keys.ts";
import type { Store } from "../store/store.ts";
import { noSuchPath } from "./not-found.ts";
import { otherMethods } from "./other-methods.ts";
import { withCall } from "./request-context.ts";

type Feed = (store: Store, catalog: Shop, now: Temporal.Instant) => Promise<string>;

/** @param load the maker of the file; loaded with the first request */
export function calendarPlugin(store: Store, load: () => Promise<Feed>) {
  return new Elysia()
    .use(withCall)
    .get("/calendar/:file", async ({ call: { catalog, now }, params, set }) => {
      const token = /^([^.]+)\.ics$/.exec(params.file ?? "")?.[1];
      const hash = token === undefined ? null : await store.calendarHash();
      // The same answer as for a path that does not exist.
      if (token === undefined || hash !== hashSecret(token)) throw noSuchPath();
      const feed = await load();
      Object.assign(set.headers, HEADERS);
      return feed(store, catalog, now);
    })
    .use(otherMethods);
}

const HEADERS = {
  "Content-Type": "text/calendar; charset=utf-8",
  "X-Robots-Tag": "noindex",
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
};
