/** Finds the request that a caller sends again. Of people who were erased there is only a digest of the whole request. */
import type { Idempotency } from "../records/leads.ts";

type Named = Pick<Idempotency, "scope" | "id" | "bodyHash">;

const ERASED = "erased";

/** @param table whose requests are meant; the parameters are scope, id and `requestDigest` */
export const sameRequest = (table: "bookings" | "leads") =>
  `((${table}.request_scope = ? AND ${table}.request_id = ?) OR (${table}.request_scope = '${ERASED}' AND ${table}.request_id = ?))`;

/** The columns of a request. */
export interface RequestRow {
  request_scope: string | null;
  request_id: string | null;
  request_hash: string | null;
}

/** What stays of a request after its person was erased: scope, id and hash for the columns. */
export function erased({ request_scope: scope, request_id: id, request_hash: bodyHash }: RequestRow) {
  return scope === null || id === null || bodyHash === null
    ? [null, null, null]
    : [ERASED, requestDigest({ scope, id, bodyHash }), ""];
}

export function requestDigest({ scope, id, bodyHash }: Named): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify([scope, id, bodyHash])).digest("hex");
}
