/**
 * The legal job beside one whose film the law does not permit: the darkest legal shade on each glass, and no film where none is
 * legal. Source: contract 2.
 */
import type { Shop } from "../catalog/shop.ts";
import type { Position } from "../constants.ts";
import { tintedPositions } from "../domain/automotive.ts";
import { isBarred, type Shades, type Verdict } from "../domain/tint-law.ts";
import { pick } from "../lib/fields.ts";
import { jobToken, toRequest } from "./forms.ts";
import { estimateOf, type Job, type JobRequest, jobOf, SIDES, shadeOf } from "./job.ts";
import type { PricedJob } from "./price.ts";

type Law = Pick<Verdict, "checks">;

export interface LegalJob {
  /** The fields in which it differs from the job that was asked for; those to be left out are undefined. */
  changes: Partial<JobRequest>;
  /** The same for a request that names an estimate: one that holds the same price where only shades differ, or all of the work. */
  request: Partial<JobRequest>;
}

/** @returns undefined where the shop has no such job */
export function legalInstead({ job, price, held }: PricedJob, shop: Shop): LegalJob | undefined {
  const changes = price?.law && changesFor(job, price.law, shop);
  if (!changes) return undefined;
  const { work, estimate_id } = job;
  const legal = jobOf({ ...job, service_type: work.service, ...changes }, shop);
  if (isBarred(estimateOf(legal, shop).law)) return undefined;
  if (estimate_id === undefined || !held) return { changes, request: changes };
  const isSameWork = !Object.hasOwn(changes, "addons") && changes.coverage === undefined;
  const id = isSameWork ? jobToken(legal, held.lock, shop.tint_law.home, held.secret).id : undefined;
  const named = isSameWork ? {} : toRequest(legal, undefined);
  return { changes, request: { ...named, ...changes, estimate_id: id } };
}

function changesFor(job: Job, { checks }: Law, shop: Shop): Partial<JobRequest> | undefined {
  const tinted = tintedPositions(shop, job.work);
  const shades = { ...job.shades };
  const bare: Position[] = [];
  let dropsStrip = false;
  for (const check of checks) {
    if (!isBarred(check)) continue;
    const { position, darkest_legal_shade: darkest } = check;
    if (!tinted.includes(position)) dropsStrip = true;
    else if (darkest !== null) shades[position] = darkest;
    else {
      bare.push(position);
      delete shades[position];
    }
  }
  const covered = (code: string) => shop.priceList.addons.get(code)?.position ?? null;
  const isKept = (position: ReturnType<typeof covered>) =>
    !(position === "windshield_strip" && dropsStrip) && !bare.some((one) => one === position);
  const addons = job.work.addons.filter((code) => isKept(covered(code)));
  const coverage = coverageWithout(bare, job, shop);
  if (coverage === undefined) return undefined;
  const { windshield, ...sides } = shades;
  const { windshield: _, ...before } = job.shades;
  return {
    ...(!Bun.deepEquals(sides, before) && { shade: shadeFor(sides, job.shade, tinted) }),
    ...(windshield !== job.shades.windshield && { windshield_shade: windshield }),
    ...(addons.length < job.work.addons.length && { addons: addons.length > 0 ? addons : undefined }),
    ...(coverage !== null && coverage !== job.work.coverage && { coverage }),
  };
}

/** The shade of the glass that gets film: one where one was wished and one is legal. */
function shadeFor(sides: Shades, wished: JobRequest["shade"], tinted: readonly Position[]): JobRequest["shade"] {
  if (typeof wished !== "number") return shadeOf(sides);
  const used = SIDES.filter((side) => tinted.includes(side) && sides[side] !== undefined);
  const [one, ...others] = new Set(used.map((side) => sides[side]));
  return others.length === 0 ? one : shadeOf(pick(sides, ...used));
}

/** The coverage of the most glass of the job that leaves some out; its own where it does; undefined where there is none. */
function coverageWithout(bare: readonly Position[], { work }: Job, { priceList }: Shop): string | null | undefined {
  const own = (work.coverage !== null && priceList.coverages.get(work.coverage)) || [];
  const kept = own.filter((position) => !bare.includes(position));
  if (work.filmType === null || kept.length === own.length) return work.coverage;
  let best: string | undefined;
  for (const [key, positions] of priceList.coverages) {
    const isIn = positions.length > 0 && positions.every((position) => kept.includes(position));
    const most = best === undefined ? 0 : (priceList.coverages.get(best)?.length ?? 0);
    if (isIn && positions.length > most) best = key;
  }
  return best;
}
