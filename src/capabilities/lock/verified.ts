import { shopDate } from "../../domain/schedule.ts";
import type { Context, FieldIssue } from "../core/capability.ts";
import { contradictions, toJob } from "./job-fields.ts";
import { isSigned, type LockTerms, type PriceLock, readToken } from "./token.ts";

const UNKNOWN = "is not an estimate of this shop, or was given up since; ask for a new estimate";
const OTHER_KIND = {
  automotive: "is of an estimate for a building; send it with a quote_request",
  flat_glass: "is of an estimate for a vehicle",
};

/** An issue that can be found without the secret. */
export function tokenIssue(token: string | undefined, kinds: readonly LockTerms["kind"][]): FieldIssue | undefined {
  if (token === undefined) return undefined;
  const lock = readToken(token);
  if (!lock) return { message: UNKNOWN };
  const [kind] = kinds;
  return kind === undefined || kinds.includes(lock.kind) ? undefined : { message: OTHER_KIND[kind] };
}

/** The terms and the work of an estimate. @throws ApiError BAD_REQUEST unless this shop signed it */
export async function verified(
  token: string,
  kind: LockTerms["kind"] | "any",
  ctx: Context<never>,
): Promise<{ lock: PriceLock; secret: string }> {
  const lock = readToken(token);
  const secret = await ctx.signing?.current();
  if (!lock || secret === undefined || !isSigned(token, secret)) return failEstimate(ctx, UNKNOWN);
  if (kind !== "any" && lock.kind !== kind) return failEstimate(ctx, OTHER_KIND[kind]);
  return { lock, secret };
}

/** @throws ApiError BAD_REQUEST about `estimate_id` */
export function failEstimate(ctx: Context<never>, message: string): never {
  return ctx.fail("BAD_REQUEST", `estimate_id ${message}.`, { invalid_fields: [{ field: "estimate_id", message }] });
}

/** @param differing the fields of the request, with the estimate's own values @throws ApiError BAD_REQUEST that names both */
export function failContradiction(ctx: Context<never>, differing: readonly { field: string; held: unknown }[]): never {
  const issues = differing.map(({ field, held }) => ({
    field,
    message: `contradicts the estimate, which is for ${JSON.stringify(held ?? null)}`,
    ...((typeof held === "string" || typeof held === "number" || typeof held === "boolean") && { allowed: [held] }),
  }));
  const names = differing.map(({ field }) => field).join(", ");
  return ctx.fail("BAD_REQUEST", `${names} and estimate_id contradict each other.`, {
    invalid_fields: [...issues, { field: "estimate_id", message: `contradicts ${names}` }],
  });
}

/**
 * The terms of an estimate that still holds for a job, for a page that shows the price before anything is booked.
 * @param token as it stands in an address, so perhaps cut off or made up
 * @returns undefined where it does not hold, or is of another job
 */
export async function quotedTerms(
  token: string,
  job: Parameters<typeof contradictions>[0],
  { catalog, now, signing }: Pick<Context, "catalog" | "now" | "signing">,
): Promise<LockTerms | undefined> {
  const lock = readToken(token);
  if (lock?.kind !== "automotive" || !lock.fields || lock.validUntil < shopDate(catalog, now)) return undefined;
  const secret = await signing?.recent();
  if (secret === undefined || !isSigned(token, secret)) return undefined;
  return contradictions(job, toJob(lock.fields), catalog).length === 0 ? lock : undefined;
}
