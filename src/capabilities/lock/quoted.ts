/** The price of an estimate for a page that shows it before anything is booked. */
import { shopDate } from "../../domain/schedule.ts";
import type { Context } from "../core/capability.ts";
import { contradictions, toJob } from "./job-fields.ts";
import { isSigned, readToken, type Terms } from "./token.ts";

/**
 * The terms of an estimate that still holds for a job.
 * @param token as it stands in an address, so perhaps cut off or made up
 * @returns undefined where it does not hold, or is of another job
 */
export async function quotedTerms(
  token: string,
  job: Parameters<typeof contradictions>[0],
  { catalog, now, locks }: Pick<Context, "catalog" | "now" | "locks">,
): Promise<Terms | undefined> {
  const lock = readToken(token);
  if (lock?.kind !== "automotive" || !lock.fields || lock.validUntil < shopDate(catalog, now)) return undefined;
  const secret = await locks?.secret();
  if (secret === undefined || !isSigned(token, secret)) return undefined;
  return contradictions(job, toJob(lock.fields), catalog).length === 0 ? lock : undefined;
}
