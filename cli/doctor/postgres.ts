/** Checks of a PostgreSQL database: whether it can be reached and written, its clock, and its messages. */
import { SCHEMA_VERSION, versionFault } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/place/open.ts";
import { nameOf, type UrlPlace } from "../../src/store/place/place.ts";
import { ClockApart, MOST_APART_MS } from "../../src/store/postgres/clock.ts";
import { inspectPostgres } from "../../src/store/postgres/inspect.ts";
import type { Store } from "../../src/store/store.ts";
import { Failure } from "../failure.ts";
import { cannotUse } from "../shop/database.ts";
import { postgresFault } from "../shop/postgres-faults.ts";
import { checkStore } from "./database.ts";
import { type Finding, fault, ok } from "./finding.ts";

const NAME = "database";

/** @param stuckAfterMinutes when a message that waits counts as stuck */
export async function checkPostgres(place: UrlPlace, now: number, stuckAfterMinutes: number): Promise<Finding[]> {
  const shown = nameOf(place);
  let store: Store | undefined;
  try {
    const { server, aheadMs, version } = await inspectPostgres(place.url);
    const unknown = versionFault(version);
    if (unknown) return [fault(NAME, `${shown} ${unknown.reason}`, unknown.wayOut)];
    const found = ok(NAME, `${shown} answers: PostgreSQL ${server}, version ${version || SCHEMA_VERSION}`);
    if (Math.abs(aheadMs) > MOST_APART_MS) {
      const { reason, wayOut } = new ClockApart(aheadMs);
      return [found, fault("clock", reason, wayOut)];
    }
    store = await openStore(place);
    return [found, ...(await checkStore(store, now, stuckAfterMinutes))];
  } catch (error) {
    const known = postgresFault(error);
    if (known) return [fault(NAME, `${shown} cannot be used: ${known.reason}`, known.wayOut)];
    const failure = cannotUse(error, place);
    if (failure instanceof Failure) return [fault(NAME, failure.message, "look at the log of PostgreSQL")];
    throw error;
  } finally {
    await store?.close();
  }
}
