import type { Catalog } from "../../catalog/schema.ts";
import { type AutomotiveEstimate, type AutomotiveRequest, estimateAutomotive } from "../../domain/automotive.ts";
import { pick } from "../../lib/pick.ts";
import { glassOf, type JobRequest, shadesOf } from "./job.ts";

/** The estimate of a job: its price, its law and its length. */
export function estimateOfJob(
  catalog: Catalog,
  job: Omit<AutomotiveRequest, "shades"> & Pick<JobRequest, "shade" | "windshield_shade" | "factory_glass">,
): AutomotiveEstimate {
  return estimateAutomotive(catalog, {
    vehicle_type: job.vehicle_type,
    ...pick(job, "service", "film_type", "coverage", "addons", "remove_old_film", "jurisdiction"),
    shades: shadesOf(job, catalog),
    glass: glassOf(job.factory_glass),
  });
}
