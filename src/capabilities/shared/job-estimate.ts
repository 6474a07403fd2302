import { derivedBy } from "../../catalog/derived.ts";
import type { Catalog } from "../../catalog/schema.ts";
import { type AutomotiveEstimate, type AutomotiveRequest, estimateAutomotive } from "../../domain/automotive.ts";
import { pick } from "../../lib/pick.ts";
import { type JobRequest, shadesOf } from "./job.ts";

/** Estimates kept, each of some kilobytes: many customers ask for the same work, and book what they were quoted. */
const MOST_ESTIMATES = 300;

const kept = derivedBy(MOST_ESTIMATES, (catalog, json) => estimateAutomotive(catalog, JSON.parse(json)));

/** The estimate of a job: its price, its law and its length. Never change it. */
export function estimateOfJob(
  catalog: Catalog,
  job: Omit<AutomotiveRequest, "shades"> & Pick<JobRequest, "shade" | "windshield_shade">,
): AutomotiveEstimate {
  const request: AutomotiveRequest = {
    vehicle_type: job.vehicle_type,
    ...pick(job, "service", "film_type", "coverage", "addons", "remove_old_film", "jurisdiction"),
    shades: shadesOf(job, catalog),
  };
  return kept(catalog, JSON.stringify(request));
}
