import { isDeepStrictEqual } from "node:util";
import { toJob } from "./job-fields.ts";
import { readToken } from "./token.ts";

const WORDS = ["vehicle_type", "service_type", "film_type", "coverage", "addons", "jurisdiction"] as const;

/**
 * A booking request without the words that its estimate holds as well. They are filled in again once the signature is
 * checked. So an estimate stays good although the shop has given up one of its words since.
 */
export function withoutHeld(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { estimate_id: token, ...rest } = body;
  const lock = typeof token === "string" ? readToken(token) : undefined;
  if (lock?.kind !== "automotive" || !lock.fields) return body;
  const job = toJob(lock.fields);
  const isHeld = (field: string) => WORDS.some((word) => word === field && isDeepStrictEqual(rest[word], job[word]));
  return Object.fromEntries(Object.entries(body).filter(([field]) => !isHeld(field)));
}
