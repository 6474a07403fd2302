/** `/calendar/<token>.ics`: the diary for the owner's phone. Only the token's digest is stored, and no log holds it. */
import type { Catalog } from "../catalog/schema.ts";
import { hashSecret } from "../lib/ids.ts";
import type { Store } from "../store/store.ts";
import { NO_SUCH_PATH } from "./admission.ts";
import { completeHeaders } from "./headers.ts";
import { type Endpoint, readPath } from "./routes.ts";

/** The log shows this path, with the braces. */
const PATH = "/calendar/{file}";

type Feed = (store: Store, catalog: Catalog, now: Temporal.Instant) => Promise<string>;

/** @param load the maker of the file; loaded with the first request */
export function calendarEndpoint(store: Store, load: () => Promise<Feed>): Endpoint {
  return {
    method: "GET",
    path: PATH,
    async answer(exchange) {
      const { path, catalog, now } = exchange;
      const token = /^([^.]+)\.ics$/.exec(readPath(PATH, path)?.file ?? "")?.[1];
      const hash = token === undefined ? null : await store.calendarHash();
      // The same answer as for a path that does not exist.
      if (token === undefined || hash !== hashSecret(token)) throw NO_SUCH_PATH;
      const feed = await load();
      const headers = { "Content-Type": "text/calendar; charset=utf-8", "X-Robots-Tag": "noindex", ...PRIVATE };
      return completeHeaders(exchange, new Response(await feed(store, catalog, now), { headers }));
    },
  };
}

const PRIVATE = { "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer" };
