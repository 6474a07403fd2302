import type { JobKind } from "../../vocabulary.ts";
import type { Delivery } from "./payloads.ts";

/** The delivery that a row of the database holds; null when the payload does not fit the kind. */
export function readDelivery(kind: JobKind, payload: string): Delivery | null {
  // Loaded for the first job: zod takes half of the memory of the thread that writes.
  const { delivery }: typeof import("./payloads.ts") = require("./payloads.ts");
  return delivery.safeParse({ kind, payload: JSON.parse(payload) }).data ?? null;
}
