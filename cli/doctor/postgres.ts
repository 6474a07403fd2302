/** Checks of a PostgreSQL database: whether it can be reached and written, and its messages. */
import { openStore } from "../../src/store/place/open.ts";
import { nameOf, type UrlPlace } from "../../src/store/place/place.ts";
import { type Store, StoreTooNew } from "../../src/store/store.ts";
import { postgresFault } from "../shop/postgres-faults.ts";
import { checkStore } from "./database.ts";
import { type Finding, fault, ok } from "./finding.ts";

const NAME = "database";

/** @param stuckAfterMinutes when a message that waits counts as stuck */
export async function checkPostgres(place: UrlPlace, now: number, stuckAfterMinutes: number): Promise<Finding[]> {
  const shown = nameOf(place);
  let store: Store | undefined;
  try {
    store = await openStore(place);
    const checks = await checkStore(store, now, stuckAfterMinutes);
    return [ok(NAME, `${shown} answers`), ...checks];
  } catch (error) {
    if (error instanceof StoreTooNew) return [fault(NAME, `${shown}: ${error.message}`, "update Tintdesk")];
    const known = postgresFault(error);
    if (!known) throw error;
    return [fault(NAME, `${shown} cannot be used: ${known.reason}`, known.wayOut)];
  } finally {
    await store?.close();
  }
}
